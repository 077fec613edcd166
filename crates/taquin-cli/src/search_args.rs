//! The options of every command that searches.

use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use taquin::heuristic::HeuristicKind;
use taquin::search::{Cost, Counting, Laboratory};
use taquin::tables::Partition;
use taquin::{Board, Limits, Metric, Size};

use crate::names;
use crate::output::remark;
use crate::spaces::MetricArgs;
use crate::units;

/// The memory that searches may take where no option says otherwise: enough for ten million states
/// and more, and less than most machines have to spare.
pub(crate) const DEFAULT_MEMORY: u64 = 2_000_000_000;

/// When to give up.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
#[expect(
    clippy::struct_field_names,
    reason = "the options are named after the fields"
)]
pub(crate) struct LimitArgs {
    /// Stop a search after it has expanded this many nodes, as in 1000000 or 10M.
    #[arg(long, value_name = "NODES", value_parser = units::count)]
    limit_nodes: Option<u64>,

    /// Stop a search after this time, as in 500ms, 10s or 5m. Building tables is not counted.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    limit_time: Option<Duration>,

    /// Stop a search that needs more memory for its states, as in 500MB or 2GB.
    #[arg(long, value_name = "MEMORY", value_parser = units::memory)]
    limit_memory: Option<u64>,
}

impl LimitArgs {
    /// The memory limit, if one was typed.
    pub(crate) const fn limit_memory(&self) -> Option<u64> {
        self.limit_memory
    }

    /// The limits as typed; where nothing was typed, those of `otherwise`.
    pub(crate) fn limits_or(&self, otherwise: Limits) -> Limits {
        Limits {
            nodes: self.limit_nodes.or(otherwise.nodes),
            time: self.limit_time.or(otherwise.time),
            memory: self.limit_memory.or(otherwise.memory),
            ..otherwise
        }
    }
}

/// What a move costs.
#[derive(Args)]
pub(crate) struct CostArgs {
    /// What a move costs.
    #[arg(long, value_name = "COST", default_value = "unit", value_parser = names::cost())]
    pub(crate) cost: Cost,
}

/// What counts as a move, and what it costs.
#[derive(Args)]
pub(crate) struct CountingArgs {
    #[command(flatten)]
    metric: MetricArgs,

    #[command(flatten)]
    cost: CostArgs,
}

impl CountingArgs {
    /// What both count together; an error if they do not go together.
    pub(crate) fn counting(&self) -> Result<Counting> {
        Counting::new(self.metric.metric, self.cost.cost)
            .context("--metric multi does not go with --cost tile")
    }
}

/// These heuristics and, where the size and the metric have them, the pattern databases that are fast to build.
pub(crate) fn with_patterns(
    size: Size,
    metric: Metric,
    heuristics: &[HeuristicKind],
) -> Vec<HeuristicKind> {
    const FAST: &str = "6-6-3";
    let patterns = Partition::drawn(size).find(|&name| name == FAST);
    let patterns = patterns.and_then(|name| name.parse().ok());
    let patterns = patterns.map(HeuristicKind::Patterns);
    let all = heuristics.iter().copied().chain(patterns);
    all.filter(|kind| kind.is_for(metric)).collect()
}

/// A laboratory for each of these heuristics. One that cannot be had for this size is told and left
/// out; the second value says whether there was any.
pub(crate) fn laboratories(
    goal: &Board,
    counting: Counting,
    heuristics: &[HeuristicKind],
) -> (Vec<Laboratory>, bool) {
    let made = heuristics.iter().filter_map(|&kind| {
        let made = Laboratory::new(goal, counting, kind);
        made.inspect_err(|refused| {
            remark(format_args!("{} is left out: {refused}", kind.name()));
        })
        .ok()
    });
    let made: Vec<Laboratory> = made.collect();
    let left_out = made.len() < heuristics.len();
    (made, left_out)
}
