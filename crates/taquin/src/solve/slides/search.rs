//! Length by length: first every solution of n slides, then of n + 1.
//!
//! A solution of n slides whose first one is along the row is a path of n - 1 edges from the
//! board's row class; if n is odd it ends at the goal's row class, otherwise at its column class.
//! Those that begin along the column are a second search. A path that ends with the edge of the
//! goal would be a solution of n - 1 slides, and those were searched before.

use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

use super::engine::Engine;
use super::lanes::{Found, Iteration, Job, Lanes, Want};
use super::lookup::Lookup;
use super::tasks::{Tree, bound};
use crate::cpu::run_fast;
use crate::outcome::{self, Budget, Limit, Outcome, Proof, Report, Solution, Statistics};
use crate::solve::DamagedTableError;
use crate::solve::{All, Effort};
use crate::tables::classes::{COLUMN, ROW};
use crate::threads::{on_each, useful};
use crate::{Board, Move, Moves, Tile};

/// Tasks for the lanes of one thread, and for several threads.
const FEW_TASKS: usize = 16;
const MANY_TASKS: usize = 1024;
/// Tasks that are searched before it is seen whether there are enough solutions.
const SOME_TASKS: usize = 64;
/// Several threads join in after an iteration of this many nodes, one for each part.
const LONG_ITERATION: u64 = 20_000;
const THREAD_NODES: u64 = 4000;
/// About how many nodes the first iteration has, and how many times as many the next one: a guess
/// at iterations that are left out.
const FIRST_NODES: u64 = 50;
const GROWTH: u64 = 3;
/// The longest solution that is looked for: no board of sixteen cells needs as many slides.
const LONGEST: u32 = 200;

const OPTIMAL: &str = "all shorter lengths were searched in full";

/// The kinds of class that a path can begin with, and those that it can end with.
const PAIRS: [(usize, usize); 4] = [(ROW, ROW), (ROW, COLUMN), (COLUMN, ROW), (COLUMN, COLUMN)];

impl Engine {
    /// What the tables say of a canonical board: no solution has fewer slides.
    pub(in crate::solve) fn estimate(&self, board: &Board) -> Result<u32, DamagedTableError> {
        if *board == self.goal {
            return Ok(0);
        }
        let mut least = u32::MAX;
        for (kind, target) in PAIRS {
            least = least.min(bound(&self.start(board, kind, target)?) + 1);
        }
        Ok(least)
    }

    /// A shortest solution of a canonical board, which must be solvable, where it is proven
    /// already that none has fewer than `proven` slides. What is proven is not searched again.
    pub(in crate::solve) fn solve_from(
        &self,
        board: &Board,
        effort: &Effort,
        proven: u32,
    ) -> Result<Report, DamagedTableError> {
        let budget = Budget::new(&effort.limits);
        let deepening = Deepening::new(self, board, effort, &budget)?;
        Ok(deepening.from(proven).run(Want::First).report)
    }

    /// All shortest solutions of a canonical board, which must be solvable, where it is proven
    /// already that none has fewer than `proven` slides: those that come first, `list` of them at
    /// most, and the number of all if `count`.
    ///
    /// Solutions that begin along the row come first. Of two that go the same way up to some
    /// point, the one comes first whose blank goes to the cell that comes first in reading order.
    pub(in crate::solve) fn all_from(
        &self,
        board: &Board,
        effort: &Effort,
        (list, count): (usize, bool),
        proven: u32,
    ) -> Result<All, DamagedTableError> {
        // The automaton leaves one of several shortest solutions, so it must not be used; but with
        // it the length is found sooner.
        let budget = Budget::new(&effort.limits);
        let first = Deepening::new(self, board, effort, &budget)?;
        let first = first.from(proven).run(Want::First);
        let Outcome::Solved(solution) = &first.report.outcome else {
            return Ok(first);
        };
        if list == 0 && !count {
            return Ok(first.without_solutions());
        }
        let every = self.without_automaton();
        let mut deepening = Deepening::new(&every, board, effort, &budget)?;
        deepening.slides = solution.cost;
        deepening.statistics = first.report.statistics.clone();
        deepening.last = expanded_last(&deepening.statistics);
        let want = if count {
            Want::Each(list)
        } else {
            Want::Some(list)
        };
        Ok(deepening.run(want).after(&first.report, solution, list))
    }
}

/// A search under way.
struct Deepening<'a> {
    engine: &'a Engine,
    board: &'a Board,
    /// For each kind of target.
    lookups: [Vec<Lookup<'a>>; 2],
    trees: Vec<Tree>,
    effort: &'a Effort,
    budget: &'a Budget,
    /// How many slides the solutions have that are looked for next.
    slides: u32,
    /// Nodes of the last iteration.
    last: u64,
    statistics: Statistics,
    begin: Instant,
}

impl<'a> Deepening<'a> {
    fn new(
        engine: &'a Engine,
        board: &'a Board,
        effort: &'a Effort,
        budget: &'a Budget,
    ) -> Result<Self, DamagedTableError> {
        let begin = Instant::now();
        let mut trees = Vec::new();
        for (kind, target) in PAIRS {
            let root = engine.start(board, kind, target)?;
            trees.push(Tree::new(root, kind, target));
        }
        Ok(Self {
            engine,
            board,
            lookups: [ROW, COLUMN].map(|target| Lookup::all(engine, target)),
            trees,
            effort,
            budget,
            slides: engine.estimate(board)?,
            last: 0,
            statistics: Statistics::default(),
            begin,
        })
    }

    /// Leaves out the iterations that are too short for any solution.
    fn from(mut self, proven: u32) -> Self {
        if proven > self.slides {
            self.last = FIRST_NODES.saturating_mul(GROWTH.saturating_pow(proven - self.slides - 1));
            self.slides = proven;
        }
        self
    }

    fn run(mut self, want: Want) -> All {
        if *self.board == self.engine.goal {
            return self.solved(Found {
                solutions: vec![(0, Moves::new())],
                count: 1,
                is_whole: true,
                ..Found::default()
            });
        }
        let mut lanes = vec![Lanes::default()];
        loop {
            if let Err(limit) = self.budget.reach(self.slides) {
                return self.stopped(limit, Found::default());
            }
            if self.slides > LONGEST {
                return self.stopped(Limit::Length, Found::default());
            }
            if let Some(progress) = &self.effort.limits.progress {
                progress.begin_iteration(self.slides, &self.statistics.iterations);
            }
            let found = self.iterate(want, &mut lanes);
            if let Some(limit) = found.limit {
                return self.stopped(limit, found);
            }
            if found.count > 0 {
                return self.solved(found);
            }
            self.last = expanded_last(&self.statistics);
            self.slides += 1;
        }
    }

    /// All solutions of one length, or as many of them as are wanted.
    fn iterate(&mut self, want: Want, lanes: &mut Vec<Lanes>) -> Found {
        let edges = self.slides - 1;
        // With an even number of edges the target is of the kind that the path begins with.
        let is_even = edges.is_multiple_of(2);
        let mut tasks = FEW_TASKS;
        if self.effort.threads > 1 && self.last > LONG_ITERATION {
            tasks = MANY_TASKS;
            let enough = usize::try_from(self.last / THREAD_NODES).unwrap_or(usize::MAX);
            lanes.resize_with(useful(self.effort.threads.min(enough)), Lanes::default);
        }
        let mut sum = Found {
            is_whole: true,
            ..Found::default()
        };
        let mut trees = std::mem::take(&mut self.trees);
        for tree in &mut trees {
            if (tree.kind == tree.target) == is_even && tree.is_within(edges) {
                tree.split(self.engine, &self.lookups[tree.target], tasks);
                self.search(edges, tree, want, lanes, &mut sum);
            }
        }
        self.trees = trees;
        // A solution that was found counts, whatever limit another thread ran into.
        if want == Want::First && sum.count > 0 {
            sum.limit = None;
        }
        let statistics = &mut self.statistics;
        statistics.expanded += sum.expanded;
        statistics.generated += sum.generated;
        statistics.iterations.push(outcome::Iteration {
            threshold: self.slides,
            expanded: sum.expanded,
            generated: sum.generated,
        });
        sum
    }

    /// All paths of this many edges in one tree, or as many of them as are wanted, on as many
    /// threads as there are sets of lanes.
    fn search(&self, edges: u32, tree: &Tree, want: Want, lanes: &mut [Lanes], sum: &mut Found) {
        // Where the first solutions are wanted, the tasks come in lots, so that the rest can be
        // left; whichever thread is faster, the result is the same.
        let (lot, enough) = match want {
            Want::First => (usize::MAX, 1),
            Want::Some(list) => (SOME_TASKS, list as u64),
            Want::Each(_) => (usize::MAX, u64::MAX),
        };
        let is_over = |sum: &Found| sum.limit.is_some() || sum.count >= enough;
        if is_over(sum) {
            sum.is_whole = false;
            return;
        }
        let (expanded, generated) = tree.above(edges);
        if let Err(limit) = self.budget.take_exactly(expanded) {
            sum.limit = Some(limit);
            return;
        }
        self.budget.finish(expanded);
        sum.expanded += expanded;
        sum.generated += generated;
        for tasks in tree.tasks.chunks(lot) {
            if is_over(sum) {
                sum.is_whole = false;
                return;
            }
            let job = Job {
                engine: self.engine,
                lookups: &self.lookups[tree.target],
                tasks,
                kind: tree.task_kind(),
                edges,
                board: self.board,
                want,
                budget: self.budget,
                next: AtomicUsize::new(0),
                enough: AtomicBool::new(false),
            };
            let before = sum.solutions.len();
            for part in on_each(lanes, |lanes| run_fast(Iteration { job: &job, lanes })) {
                sum.solutions.extend(part.solutions);
                sum.count += part.count;
                sum.expanded += part.expanded;
                sum.generated += part.generated;
                sum.limit = sum.limit.or(part.limit);
            }
            // Stable: those of one task stay in the order in which they were found.
            sum.solutions[before..].sort_by_key(|(task, _)| *task);
        }
    }

    fn solved(self, found: Found) -> All {
        let (is_whole, count) = (found.is_whole, found.count);
        let solutions = found.listed();
        let outcome = Outcome::Solved(Solution {
            moves: solutions.first().cloned().unwrap_or_default(),
            cost: self.slides,
            proof: Proof::Optimal(OPTIMAL),
            lower_bound: self.slides,
        });
        All {
            report: self.report(outcome),
            count: is_whole.then_some(count),
            solutions,
            stopped: None,
        }
    }

    fn stopped(self, limit: Limit, found: Found) -> All {
        let lower_bound = self.slides;
        All {
            report: self.report(Outcome::Stopped { limit, lower_bound }),
            count: None,
            solutions: found.listed(),
            stopped: None,
        }
    }

    fn report(mut self, outcome: Outcome) -> Report {
        self.statistics.time = self.begin.elapsed();
        Report {
            outcome,
            statistics: self.statistics,
        }
    }
}

impl Found {
    fn listed(self) -> Vec<Moves> {
        let solutions = self.solutions.into_iter();
        solutions.map(|(_, moves)| moves).collect()
    }
}

fn expanded_last(statistics: &Statistics) -> u64 {
    statistics.iterations.last().map_or(0, |i| i.expanded)
}

impl Engine {
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
    pub(super) fn moves(&self, board: &Board, path: &[u8]) -> Moves {
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
