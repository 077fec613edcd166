//! How the brute-force search tree grows.
//!
//! The tree of all move sequences that never take a move back depends on one thing only: where the
//! blank is and where it came from. So its nodes are counted exactly by a recurrence over pairs of
//! a cell and a last move, without looking at any tile.

use crate::{BlankClass, Move, Size};

/// One level of the tree: how many nodes, and where their blanks are.
#[derive(Clone, Debug)]
pub struct TreeLevel {
    ln_nodes: f64,
    shares: Box<[f64]>,
}

impl TreeLevel {
    /// The natural logarithm of the number of nodes. The number itself is soon too large for any
    /// type.
    #[must_use]
    pub const fn ln_nodes(&self) -> f64 {
        self.ln_nodes
    }

    /// The number of nodes; infinite where that is more than an `f64` holds.
    #[must_use]
    pub fn nodes(&self) -> f64 {
        self.ln_nodes.exp()
    }

    /// The share of the nodes that have their blank on a cell; 0 outside the board.
    #[must_use]
    pub fn share(&self, cell: usize) -> f64 {
        self.shares.get(cell).copied().unwrap_or(0.0)
    }
}

/// The levels of the brute-force search tree, one after the other, without end.
///
/// ```
/// use taquin::space::TreeLevels;
///
/// // A corner has two moves; the edges next to it have two that do not go back.
/// let mut levels = TreeLevels::from_cell("3x3".parse()?, 0);
/// let nodes: Vec<f64> = levels.by_ref().take(4).map(|level| level.nodes().round()).collect();
/// assert_eq!(nodes, [1.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), taquin::notation::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeLevels {
    size: Size,
    /// For each cell and each move that led the blank there, the nodes, divided by e^`ln_scale`.
    /// The fifth entry is the root, which no move led to.
    counts: Vec<[f64; 5]>,
    ln_scale: f64,
}

/// The entry of a node that no move led to.
const ROOT: usize = 4;

impl TreeLevels {
    /// The average tree of a uniformly random board: its blank is on every cell equally often.
    #[must_use]
    pub fn uniform(size: Size) -> Self {
        let each = 1.0 / to_f64(size.cells());
        Self {
            size,
            counts: vec![[0.0, 0.0, 0.0, 0.0, each]; size.cells()],
            ln_scale: 0.0,
        }
    }

    /// The tree of a board whose blank is on a cell, counted from 0 in reading order. A cell outside
    /// the board counts as the last one.
    #[must_use]
    pub fn from_cell(size: Size, cell: usize) -> Self {
        let mut counts = vec![[0.0; 5]; size.cells()];
        counts[cell.min(size.cells() - 1)][ROOT] = 1.0;
        Self {
            size,
            counts,
            ln_scale: 0.0,
        }
    }

    fn advance(&mut self) {
        let mut next = vec![[0.0; 5]; self.counts.len()];
        for (cell, counts) in self.counts.iter().enumerate() {
            let all: f64 = counts.iter().sum();
            for m in Move::ALL {
                if let Some(target) = self.size.neighbour(cell, m) {
                    next[target][m as usize] = all - counts[m.opposite() as usize];
                }
            }
        }
        // Numbers grow at most fourfold a level, so dividing at each keeps them in range.
        let total: f64 = next.iter().flatten().sum();
        for count in next.iter_mut().flatten() {
            *count /= total;
        }
        self.ln_scale += total.ln();
        self.counts = next;
    }
}

impl Iterator for TreeLevels {
    type Item = TreeLevel;

    fn next(&mut self) -> Option<TreeLevel> {
        let cells: Box<[f64]> = self.counts.iter().map(|c| c.iter().sum()).collect();
        let level = TreeLevel {
            ln_nodes: self.ln_scale,
            shares: cells,
        };
        self.advance();
        Some(level)
    }
}

/// Where the blanks of the tree's nodes are in the long run.
///
/// Corners have fewer neighbours that lead to them, so they are rarer in the tree than on a random
/// board. Where the long run alternates between the two colours of the cells, as on 3×3, this is
/// the mean of both.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    branching: f64,
    shares: Box<[f64]>,
}

impl Equilibrium {
    /// Follows the tree until it has settled. Large boards settle slowly; beyond about 50×50 cells
    /// the figures are good to three digits rather than to ten.
    #[must_use]
    pub fn new(size: Size) -> Self {
        // Some ten million cells at most.
        let most = (10_000_000 / size.cells()).clamp(50, 20_000);
        let mut levels = TreeLevels::uniform(size);
        let mut before = (f64::NAN, f64::NAN);
        let mut ratio = f64::NAN;
        for _ in 0..most {
            let start = levels.ln_scale;
            levels.advance();
            let odd = levels.ln_scale;
            levels.advance();
            let after = (odd - start, levels.ln_scale - odd);
            // Two levels at once: single ones may alternate for ever.
            ratio = f64::midpoint(after.0, after.1).exp();
            let change = (after.0 - before.0).abs() + (after.1 - before.1).abs();
            if change < 1e-13 {
                break;
            }
            before = after;
        }
        let [even, odd] = [levels.next(), levels.next()].map(|level| level.map(|l| l.shares));
        let shares = match (even, odd) {
            (Some(even), Some(odd)) => even
                .iter()
                .zip(&odd)
                .map(|(a, b)| f64::midpoint(*a, *b))
                .collect(),
            _ => Box::default(),
        };
        Self {
            branching: ratio,
            shares,
        }
    }

    /// How many times more nodes a level has than the one before, in the long run.
    #[must_use]
    pub const fn branching_factor(&self) -> f64 {
        self.branching
    }

    /// The share of the nodes that have their blank on a cell; 0 outside the board.
    #[must_use]
    pub fn share(&self, cell: usize) -> f64 {
        self.shares.get(cell).copied().unwrap_or(0.0)
    }

    /// The share of the nodes that have their blank in a corner, at an edge, or inside.
    #[must_use]
    pub fn class_share(&self, size: Size, class: BlankClass) -> f64 {
        (0..size.cells())
            .filter(|&cell| size.class(cell) == class)
            .map(|cell| self.share(cell))
            .sum()
    }
}

/// The asymptotic branching factor of a size: how many times more nodes a level of the brute-force
/// tree has than the one before, when no move is taken back.
///
/// ```
/// use taquin::space::branching_factor;
///
/// assert!((branching_factor("4x4".parse()?) - 2.1304).abs() < 0.00005);
/// # Ok::<(), taquin::notation::ParseError>(())
/// ```
#[must_use]
pub fn branching_factor(size: Size) -> f64 {
    Equilibrium::new(size).branching_factor()
}

/// Counts of cells and samples are far below 2⁵².
#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
pub(super) const fn to_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Goal};

    fn size(text: &str) -> Size {
        text.parse().unwrap()
    }

    #[test]
    fn branching_factors_are_the_published_ones() {
        for (text, factor) in [
            ("2x2", 1.0),
            ("3x3", 3_f64.sqrt()),
            ("4x4", 2.1304),
            ("5x5", 2.3676),
        ] {
            let found = branching_factor(size(text));
            assert!((found - factor).abs() < 0.00005, "{text}: {found}");
        }
        assert!(branching_factor(size("20x20")) < 3.0);
        assert!(branching_factor(size("20x20")) > 2.9);
    }

    /// Sequences of exactly `depth` moves from a board that never take one back.
    fn sequences(board: &mut Board, last: Option<Move>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for m in board.legal_moves() {
            if last != Some(m.opposite()) {
                board.slide(m).unwrap();
                count += sequences(board, Some(m), depth - 1);
                board.slide(m.opposite()).unwrap();
            }
        }
        count
    }

    #[test]
    fn levels_count_what_walking_all_sequences_counts() {
        for text in ["2x2", "2x3", "3x3", "4x4", "3x5"] {
            let size = size(text);
            for goal in Goal::NAMED.map(|goal| goal.board(size).unwrap()) {
                let levels = TreeLevels::from_cell(size, goal.blank());
                for (depth, level) in (0..10).zip(levels) {
                    let walked = sequences(&mut goal.clone(), None, depth);
                    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
                    let walked = walked as f64;
                    assert!(
                        (level.nodes() / walked - 1.0).abs() < 1e-9,
                        "{text} {depth}"
                    );
                }
            }
        }
    }

    #[test]
    fn shares_add_up_to_one() {
        for text in ["2x2", "3x3", "4x4", "4x7"] {
            let size = size(text);
            let equilibrium = Equilibrium::new(size);
            let classes = [BlankClass::Corner, BlankClass::Edge, BlankClass::Inside];
            let all = classes.map(|class| equilibrium.class_share(size, class));
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{text}");
            let level = TreeLevels::uniform(size).nth(2000).unwrap();
            let sum: f64 = (0..size.cells()).map(|cell| level.share(cell)).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{text}");
        }
    }
}
