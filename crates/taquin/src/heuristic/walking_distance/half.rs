//! The distances in one abstract puzzle.

use super::contents::Contents;
use super::space::{Position, Shape, Space};
use super::{WalkingError, filled_with, push};
use crate::outcome::Budget;
use crate::{Metric, Move};

/// One of the two abstract puzzles, solved.
#[derive(Debug)]
pub(super) struct Half {
    space: Space,
    /// The distance of each state from the goal.
    distances: Vec<u16>,
    /// For each state, direction and group, the state after a tile of that group moved in that
    /// direction. Empty where it would take too much memory.
    links: Vec<u32>,
}

/// From where a tile comes into the line of the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// From the next line: up, or left.
    Next,
    /// From the line before: down, or right.
    Before,
}

impl Side {
    /// The side that a tile comes from which moves like that.
    #[inline]
    pub(super) const fn of(m: Move) -> Self {
        match m {
            Move::Up | Move::Left => Self::Next,
            Move::Down | Move::Right => Self::Before,
        }
    }
}

impl Half {
    /// Links take at most 64 MB.
    const MAX_LINKS: usize = 1 << 24;
    const FAR: u16 = u16::MAX;
    /// States between two looks at the budget: about a millisecond.
    const PORTION: usize = 1 << 12;

    /// Solves the puzzle from its goal, breadth first, in moves of a metric and within a budget.
    pub(super) fn new(space: Space, metric: Metric, budget: &Budget) -> Result<Self, WalkingError> {
        let links = Self::links(space.shape(), space.states());
        let mut half = Self {
            distances: filled_with(Self::FAR, space.states())?,
            links: filled_with(Contents::NONE, links)?,
            space,
        };
        match metric {
            Metric::Single => half.solve(budget)?,
            Metric::Multi => half.solve_in_slides(budget)?,
        }
        debug_assert!(!half.distances.contains(&Self::FAR));
        Ok(half)
    }

    /// How many links there are: none where it would be too many.
    fn links(shape: Shape, states: usize) -> usize {
        let links = states.saturating_mul(2 * shape.lines);
        if links <= Self::MAX_LINKS { links } else { 0 }
    }

    /// Bytes that it takes to solve a puzzle of so many states in moves of a metric, apart from
    /// [`Space`].
    pub(super) fn bytes(shape: Shape, states: usize, metric: Metric) -> u64 {
        let links = Self::links(shape, states) * size_of::<u32>();
        // Distances, and two frontiers, of which each holds few of the states.
        let of_moves = size_of::<u16>() + size_of::<u32>();
        // In which directions a state was left, and those in the midst of a slide.
        let of_slides = match metric {
            Metric::Single => 0,
            Metric::Multi => size_of::<u8>() + size_of::<u32>(),
        };
        let of_states = states.saturating_mul(of_moves + of_slides);
        of_states.saturating_add(links) as u64
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), WalkingError> {
        let goal = self.space.rank(&self.space.goal());
        let mut position = self.space.first();
        self.distances[goal as usize] = 0;
        let mut frontier = vec![goal];
        let mut next_frontier = Vec::new();
        let mut distance = 0;
        while !frontier.is_empty() {
            distance += 1;
            for states in frontier.chunks(Self::PORTION) {
                budget.check().map_err(WalkingError::Stopped)?;
                let mut all_kept = Ok(());
                for &state in states {
                    self.space.unrank(state, &mut position);
                    for_each_neighbour(&self.space, &position, |side, group, next| {
                        if !self.links.is_empty() {
                            let link = link(self.space.shape(), state, side, group);
                            self.links[link] = next;
                        }
                        let known = &mut self.distances[next as usize];
                        if *known == Self::FAR {
                            *known = distance;
                            if let Err(error) = push(&mut next_frontier, next) {
                                all_kept = Err(error);
                            }
                        }
                    });
                }
                all_kept?;
            }
            std::mem::swap(&mut frontier, &mut next_frontier);
            next_frontier.clear();
        }
        Ok(())
    }

    /// Solves the puzzle in slides: moves in one direction, of as many tiles as there are lines that
    /// way, count once.
    ///
    /// A state is left in each direction once, when a slide in that direction first comes through it
    /// or begins there. Whatever slides come later, they lead no further in fewer slides.
    fn solve_in_slides(&mut self, budget: &Budget) -> Result<(), WalkingError> {
        let mut left = filled_with(0_u8, self.space.states())?;
        let goal = self.space.rank(&self.space.goal());
        let mut position = self.space.first();
        self.distances[goal as usize] = 0;
        let mut frontier = vec![goal];
        let mut next_frontier = Vec::new();
        let mut sliding = Vec::new();
        let (mut distance, mut looked_at) = (0, 0);
        while !frontier.is_empty() {
            distance += 1;
            for direction in [Side::Next, Side::Before] {
                let bit = 1 << direction as u8;
                for &start in &frontier {
                    if left[start as usize] & bit == 0 {
                        left[start as usize] |= bit;
                        push(&mut sliding, start)?;
                    }
                    while let Some(state) = sliding.pop() {
                        looked_at += 1;
                        if looked_at % Self::PORTION == 0 {
                            budget.check().map_err(WalkingError::Stopped)?;
                        }
                        let mut all_kept = Ok(());
                        self.space.unrank(state, &mut position);
                        for_each_neighbour(&self.space, &position, |side, group, next| {
                            if side != direction {
                                return;
                            }
                            if !self.links.is_empty() {
                                let link = link(self.space.shape(), state, side, group);
                                self.links[link] = next;
                            }
                            let known = &mut self.distances[next as usize];
                            if *known == Self::FAR {
                                *known = distance;
                                all_kept = all_kept.and(push(&mut next_frontier, next));
                            }
                            if left[next as usize] & bit == 0 {
                                left[next as usize] |= bit;
                                all_kept = all_kept.and(push(&mut sliding, next));
                            }
                        });
                        all_kept?;
                    }
                }
            }
            std::mem::swap(&mut frontier, &mut next_frontier);
            next_frontier.clear();
        }
        Ok(())
    }

    /// Drops the links, as if there were too many, so that tests see the other way on small boards.
    #[cfg(test)]
    pub(super) fn forget_links(&mut self) {
        self.links.clear();
    }

    /// Bytes of its tables.
    pub(super) const fn table_bytes(&self) -> u64 {
        (size_of::<u16>() * self.distances.len() + size_of::<u32>() * self.links.len()) as u64
    }

    pub(super) const fn shape(&self) -> Shape {
        self.space.shape()
    }

    pub(super) const fn states(&self) -> usize {
        self.space.states()
    }

    /// The moves from a state to the goal.
    #[inline]
    pub(super) fn distance(&self, state: u32) -> u16 {
        self.distances[state as usize]
    }

    /// The state of a board, given the group of the tile on each place of each line; `None` is the
    /// blank.
    pub(super) fn state(&self, group: impl Fn(usize, usize) -> Option<usize>) -> u32 {
        let shape = self.shape();
        let content = |line| {
            (0..shape.length)
                .filter_map(|place| group(line, place))
                .fold(Contents::EMPTY, |content, group| {
                    self.space.contents().with(content, group)
                })
        };
        // Lines are few wherever there is a table: see the limit on the number of states.
        let mut lines = [0; 32];
        let lines = &mut lines[..shape.lines];
        for (line, slot) in lines.iter_mut().enumerate() {
            *slot = content(line);
        }
        self.space.rank(lines)
    }

    /// The state after a tile of a group came into the line of the blank; `None` if there are no
    /// links.
    #[inline]
    pub(super) fn follow(&self, state: u32, side: Side, group: usize) -> Option<u32> {
        self.links
            .get(link(self.space.shape(), state, side, group))
            .copied()
    }
}

/// Where the links have a move.
#[inline]
const fn link(shape: Shape, state: u32, side: Side, group: usize) -> usize {
    (state as usize * 2 + side as usize) * shape.lines + group
}

/// Tells of every move in a state: from which side a tile comes, of which group, and the state
/// after that.
fn for_each_neighbour(space: &Space, position: &Position, mut tell: impl FnMut(Side, usize, u32)) {
    let (contents, lines) = (space.contents(), &position.lines);
    let Some(blank) = lines.iter().position(|&line| contents.is_short(line)) else {
        return;
    };
    for group in 0..lines.len() {
        let here = contents.with(lines[blank], group);
        if let Some(&next) = lines.get(blank + 1) {
            let fewer = contents.without(next, group);
            if fewer != Contents::NONE {
                let state = space.rank_with(position, blank, [here, fewer]);
                tell(Side::Next, group, state);
            }
        }
        if let Some(line) = blank.checked_sub(1) {
            let fewer = contents.without(lines[line], group);
            if fewer != Contents::NONE {
                let state = space.rank_with(position, line, [fewer, here]);
                tell(Side::Before, group, state);
            }
        }
    }
}
