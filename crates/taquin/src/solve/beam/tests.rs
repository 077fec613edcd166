//! The guides and the beam, judged by what is known otherwise.

use super::guide::{Appraisal, Guide, Slide};
use super::{Beam, LineGuide, PatternGuide, Width};
use crate::outcome::Budget;
use crate::solve::optimal::Engine;
use crate::solve::position::Position;
use crate::tables::{Catalogue, TableSet, Tier};
use crate::{Board, Goal, Reduction, Rng, random_walk, uniform};

fn engine(goal: &Board) -> Engine {
    let catalogue = Catalogue::for_goal(goal, Tier::Quick).unwrap();
    Engine::new(
        &TableSet::build(catalogue, 1, &Budget::default()).unwrap(),
        true,
    )
}

/// The canonical board, and the same by homes.
fn canonical(goal: &Board, board: &Board) -> (Board, Position) {
    let reduction = Reduction::new(goal);
    let reduced = reduction.reduce(board).unwrap();
    let position = Position::new(&reduction, &reduced);
    (reduced, position)
}

fn bytes(position: &Position) -> Vec<u8> {
    position.homes().iter().map(|&home| home as u8).collect()
}

/// Follows a walk with a guide, and compares what it says at each step with `fresh`.
fn follow<G: Guide>(
    guide: &G,
    start: &Position,
    rng: &mut Rng,
    fresh: impl Fn(&Position) -> Appraisal,
) {
    let mut position = start.clone();
    let mut notes = vec![0; guide.words()];
    let begun = guide.begin(&bytes(start), start.blank() as u8, &mut notes);
    assert_eq!(begun, fresh(start));
    let board = crate::Goal::Classic.board(start.size()).unwrap();
    for &m in &random_walk(&board, 200, rng) {
        // A walk from another blank may be impossible here.
        let Some(from) = position.sliding_cell(m) else {
            continue;
        };
        let homes = bytes(&position);
        let slide = Slide {
            tile: homes[from],
            from: from as u8,
            to: position.blank() as u8,
        };
        let glance = guide.glance(&notes, slide);
        let appraisal = guide.appraise(&homes, &notes, slide, glance);
        guide.advance(&homes, &mut notes, slide);
        position.slide(m);
        assert_eq!(appraisal, fresh(&position));
    }
}

#[test]
fn lines_say_along_a_path_what_they_say_afresh() {
    let mut rng = Rng::from_seed(1);
    for size in ["2x2", "3x5", "6x6", "7x7", "2x20"] {
        for goal in [Goal::Classic, Goal::Snail] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let (_, start) = canonical(&goal, &uniform(&goal, &mut rng));
            let guide = LineGuide::new(&start);
            follow(&guide, &start, &mut rng, |position| {
                let mut notes = vec![0; guide.words()];
                guide.begin(&bytes(position), position.blank() as u8, &mut notes)
            });
        }
    }
}

#[test]
fn patterns_say_along_a_path_what_the_engine_says_afresh() {
    let mut rng = Rng::from_seed(2);
    for size in ["3x3", "3x4", "4x4", "2x6"] {
        for goal in [Goal::Classic, Goal::Snail] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let engine = engine(&goal);
            let (board, start) = canonical(&goal, &uniform(&goal, &mut rng));
            let guide = PatternGuide::new(&engine, &board).unwrap();
            let blank = start.goal();
            follow(&guide, &start, &mut rng, |position| {
                let name = |&home: &u16| match usize::from(home) {
                    home if home == blank => 0,
                    home if home < blank => home as u16 + 1,
                    home => home as u16,
                };
                let tiles: Vec<u16> = position.homes().iter().map(name).collect();
                let board = Board::from_tiles(position.size(), &tiles).unwrap();
                let begun = PatternGuide::new(&engine, &board).unwrap();
                let mut notes = vec![0; begun.words()];
                let appraisal = begun.begin(&[], 0, &mut notes);
                assert_eq!(appraisal.bound, engine.estimate(&board).unwrap());
                appraisal
            });
        }
    }
}

#[test]
fn a_beam_as_wide_as_the_space_finds_shortest_solutions() {
    let goal = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
    let engine = engine(&goal);
    let mut rng = Rng::from_seed(3);
    for threads in [1, 2, 3] {
        for _ in 0..5 {
            let (board, position) = canonical(&goal, &uniform(&goal, &mut rng));
            let report = engine.solve(&board, &crate::solve::Effort::default());
            let crate::outcome::Outcome::Solved(solution) = report.unwrap().outcome else {
                panic!("no limit was set");
            };
            let beam = Beam {
                guide: &LineGuide::new(&position),
                position: &position,
                width: Width::Fixed(200_000),
                threads,
                longest: u32::MAX,
                budget: &Budget::default(),
            };
            let moves = beam.run().moves.unwrap();
            assert!(position.is_solved_by(&moves));
            assert_eq!(moves.len() as u32, solution.cost);
            // Nothing shorter than the shortest.
            let beam = Beam {
                longest: solution.cost.saturating_sub(1),
                ..beam
            };
            assert_eq!(beam.run().moves, None);
        }
    }
}

#[test]
fn the_same_width_on_as_many_threads_gives_the_same_solution() {
    let goal = Goal::Classic.board("5x5".parse().unwrap()).unwrap();
    let (_, position) = canonical(&goal, &uniform(&goal, &mut Rng::from_seed(4)));
    for threads in [1, 2, 4] {
        let run = || {
            Beam {
                guide: &LineGuide::new(&position),
                position: &position,
                width: Width::Fixed(500),
                threads,
                longest: 500,
                budget: &Budget::default(),
            }
            .run()
        };
        let (first, second) = (run(), run());
        assert!(position.is_solved_by(first.moves.as_ref().unwrap()));
        assert_eq!(first.moves, second.moves);
        assert_eq!(first.expanded, second.expanded);
    }
}
