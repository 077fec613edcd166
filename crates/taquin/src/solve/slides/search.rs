//! Length by length: first every solution of n slides, then of n + 1.
//!
//! A solution of n slides whose first one is along the row is a path of n - 1 edges from the
//! board's row class; if n is odd it ends at the goal's row class, otherwise at its column class.
//! Those that begin along the column are a second search. A path that ends with the edge of the
//! goal would be a solution of n - 1 slides, and those were searched before.

use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use super::engine::{DamagedColouringError, Engine};
use super::graph::{COLUMN, ROW};
use super::lanes::{Found, Iteration, Job, Lanes};
use super::lookup::Lookup;
use super::tasks::{Tree, bound};
use crate::cpu::run_fast;
use crate::outcome::{self, Budget, Limit, Outcome, Proof, Report, Solution, Statistics};
use crate::solve::Effort;
use crate::threads::{on_each, useful};
use crate::{Board, Move, Moves, Tile};

/// Tasks for the lanes of one thread, and for several threads.
const FEW_TASKS: usize = 16;
const MANY_TASKS: usize = 1024;
/// Several threads join in after an iteration of this many nodes, one for each part.
const LONG_ITERATION: u64 = 20_000;
const THREAD_NODES: u64 = 4000;
/// The longest solution that is looked for: no board of sixteen cells needs as many slides.
const LONGEST: u32 = 200;

const OPTIMAL: &str = "all shorter lengths were searched in full";

impl Engine {
    /// What the tables say of a canonical board: no solution has fewer slides.
    pub(super) fn estimate(&self, board: &Board) -> Result<u32, DamagedColouringError> {
        if *board == self.goal {
            return Ok(0);
        }
        let mut least = u32::MAX;
        for (kind, target) in PAIRS {
            least = least.min(bound(&self.start(board, kind, target)?) + 1);
        }
        Ok(least)
    }

    /// A shortest solution of a canonical board, which must be solvable.
    pub(super) fn solve(
        &self,
        board: &Board,
        effort: &Effort,
    ) -> Result<Report, DamagedColouringError> {
        let begin = Instant::now();
        let mut statistics = Statistics::default();
        let outcome = self.search(board, effort, &mut statistics)?;
        statistics.time = begin.elapsed();
        Ok(Report {
            outcome,
            statistics,
        })
    }

    fn search(
        &self,
        board: &Board,
        effort: &Effort,
        statistics: &mut Statistics,
    ) -> Result<Outcome, DamagedColouringError> {
        if *board == self.goal {
            return Ok(solved(Moves::new(), 0));
        }
        let lookups = [ROW, COLUMN].map(|target| Lookup::all(self, target));
        let mut trees = Vec::new();
        for (kind, target) in PAIRS {
            trees.push(Tree::new(self.start(board, kind, target)?, kind, target));
        }
        let budget = Budget::new(&effort.limits);
        let mut lanes = vec![Lanes::default()];
        let mut last = 0;
        for slides in self.estimate(board)?.. {
            let edges = slides - 1;
            let stopped = |limit| Outcome::Stopped {
                limit,
                lower_bound: slides,
            };
            if let Err(limit) = budget.reach(slides) {
                return Ok(stopped(limit));
            }
            if slides > LONGEST {
                return Ok(stopped(Limit::Length));
            }
            let mut sum = Found::default();
            // With an even number of edges the target is of the kind that the path begins with.
            let even = edges.is_multiple_of(2);
            for tree in &mut trees {
                if (tree.kind == tree.target) != even || !tree.is_within(edges) {
                    continue;
                }
                let lookups = &lookups[tree.target];
                let mut tasks = FEW_TASKS;
                if effort.threads > 1 && last > LONG_ITERATION {
                    tasks = MANY_TASKS;
                    let enough = usize::try_from(last / THREAD_NODES).unwrap_or(usize::MAX);
                    lanes.resize_with(useful(effort.threads.min(enough)), Lanes::default);
                }
                tree.split(self, lookups, tasks);
                self.iterate(board, edges, tree, lookups, &budget, &mut lanes, &mut sum);
                if sum.path.is_some() || sum.limit.is_some() {
                    break;
                }
            }
            statistics.expanded += sum.expanded;
            statistics.generated += sum.generated;
            statistics.iterations.push(outcome::Iteration {
                threshold: slides,
                expanded: sum.expanded,
                generated: sum.generated,
            });
            last = sum.expanded;
            // A solution that was found counts, whatever limit another thread ran into.
            if let Some(path) = sum.path {
                return Ok(solved(self.moves(board, &path), slides));
            }
            if let Some(limit) = sum.limit {
                return Ok(stopped(limit));
            }
        }
        Ok(Outcome::NoSolution)
    }

    /// All paths of this many edges in one tree, on as many threads as there are sets of lanes.
    #[expect(clippy::too_many_arguments, reason = "called once")]
    fn iterate(
        &self,
        board: &Board,
        edges: u32,
        tree: &Tree,
        lookups: &[Lookup<'_>],
        budget: &Budget,
        lanes: &mut [Lanes],
        sum: &mut Found,
    ) {
        let (expanded, generated) = tree.above(edges);
        if let Err(limit) = budget.take_exactly(expanded) {
            sum.limit = Some(limit);
            return;
        }
        budget.finish(expanded);
        sum.expanded += expanded;
        sum.generated += generated;
        let job = Job {
            engine: self,
            lookups,
            tasks: &tree.tasks,
            kind: tree.task_kind(),
            edges,
            board,
            budget,
            next: AtomicUsize::new(0),
            enough: AtomicBool::new(false),
        };
        for part in on_each(lanes, |lanes| run_fast(Iteration { job: &job, lanes })) {
            sum.expanded += part.expanded;
            sum.generated += part.generated;
            sum.path = sum.path.take().or(part.path);
            sum.limit = sum.limit.or(part.limit);
        }
    }

    /// Whether the blank comes to the goal on this way.
    pub(super) fn is_solution(&self, board: &Board, path: &[u8]) -> bool {
        let columns = board.size().columns();
        let mut tiles = [0; 16];
        for (cell, tile) in tiles.iter_mut().zip(board.tiles()) {
            *cell = tile;
        }
        let mut blank = board.blank();
        let home = self.goal.blank();
        for to in path.iter().map(|&cell| usize::from(cell)).chain([home]) {
            let step = if to / columns == blank / columns {
                1
            } else {
                columns
            };
            while blank != to {
                let next = if to > blank {
                    blank + step
                } else {
                    blank - step
                };
                tiles.swap(blank, next);
                blank = next;
            }
        }
        let tiles: &[Tile] = &tiles;
        self.goal
            .tiles()
            .zip(tiles)
            .all(|(goal, &tile)| goal == tile)
    }

    /// The moves of the tiles when the blank goes this way, and then home.
    fn moves(&self, board: &Board, path: &[u8]) -> Moves {
        let size = board.size();
        let mut moves = Moves::new();
        let mut blank = board.blank();
        let home = self.goal.blank();
        for to in path.iter().map(|&cell| usize::from(cell)).chain([home]) {
            let (direction, tiles) = if size.row(to) == size.row(blank) {
                let direction = if to > blank { Move::Left } else { Move::Right };
                (direction, to.abs_diff(blank))
            } else {
                let direction = if to > blank { Move::Up } else { Move::Down };
                (direction, to.abs_diff(blank) / size.columns())
            };
            moves.extend(std::iter::repeat_n(direction, tiles));
            blank = to;
        }
        moves
    }
}

/// The kinds of class that a path can begin with, and those that it can end with.
const PAIRS: [(usize, usize); 4] = [(ROW, ROW), (ROW, COLUMN), (COLUMN, ROW), (COLUMN, COLUMN)];

fn solved(moves: Moves, slides: u32) -> Outcome {
    Outcome::Solved(Solution {
        moves,
        cost: slides,
        proof: Proof::Optimal(OPTIMAL),
        lower_bound: slides,
    })
}
