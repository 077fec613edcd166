//! Lengths, judged by whole spaces, by published figures, and by the laboratory.

use taquin::search::{Algorithm, Cost, Laboratory};
use taquin::solve::{Effort, GoalSolver};
use taquin::tables::Tier;
use taquin::{Board, Goal, Limits, Outcome, Rng, random_walk_end, uniform};

use crate::support::{
    classic, each, goal_with_blank, length, size, solver, space, tables, threads,
};

/// Solves every `step`th board of a space, and the farthest; gives all boards.
fn judge_space(goal: &Board, step: usize) -> Vec<(Board, u32)> {
    let space = space(goal);
    let solver = solver(goal);
    let farthest = space.iter().rev().take(20);
    let boards: Vec<_> = space.iter().step_by(step).chain(farthest).collect();
    each(&boards, |(board, distance)| {
        assert_eq!(
            length(&solver, board, &Effort::default()),
            *distance,
            "{board} to {goal}"
        );
    });
    space
}

#[test]
fn every_board_of_the_smallest_sizes_is_solved_in_its_distance() {
    for text in ["2x2", "2x3", "3x2"] {
        for blank in 0..size(text).cells() {
            judge_space(&goal_with_blank(text, blank), 1);
        }
    }
    for goal in Goal::NAMED {
        judge_space(&goal.board(size("3x2")).unwrap(), 1);
    }
}

#[test]
fn every_board_of_2x4_is_solved_in_its_distance() {
    let space = judge_space(&classic("2x4"), 1);
    assert_eq!((space.len(), space.last().unwrap().1), (20_160, 36));
    judge_space(&goal_with_blank("4x2", 2), 5);
}

#[test]
fn every_board_of_3x3_is_solved_in_its_distance() {
    let space = judge_space(&classic("3x3"), 1);
    let at = |distance| space.iter().filter(|board| board.1 == distance).count();
    assert_eq!((space.len(), at(31), at(32)), (181_440, 2, 0));
}

#[test]
fn boards_of_3x3_are_solved_in_their_distance_wherever_the_goal_has_its_blank() {
    for (blank, farthest, count) in [(1, 31, 2), (4, 30, 148)] {
        let space = judge_space(&goal_with_blank("3x3", blank), 7);
        let at = |distance| space.iter().filter(|board| board.1 == distance).count();
        assert_eq!((at(farthest), at(farthest + 1)), (count, 0));
    }
    judge_space(&Goal::Snail.board(size("3x3")).unwrap(), 23);
}

#[test]
fn a_table_of_all_tiles_is_the_distance() {
    for (text, blank) in [("2x4", 7), ("2x4", 1), ("3x3", 8), ("3x3", 1), ("3x3", 4)] {
        let goal = goal_with_blank(text, blank);
        let solver = solver(&goal);
        each(&space(&goal), |(board, distance)| {
            assert_eq!(
                solver.estimate(board).unwrap(),
                *distance,
                "{board} to {goal}"
            );
        });
    }
}

#[test]
fn boards_of_2x5_are_solved_in_their_distance() {
    let space = judge_space(&classic("2x5"), 97);
    assert_eq!((space.len(), space.last().unwrap().1), (1_814_400, 55));
}

#[test]
#[ignore = "two million searches"]
fn every_board_of_2x5_is_solved_in_its_distance() {
    judge_space(&classic("2x5"), 1);
    judge_space(&goal_with_blank("2x5", 2), 10);
}

#[test]
fn the_farthest_boards_of_3x4_need_53_moves_and_no_board_needs_more() {
    let goal = classic("3x4");
    let solver = solver(&goal);
    let flat = |line: &str| -> Board {
        let tiles: Vec<_> = line.split(' ').map(|tile| tile.parse().unwrap()).collect();
        Board::from_tiles(goal.size(), &tiles).unwrap()
    };
    let boards: Vec<Board> = include_str!("../data/farthest12.txt")
        .lines()
        .map(flat)
        .collect();
    assert_eq!(boards.len(), 18);
    assert!((1..18).all(|i| !boards[..i].contains(&boards[i])));
    each(&boards, |board| {
        assert_eq!(length(&solver, board, &Effort::default()), 53, "{board}");
        // No move leads further away.
        for m in board.legal_moves() {
            let mut next = board.clone();
            next.slide(m).unwrap();
            assert_eq!(length(&solver, &next, &Effort::default()), 52, "{next}");
        }
    });
    let mut rng = Rng::from_seed(21);
    let boards: Vec<Board> = (0..1000).map(|_| uniform(&goal, &mut rng)).collect();
    each(&boards, |board| {
        assert!(length(&solver, board, &Effort::default()) <= 53, "{board}");
    });
}

/// The lines of a table after its heading.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

/// Korf's boards with their published lengths.
fn korf() -> Vec<(Board, u32)> {
    let rows = rows(include_str!("../data/korf15.csv"));
    let boards = rows.map(|row| (row[1].parse().unwrap(), row[3].parse().unwrap()));
    boards.collect()
}

/// Solves the boards that are no longer than this.
fn judge_korf(tier: Tier, longest: u32) {
    let goal = Goal::BlankFirst.board(size("4x4")).unwrap();
    let solver = GoalSolver::new(&goal, &tables(&goal, tier)).unwrap();
    let mut boards = korf();
    assert_eq!(boards.iter().map(|board| board.1).sum::<u32>(), 5305);
    boards.retain(|board| board.1 <= longest);
    each(&boards, |(board, optimal)| {
        assert_eq!(
            length(&solver, board, &Effort::default()),
            *optimal,
            "{board}"
        );
    });
}

#[test]
fn most_of_korfs_boards_are_solved_in_the_published_lengths() {
    judge_korf(Tier::Quick, 57);
}

#[test]
#[ignore = "ten seconds, and full tables of 200 MB"]
fn korfs_boards_are_solved_in_the_published_lengths_with_every_tier() {
    judge_korf(Tier::Quick, 80);
    judge_korf(Tier::Full, 80);
}

#[test]
#[ignore = "builds the full tables, of 200 MB"]
fn the_farthest_boards_of_4x4_need_80_moves() {
    let goal = classic("4x4");
    let solver = GoalSolver::new(&goal, &tables(&goal, Tier::Full)).unwrap();
    let boards: Vec<Board> = rows(include_str!("../data/farthest15.csv"))
        .map(|row| {
            assert_eq!(row[1], "80");
            row[0].parse().unwrap()
        })
        .collect();
    assert_eq!(boards.len(), 17);
    for board in boards {
        assert_eq!(length(&solver, &board, &threads(2)), 80, "{board}");
    }
}

/// The named goals, and boards without a name that have the blank in all kinds of cells.
fn goals(text: &str, blanks: &[usize]) -> Vec<Board> {
    let size = size(text);
    let mut goals: Vec<Board> = Goal::NAMED
        .into_iter()
        .map(|goal| goal.board(size).unwrap())
        .collect();
    let mut rng = Rng::from_seed(31);
    for &blank in blanks {
        let scrambled = std::iter::repeat_with(|| uniform(&classic(text), &mut rng))
            .find(|board| board.blank() == blank)
            .unwrap();
        goals.push(scrambled);
    }
    goals
}

/// Compares lengths with those of the laboratory, on walks of up to so many moves from each goal.
fn judge_by_laboratory(goals: &[Board], boards: usize, walk: usize) {
    for goal in goals {
        let solver = solver(goal);
        let laboratory = Laboratory::strongest(goal, Cost::Unit).unwrap();
        let mut rng = Rng::from_seed(41);
        let boards: Vec<Board> = (0..boards)
            .map(|i| random_walk_end(goal, walk - i % 8, &mut rng))
            .collect();
        each(&boards, |board| {
            let report = laboratory.search(board, Algorithm::Idastar, &Limits::default());
            let Outcome::Solved(expected) = report.unwrap().outcome else {
                panic!("{board}: no limit was set");
            };
            let length = length(&solver, board, &Effort::default());
            assert_eq!(length, expected.cost, "{board} to {goal}");
        });
    }
}

#[test]
fn lengths_on_4x4_are_those_of_the_laboratory_for_every_kind_of_goal() {
    // Corners, edges and cells inside, each kind under several symmetries.
    judge_by_laboratory(&goals("4x4", &[0, 3, 12, 1, 7, 8, 14, 5, 6, 9]), 8, 40);
}

#[test]
fn lengths_on_rectangles_are_those_of_the_laboratory() {
    for (text, blanks) in [
        ("3x4", &[3, 1, 5][..]),
        ("4x3", &[4, 10]),
        ("2x6", &[2]),
        ("7x2", &[5]),
        ("3x5", &[7, 9]),
    ] {
        judge_by_laboratory(&goals(text, blanks), 12, 40);
    }
}

#[test]
fn lengths_on_larger_boards_are_those_of_the_laboratory() {
    for goal in ["4x5", "5x5", "3x8"].map(classic) {
        judge_by_laboratory(&[goal], 4, 30);
    }
}

#[test]
fn the_farther_end_of_a_long_board_is_no_goal() {
    // On long boards sums of values come to more than 255.
    let goal = classic("2x18");
    let solver = solver(&goal);
    let mut rng = Rng::from_seed(51);
    let mut large = 0;
    for _ in 0..50 {
        let board = uniform(&goal, &mut rng);
        let estimate = solver.estimate(&board).unwrap();
        large += usize::from(estimate > 255);
        let effort = crate::support::limited(1, |limits| limits.nodes = Some(20_000));
        let report = solver.solve(&board, &effort).unwrap();
        let Outcome::Stopped { lower_bound, .. } = report.outcome else {
            panic!("{board} is far too hard: {:?}", report.outcome);
        };
        assert!(lower_bound >= estimate);
    }
    assert!(large > 0);
}
