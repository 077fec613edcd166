//! `taquin serve`: the page and the API.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{ValueEnum, ValueHint, value_parser};
use taquin_server::{Bounds, Config, Resources, Server};
use tokio::runtime;
use tokio::signal;
use tracing_appender::non_blocking::WorkerGuard;

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

Exit code: 0 when it was stopped, 2 if it cannot listen there.")]
pub(crate) struct Args {
    /// Where to listen. Anyone who can reach the address can use the server.
    #[arg(long, value_name = "HOST:PORT", default_value_t = Config::default().listen.to_string())]
    listen: String,

    /// Searches at once. Default: twice the number of cores.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Limits")]
    searches: Option<u16>,

    /// Searches that may wait for their turn; who comes after them gets status 503.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().queue, help_heading = "Limits")]
    queue: usize,

    /// The longest that a search may take, as in 500ms, 10s or 5m.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::duration, help_heading = "Limits")]
    limit_time: Duration,

    /// The most nodes that a search may expand.
    #[arg(long, value_name = "NODES", default_value_t = Bounds::default().nodes, value_parser = units::count, help_heading = "Limits")]
    limit_nodes: u64,

    /// The memory that a search may keep states in, as in 500MB. Default: 512 MiB for all searches
    /// at once.
    #[arg(long, value_name = "MEMORY", value_parser = units::memory, help_heading = "Limits")]
    limit_memory: Option<u64>,

    /// The most events of a trace.
    #[arg(long, value_name = "N", default_value_t = Bounds::default().events, value_parser = units::count, help_heading = "Limits")]
    max_events: u64,

    #[command(flatten)]
    tables_dir: TablesArgs,

    /// Serve the page from this folder instead of the one that is built in, for who works on it.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    web: Option<PathBuf>,

    /// How to write the log, to standard error: a line for every request.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: Log,
}

#[derive(Clone, Copy, ValueEnum)]
enum Log {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
    /// Nothing.
    Off,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Status> {
    let _log = args.log.install();
    let resources = Resources::new(args.tables_dir.store()?, tables::threads());
    let config = args.config()?;
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the server cannot be started")?;
    let served = runtime.block_on(async {
        let listen = config.listen;
        let server = Server::bind(config, resources).await;
        let server = server.with_context(|| {
            format!("cannot listen on {listen}; another address can be given with --listen")
        })?;
        out.text(&format!("Taquin listens on http://{}\n", server.address()))?;
        out.flush()?;
        let end = stopped().context("signals cannot be heard")?;
        // From now on the first Ctrl-C stops the server, the second ends the program at once.
        drop(interrupt::flag());
        server.run(end).await;
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

impl Log {
    /// Writes the log from a thread of its own, until the guard is dropped. Lines that nobody takes
    /// are left out: no request waits for a log.
    fn install(self) -> WorkerGuard {
        let (writer, guard) = tracing_appender::non_blocking(io::stderr());
        let builder = tracing_subscriber::fmt()
            .with_writer(writer)
            .log_internal_errors(false)
            .with_target(false);
        match self {
            Self::Text => builder.init(),
            Self::Json => builder.json().flatten_event(true).init(),
            Self::Off => {}
        }
        guard
    }
}

/// Ends when the server is told to stop.
fn stopped() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use signal::unix::{SignalKind, signal};

        let mut interrupted = signal(SignalKind::interrupt())?;
        let mut terminated = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupted.recv() => (),
                _ = terminated.recv() => (),
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async { drop(signal::ctrl_c().await) })
}
