//! The first program: parse a board, solve it, print the solution.
//!
//! ```text
//! $ cargo run --package taquin --example newcomer
//! 14 moves: LURRDDLURULDLU
//! ```

use std::error::Error;

use taquin::{Board, Request, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let board: Board = "8 1 3/4 0 2/7 6 5".parse()?;
    let answer = Solver::in_memory().solve(&Request::new(board))?;
    let solution = answer.solution()?;
    println!("{} moves: {}", solution.moves.len(), solution.moves);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_program_runs() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
