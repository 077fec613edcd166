//! The guides and the beam, judged by what is known otherwise.

use super::guide::{Appraisal, Guide, Slide};
use super::level::Level;
use super::{Beam, LineGuide, PatternGuide, Play, Slides, Steps, Width};
use crate::outcome::Budget;
use crate::solve::optimal::Engine;
use crate::solve::position::Position;
use crate::space::Space;
use crate::tables::{Catalogue, TableSet, Tier};
use crate::{Board, Goal, Metric, Reduction, Rng, random_walk, uniform};

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

/// Follows a walk with a guide, and compares what it says at each step with `fresh`.
fn follow<G: Guide>(
    guide: &G,
    start: &Position,
    rng: &mut Rng,
    fresh: impl Fn(&Position) -> Appraisal,
) {
    let mut position = start.clone();
    let mut notes = vec![0; guide.words()];
    let begun = guide.begin(&start.bytes(), start.blank() as u8, &mut notes);
    assert_eq!(begun, fresh(start));
    let board = crate::Goal::Classic.board(start.size()).unwrap();
    for &m in &random_walk(&board, 200, rng) {
        // A walk from another blank may be impossible here.
        let Some(from) = position.sliding_cell(m) else {
            continue;
        };
        let homes = position.bytes();
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
                guide.begin(&position.bytes(), position.blank() as u8, &mut notes)
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
            let guide = LineGuide::new(&position);
            let beam = Beam {
                play: &Steps::new(&guide, &position),
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
                play: &Steps::new(&LineGuide::new(&position), &position),
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

/// Nodes and lengths of beams by single-tile moves, as they have always been.
#[test]
fn a_width_gives_the_solution_that_it_always_gave() {
    let mut signature = Vec::new();
    for (size, width, threads) in [("4x4", 300, 1), ("5x5", 500, 2), ("5x6", 1000, 3)] {
        let goal = Goal::Classic.board(size.parse().unwrap()).unwrap();
        let (_, position) = canonical(&goal, &uniform(&goal, &mut Rng::from_seed(9)));
        let guide = LineGuide::new(&position);
        let beam = Beam {
            play: &Steps::new(&guide, &position),
            width: Width::Fixed(width),
            threads,
            longest: u32::MAX,
            budget: &Budget::default(),
        };
        let found = beam.run();
        let moves = found.moves.unwrap();
        assert!(position.is_solved_by(&moves));
        signature.push((moves.len(), found.expanded, found.generated));
    }
    assert_eq!(
        signature,
        [
            (59, 15714, 31905),
            (106, 49911, 112_294),
            (164, 157_263, 354_133)
        ]
    );
}

#[test]
fn slides_say_along_a_path_what_they_say_afresh() {
    let mut rng = Rng::from_seed(1);
    for size in ["2x2", "3x5", "6x6", "7x4", "2x20"] {
        for goal in [Goal::Classic, Goal::Snail] {
            let goal = goal.board(size.parse().unwrap()).unwrap();
            let (_, start) = canonical(&goal, &uniform(&goal, &mut rng));
            let slides = Slides::new(&start);
            let shape = slides.shape();
            let mut level = Level::new(shape);
            slides.begin(&mut level);
            let (mut first, mut numbers) = (0, Vec::new());
            for _ in 0..60 {
                let mut children = Vec::new();
                slides.children(&level, |child| children.push(child));
                let child = children[rng.below(children.len())];
                let mut next = Level::new(shape);
                let parent = (&level, child.index);
                slides.follow(&mut next, parent, child.number, child.hash);
                if numbers.is_empty() {
                    first = child.index;
                }
                numbers.push(child.number);
                // The same board, reached by its moves.
                let moves = slides.moves(first, &numbers, false);
                assert_eq!(Metric::Multi.length(&moves), numbers.len());
                let mut there = start.clone();
                assert!(moves.iter().all(|&m| there.slide(m)));
                let mut fresh = Level::new(shape);
                let classes = Slides::new(&there).begin(&mut fresh);
                let new = next.get::<u16>(0);
                let fresh = fresh.get::<u16>(usize::from(new.last));
                assert_eq!((new.hash, new.blank), (fresh.hash, fresh.blank));
                assert_eq!(new.notes, fresh.notes, "{size}");
                assert_eq!(
                    classes[usize::from(new.last)],
                    (child.hash, child.appraisal)
                );
                level = next;
            }
        }
    }
}

#[test]
fn a_beam_of_slides_as_wide_as_the_space_finds_the_fewest_slides() {
    let mut rng = Rng::from_seed(3);
    for (size, goal) in [
        ("3x3", Goal::Classic),
        ("2x4", Goal::Snail),
        ("4x2", Goal::Classic),
    ] {
        let goal = goal.board(size.parse().unwrap()).unwrap();
        let space = Space::new(&goal, Metric::Multi).unwrap();
        let atlas = space.search(1, &Budget::default()).unwrap();
        for threads in [1, 2] {
            for walk in [0, 1, 2, 3, 1000, 1000, 1000] {
                let board = crate::random_walk_end(&goal, walk, &mut rng);
                let (_, position) = canonical(&goal, &board);
                let distance = atlas.distance(&board).unwrap();
                let beam = Beam {
                    play: &Slides::new(&position),
                    width: Width::Fixed(200_000),
                    threads,
                    longest: u32::MAX,
                    budget: &Budget::default(),
                };
                let moves = beam.run().moves.unwrap();
                assert!(position.is_solved_by(&moves));
                assert_eq!(Metric::Multi.length(&moves) as u32, distance, "{board}");
                // Exactly as long is long enough, and nothing is shorter than the shortest.
                let longest = distance;
                assert!(Beam { longest, ..beam }.run().moves.is_some());
                if let Some(longest) = distance.checked_sub(1) {
                    assert_eq!(Beam { longest, ..beam }.run().moves, None);
                }
            }
        }
    }
}

#[test]
fn the_same_width_of_slides_on_as_many_threads_gives_the_same_solution() {
    let goal = Goal::Classic.board("5x6".parse().unwrap()).unwrap();
    let (_, position) = canonical(&goal, &uniform(&goal, &mut Rng::from_seed(4)));
    for threads in [1, 2, 4] {
        let run = || {
            Beam {
                play: &Slides::new(&position),
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
