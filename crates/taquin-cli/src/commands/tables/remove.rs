//! `taquin tables remove`: room on the disk.

use anyhow::Result;
use taquin::Size;
use taquin::tables::store::{Listed, ListedState};

use super::{is_for, name};
use crate::output::Output;
use crate::status::Status;
use crate::tables::{TablesArgs, threads};
use crate::{figures, names};

/// Remove tables.
///
/// What is needed again is built again. Programs that are using a table can go on. The empty files
/// that end in .lock stay: they keep two programs from building the same table at once.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Those of one size
  $ taquin tables remove 3x4

  Files that cannot be used, and what killed programs have left behind
  $ taquin tables remove --damaged

  All of them
  $ taquin tables remove --all

Exit code: 0 if all are removed or there were none, 2 if one cannot be removed.")]
pub(crate) struct Args {
    /// Tables of this size, rows x columns.
    #[arg(value_name = "SIZE", value_parser = names::size, required_unless_present_any = ["all", "damaged"])]
    size: Option<Size>,

    /// Tables of all sizes.
    #[arg(long, conflicts_with_all = ["size", "damaged"])]
    all: bool,

    /// Only files that cannot be used: damaged, foreign, in another format, or left behind.
    #[arg(long)]
    damaged: bool,

    #[command(flatten)]
    tables: TablesArgs,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let store = args.tables.store()?;
    let mut status = Status::Done;
    let (mut files, mut bytes) = (0_u32, 0);
    for file in store.list()? {
        let is_meant = args.size.is_none_or(|size| is_for(&file, size));
        if !is_meant || args.damaged && is_sound(&file) {
            continue;
        }
        match file.remove() {
            Ok(true) => {
                files += 1;
                bytes += file.bytes;
                out.record(&format!("removed {}\n", name(&file)))?;
            }
            Ok(false) => out.record(&format!("{} is being written: kept\n", name(&file)))?,
            Err(error) => {
                out.complain(format_args!("{error}"))?;
                status = Status::BadInput;
            }
        }
    }
    let s = if files == 1 { "" } else { "s" };
    out.record(&format!(
        "{files} file{s} removed, {}\n",
        figures::size(bytes)
    ))?;
    Ok(status)
}

/// Whether a file is a table with its right checksums.
fn is_sound(file: &Listed) -> bool {
    match &file.state {
        ListedState::Table(stored) => stored.verify(threads()).is_ok(),
        _ => false,
    }
}
