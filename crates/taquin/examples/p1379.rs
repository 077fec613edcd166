//! Luogu P1379: nine digits in, the number of moves to `123804765` out.
//!
//! ```text
//! $ echo 283104765 | cargo run --release --example p1379
//! 4
//! ```

use std::io::{self, Read};
use std::process::ExitCode;

use taquin::heuristic::Manhattan;
use taquin::search::{Cost, PackedState, Sliding, idastar};
use taquin::{Board, Limits, Outcome, Size, Solvability, Tile};

fn main() -> ExitCode {
    let mut input = String::new();
    let answer = io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| solve(&input));
    match answer {
        Ok(moves) => {
            println!("{moves}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("p1379: {message}");
            ExitCode::from(2)
        }
    }
}

/// The fewest moves from the board in the input to the judge's goal.
fn solve(input: &str) -> Result<u32, String> {
    let goal = board("123804765")?;
    let board = board(input)?;
    let verdict = Solvability::of(&board, &goal).map_err(|error| error.to_string())?;
    if !verdict.is_solvable() {
        return Err("this board cannot reach 123804765".to_owned());
    }
    let domain = Sliding::<PackedState>::new(&goal, Cost::Unit).ok_or("nine cells fit a word")?;
    let start = domain.state(&board).map_err(|error| error.to_string())?;
    let heuristic = Manhattan::new(&domain);
    let report = idastar(&domain, start, &heuristic, &Limits::default(), &mut ());
    match report.outcome {
        Outcome::Solved(solution) => Ok(solution.cost),
        Outcome::NoSolution | Outcome::Stopped { .. } => Err("no solution was found".to_owned()),
    }
}

fn board(text: &str) -> Result<Board, String> {
    let text = text.trim();
    let tiles: Option<Vec<Tile>> = text
        .chars()
        .map(|c| c.to_digit(10).map(|digit| digit as Tile))
        .collect();
    let tiles = tiles.ok_or_else(|| format!("nine digits are wanted, not {text:?}"))?;
    let size = Size::new(3, 3).map_err(|error| error.to_string())?;
    Board::from_tiles(size, &tiles).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};

    use taquin::{Rng, uniform};

    use super::*;

    fn digits(board: &Board) -> String {
        board.tiles().map(|tile| tile.to_string()).collect()
    }

    #[test]
    fn the_judges_sample_takes_four_moves() {
        assert_eq!(solve("283104765\n"), Ok(4));
        assert_eq!(solve("123804765"), Ok(0));
    }

    #[test]
    fn it_agrees_with_breadth_first_search_on_random_boards() {
        let goal = board("123804765").unwrap();
        let mut distances = HashMap::from([(goal.clone(), 0)]);
        let mut queue = VecDeque::from([goal.clone()]);
        while let Some(next) = queue.pop_front() {
            for m in next.legal_moves() {
                let mut child = next.clone();
                child.slide(m).unwrap();
                if !distances.contains_key(&child) {
                    distances.insert(child.clone(), distances[&next] + 1);
                    queue.push_back(child);
                }
            }
        }
        assert_eq!(distances.len(), 181_440);
        let mut rng = Rng::from_seed(1379);
        for _ in 0..50 {
            let board = uniform(&goal, &mut rng);
            assert_eq!(solve(&digits(&board)), Ok(distances[&board]), "{board}");
        }
    }

    #[test]
    fn bad_input_is_refused() {
        for input in ["", "12380476", "1238047655", "12380476x", "123804766"] {
            assert!(solve(input).is_err(), "{input:?}");
        }
        assert!(solve("213804765").unwrap_err().contains("cannot reach"));
    }
}
