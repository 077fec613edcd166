//! `taquin tables verify`: every byte of every table.

use anstyle::AnsiColor;
use anyhow::Result;
use taquin::Size;
use taquin::tables::store::{ListedState, StoreError};

use super::{is_for, name, tables};
use crate::names;
use crate::output::Output;
use crate::status::Status;
use crate::tables::{TablesArgs, threads};

/// Compare all tables with their checksums.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  $ taquin tables verify

  Those of one size
  $ taquin tables verify 4x4

Exit code: 0 if all tables are sound, 1 if one is damaged or cannot be used.")]
pub(crate) struct Args {
    /// Only tables of this size, rows x columns.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Option<Size>,

    #[command(flatten)]
    tables: TablesArgs,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let store = args.tables.store()?;
    let (mut sound, mut bad) = (0, 0);
    for file in store.list()? {
        if args.size.is_some_and(|size| !is_for(&file, size)) {
            continue;
        }
        let verdict = match &file.state {
            ListedState::Table(stored) => stored.verify(threads()).map_err(|error| reason(&error)),
            ListedState::Unusable(error) => Err(reason(error)),
            // Nobody ever reads it.
            _ => continue,
        };
        let name = name(&file);
        let line = match verdict {
            Ok(()) => {
                sound += 1;
                let ok = out.styled(AnsiColor::Green.on_default(), "ok");
                format!("{name}: {ok}\n")
            }
            Err(reason) => {
                bad += 1;
                let reason = out.styled(AnsiColor::Red.on_default(), reason);
                format!("{name}: {reason}\n")
            }
        };
        out.record(&line)?;
    }
    let folder = store.folder().display();
    out.record(&match bad {
        0 => format!("{} in {folder}, all sound\n", tables(sound)),
        _ => format!(
            "{bad} of {} in {folder} cannot be used; they are built again when they are needed, \
             and `taquin tables remove --damaged` removes them\n",
            tables(sound + bad)
        ),
    })?;
    Ok(Status::of_answer(bad == 0))
}

/// What is wrong with a file, without its path.
fn reason(error: &StoreError) -> String {
    error.kind().to_string()
}
