//! `taquin serve`: the page and the API.

mod log;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{ValueHint, value_parser};
use log::Log;
use taquin_server::{Bounds, Config, Resources, Server};
use tokio::sync::oneshot;

use crate::output::Output;
use crate::status::Status;
use crate::tables::{self, TablesArgs};
use crate::{interrupt, units};

/// Serve the page and the API on this machine.
///
/// Open the address that it prints in a browser: play, solve, and see how the search thinks.
/// Programs find the API under /api; docs/api.md describes it. It listens on this machine alone,
/// unless --listen says otherwise, and everything that a caller can make it spend has a limit.
/// Ctrl-C or SIGTERM stops it.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  Open http://127.0.0.1:8015 in a browser while this runs
    taquin serve

  On a free port, in the background, and stop it
  $ taquin serve --listen 127.0.0.1:0 --log off & sleep 1; kill $!

  Ask it something
    curl http://127.0.0.1:8015/api/v1/solve -H 'content-type: application/json' \\
      -d '{\"board\": \"8 1 3/4 0 2/7 6 5\"}'

Exit code: 0 when it was stopped, 2 if it cannot listen there or start its threads.")]
pub(crate) struct Args {
    /// Where to listen. Anyone who can reach the address can use the server.
    #[arg(long, value_name = "HOST:PORT", default_value_t = Config::default().listen.to_string())]
    listen: String,

    /// Searches at once. Default: twice the number of cores.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Limits")]
    searches: Option<u16>,

    /// How many searches may wait for a turn. Further requests get status 503.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().queue, help_heading = "Limits")]
    queue: usize,

    /// The longest that a search may take, as in 500ms, 10s or 5m.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::duration, help_heading = "Limits")]
    limit_time: Duration,

    /// The most nodes that a search may expand.
    #[arg(long, value_name = "NODES", default_value_t = Bounds::default().nodes, value_parser = units::count, help_heading = "Limits")]
    limit_nodes: u64,

    /// The memory that a search may keep states in, as in 500MB, and that all searches of whole
    /// spaces may take. Default: 512 MiB for all searches at once, 256 MiB for whole spaces.
    #[arg(long, value_name = "MEMORY", value_parser = units::memory, help_heading = "Limits")]
    limit_memory: Option<u64>,

    /// The memory for what is kept for the next request: tables, and what was found out about whole
    /// spaces. Tables in files count too, though the system can take their memory back.
    #[arg(long, value_name = "MEMORY", default_value = "1GiB", value_parser = units::memory, help_heading = "Limits")]
    keep: u64,

    /// The most events of a trace.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().events, value_parser = units::count, help_heading = "Limits")]
    max_events: u64,

    #[command(flatten)]
    tables_dir: TablesArgs,

    /// Serve the page from this folder instead of the built-in one. Useful while working on the page.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    web: Option<PathBuf>,

    /// How to write the log, to standard error: a line for every request.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: Log,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let config = args.config()?;
    // Where the allocator is another one, it does so anyway.
    taquin_server::give_large_blocks_back();
    // Before all other threads: it finds out whether there are enough, also for the log.
    let runtime = taquin_server::runtime().context("the server cannot be started")?;
    let _log = args.log.install().context("the log cannot be started")?;
    let store = args.tables_dir.store()?;
    let resources = Resources::new(store, tables::threads(), &config.bounds);
    let served = runtime.block_on(async {
        let listen = config.listen;
        let server = Server::bind(config, resources);
        let server = server.with_context(|| {
            format!("cannot listen on {listen}; another address can be given with --listen")
        })?;
        // Before the address is printed: a supervisor that reads it may send a signal at once.
        let stopped = stopped();
        out.text(&format!("Taquin listens on http://{}\n", server.address()))?;
        out.flush()?;
        server.run(stopped).await;
        Ok(Status::Done)
    });
    // A search that does not end is not waited for.
    runtime.shutdown_background();
    served
}

impl Args {
    fn config(&self) -> Result<Config> {
        if let Some(web) = &self.web
            && !web.is_dir()
        {
            bail!("--web takes a folder, and {} is none", web.display());
        }
        let mut bounds = Bounds::default();
        if let Some(searches) = self.searches {
            bounds = bounds.with_searches(searches.into());
        }
        Ok(Config {
            listen: self.address()?,
            bounds: Bounds {
                queue: self.queue,
                time: self.limit_time,
                nodes: self.limit_nodes,
                memory: self.limit_memory.unwrap_or(bounds.memory),
                survey_memory: self.limit_memory.unwrap_or(bounds.survey_memory),
                kept: self.keep,
                events: self.max_events,
                ..bounds
            },
            web: self.web.clone(),
        })
    }

    fn address(&self) -> Result<SocketAddr> {
        let wanted = || {
            format!(
                "--listen takes HOST:PORT, as in 127.0.0.1:8015, not {:?}",
                self.listen
            )
        };
        let mut found = self.listen.to_socket_addrs().with_context(wanted)?;
        found.next().with_context(wanted)
    }
}

/// Ends when the server is told to stop. From then on a signal ends the program at once.
fn stopped() -> impl Future<Output = ()> {
    let (stop, stopped) = oneshot::channel();
    interrupt::on_first(move || {
        // Fails only when the server has ended by itself.
        let _ = stop.send(());
    });
    async {
        let _ = stopped.await;
    }
}
