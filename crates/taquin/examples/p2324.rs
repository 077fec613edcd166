//! Knights on a 5×5 board with one gap (Luogu P2324, SCOI 2005 "The spirit of knights").
//!
//! Some documents call this problem P2325. That number belongs to another problem.
//!
//! Twelve white knights (`1`) and twelve black ones (`0`) jump into the one empty square (`*`). How
//! few jumps give the board below? Prints the number for each case, or -1 if it takes more than 15.
//!
//! ```text
//! 11111
//! 01111
//! 00*11
//! 00001
//! 00000
//! ```
//!
//! This has nothing to do with sliding tiles: it shows that the searches take any [`Domain`].

use std::io::{self, Read};
use std::process::ExitCode;
use taquin::{Limit, Limits, Outcome};

use taquin::heuristic::Heuristic;
use taquin::search::{Domain, idastar};

const SIDE: usize = 5;
const CELLS: usize = SIDE * SIDE;
const MOST_JUMPS: u32 = 15;
const GOAL: &str = "11111 01111 00*11 00001 00000";

fn main() -> ExitCode {
    let mut input = String::new();
    let answers = io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| answer(&input));
    match answers {
        Ok(answers) => {
            for answer in answers {
                println!("{answer}");
            }
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("p2324: {message}");
            ExitCode::from(2)
        }
    }
}

/// The answer to each case: the number of jumps, or -1.
fn answer(input: &str) -> Result<Vec<i64>, String> {
    let mut words = input.split_whitespace();
    let count = words.next().ok_or("the number of cases is missing")?;
    let count: usize = count
        .parse()
        .map_err(|_| format!("the number of cases is wanted, not {count:?}"))?;
    let knights = Knights::new()?;
    let mut answers = Vec::new();
    for case in 1..=count {
        let rows: Vec<&str> = words.by_ref().take(SIDE).collect();
        let board = Position::read(&rows).map_err(|error| format!("case {case}: {error}"))?;
        answers.push(jumps(&knights, board)?);
    }
    match words.next() {
        None => Ok(answers),
        Some(word) => Err(format!("{word:?} follows the last of {count} cases")),
    }
}

fn jumps(knights: &Knights, board: Position) -> Result<i64, String> {
    let limits = Limits {
        cost: Some(MOST_JUMPS),
        ..Limits::default()
    };
    match idastar(knights, board, &Misplaced, &limits, &mut ()).outcome {
        Outcome::Solved(solution) => Ok(solution.cost.into()),
        Outcome::Stopped {
            limit: Limit::Cost, ..
        }
        | Outcome::NoSolution => Ok(-1),
        Outcome::Stopped { limit, .. } => Err(format!("stopped by the limit on {limit}")),
    }
}

/// Where the white knights are, a bit for each cell, and the gap. The rest are black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Position {
    white: u32,
    gap: u8,
}

impl Position {
    fn read(rows: &[&str]) -> Result<Self, String> {
        if rows.len() != SIDE {
            return Err(format!("{SIDE} rows are wanted, not {}", rows.len()));
        }
        if let Some(row) = rows.iter().find(|row| row.chars().count() != SIDE) {
            return Err(format!("{row:?} has not {SIDE} characters"));
        }
        let (mut white, mut black, mut gaps) = (0_u32, 0_u32, 0_u32);
        for (cell, c) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            match c {
                '1' => white |= 1 << cell,
                '0' => black |= 1 << cell,
                '*' => gaps |= 1 << cell,
                c => return Err(format!("{c:?} is none of 0, 1 and *")),
            }
        }
        let counts = [white, black, gaps].map(u32::count_ones);
        if counts != [12, 12, 1] {
            let [white, black, gaps] = counts;
            return Err(format!(
                "12 ones, 12 zeros and one * are wanted, not {white}, {black} and {gaps}"
            ));
        }
        Ok(Self {
            white,
            gap: gaps.trailing_zeros() as u8,
        })
    }
}

/// The board with the position to reach, and for each cell where a knight can jump.
struct Knights {
    goal: Position,
    jumps: [Vec<u8>; CELLS],
}

impl Knights {
    fn new() -> Result<Self, String> {
        let rows: Vec<&str> = GOAL.split(' ').collect();
        let jump = |a: usize, b: usize| {
            let (rows, columns) = ((a / SIDE).abs_diff(b / SIDE), (a % SIDE).abs_diff(b % SIDE));
            rows * columns == 2
        };
        let jumps = std::array::from_fn(|from| {
            let there = (0..CELLS).filter(|&to| jump(from, to));
            there.map(|to| to as u8).collect()
        });
        Ok(Self {
            goal: Position::read(&rows)?,
            jumps,
        })
    }
}

/// A knight jumps into the gap; the gap is then where it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Jump {
    from: u8,
    to: u8,
}

impl Domain for Knights {
    type State = Position;
    type Action = Jump;

    fn actions(&self, board: &Position) -> impl Iterator<Item = Jump> + use<'_> {
        let to = board.gap;
        let there = self.jumps[usize::from(to)].iter();
        there.map(move |&from| Jump { from, to })
    }

    fn apply(&self, board: &mut Position, jump: Jump) -> u32 {
        let colour = board.white >> jump.from & 1;
        board.white ^= colour << jump.from | colour << jump.to;
        board.gap = jump.from;
        1
    }

    fn undo(&self, board: &mut Position, jump: Jump) {
        let back = Jump {
            from: jump.to,
            to: jump.from,
        };
        self.apply(board, back);
    }

    fn is_goal(&self, board: &Position) -> bool {
        *board == self.goal
    }

    fn inverse(&self, jump: Jump) -> Option<Jump> {
        Some(Jump {
            from: jump.to,
            to: jump.from,
        })
    }
}

/// The knights that stand where the goal has another colour or the gap. Each of them must jump, and
/// only one jumps at a time.
struct Misplaced;

impl Heuristic<Knights> for Misplaced {
    type Memo = u32;

    fn evaluate(&self, knights: &Knights, board: &Position) -> u32 {
        // Cells that differ in colour, without the start's gap, which holds no knight; a black
        // knight on the goal's gap looks like no difference, and counts as well.
        let gaps = 1 << board.gap | 1 << knights.goal.gap;
        let wrong = (board.white ^ knights.goal.white) & !gaps;
        wrong.count_ones() + u32::from(board.gap != knights.goal.gap)
    }

    fn step(&self, knights: &Knights, _: &u32, after: &Position, _: Jump) -> u32 {
        // Counting bits is as quick as any update.
        self.evaluate(knights, after)
    }

    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};

    use super::*;

    /// Every position within so many jumps of the goal.
    fn around_the_goal(knights: &Knights, most: i64) -> HashMap<Position, i64> {
        let mut distances = HashMap::from([(knights.goal, 0)]);
        let mut queue = VecDeque::from([knights.goal]);
        while let Some(next) = queue.pop_front() {
            let distance = distances[&next];
            if distance == most {
                continue;
            }
            for jump in knights.actions(&next) {
                let (child, _) = knights.successor(&next, jump);
                distances.entry(child).or_insert_with(|| {
                    queue.push_back(child);
                    distance + 1
                });
            }
        }
        distances
    }

    #[test]
    fn the_judges_sample_gives_7_and_minus_1() {
        let input = "2\n10110\n01*11\n10111\n01001\n00000\n01011\n110*1\n01110\n01010\n00100\n";
        assert_eq!(answer(input), Ok(vec![7, -1]));
    }

    #[test]
    fn it_agrees_with_breadth_first_search_near_the_goal() {
        let knights = Knights::new().unwrap();
        let distances = around_the_goal(&knights, 7);
        assert!(distances.len() > 1000);
        for (&board, &distance) in &distances {
            assert!(i64::from(Misplaced.evaluate(&knights, &board)) <= distance);
            assert_eq!(jumps(&knights, board), Ok(distance), "{board:?}");
        }
    }

    #[test]
    fn bad_input_is_refused() {
        for (input, complaint) in [
            ("", "missing"),
            ("x", "number of cases"),
            ("1\n11111\n01111\n", "5 rows"),
            ("1\n1111\n01111\n00*11\n00001\n00000", "5 characters"),
            ("1\n11111\n01111\n00211\n00001\n00000", "none of"),
            ("1\n11111\n01111\n00111\n00001\n00000", "12 ones"),
            ("1\n11111\n01111\n00*11\n00001\n00000\n1", "follows"),
        ] {
            let message = answer(input).unwrap_err();
            assert!(message.contains(complaint), "{message}");
        }
    }
}
