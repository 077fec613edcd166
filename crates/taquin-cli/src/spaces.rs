//! What the commands about whole spaces share: which space is meant, how it may be searched, and
//! what to say of one that is too large.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, value_parser};
use taquin::notation::BoardForm;
use taquin::space::{Atlas, AtlasFrom, Space};
use taquin::supply::{TableSource, available_memory};
use taquin::tables::BuildError;
use taquin::{Board, Budget, Goal, Limit, Limits, Metric, Size};

use crate::goals::GoalArgs;
use crate::search_args::DEFAULT_MEMORY;
use crate::tables::{TablesArgs, threads, with_bar_of};
use crate::{figures, goals, interrupt, names, units};

/// Which space is meant.
#[derive(Args)]
pub(crate) struct SpaceArgs {
    /// Rows x columns: up to 12 cells, or up to 14 with much memory.
    #[arg(value_name = "SIZE", value_parser = names::size)]
    size: Size,

    #[command(flatten)]
    goal: GoalArgs,

    #[command(flatten)]
    metric: MetricArgs,
}

/// What counts as a move.
#[derive(Args)]
pub(crate) struct MetricArgs {
    /// What counts as a move.
    #[arg(long, value_name = "METRIC", default_value = "single", value_parser = names::metric())]
    pub(crate) metric: Metric,
}

/// What the moves of a metric are called.
pub(crate) const fn moves(metric: Metric) -> &'static str {
    match metric {
        Metric::Single => "single-tile moves",
        Metric::Multi => "multi-tile moves",
    }
}

/// What is said of the metric after other things, where it is not the usual one.
pub(crate) const fn unusual(metric: Metric) -> &'static str {
    match metric {
        Metric::Single => "",
        Metric::Multi => ", multi-tile moves",
    }
}

/// How a space may be searched.
#[derive(Args)]
pub(crate) struct EffortArgs {
    /// How many threads search. Default: as many as the machine runs at once.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop after this time, as in 500ms, 10s or 5m.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    limit_time: Option<Duration>,

    /// The most memory that a search may take, as in 500MB or 12GB. Default: 2GB.
    #[arg(long, value_name = "MEMORY", value_parser = units::memory)]
    limit_memory: Option<u64>,

    #[command(flatten)]
    tables_dir: TablesArgs,
}

impl SpaceArgs {
    /// What is asked for, where a form of boards may say what its goal is.
    pub(crate) fn asked(&self, form: Option<BoardForm>) -> Result<Asked> {
        Asked::new(&self.goal, form, self.size, self.metric.metric)
    }
}

/// A space as it was asked for.
pub(crate) struct Asked {
    pub(crate) size: Size,
    pub(crate) metric: Metric,
    /// The goal's name, and the board that it is.
    pub(crate) goal_name: String,
    pub(crate) goal: Board,
    named: Goal,
}

impl Asked {
    /// The space of a goal, which a form of boards may name, on boards of a size.
    pub(crate) fn new(
        args: &GoalArgs,
        form: Option<BoardForm>,
        size: Size,
        metric: Metric,
    ) -> Result<Self> {
        let named = args.goal(form.unwrap_or_default());
        let goal = named
            .board(size)
            .context("--goal and the size do not fit")?;
        Ok(Self {
            size,
            metric,
            goal_name: named.name().into_owned(),
            goal,
            named,
        })
    }

    /// The space in a few words.
    pub(crate) fn title(&self) -> String {
        let Self {
            size, goal_name, ..
        } = self;
        format!("{size}, goal {goal_name}, {}", self.moves())
    }

    /// What the metric counts.
    pub(crate) const fn moves(&self) -> &'static str {
        moves(self.metric)
    }

    /// The arguments that mean the same space again.
    pub(crate) fn typed(&self) -> String {
        let goal = goals::option(&self.named);
        let metric = match self.metric {
            Metric::Single => "",
            Metric::Multi => " --metric multi",
        };
        format!("{}{goal}{metric}", self.size)
    }
}

/// Searches whole spaces, or opens what was stored of them, within the limits.
pub(crate) struct Spaces {
    source: TableSource,
    /// The most memory that was allowed, whatever the machine has.
    allowed: u64,
    /// Began with the command; knows when its time is over.
    clock: Budget,
}

/// States that a core looks at in a second, roughly: every board once for each distance.
const STATES_PER_SECOND: f64 = 8e9;

impl Spaces {
    /// With the limits that were asked for.
    pub(crate) fn new(args: &EffortArgs) -> Result<Self> {
        let allowed = args.limit_memory.unwrap_or(DEFAULT_MEMORY);
        let threads = args.threads.map_or_else(threads, usize::from);
        let source = args.tables_dir.source()?;
        Ok(Self {
            source: source.with_threads(threads).with_memory(allowed),
            allowed,
            clock: Budget::new(&Limits {
                time: args.limit_time,
                ..Limits::default()
            }),
        })
    }

    /// How many threads search.
    pub(crate) const fn threads(&self) -> usize {
        self.source.threads()
    }

    /// The space of a goal, unless it is too large for any search.
    pub(crate) fn space(&self, goal: &Board, metric: Metric) -> Result<Space> {
        Space::new(goal, metric).map_err(|refused| anyhow!(self.beyond(refused.size)))
    }

    /// Refuses a space whose search would take more memory than it may, and says what it would
    /// take.
    pub(crate) fn check(&self, space: &Space) -> Result<()> {
        let memory = self.source.build_budget(&Budget::default()).limits().memory;
        let bytes = space.working_memory(self.threads());
        if memory.is_some_and(|memory| bytes > memory) {
            bail!(self.over_limit(space, bytes));
        }
        Ok(())
    }

    /// The atlas of a space: what is stored of it, unless it is to be `fresh`, or what a search
    /// finds.
    pub(crate) fn atlas(&self, space: &Space, fresh: bool) -> Result<AtlasFrom> {
        // Before anything is searched; what is stored of a larger space is not opened either.
        self.check(space)?;
        let drawn = self.listening(|budget| space.atlas(&self.source, fresh, budget));
        drawn.map_err(|error| self.explained(space, error))
    }

    /// All boards that are as far away as can be.
    pub(crate) fn farthest(&self, atlas: &Atlas) -> Result<Vec<Board>> {
        let (space, tally) = (atlas.space(), atlas.census().all());
        let distance = tally.farthest();
        let listed = atlas.farthest();
        if listed.len() as u64 >= tally.at(distance) {
            return Ok(listed.to_vec());
        }
        let what = format!("listing the farthest boards of {}", space.goal().size());
        self.work(&what, space, |budget| {
            space.level(distance, self.threads(), budget)
        })
    }

    /// Does `work` on all boards of a space, with a bar, until it is done or Ctrl-C comes.
    pub(crate) fn work<T, E>(
        &self,
        what: &str,
        space: &Space,
        work: impl FnOnce(&Budget) -> Result<T, E>,
    ) -> Result<T>
    where
        E: Into<anyhow::Error>,
    {
        let done = self.listening(|budget| {
            let budget = self.source.build_budget(budget);
            let work = || work(&budget).map_err(Into::into);
            with_bar_of(what, || space.boards(), &budget, work)
        });
        done.map_err(
            |error: anyhow::Error| match error.downcast::<BuildError>() {
                Ok(error) => self.explained(space, error),
                Err(error) => error,
            },
        )
    }

    /// Why a search was not made, with what it would take if that is the reason.
    fn explained(&self, space: &Space, error: BuildError) -> anyhow::Error {
        let size = space.goal().size();
        match error {
            BuildError::Limit(over) => anyhow!(self.over_limit(space, over.bytes)),
            BuildError::Memory(_) => {
                anyhow!(self.over_limit(space, space.working_memory(self.threads())))
            }
            BuildError::Stopped(Limit::Time) => anyhow::Error::from(error)
                .context(format!("--limit-time ended the search of {size}")),
            error => error.into(),
        }
    }

    /// Does `work` within the time of the command, and breaks it off when Ctrl-C comes, which ends
    /// the program at once before and after that.
    fn listening<T, E: From<BuildError>>(
        &self,
        work: impl FnOnce(&Budget) -> Result<T, E>,
    ) -> Result<T, E> {
        let budget = Budget::new(&Limits {
            cancel: Some(interrupt::flag()),
            ..self.clock.left()
        });
        let result = work(&budget);
        interrupt::unlisten();
        // It may have come too late to be seen in there.
        if budget.is_cancelled() {
            return Err(BuildError::Stopped(Limit::Cancelled).into());
        }
        result
    }

    /// What to say of a space that takes more memory than there may be.
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    fn over_limit(&self, space: &Space, bytes: u64) -> String {
        let size = space.goal().size();
        let takes = self.takes(size, (bytes as f64).ln());
        let instead = "solve single boards with `taquin solve`";
        match available_memory() {
            Some(available) if available < bytes => {
                let available = figures::size(available);
                format!("{takes}, and this machine has {available} to spare; {instead}")
            }
            _ => {
                let (allowed, more) = (figures::size(self.allowed), option_of(bytes));
                format!(
                    "{takes}, and {allowed} are allowed; allow more with --limit-memory {more}, \
                     or {instead}"
                )
            }
        }
    }

    /// What to say of a size that is too large for any machine.
    fn beyond(&self, size: Size) -> String {
        let takes = self.takes(size, ln_boards(size) - 4_f64.ln());
        format!(
            "{takes}; whole spaces go up to {} cells, solve single boards with `taquin solve`",
            Space::MAX_CELLS
        )
    }

    /// What a search of all boards of a size takes, of which the memory is known.
    #[expect(clippy::cast_precision_loss, reason = "there are few threads")]
    fn takes(&self, size: Size, ln_bytes: f64) -> String {
        let threads = self.threads();
        let speed = STATES_PER_SECOND * threads as f64;
        let ln_seconds = ln_boards(size) + levels(size).ln() - speed.ln();
        format!(
            "{size} has {} boards; to search them all takes {} of memory and {} on {}",
            boards_of(size),
            bytes_of(ln_bytes),
            time_of(ln_seconds),
            threads_of(threads)
        )
    }
}

/// A number of threads in words.
pub(crate) fn threads_of(threads: usize) -> String {
    match threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    }
}

/// The natural logarithm of the number of boards from which a goal can be reached.
fn ln_boards(size: Size) -> f64 {
    (3..=size.cells() as u32).map(|n| f64::from(n).ln()).sum()
}

/// How many moves away the farthest boards are, roughly: within a third where it is known.
fn levels(size: Size) -> f64 {
    let (rows, columns) = (size.rows() as u32, size.columns() as u32);
    0.7 * f64::from(rows * columns) * f64::from(rows + columns)
}

/// The number of boards from which a goal can be reached.
fn boards_of(size: Size) -> String {
    /// More cells have more boards than anybody wants to read the digits of.
    const READABLE_CELLS: usize = 17;
    let cells = size.cells();
    if cells <= READABLE_CELLS {
        figures::count((3..=cells as u128).product::<u128>())
    } else {
        format!("about {}", power_of_ten(ln_boards(size)))
    }
}

/// Bytes from their natural logarithm.
fn bytes_of(ln: f64) -> String {
    if ln < 1e18_f64.ln() {
        figures::bytes(ln)
    } else {
        format!("{} bytes", power_of_ten(ln))
    }
}

/// A time from the natural logarithm of its seconds.
fn time_of(ln: f64) -> String {
    let ln_years = ln - 31_557_600_f64.ln();
    if ln < 0.1_f64.ln() {
        figures::long_time(ln)
    } else if ln_years < 1e9_f64.ln() {
        format!("roughly {}", figures::long_time(ln))
    } else {
        format!("roughly {} years", power_of_ten(ln_years))
    }
}

/// A number by its order of magnitude.
fn power_of_ten(ln: f64) -> String {
    format!("10^{:.0}", ln / std::f64::consts::LN_10)
}

/// What to type to allow this many bytes, with a little to spare.
fn option_of(bytes: u64) -> String {
    let bytes = bytes + bytes / 10;
    let (unit, name) = if bytes < 1_000_000_000 {
        (1_000_000, "MB")
    } else {
        (1_000_000_000, "GB")
    };
    format!("{}{name}", bytes.div_ceil(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_given_by_their_magnitude() {
        let size = |text: &str| text.parse::<Size>().unwrap();
        assert_eq!(boards_of(size("3x4")), "239,500,800");
        assert_eq!(boards_of(size("4x4")), "10,461,394,944,000");
        assert_eq!(boards_of(size("5x5")), "about 10^25");
        assert_eq!(boards_of(size("255x255")), "about 10^284733");
        assert_eq!(bytes_of(2.6e12_f64.ln()), "2.6 TB");
        assert_eq!(bytes_of(2.6e30_f64.ln()), "10^30 bytes");
        assert_eq!(time_of(9000_f64.ln()), "roughly 2.5 hours");
        assert_eq!(time_of(1e30_f64.ln()), "roughly 10^23 years");
    }

    #[test]
    fn the_advised_limit_is_enough() {
        assert_eq!(option_of(43_589_145_600 / 4), "12GB");
        assert_eq!(option_of(239_500_800 / 4), "66MB");
        assert_eq!(option_of(45_360), "1MB");
    }
}
