//! Large boards from the outside in: good solutions for any size within a given time.
//!
//! The tiles come home in a [fixed order](plan), line by line from the rim to where the blank
//! belongs. Each one alone would be the greedy method. A [beam](beam) goes for the same aims, but
//! among all the ways there it keeps those that also bring the other tiles nearer to their homes,
//! the farthest most of all.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "boards are at most 255x255, and estimates may be rough"
)]

mod beam;
mod carry;
mod control;
mod ground;
mod pace;
mod plan;
mod seen;
mod view;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::greedy::greedy;
use super::position::Position;
use crate::outcome::Budget;
use crate::threads::{on_each, useful};
use crate::{Metric, Move};
use beam::{Beam, End};
use control::{Fixed, WidthInTime};
use ground::Ground;
use plan::Variant;

/// What came of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The shortest solution that was found, if there was one.
    pub(crate) moves: Option<Vec<Move>>,
    /// Boards that were looked at.
    pub(crate) nodes: u64,
}

/// The shortest solution that is found within a budget of time, nodes and bytes, about, on this many
/// threads. Only solutions are of interest that have fewer moves of a metric.
pub(crate) fn solve(
    position: &Position,
    budget: &Budget,
    threads: usize,
    (metric, beat): (Metric, usize),
) -> Found {
    let best = Mutex::new(Best {
        metric,
        length: beat,
        found: Found::default(),
    });
    let threads = useful(threads);
    let mut numbers: Vec<usize> = (0..threads).collect();
    on_each(&mut numbers, |&mut first| {
        improve(position, budget, (first, threads), &best);
    });
    let best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
    best.found
}

/// The solution of a beam of a fixed width, the same on every machine, and the boards that were
/// looked at.
pub(crate) fn solve_with_width(position: &Position, width: usize) -> (Vec<Move>, u64) {
    let ground = Ground::new(position, Variant::default());
    let mut beam = Beam::new(&ground, position, width);
    let moves = match beam.search(&mut Fixed(width)) {
        End::Solved => beam.moves(),
        _ => finish(position, beam.moves()),
    };
    (moves, beam.nodes())
}

/// What all threads have found.
struct Best {
    metric: Metric,
    /// The length to beat.
    length: usize,
    found: Found,
}

/// One thread, by its number and the number of all: searches with one variant after the other while
/// there is time.
fn improve(
    position: &Position,
    budget: &Budget,
    (first, threads): (usize, usize),
    best: &Mutex<Best>,
) {
    let memory = budget.limits().memory.unwrap_or(u64::MAX) / threads as u64;
    let memory = usize::try_from(memory).unwrap_or(usize::MAX);
    let mut nodes = budget.nodes_left() / threads as u64;
    let mut last = Duration::ZERO;
    for variant in (first..).step_by(threads) {
        let begun = Instant::now();
        let left = budget.time_left().unwrap_or(Duration::MAX);
        // A search that has much less time than the one before finds nothing better.
        if left < last / 2 || left.is_zero() || budget.is_cancelled() {
            return;
        }
        // In single-tile moves; a slide may be many of them.
        let beat = {
            let best = best.lock().unwrap_or_else(PoisonError::into_inner);
            match best.metric {
                Metric::Single => best.length,
                Metric::Multi => usize::MAX,
            }
        };
        let ground = Ground::new(position, Variant::number(variant));
        if ground.distance(position.homes()) >= beat as u64 || nodes == 0 {
            return;
        }
        let mut control = WidthInTime::new(position, budget, left, memory, beat).with_nodes(nodes);
        let mut beam = Beam::new(&ground, position, control.widest());
        let moves = match beam.search(&mut control) {
            End::Solved => Some(beam.moves()),
            _ if control.may_finish() => Some(finish(position, beam.moves())),
            _ => None,
        };
        nodes = nodes.saturating_sub(beam.nodes());
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        best.found.nodes += beam.nodes();
        let Some(moves) = moves else {
            continue;
        };
        last = begun.elapsed();
        let length = best.metric.length(&moves);
        if length < best.length {
            best.length = length;
            best.found.moves = Some(moves);
        }
    }
}

/// Goes on with the greedy method.
fn finish(position: &Position, mut moves: Vec<Move>) -> Vec<Move> {
    let mut position = position.clone();
    for &m in &moves {
        position.slide(m);
    }
    moves.extend(greedy(&position));
    moves
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::outcome::Limits;
    use crate::{Goal, Reduction, Rng, Size, uniform};

    const ANY: (Metric, usize) = (Metric::Single, usize::MAX);

    fn random(size: &str, goal: &Goal, rng: &mut Rng) -> Position {
        let size: Size = size.parse().unwrap();
        let goal = goal.board(size).unwrap();
        let reduction = Reduction::new(&goal);
        let board = uniform(&goal, rng);
        Position::new(&reduction, &reduction.reduce(&board).unwrap())
    }

    fn limits(milliseconds: u64) -> Limits {
        Limits {
            memory: Some(100_000_000),
            ..Limits::within(Duration::from_millis(milliseconds))
        }
    }

    fn found(position: &Position, limits: &Limits) -> Found {
        solve(position, &Budget::new(limits), 2, ANY)
    }

    #[test]
    fn every_width_solves_every_size() {
        let mut rng = Rng::from_seed(1);
        let sizes = [
            "2x2", "2x3", "2x9", "3x3", "3x4", "3x12", "4x4", "5x7", "8x8", "10x10", "13x17",
        ];
        for size in sizes {
            for goal in [Goal::Classic, Goal::Snail] {
                for width in [1, 4, 60] {
                    let position = random(size, &goal, &mut rng);
                    let (moves, _) = solve_with_width(&position, width);
                    assert!(position.is_solved_by(&moves), "{size} {width}");
                }
            }
        }
    }

    #[test]
    fn a_solved_board_needs_no_moves() {
        let goal = Goal::Classic.board("9x9".parse().unwrap()).unwrap();
        let reduction = Reduction::new(&goal);
        let position = Position::new(&reduction, &reduction.reduce(&goal).unwrap());
        assert_eq!(solve_with_width(&position, 10).0, []);
        assert_eq!(found(&position, &limits(50)).moves, Some(vec![]));
    }

    #[test]
    fn a_wider_beam_finds_shorter_solutions_than_the_greedy_method() {
        let mut rng = Rng::from_seed(2);
        for _ in 0..3 {
            let position = random("12x12", &Goal::Classic, &mut rng);
            let lengths = [3, 300].map(|width| solve_with_width(&position, width).0.len());
            assert!(lengths[0] < greedy(&position).len());
            assert!(lengths[1] < lengths[0]);
        }
    }

    #[test]
    fn a_width_gives_the_same_solution_again() {
        let position = random("9x11", &Goal::Classic, &mut Rng::from_seed(3));
        let solution = solve_with_width(&position, 50);
        assert_eq!(solution, solve_with_width(&position, 50));
    }

    #[test]
    fn what_is_found_in_time_is_a_solution() {
        let mut rng = Rng::from_seed(4);
        for (size, goal) in [
            ("2x9", Goal::Classic),
            ("9x2", Goal::Snail),
            ("8x8", Goal::Snail),
            ("30x30", Goal::Classic),
        ] {
            let position = random(size, &goal, &mut rng);
            // However slow the machine is: at some point there is time enough.
            let mut times = (0..14).map(|doublings| 10 << doublings);
            let in_time = times.find_map(|time| found(&position, &limits(time)).moves);
            let moves = in_time.expect("a solution in a minute and a half");
            assert!(position.is_solved_by(&moves), "{size}");
            // And a solution within so many nodes does not depend on the machine at all.
            let nodes = Limits {
                nodes: Some(100_000),
                ..limits(1_000_000)
            };
            let within = found(&position, &nodes).moves.expect("nodes enough");
            assert!(position.is_solved_by(&within), "{size}");
        }
    }

    #[test]
    fn no_time_or_a_stop_is_no_solution_and_little_memory_is_enough() {
        let position = random("20x20", &Goal::Classic, &mut Rng::from_seed(5));
        assert_eq!(found(&position, &limits(0)).moves, None);
        let stopped = Limits {
            cancel: Some(Arc::new(AtomicBool::new(true))),
            ..limits(10_000)
        };
        assert_eq!(found(&position, &stopped), Found::default());
        let tight = Limits {
            memory: Some(0),
            nodes: Some(100_000),
            ..limits(1_000_000)
        };
        let found = solve(&position, &Budget::new(&tight), 0, ANY);
        let moves = found
            .moves
            .expect("the narrowest beam needs next to nothing");
        assert!(position.is_solved_by(&moves));
    }

    #[test]
    fn no_more_boards_are_looked_at_than_a_level_has_beyond_the_limit() {
        let position = random("12x12", &Goal::Classic, &mut Rng::from_seed(7));
        let few = |nodes| Limits {
            nodes: Some(nodes),
            ..limits(10_000)
        };
        let looked_at = found(&position, &few(5000)).nodes;
        assert!(looked_at <= 5000 + 2 * 2 * 64, "{looked_at}");
        assert_eq!(found(&position, &few(0)), Found::default());
    }

    #[test]
    fn nothing_longer_than_what_is_to_be_beaten() {
        let position = random("8x8", &Goal::Classic, &mut Rng::from_seed(6));
        let shorter_than = |length| {
            solve(
                &position,
                &Budget::new(&limits(200)),
                2,
                (Metric::Single, length),
            )
            .moves
        };
        assert_eq!(shorter_than(100), None);
        let moves = solve_with_width(&position, 1).0;
        assert!(
            moves.len() < 2000,
            "a narrow beam already finds {}",
            moves.len()
        );
        let within = |nodes| Limits {
            nodes: Some(nodes),
            ..limits(1_000_000)
        };
        let budget = Budget::new(&within(1_000_000));
        let better = solve(&position, &budget, 2, (Metric::Single, moves.len())).moves;
        assert!(better.expect("a wider one finds a shorter one").len() < moves.len());
    }
}
