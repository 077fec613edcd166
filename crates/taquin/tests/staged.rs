//! Short solutions of 4×4 from small tables: Parberry's method and ours.

use std::sync::LazyLock;

use taquin::solve::{EngineError, Staged, Swift, UnsuitedGoalError};
use taquin::{Board, Goal, Move, Moves, Rng, random_walk_end, uniform};

static GOAL: LazyLock<Board> =
    LazyLock::new(|| Goal::Classic.board("4x4".parse().unwrap()).unwrap());
static STAGED: LazyLock<Staged> = LazyLock::new(|| Staged::new(&GOAL).unwrap());
static SWIFT: LazyLock<Swift> = LazyLock::new(|| Swift::new(&GOAL).unwrap());

type Method = dyn Fn(&Board) -> Result<Moves, EngineError>;

fn each_method(check: impl Fn(&str, &Method)) {
    check("staged", &|board| STAGED.solve(board));
    check("swift", &|board| SWIFT.solve(board));
}

#[test]
fn stages_are_as_long_as_published() {
    let published = [
        (524_160, "26.87", 46),
        (11_880, "18.83", 32),
        (100_800, "22.04", 30),
    ];
    for (stage, (arrangements, mean, max)) in STAGED.statistics().into_iter().zip(published) {
        assert_eq!(stage.arrangements, arrangements);
        assert_eq!(format!("{:.2}", stage.mean), mean);
        assert_eq!(stage.max, max);
    }
}

#[test]
fn tables_are_small() {
    // Two bits for each of the boards of 3×3 that can be solved.
    assert_eq!(STAGED.rest_bytes(), 181_440 / 4);
    assert!(STAGED.table_bytes() <= 4_700_000);
    assert!(SWIFT.table_bytes() <= 4_700_000);
}

#[test]
fn solutions_of_random_boards_lead_to_the_goal_and_are_short() {
    each_method(|name, solve| {
        // Mean lengths: 65.21 is published for the first.
        let most = match name {
            "staged" => 65.5,
            "swift" => 58.2,
            other => panic!("nothing is known of {other}"),
        };
        let mut rng = Rng::from_seed(1);
        let mut sum = 0;
        for _ in 0..2000 {
            let board = uniform(&GOAL, &mut rng);
            let moves = solve(&board).unwrap();
            assert_eq!(board.after(&moves).unwrap(), *GOAL, "{name}: {board}");
            assert!(moves.len() <= 108, "{name}: {board}");
            sum += moves.len();
        }
        let mean = f64::from(u32::try_from(sum).unwrap()) / 2000.0;
        assert!(mean < most, "{name}: {mean}");
    });
}

#[test]
fn boards_near_the_goal_are_solved() {
    each_method(|name, solve| {
        assert!(solve(&GOAL).unwrap().is_empty(), "{name}");
        for m in [Move::Down, Move::Right] {
            let board = GOAL.after(&vec![m].into()).unwrap();
            if name == "swift" {
                assert_eq!(&solve(&board).unwrap()[..], [m.opposite()]);
            }
        }
        let mut rng = Rng::from_seed(5);
        for length in 0..200 {
            let board = random_walk_end(&GOAL, length, &mut rng);
            let moves = solve(&board).unwrap();
            assert_eq!(board.after(&moves).unwrap(), *GOAL, "{name}: {board}");
        }
    });
}

#[test]
fn no_solution_of_korfs_boards_is_shorter_than_the_shortest() {
    let goal = Goal::BlankFirst.board("4x4".parse().unwrap()).unwrap();
    let staged = Staged::new(&goal).unwrap();
    let swift = Swift::new(&goal).unwrap();
    let mut boards = 0;
    let mut sums = [0; 3];
    for line in include_str!("data/korf15.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let board: Board = fields[1].parse().unwrap();
        let length: usize = fields[3].parse().unwrap();
        boards += 1;
        let lengths = [staged.solve(&board), swift.solve(&board)].map(|moves| {
            let moves = moves.unwrap();
            assert_eq!(board.after(&moves).unwrap(), goal);
            moves.len()
        });
        for found in lengths {
            assert!(found >= length && found % 2 == length % 2, "{board}");
        }
        for (sum, length) in sums.iter_mut().zip([lengths[0], lengths[1], length]) {
            *sum += length;
        }
    }
    assert_eq!((boards, sums[2]), (100, 5305));
    assert!(sums[1] < sums[0], "{sums:?}");
}

#[test]
fn other_goals_are_mirrored_and_others_refused() {
    let mut rng = Rng::from_seed(9);
    for goal in [Goal::BlankFirst, Goal::Snake] {
        let goal = goal.board("4x4".parse().unwrap()).unwrap();
        let (staged, swift) = (Staged::new(&goal).unwrap(), Swift::new(&goal).unwrap());
        for _ in 0..100 {
            let board = uniform(&goal, &mut rng);
            for moves in [staged.solve(&board), swift.solve(&board)] {
                assert_eq!(board.after(&moves.unwrap()).unwrap(), goal);
            }
        }
    }
    let snail = Goal::Snail.board("4x4".parse().unwrap()).unwrap();
    assert_eq!(Staged::new(&snail).unwrap_err(), UnsuitedGoalError);
    assert_eq!(Swift::new(&snail).unwrap_err(), UnsuitedGoalError);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    each_method(|_, solve| {
        let swapped = GOAL.with_swapped(14, 15).unwrap();
        assert!(matches!(solve(&swapped), Err(EngineError::Unsolvable(_))));
        let other = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
        assert!(matches!(solve(&other), Err(EngineError::Size(_))));
    });
}
