//! The states of one abstract puzzle, numbered without gaps.

use std::collections::HashMap;

use super::contents::Contents;
use super::{WalkingError, filled_with, push};
use crate::outcome::Budget;

/// The shape of an abstract puzzle: so many lines of so many cells, and the line that has the
/// blank in the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) lines: usize,
    pub(super) length: usize,
    pub(super) blank: usize,
}

impl Shape {
    /// The decimal logarithm of how many states there are, about: 5 per cent off at most, except
    /// for two lines.
    ///
    /// A state is a table of how many tiles of which group are in which line. Its row and column
    /// sums are known. I. J. Good's formula estimates how many such tables there are: those with
    /// the right row sums, times the share of all tables that have the right column sums, as if the
    /// two were independent. Canfield and others (2010) found the factor that is missing, up to a
    /// small unknown that is between 0 and 2 and taken as 1 here.
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    pub(super) fn log10_states(self) -> f64 {
        let (lines, cells) = (self.lines, self.lines * self.length);
        let groups = lines - 1;
        // One line and one group are a tile short: those of the blank.
        let full = ln_choose(self.length + groups, groups);
        let short = ln_choose(self.length - 1 + groups, groups);
        let one_margin = full * groups as f64 + short;
        let all = ln_choose(cells - 1 + lines * lines - 1, lines * lines - 1);
        let n = lines as f64;
        let good = 2.0 * one_margin - all;
        let missing = (n - 1.0) * (1.0 / n).ln_1p() - 0.5 + 0.5 / n;
        // The blank can be in any line.
        (n.ln() + good + missing) / std::f64::consts::LN_10
    }
}

/// What an entry of a hash map takes with its key on the heap, at most.
const HASHED: u64 = 128;

impl Shape {
    /// How many states there are, at most.
    pub(super) fn most_states(self) -> usize {
        /// The estimate is that much too low at worst.
        const MARGIN: f64 = 1.2;
        #[expect(clippy::cast_sign_loss, reason = "a power is not negative")]
        let most = (10_f64.powf(self.log10_states()) * MARGIN).ceil() as usize;
        most
    }

    /// Bytes that [`Space::new`] takes at most.
    pub(super) fn graph_bytes(self) -> u64 {
        let groups = self.lines as u64;
        let contents = multisets(self.lines + 1, self.length);
        let of_lines = multisets(self.lines, self.length)
            .saturating_add(multisets(self.lines, self.length - 1));
        // For each: twice the number of the next, how many tiles of each group, and where it is.
        let contents = contents.saturating_mul(3 * groups * 9 + 2 * HASHED);
        let nodes = self.most_nodes();
        // Each edge as it is kept, and as it is found.
        let each_edge = (size_of::<Edge>() + 2 * size_of::<FoundEdge>()) as u64;
        let edges = nodes.saturating_mul(of_lines).saturating_mul(each_edge);
        let nodes = nodes.saturating_mul(2 * HASHED + groups);
        contents.saturating_add(edges).saturating_add(nodes)
    }

    /// How many nodes the graph has at most: for each line but the last, the ways in which tiles can
    /// be left for it and those after it.
    fn most_nodes(self) -> u64 {
        // How many remainders have each number of tiles.
        let mut ways = vec![1_u64];
        for group in 0..self.lines {
            let tiles = self.length - usize::from(group == self.blank);
            let mut more = vec![0_u64; ways.len() + tiles];
            for (left, &count) in ways.iter().enumerate() {
                for more in &mut more[left..=left + tiles] {
                    *more = more.saturating_add(count);
                }
            }
            ways = more;
        }
        // With the blank ahead there is one tile less.
        let with_tiles = |tiles: usize| ways.get(tiles).copied().unwrap_or(0);
        let of_level = |level: usize| {
            let cells = (self.lines - level) * self.length;
            with_tiles(cells).saturating_add(with_tiles(cells - 1))
        };
        (0..self.lines - 1).fold(0, |sum: u64, level| sum.saturating_add(of_level(level)))
    }
}

/// The number of multisets of `things` elements from `kinds` kinds.
fn multisets(kinds: usize, things: usize) -> u64 {
    let pairs = (1..kinds as u64).map(|i| (things as u64 + i, i));
    let product = pairs.fold(1_u128, |product, (factor, divisor)| {
        product.saturating_mul(factor.into()) / u128::from(divisor)
    });
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// The logarithm of a binomial coefficient.
#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn ln_choose(n: usize, k: usize) -> f64 {
    (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum()
}

/// All states of an abstract puzzle. Each is a content for each line; together the lines hold all
/// tiles of each group.
///
/// States are numbered in the order of their first line's content, then the second's, and so on.
/// What can follow a few first lines depends only on how many tiles of each group are left. So a
/// state's number is found on a walk through a small graph: a node for each line and each such
/// remainder, an edge for each content, which says how many states come before. (This is how a
/// word automaton numbers its words.)
#[derive(Debug)]
pub(super) struct Space {
    shape: Shape,
    contents: Contents,
    /// For each node and each content that a line can have.
    edges: Vec<Edge>,
    states: usize,
}

/// A state in full.
#[derive(Debug)]
pub(super) struct Position {
    rank: u32,
    /// The content of each line.
    pub(super) lines: Vec<u32>,
    /// The node before each line but the last.
    nodes: Vec<u32>,
}

/// What follows a content.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The next node. Before the last line there is no choice left, and this is its content.
    next: u32,
    /// How many states come before those that take this edge, counted from the node.
    before: u32,
}

/// A node while the graph is built: how many tiles of each group are left.
type Remainder = Vec<u8>;

/// An edge while the graph is built: see [`Space::levels`].
type FoundEdge = (usize, usize, usize);

impl Space {
    /// The states of a puzzle.
    pub(super) fn new(shape: Shape, budget: &Budget) -> Result<Self, WalkingError> {
        let contents = Contents::new(shape.lines, shape.length);
        let levels = Self::levels(shape, &contents, budget)?;
        let width = contents.of_lines().len();
        let nodes: usize = levels.iter().map(|level| level.0.len()).sum();
        let nowhere = Edge {
            next: Contents::NONE,
            before: 0,
        };
        let mut edges = filled_with(nowhere, nodes * width)?;
        // From the last choice back to the first: how many states follow each node.
        let mut first_node = nodes;
        let mut following: Vec<u64> = Vec::new();
        for (level, (remainders, edges_of_level)) in levels.iter().enumerate().rev() {
            let next_level = first_node;
            first_node -= remainders.len();
            let mut counts = vec![0_u64; remainders.len()];
            for &(node, content, next) in edges_of_level {
                let slot = (first_node + node) * width + content;
                let is_last = level + 2 == shape.lines;
                let (next, states) = if is_last {
                    (next as u32, 1)
                } else {
                    ((next_level + next) as u32, following[next])
                };
                edges[slot].next = next;
                counts[node] += states;
                // Contents after this one start where its states end, whether they lead anywhere
                // or not: this makes `before` ascend, for the search in `unrank`.
                if content + 1 < width {
                    edges[slot + 1].before = counts[node] as u32;
                }
            }
            for node in 0..remainders.len() {
                let node = (first_node + node) * width;
                for slot in node + 1..node + width {
                    edges[slot].before = edges[slot].before.max(edges[slot - 1].before);
                }
            }
            following = counts;
        }
        Ok(Self {
            shape,
            contents,
            edges,
            states: following[0] as usize,
        })
    }

    /// The nodes of each level and the edges from them, in the order of node and content: (node,
    /// content from the first that a line can have, node on the next level or, before the last
    /// line, that line's content).
    #[expect(clippy::type_complexity, reason = "used once, right above")]
    fn levels(
        shape: Shape,
        contents: &Contents,
        budget: &Budget,
    ) -> Result<Vec<(Vec<Remainder>, Vec<FoundEdge>)>, WalkingError> {
        let mut all = vec![shape.length as u8; shape.lines];
        all[shape.blank] -= 1;
        let content_of: HashMap<&[u8], usize> = contents
            .of_lines()
            .map(|content| (contents.counts(content), content as usize))
            .collect();
        let mut levels = Vec::new();
        let mut remainders = vec![all];
        for level in 0..shape.lines - 1 {
            let mut numbers: HashMap<Remainder, usize> = HashMap::new();
            let mut next_remainders = Vec::new();
            let mut edges = Vec::new();
            for (node, remainder) in remainders.iter().enumerate() {
                budget.check().map_err(WalkingError::Stopped)?;
                let tiles: usize = remainder.iter().map(|&n| usize::from(n)).sum();
                let blank_is_ahead = tiles < (shape.lines - level) * shape.length;
                for (index, content) in contents.of_lines().enumerate() {
                    if contents.is_short(content) && !blank_is_ahead {
                        continue;
                    }
                    let counts = contents.counts(content);
                    let Some(left) = remainder
                        .iter()
                        .zip(counts)
                        .map(|(&all, &here)| all.checked_sub(here))
                        .collect::<Option<Remainder>>()
                    else {
                        continue;
                    };
                    let next = if level + 2 == shape.lines {
                        // What is left for the last line is one of the contents.
                        content_of[&*left]
                    } else {
                        *numbers.entry(left).or_insert_with_key(|left| {
                            next_remainders.push(left.clone());
                            next_remainders.len() - 1
                        })
                    };
                    push(&mut edges, (node, index, next))?;
                }
            }
            levels.push((std::mem::replace(&mut remainders, next_remainders), edges));
        }
        Ok(levels)
    }

    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) const fn contents(&self) -> &Contents {
        &self.contents
    }

    pub(super) const fn states(&self) -> usize {
        self.states
    }

    #[inline]
    fn edge(&self, node: u32, content: u32) -> Edge {
        let of_lines = self.contents.of_lines();
        self.edges[node as usize * of_lines.len() + (content - of_lines.start) as usize]
    }

    /// The number of the state with these contents.
    #[inline]
    pub(super) fn rank(&self, lines: &[u32]) -> u32 {
        let (mut node, mut rank) = (0, 0);
        for &content in &lines[..lines.len() - 1] {
            let edge = self.edge(node, content);
            rank += edge.before;
            node = edge.next;
        }
        rank
    }

    /// The state with the number 0.
    pub(super) fn first(&self) -> Position {
        let mut first = Position {
            rank: 0,
            lines: vec![0; self.shape.lines],
            nodes: vec![0; self.shape.lines - 1],
        };
        self.unrank(0, &mut first);
        first
    }

    /// Makes a position that of the state with this number.
    pub(super) fn unrank(&self, rank: u32, position: &mut Position) {
        position.rank = rank;
        let of_lines = self.contents.of_lines();
        let (mut node, mut rank) = (0, rank);
        for (slot, content) in position.nodes.iter_mut().zip(&mut position.lines) {
            *slot = node;
            let first = node as usize * of_lines.len();
            let edges = &self.edges[first..first + of_lines.len()];
            // The last content with so few states before it. It leads somewhere: one that does
            // not has as many states before it as the next.
            let index = edges.partition_point(|edge| edge.before <= rank) - 1;
            rank -= edges[index].before;
            node = edges[index].next;
            *content = of_lines.start + index as u32;
        }
        position.lines[self.shape.lines - 1] = node;
    }

    /// The number of the state in which a line and the next one have these contents instead.
    ///
    /// Together they must hold the same tiles as before. Then the walk through the graph is the
    /// same before the first of them and after the second, and only their own edges differ.
    #[inline]
    pub(super) fn rank_with(&self, position: &Position, line: usize, contents: [u32; 2]) -> u32 {
        let node = position.nodes[line];
        let old = self.edge(node, position.lines[line]);
        let new = self.edge(node, contents[0]);
        let mut rank = position.rank - old.before + new.before;
        if line + 2 < self.shape.lines {
            rank += self.edge(new.next, contents[1]).before;
            rank -= self.edge(old.next, position.lines[line + 1]).before;
        }
        rank
    }

    /// The contents of the goal: each line holds its own group.
    pub(super) fn goal(&self) -> Vec<u32> {
        let Shape {
            lines,
            length,
            blank,
        } = self.shape;
        (0..lines)
            .map(|line| {
                let tiles = length - usize::from(line == blank);
                (0..tiles).fold(Contents::EMPTY, |content, _| {
                    self.contents.with(content, line)
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_gapless_and_unranked_again() {
        for (lines, length) in [(2, 2), (2, 9), (3, 3), (3, 7), (4, 4), (5, 2)] {
            for blank in 0..lines {
                let shape = Shape {
                    lines,
                    length,
                    blank,
                };
                let space = Space::new(shape, &Budget::default()).unwrap();
                let mut position = space.first();
                for rank in 0..space.states() as u32 {
                    space.unrank(rank, &mut position);
                    assert_eq!(space.rank(&position.lines), rank, "{shape:?}");
                    let short = |&&content: &&u32| space.contents.is_short(content);
                    assert_eq!(position.lines.iter().filter(short).count(), 1);
                }
            }
        }
    }

    #[test]
    fn a_rank_follows_from_that_of_a_state_with_two_other_lines() {
        let shape = Shape {
            lines: 4,
            length: 3,
            blank: 2,
        };
        let space = Space::new(shape, &Budget::default()).unwrap();
        let mut position = space.first();
        for rank in 0..space.states() as u32 {
            space.unrank(rank, &mut position);
            for line in 0..3 {
                // Two lines that change places hold the same tiles together.
                let mut swapped = position.lines.clone();
                swapped.swap(line, line + 1);
                let pair = [swapped[line], swapped[line + 1]];
                assert_eq!(space.rank_with(&position, line, pair), space.rank(&swapped));
            }
        }
    }

    #[test]
    fn the_estimate_is_close_to_the_number_of_states() {
        for (lines, length) in [(2, 2), (2, 255), (3, 3), (4, 4), (4, 5), (5, 3), (6, 2)] {
            let shape = Shape {
                lines,
                length,
                blank: 0,
            };
            let states = Space::new(shape, &Budget::default()).unwrap().states();
            let states = f64::from(states as u32);
            let ratio = 10_f64.powf(shape.log10_states()) / states;
            assert!(
                (0.85..1.1).contains(&ratio),
                "{lines} lines of {length}: {ratio}"
            );
        }
    }
}
