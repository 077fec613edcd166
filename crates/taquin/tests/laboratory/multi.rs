//! Multi-tile moves: every heuristic and every search against the whole space.

use std::ops::ControlFlow;
use std::sync::Arc;

use taquin::heuristic::{
    AnyMultiHeuristic, AnyMultiMemo, Heuristic, HeuristicError, HeuristicKind,
};
use taquin::search::{
    Algorithm as Named, Cost, Counting, Domain, FlatState, Laboratory, MultiSliding, PackedState,
    TileState, TraceEvent, Tracer,
};
use taquin::space::{Quality, Space};
use taquin::{
    Board, Budget, Goal, LaboratoryChoice, Limits, Metric, Move, Moves, Outcome, Request, Rng,
    Size, Slide, SolveError, Solver, Want, random_walk, uniform,
};

use crate::support::{Algorithm, Lab, true_costs};

type Puzzle = MultiSliding<PackedState>;

/// A goal with the blank on each cell of a size: a walk of the blank from the classic goal.
fn goals(rows: usize, columns: usize) -> Vec<Board> {
    let size = Size::new(rows, columns).unwrap();
    let classic = Goal::Classic.board(size).unwrap();
    let mut goals: Vec<Board> = Vec::new();
    let walk = random_walk(&classic, 200, &mut Rng::from_seed(5));
    let mut board = classic;
    for &m in &walk {
        if goals.iter().all(|goal| goal.blank() != board.blank()) {
            goals.push(board.clone());
        }
        board.slide(m).unwrap();
    }
    assert_eq!(goals.len(), size.cells());
    goals
}

fn value<S: TileState>(h: &AnyMultiHeuristic, memo: &AnyMultiMemo) -> u32 {
    Heuristic::<MultiSliding<S>>::value(h, memo)
}

/// Checks on every board and every slide: the estimate is no more than the fewest slides; a slide
/// changes it by 1 at most where the heuristic is consistent, else by 2; the step gives what a look
/// at the whole board gives. From weak to strong, each is at least what it should be.
fn check_space(goal: &Board) {
    let puzzle = Puzzle::new(goal).unwrap();
    let make = |kind| AnyMultiHeuristic::new(kind, &puzzle).unwrap();
    let heuristics = HeuristicKind::ALL.map(make);
    let costs = true_costs(&puzzle);
    let states = (1..=goal.size().cells()).product::<usize>() / 2;
    assert_eq!(costs.len(), states, "{goal}");
    for (state, &true_cost) in &costs {
        let memos = heuristics.each_ref().map(|h| h.evaluate(&puzzle, state));
        let mut values = [0; HeuristicKind::ALL.len()];
        for (index, (h, memo)) in heuristics.iter().zip(&memos).enumerate() {
            let most = if Heuristic::<Puzzle>::is_consistent(h) {
                1
            } else {
                2
            };
            let estimate = value::<PackedState>(h, memo);
            assert!(estimate <= true_cost, "{} {state:?} to {goal}", h.kind());
            values[index] = estimate;
            for slide in puzzle.actions(state) {
                // Every pair of neighbours once, in both directions.
                if matches!(slide.direction, Move::Down | Move::Right) {
                    continue;
                }
                let (next, cost) = puzzle.successor(state, slide);
                assert_eq!(cost, 1);
                let next_memo = h.evaluate(&puzzle, &next);
                assert_eq!(h.step(&puzzle, memo, &next, slide), next_memo);
                assert_eq!(h.step(&puzzle, &next_memo, state, slide.opposite()), *memo);
                let change = value::<PackedState>(h, &next_memo).abs_diff(estimate);
                assert!(change <= most, "{} {state:?} {slide}", h.kind());
            }
        }
        let [zero, hamming, manhattan, conflict, walking, max] = values;
        assert_eq!(zero, 0);
        assert!(hamming <= manhattan && manhattan <= conflict && manhattan <= walking);
        assert!(conflict.max(walking) <= max);
    }
}

#[test]
fn promises_hold_on_all_boards_of_2x2_2x3_3x2_2x4_and_4x2_with_the_blank_anywhere() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        goals(rows, columns).iter().for_each(check_space);
    }
}

#[test]
fn promises_hold_on_all_boards_of_3x3() {
    let corner_edge_middle = goals(3, 3);
    for blank in [8, 1, 4] {
        let goal = corner_edge_middle.iter().find(|goal| goal.blank() == blank);
        check_space(goal.unwrap());
    }
}

/// The spaces that `taquin quality` shows say the same of each heuristic, and have a counterexample
/// for each that does not claim to be consistent.
#[test]
fn whole_spaces_find_no_estimate_that_says_too_much() {
    for (rows, columns) in [(2, 3), (3, 3)] {
        for goal in goals(rows, columns).iter().step_by(4) {
            let space = Space::new(goal, Metric::Multi).unwrap();
            let puzzle = Puzzle::new(goal).unwrap();
            for kind in HeuristicKind::ALL {
                let quality = Quality::measure(&space, kind, 2, &Budget::default()).unwrap();
                assert!(quality.inadmissible().is_none(), "{kind} {goal}");
                let h = AnyMultiHeuristic::new(kind, &puzzle).unwrap();
                let jump = quality.inconsistent();
                let claims = Heuristic::<Puzzle>::is_consistent(&h);
                assert_eq!(jump.is_none(), claims, "{kind} {goal}");
                let Some(jump) = jump else { continue };
                let moves: Moves = jump.slide.moves().collect();
                let after = jump.board.after(&moves).unwrap();
                let estimate = |board: &Board| {
                    let state = puzzle.state(board).unwrap();
                    value::<PackedState>(&h, &h.evaluate(&puzzle, &state))
                };
                assert_eq!(jump.estimates, (estimate(&jump.board), estimate(&after)));
                assert_eq!(jump.estimates.0.abs_diff(jump.estimates.1), 2);
            }
        }
    }
}

#[test]
fn steps_agree_with_looks_along_random_walks() {
    let mut rng = Rng::from_seed(43);
    for (rows, columns) in [(2, 2), (3, 4), (4, 4), (6, 6), (2, 9), (40, 30)] {
        let goal = Goal::Snail
            .board(Size::new(rows, columns).unwrap())
            .unwrap();
        let puzzle = MultiSliding::flat(&goal);
        for kind in HeuristicKind::ALL {
            // Walking distance has no tables for the larger boards.
            let Ok(h) = AnyMultiHeuristic::new(kind, &puzzle) else {
                assert!(goal.size().cells() > 16, "{kind}");
                continue;
            };
            let mut state = puzzle.state(&goal).unwrap();
            let mut memo = h.evaluate(&puzzle, &state);
            assert_eq!(value::<FlatState>(&h, &memo), 0);
            for _ in 0..500 {
                let slides: Vec<Slide> = puzzle.actions(&state).collect();
                let slide = slides[rng.below(slides.len())];
                puzzle.apply(&mut state, slide);
                let before = value::<FlatState>(&h, &memo);
                memo = h.step(&puzzle, &memo, &state, slide);
                assert_eq!(memo, h.evaluate(&puzzle, &state), "{kind} {slide}");
                assert!(
                    value::<FlatState>(&h, &memo).abs_diff(before) <= 2,
                    "{kind}"
                );
            }
        }
    }
}

/// Every search with an estimate on every so many boards, all boards of a list.
fn check_searches(goal: &Board, kinds: &[HeuristicKind], stride: usize) {
    let puzzle = Puzzle::new(goal).unwrap();
    let costs = true_costs(&puzzle);
    let mut boards: Vec<_> = costs.iter().map(|(state, cost)| (*state, *cost)).collect();
    // Maps have no order of their own.
    boards.sort_unstable_by_key(|(state, cost)| {
        (
            *cost,
            state.to_board(goal.size()).map(|board| board.to_string()),
        )
    });
    for &kind in kinds {
        let make = move |puzzle: &Puzzle| AnyMultiHeuristic::new(kind, puzzle).unwrap();
        let lab = Lab::new(puzzle.clone(), make);
        for algorithm in Algorithm::ALL {
            // One heuristic is enough for those that use none.
            if algorithm.is_blind() && kind != kinds[0] {
                continue;
            }
            for &(start, cost) in boards.iter().step_by(stride) {
                let report = lab.solve(algorithm, start);
                let found = lab.check(algorithm, &start, &report, cost);
                assert!(cost > 0 || found == 0, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn every_search_finds_the_fewest_slides_on_all_boards_of_2x3() {
    for goal in goals(2, 3).iter().step_by(2) {
        check_searches(goal, &HeuristicKind::ALL, 1);
    }
}

#[test]
fn every_search_finds_the_fewest_slides_on_boards_of_2x4_and_4x2() {
    let kinds = [HeuristicKind::LinearConflict, HeuristicKind::Max];
    for (rows, columns) in [(2, 4), (4, 2)] {
        for goal in goals(rows, columns).iter().step_by(3) {
            check_searches(goal, &kinds, 497);
        }
    }
}

#[test]
fn every_search_finds_the_fewest_slides_on_boards_of_3x3() {
    let kinds = [HeuristicKind::Manhattan, HeuristicKind::Max];
    for goal in goals(3, 3).iter().step_by(4) {
        check_searches(goal, &kinds, 7919);
    }
}

#[test]
fn on_4x4_all_searches_with_an_estimate_agree() {
    let goal = Goal::Classic.board(Size::new(4, 4).unwrap()).unwrap();
    let lab = Laboratory::new(&goal, Metric::Multi, HeuristicKind::Max).unwrap();
    let mut rng = Rng::from_seed(12);
    for _ in 0..5 {
        let board = goal.after(&random_walk(&goal, 16, &mut rng)).unwrap();
        let informed = Named::ALL.into_iter().filter(|a| a.uses_heuristic());
        let lengths = informed.map(|algorithm| {
            let report = lab.search(&board, algorithm, &Limits::default()).unwrap();
            let Outcome::Solved(solution) = report.outcome else {
                panic!("no limit was set");
            };
            assert_eq!(board.after(&solution.moves).unwrap(), goal);
            let slides = solution.moves.length(Metric::Multi) as u32;
            assert_eq!(solution.cost, slides, "{algorithm}");
            (solution.proof.is_optimal(), slides)
        });
        let lengths: Vec<(bool, u32)> = lengths.collect();
        let best = lengths.iter().map(|(_, slides)| *slides).min();
        for (is_optimal, slides) in lengths {
            assert!(!is_optimal || Some(slides) == best);
        }
    }
}

#[test]
fn traces_replay() {
    let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
    let lab = Laboratory::new(&goal, Metric::Multi, HeuristicKind::WalkingDistance).unwrap();
    let board: Board = "8 1 3/4 0 2/7 6 5".parse().unwrap();
    for algorithm in Named::ALL {
        let (limits, stop) = (Limits::default(), Arc::default());
        let mut solved = None;
        let mut tracer = Tracer::new(board.size(), u64::MAX, stop, |event| {
            match event {
                // The board before it lies one slide back.
                TraceEvent::Expanded {
                    board,
                    action: Some(slide),
                    ..
                }
                | TraceEvent::Pruned {
                    board,
                    action: slide,
                    ..
                } => {
                    let back: Moves = slide.opposite().moves().collect();
                    assert!(board.after(&back).is_ok(), "{algorithm} {board} {slide}");
                }
                TraceEvent::Solved { cost, moves } => solved = Some((cost, moves)),
                _ => {}
            }
            ControlFlow::Continue(())
        });
        let report = lab.observe(&board, algorithm, &limits, &mut tracer);
        let Outcome::Solved(solution) = report.unwrap().outcome else {
            panic!("no limit was set");
        };
        let (cost, moves) = solved.unwrap();
        assert_eq!((cost, &moves), (solution.cost, &solution.moves));
        assert_eq!(board.after(&moves).unwrap(), goal);
        assert_eq!(moves.length(Metric::Multi) as u32, cost, "{algorithm}");
    }
}

#[test]
fn a_laboratory_turns_to_another_goal_or_metric() {
    let size = Size::new(3, 3).unwrap();
    let goal = Goal::Classic.board(size).unwrap();
    let single = Laboratory::new(&goal, Cost::Unit, HeuristicKind::Max).unwrap();
    let multi = single.towards(&goal, Metric::Multi).unwrap();
    assert_eq!(multi.counting(), Counting::Slides);
    assert_eq!(multi.heuristic(), HeuristicKind::Max);
    let snail = Goal::Snail.board(size).unwrap();
    let turned = multi.towards(&snail, Metric::Multi).unwrap();
    let made = Laboratory::new(&snail, Metric::Multi, HeuristicKind::Max).unwrap();
    let start = uniform(&snail, &mut Rng::from_seed(4));
    assert_eq!(turned.estimate(&start), made.estimate(&start));
    assert!(turned.table_bytes() > 0);
}

#[test]
fn what_says_nothing_of_slides_is_refused_by_name() {
    let goal = Goal::Classic.board(Size::new(3, 3).unwrap()).unwrap();
    for name in ["pdb:4-4", "pdb:quick", "pdb:quick+reflected"] {
        let kind: HeuristicKind = name.parse().unwrap();
        assert!(!kind.is_for(Metric::Multi));
        let refused = Laboratory::new(&goal, Metric::Multi, kind).unwrap_err();
        assert_eq!(refused, HeuristicError::SingleOnly(kind));
        let listed = HeuristicKind::ALL.map(HeuristicKind::name).join(", ");
        let text = refused.to_string();
        assert!(text.starts_with(name) && text.ends_with(&listed), "{text}");
    }
    assert!(
        HeuristicKind::ALL
            .iter()
            .all(|kind| kind.is_for(Metric::Multi))
    );
    let refused = Counting::new(Metric::Multi, Cost::Tile).unwrap_err();
    assert_eq!(
        HeuristicError::from(refused).to_string(),
        "a multi-tile move always costs 1; costs by tile go with single-tile moves"
    );
}

#[test]
fn requests_for_the_laboratory_are_answered_in_slides() {
    let solver = Solver::in_memory().with_threads(2);
    let board: Board = "8 1 3/4 0 2/7 6 5".parse().unwrap();
    let request = |metric, choice| Request {
        metric,
        want: Want::Laboratory(choice),
        ..Request::new(board.clone())
    };
    let choice = LaboratoryChoice::default();
    // The tables of the two metrics are kept side by side.
    for (metric, length) in [
        (Metric::Single, 14),
        (Metric::Multi, 12),
        (Metric::Single, 14),
        (Metric::Multi, 12),
    ] {
        let answer = solver.solve(&request(metric, choice)).unwrap();
        let solution = answer.solution().unwrap();
        assert_eq!(solution.moves.length(metric), length);
        assert_eq!(solution.cost as usize, length);
        assert!(answer.is_optimal());
        assert_eq!(answer.heuristic.as_deref(), Some("max"));
    }
    for choice in [
        LaboratoryChoice {
            cost: Cost::Tile,
            ..choice
        },
        LaboratoryChoice {
            heuristic: HeuristicKind::from_name("pdb:4-4"),
            ..choice
        },
    ] {
        let refused = solver.solve(&request(Metric::Multi, choice));
        assert!(matches!(refused, Err(SolveError::Heuristic(_))));
    }
}
