//! Searches in tasks: anywhere, in any sequence, stopped and gone on with.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use taquin::solve::{
    Checkpoint, CheckpointKeeper, Effort, EngineError, GoalSolver, OtherSearchError, SearchState,
    Task, TaskOutcome,
};
use taquin::{Board, Goal, Iteration, Limit, Moves, Outcome, Rng, random_walk_end, uniform};

use crate::support::{check_path, check_totals, classic, limited, size, solver, threads};

/// A goal that is turned around before it is searched for, so that moves have two meanings.
fn turned() -> Board {
    Goal::BlankFirst.board(size("4x4")).unwrap()
}

/// Boards that take some tens of thousands of nodes.
fn boards(goal: &Board) -> Vec<Board> {
    let mut rng = Rng::from_seed(5);
    (0..4).map(|_| uniform(goal, &mut rng)).collect()
}

/// All iterations before the one that finds a solution: those that are searched to the end.
fn complete(solver: &GoalSolver, board: &Board) -> (Vec<Iteration>, u32) {
    let report = solver.solve(board, &threads(1)).unwrap();
    let Outcome::Solved(solution) = report.outcome else {
        panic!("no limit was set");
    };
    let mut iterations = report.statistics.iterations;
    iterations.pop();
    (iterations, solution.cost)
}

/// Searches all tasks of a state in this sequence, as it would be done by workers that know only
/// the board; the solution, if there is one.
fn search_all(
    solver: &GoalSolver,
    board: &Board,
    state: &mut SearchState,
    order: &[usize],
) -> Option<Moves> {
    let mut found = None;
    for &number in order {
        let task = Task {
            moves: state.tasks[number].moves.clone(),
            threshold: state.threshold,
        };
        let report = solver
            .search_task(board, &task, &Effort::default())
            .unwrap();
        match report.outcome {
            TaskOutcome::Solved(moves) => found = Some(moves),
            TaskOutcome::Exhausted => state.tasks[number].done = Some(report.count),
            TaskOutcome::Stopped(limit) => panic!("no limit was set, {limit}"),
        }
    }
    found
}

#[test]
fn tasks_in_any_sequence_add_up_to_the_iterations_of_one_search() {
    let goal = turned();
    let solver = solver(&goal);
    for (seed, board) in (1..).zip(boards(&goal)) {
        let (iterations, length) = complete(&solver, &board);
        let mut rng = Rng::from_seed(seed);
        let mut state = solver.first_state(&board).unwrap();
        let moves = loop {
            let mut order = state.open_tasks();
            for i in (1..order.len()).rev() {
                order.swap(i, rng.below(i + 1));
            }
            if let Some(moves) = search_all(&solver, &board, &mut state, &order) {
                break moves;
            }
            assert_eq!(state.open_tasks(), [0; 0]);
            state = solver.next_state(&board, state).unwrap();
        };
        assert_eq!(state.iterations, iterations, "{board}");
        assert_eq!(moves.len() as u32, length);
        check_path(&solver, &board, &moves);
    }
}

#[test]
fn a_task_tells_when_there_is_more_to_search() {
    let goal = turned();
    let solver = solver(&goal);
    let board = &boards(&goal)[0];
    let estimate = solver.estimate(board).unwrap();
    let search = |moves: &Moves, threshold| {
        let task = Task {
            moves: moves.clone(),
            threshold,
        };
        solver
            .search_task(board, &task, &Effort::default())
            .unwrap()
    };
    let whole = search(&Moves::new(), estimate);
    assert_eq!(whole.outcome, TaskOutcome::Exhausted);
    assert_eq!(whole.next_threshold, Some(estimate + 2));
    let state = solver.first_state(board).unwrap();
    let beyond = |bound| u32::from(bound) > estimate;
    let far = state.tasks.iter().find(|task| beyond(task.bound)).unwrap();
    let none = search(&far.moves, estimate);
    assert_eq!((none.count.expanded, none.count.generated), (0, 0));
    assert_eq!(none.next_threshold, Some(u32::from(far.bound)));
    // Ways into a corner and back: a task without children has nothing more.
    let effort = limited(1, |limits| limits.nodes = Some(3));
    let task = Task {
        moves: Moves::new(),
        threshold: estimate + 6,
    };
    let stopped = solver.search_task(board, &task, &effort).unwrap();
    assert_eq!(stopped.outcome, TaskOutcome::Stopped(Limit::Nodes));
    assert_eq!(stopped.next_threshold, None);
}

#[test]
fn tasks_of_other_boards_are_refused() {
    let goal = turned();
    let solver = solver(&goal);
    let board = &boards(&goal)[0];
    for moves in ["LR", "UUUU", "LLLLLLLL", "RDLURDLU"] {
        let task = Task {
            moves: moves.parse().unwrap(),
            threshold: 60,
        };
        let error = solver.search_task(board, &task, &Effort::default());
        assert!(
            matches!(
                error,
                Err(EngineError::OtherSearch(OtherSearchError::Moves))
            ),
            "{moves}"
        );
    }
}

/// Keeps every checkpoint in memory.
#[derive(Debug, Default)]
struct Memory {
    kept: Mutex<Option<Checkpoint>>,
    times: AtomicU64,
}

impl CheckpointKeeper for Memory {
    fn kept(&self) -> Option<Checkpoint> {
        self.kept.lock().unwrap().clone()
    }

    fn is_due(&self) -> bool {
        true
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        self.times.fetch_add(1, Ordering::Relaxed);
        *self.kept.lock().unwrap() = Some(checkpoint.clone());
    }
}

#[test]
fn a_search_that_is_stopped_again_and_again_ends_as_if_it_were_not() {
    let goal = turned();
    let solver = solver(&goal);
    for board in boards(&goal) {
        let (iterations, length) = complete(&solver, &board);
        for number in [1, 2, 7] {
            let keeper = Memory::default();
            let mut stops = 0;
            let report = loop {
                // What is left of a task when it is stopped is done again: so more each time.
                let nodes = 2_000 * (stops + 1);
                let effort = limited(number, |limits| limits.nodes = Some(nodes));
                let report = solver
                    .solve_kept(&board, &effort, 0, Some(&keeper))
                    .unwrap();
                check_totals(&report);
                match report.outcome {
                    Outcome::Solved(_) => break report,
                    _ => stops += 1,
                }
                assert!(stops < 200, "it gets nowhere");
            };
            assert!(stops > 0 && keeper.times.load(Ordering::Relaxed) > stops);
            let Outcome::Solved(solution) = &report.outcome else {
                unreachable!("the loop ends with a solution");
            };
            assert_eq!(solution.cost, length);
            check_path(&solver, &board, &solution.moves);
            let before = report.statistics.iterations.len() - 1;
            assert_eq!(report.statistics.iterations[..before], iterations);

            // Once more: the solution is there already.
            let again = solver
                .solve_kept(&board, &limited(1, |l| l.nodes = Some(0)), 0, Some(&keeper))
                .unwrap();
            assert_eq!(again.outcome, report.outcome);
        }
    }
}

#[test]
fn a_checkpoint_goes_on_on_larger_boards_with_good_solutions_on_the_way() {
    let goal = classic("4x5");
    let solver = solver(&goal);
    let board = random_walk_end(&goal, 60, &mut Rng::from_seed(3));
    let (iterations, length) = complete(&solver, &board);
    let keeper = Memory::default();
    let effort = limited(2, |limits| limits.nodes = Some(500));
    let stopped = solver
        .solve_kept(&board, &effort, 0, Some(&keeper))
        .unwrap();
    assert!(matches!(stopped.outcome, Outcome::Stopped { .. }));
    // A solution that is as short as the bound in the end.
    let solved = solver.solve(&board, &threads(1)).unwrap();
    let Outcome::Solved(solution) = solved.outcome else {
        panic!("no limit was set");
    };
    let mut checkpoint = keeper.kept().unwrap();
    checkpoint.state.best = Some(solution.moves.clone());
    keeper.keep(&checkpoint);
    let report = solver
        .solve_kept(&board, &threads(2), 0, Some(&keeper))
        .unwrap();
    let Outcome::Solved(found) = &report.outcome else {
        panic!("no limit was set");
    };
    assert_eq!((found.cost, &found.moves), (length, &solution.moves));
    assert!(found.proof.is_optimal());
    // The last iteration was not needed.
    assert_eq!(report.statistics.iterations, iterations);
}

#[test]
fn checkpoints_of_other_searches_are_refused_by_name() {
    let goal = turned();
    let solver = solver(&goal);
    let all = boards(&goal);
    let keeper = Memory::default();
    let effort = limited(1, |limits| limits.nodes = Some(1000));
    solver
        .solve_kept(&all[0], &effort, 0, Some(&keeper))
        .unwrap();
    let checkpoint = keeper.kept().unwrap();
    let refused = |board: &Board, change: &dyn Fn(&mut Checkpoint)| {
        let mut changed = checkpoint.clone();
        change(&mut changed);
        let keeper = Memory::default();
        keeper.keep(&changed);
        match solver.solve_kept(board, &effort, 0, Some(&keeper)) {
            Err(EngineError::OtherSearch(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refused(&all[1], &|_| ()),
        OtherSearchError::Board(all[0].clone())
    );
    let other = classic("4x4");
    assert_eq!(
        refused(&all[0], &|changed| changed.goal = other.clone()),
        OtherSearchError::Goal(other.clone())
    );
    assert!(matches!(
        refused(&all[0], &|changed| changed.tables.push('x')),
        OtherSearchError::Tables { .. }
    ));
    // What comes from elsewhere is not trusted.
    let moves = |changed: &mut Checkpoint| changed.state.tasks[0].moves = "LRLR".parse().unwrap();
    assert_eq!(refused(&all[0], &moves), OtherSearchError::Moves);
    let odd = |changed: &mut Checkpoint| changed.state.threshold += 1;
    assert_eq!(refused(&all[0], &odd), OtherSearchError::Moves);
    let huge = |changed: &mut Checkpoint| {
        for task in &mut changed.state.tasks {
            task.last.expanded = u64::MAX;
        }
    };
    assert_eq!(refused(&all[0], &huge), OtherSearchError::Moves);
    let last = |changed: &mut Checkpoint| changed.state.tasks[0].family = u32::MAX;
    assert_eq!(refused(&all[0], &last), OtherSearchError::Moves);
}

#[test]
fn a_checkpoint_with_a_wrong_solution_leads_to_no_answer() {
    let goal = turned();
    let solver = solver(&goal);
    let board = &boards(&goal)[0];
    let keeper = Memory::default();
    let effort = limited(1, |limits| limits.nodes = Some(1000));
    solver.solve_kept(board, &effort, 0, Some(&keeper)).unwrap();
    let mut checkpoint = keeper.kept().unwrap();
    checkpoint.state.best = Some("L".parse().unwrap());
    keeper.keep(&checkpoint);
    let result = solver.solve_kept(board, &threads(1), 0, Some(&keeper));
    assert!(matches!(result, Err(EngineError::Wrong(_))), "{result:?}");
}
