//! What is promised of every answer.

#[cfg(feature = "store")]
mod changed;
mod going_on;
mod limits;
mod multi;
mod pool;
mod tables;
mod waiting;

use std::sync::Arc;
use std::sync::Mutex;

use super::*;
use crate::outcome::{Budget, Limits, Solution};
use crate::supply::{BuildObserver, TableSource};
use crate::{Board, Goal, GoalSizeError, Metric, Moves, Rng, uniform};

/// The farthest board of 3x3: 31 moves, in 40 ways.
const FARTHEST: &str = "8 6 7/2 5 4/3 0 1";

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

fn scramble(size: &str, seed: u64) -> Board {
    uniform(&goal(size), &mut Rng::from_seed(seed))
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn request(board: &Board, want: Want) -> Request {
    Request {
        want,
        ..Request::new(board.clone())
    }
}

/// Remembers what was built.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl Listener {
    fn built(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl BuildObserver for Listener {
    fn building(
        &self,
        what: &str,
        _: &(dyn Fn() -> u64 + Sync),
        _: &Budget,
        work: &mut dyn FnMut(),
    ) {
        self.0.lock().unwrap().push(what.to_owned());
        work();
    }
}

/// A solver in memory, and what it builds.
fn heard() -> (Solver, Arc<Listener>) {
    let listener = Arc::new(Listener::default());
    let source = TableSource::in_memory().with_observer(Arc::<Listener>::clone(&listener));
    (Solver::with_source(source).with_threads(2), listener)
}

/// The solution of an answer, which must lead to the goal.
fn solution(answer: &Answer, request: &Request) -> Solution {
    let solution = answer.solution().unwrap();
    let goal = request.goal.board(request.board.size()).unwrap();
    assert_eq!(request.board.after(&solution.moves), Ok(goal));
    assert_eq!(answer.metric, request.metric);
    let length = solution.moves.length(request.metric);
    assert_eq!(length as u32, solution.cost);
    assert!(solution.lower_bound <= solution.cost);
    assert_eq!(
        solution.proof.is_optimal(),
        solution.lower_bound == solution.cost
    );
    solution.clone()
}

/// Every want there is.
fn wants() -> Vec<Want> {
    vec![
        Want::Solution,
        Want::Shortest,
        Want::Within(std::time::Duration::from_millis(200)),
        Want::First,
        Want::All(AllShortest {
            list: Some(2),
            count: false,
        }),
        Want::Laboratory(LaboratoryChoice::default()),
    ]
}

#[test]
fn without_a_wish_boards_of_up_to_16_cells_get_a_shortest_solution() {
    let solver = Solver::in_memory();
    for (text, goal, length) in [
        ("3 1/2 0", Goal::Classic, 4),
        (FARTHEST, Goal::Classic, 31),
        ("2 8 3/1 6 4/7 0 5", Goal::Snail, 5),
        // The twelfth of Korf's boards.
        (
            "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15",
            Goal::BlankFirst,
            45,
        ),
    ] {
        let request = Request {
            goal,
            ..Request::new(board(text))
        };
        let answer = solver.solve(&request).unwrap();
        assert!(answer.is_optimal(), "{text}");
        assert_eq!(solution(&answer, &request).cost, length, "{text}");
        assert_eq!(answer.searched_by, SearchedBy::Engine);
    }
}

#[test]
fn every_want_gives_a_solution_that_keeps_its_promise() {
    let solver = Solver::in_memory();
    for size in ["2x2", "2x4", "3x3"] {
        let board = scramble(size, 5);
        let shortest = request(&board, Want::Shortest);
        let shortest = solution(&solver.solve(&shortest).unwrap(), &shortest).cost;
        for want in wants() {
            let request = request(&board, want);
            let solution = solution(&solver.solve(&request).unwrap(), &request);
            assert!((solution.lower_bound..=solution.cost).contains(&shortest));
            assert!(!want.is_shortest() || solution.cost == shortest, "{want:?}");
        }
    }
}

#[test]
fn all_shortest_solutions_are_listed_and_counted() {
    let solver = Solver::in_memory();
    let board = board(FARTHEST);
    let all = |list, count| {
        let request = request(&board, Want::All(AllShortest { list, count }));
        let answer = solver.solve(&request).unwrap();
        assert_eq!(solution(&answer, &request).cost, 31);
        assert!(answer.is_optimal());
        (answer.list, answer.count)
    };
    let (list, count) = all(Some(usize::MAX), true);
    let mut list = list.unwrap();
    assert_eq!((list.len(), count), (40, Some(40)));
    for moves in &list {
        assert_eq!(moves.len(), 31);
        assert_eq!(board.after(moves), Ok(goal("3x3")));
    }
    list.sort_unstable_by(|a, b| a.cmp(b));
    list.dedup();
    assert_eq!(list.len(), 40);

    assert_eq!(all(None, true), (None, Some(40)));
    let (few, _) = all(Some(3), false);
    assert!(
        few.unwrap()
            .iter()
            .all(|moves: &Moves| list.contains(moves))
    );
}

#[test]
fn an_unsolvable_board_names_the_goals_it_can_reach() {
    let (solver, listener) = heard();
    for want in wants() {
        let request = request(&board("2 8 3/1 6 4/7 0 5"), want);
        let answer = solver.solve(&request).unwrap();
        let Ending::Unsolvable(unsolvable) = &answer.ending else {
            panic!("{want:?}: {:?}", answer.ending);
        };
        assert_eq!(unsolvable.reachable, [Goal::Snail, Goal::Snake]);
        assert!(!unsolvable.verdict.is_solvable());
        let error = answer.solution().unwrap_err();
        assert!(matches!(error, UnsolvedError::Unsolvable(_)));
        let said = error.to_string();
        assert!(
            said.ends_with("; it can reach the goals snail and snake"),
            "{said}"
        );
    }
    assert_eq!(listener.built(), [""; 0]);
}

#[test]
fn a_goal_of_another_size_is_refused() {
    let request = Request {
        goal: Goal::Board(goal("3x3")),
        ..Request::new(goal("4x4"))
    };
    let refused = Solver::in_memory().solve(&request).unwrap_err();
    let (board, goal) = (request.board.size(), "3x3".parse().unwrap());
    assert!(matches!(
        refused,
        SolveError::Size(error) if error == GoalSizeError { goal, board }
    ));
    let warmed =
        Solver::in_memory().warm_up(&request.goal, board, Metric::Single, &Limits::default());
    assert!(matches!(warmed, Err(SolveError::Size(_))));
}

#[test]
fn all_shortest_solutions_of_a_board_without_tables_are_refused() {
    let all = AllShortest {
        list: Some(1),
        count: false,
    };
    let refused = Solver::in_memory().solve(&request(&goal("12x12"), Want::All(all)));
    assert!(matches!(refused, Err(SolveError::NoTables(_))));
}

#[test]
fn heuristics_of_the_laboratory_that_are_too_large_are_refused() {
    let choice = LaboratoryChoice {
        heuristic: crate::heuristic::HeuristicKind::from_name("pdb:full"),
        ..LaboratoryChoice::default()
    };
    let request = request(&scramble("4x4", 1), Want::Laboratory(choice));
    let solver = Solver::in_memory().with_laboratory_bytes(1000);
    let refused = solver.solve(&request).unwrap_err();
    assert!(
        matches!(refused, SolveError::LargeHeuristic { .. }),
        "{refused}"
    );
}
