//! Another problem, solved with the searches of the laboratory.
//!
//! A pile of pancakes of different sizes is to be sorted, the smallest on top. All one can do is to
//! turn over some pancakes at the top. How few turns will do?
//!
//! A problem is a [`Domain`]: states, the actions between them, and where to end. An estimate of
//! what is left is a [`Heuristic`]. With these two, every search works.

use std::error::Error;

use taquin::heuristic::Heuristic;
use taquin::search::{Domain, astar, idastar};
use taquin::{Limits, Outcome, Report};

const PANCAKES: usize = 10;

/// The sizes of the pancakes, from the top.
type Pile = [u8; PANCAKES];

fn main() -> Result<(), Box<dyn Error>> {
    let pile = [3, 9, 0, 7, 5, 1, 8, 2, 6, 4];
    for (name, turns) in [("IDA*", with_idastar(pile)?), ("A*", with_astar(pile)?)] {
        println!("{name}: {} turns, of {turns:?} pancakes", turns.len());
    }
    Ok(())
}

fn with_idastar(pile: Pile) -> Result<Vec<usize>, String> {
    turns(idastar(&Sorting, pile, &Gaps, &Limits::default(), &mut ()))
}

fn with_astar(pile: Pile) -> Result<Vec<usize>, String> {
    turns(astar(&Sorting, pile, &Gaps, &Limits::default(), &mut ()))
}

fn turns(report: Report<Vec<usize>>) -> Result<Vec<usize>, String> {
    match report.outcome {
        Outcome::Solved(solution) => Ok(solution.moves),
        other => Err(format!("no solution: {other:?}")),
    }
}

/// The problem: sort a pile.
struct Sorting;

impl Domain for Sorting {
    type State = Pile;
    /// How many pancakes are turned over.
    type Action = usize;

    fn actions(&self, _: &Pile) -> impl Iterator<Item = usize> + use<'_> {
        2..=PANCAKES
    }

    fn apply(&self, pile: &mut Pile, count: usize) -> u32 {
        pile[..count].reverse();
        1
    }

    fn undo(&self, pile: &mut Pile, count: usize) {
        pile[..count].reverse();
    }

    fn is_goal(&self, pile: &Pile) -> bool {
        pile.is_sorted()
    }

    fn inverse(&self, count: usize) -> Option<usize> {
        Some(count)
    }
}

/// How many neighbours in the pile are not neighbours in size (Helmert 2010). The plate counts as
/// the largest pancake. A turn changes one pair of neighbours, so each gap costs a turn at least.
struct Gaps;

impl Heuristic<Sorting> for Gaps {
    type Memo = u32;

    fn evaluate(&self, _: &Sorting, pile: &Pile) -> u32 {
        let below = pile[1..].iter().copied().chain([PANCAKES as u8]);
        let pairs = pile.iter().zip(below);
        pairs.filter(|(a, b)| a.abs_diff(*b) != 1).count() as u32
    }

    fn step(&self, domain: &Sorting, _: &u32, after: &Pile, _: usize) -> u32 {
        self.evaluate(domain, after)
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
    use taquin::search::bfs;

    use super::*;

    #[test]
    fn it_runs() -> Result<(), Box<dyn Error>> {
        main()
    }

    #[test]
    fn both_searches_sort_the_pile_with_the_fewest_turns() {
        for start in [
            [1, 0, 2, 3, 4, 5, 6, 7, 8, 9],
            [0, 2, 1, 3, 4, 9, 8, 7, 6, 5],
            [4, 3, 0, 1, 2, 5, 8, 6, 7, 9],
        ] {
            let blind = bfs(&Sorting, start, &Limits::default(), &mut ());
            let fewest = turns(blind).unwrap().len();
            for turns in [with_idastar(start).unwrap(), with_astar(start).unwrap()] {
                assert_eq!(turns.len(), fewest);
                let mut pile = start;
                for count in turns {
                    Sorting.apply(&mut pile, count);
                }
                assert!(Sorting.is_goal(&pile));
            }
        }
    }
}
