//! A beam search that walks on one board.
//!
//! The nodes that are alive form a tree. It is written down as a tour of its leaves: so many moves
//! back from the last one, and these moves forward. Each ply walks the tour on the one board there
//! is, so a node costs the same on every size, and what all leaves have in common is walked no
//! more.
//!
//! Leaves compete only with those of the same stage, and later stages get more room. Otherwise the
//! many boards on which everything but the next tile is a little better would crowd out the few
//! that get on.

use super::super::position::Position;
use super::ground::{Ground, MOVES, NOWHERE};
use super::pace::Pace;
use super::seen::Seen;
use crate::Move;

/// How many stages are in the beam at once.
const STAGES: usize = 16;

/// How wide the beam is, and for how long.
pub(super) trait Control {
    /// Asked before each ply: the width of the next one, or nothing to stop.
    fn width(&mut self, beam: &Beam<'_>) -> Option<usize>;

    /// Asked now and then within a ply: whether to stop.
    fn is_over(&mut self) -> bool;
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Solved,
    /// It does not get on.
    Stuck,
    /// As [`Control`] said.
    Stopped,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    weighted_distance: i64,
    hash: u64,
    stage: u32,
    /// The way from the leaf before: moves to take back, and how many moves on.
    back: u32,
    on: u32,
}

#[derive(Debug)]
struct Child {
    score: i64,
    weighted_distance: i64,
    hash: u64,
    stage: u32,
    parent: u32,
    step: u8,
}

/// The search.
#[derive(Debug)]
pub(super) struct Beam<'a> {
    ground: &'a Ground,
    /// The tile in each cell, by its home; what the blank leaves behind stays there.
    board: Vec<u16>,
    /// The cell of each tile.
    cells: Vec<u16>,
    blank: u16,
    /// The moves up to where the leaves part.
    path: Vec<u8>,
    leaves: Vec<Leaf>,
    /// The moves forward of all leaves, one after the other.
    tour: Vec<u8>,
    children: Vec<Child>,
    seen: Seen,
    scores: [Vec<i64>; STAGES],
    plies: u32,
    nodes: u64,
    /// The length of the longest branch.
    longest: usize,
    pace: Pace,
    next_tour: Vec<u8>,
    next_leaves: Vec<Leaf>,
    branch: Vec<u8>,
}

impl<'a> Beam<'a> {
    /// Bytes for each unit of width, about.
    pub(super) const BYTES: usize = 700;
    /// After so many plies in vain it does not get on.
    const PATIENCE: u32 = 2000;

    /// A search from a position, with room for a width.
    pub(super) fn new(ground: &'a Ground, position: &Position, width: usize) -> Self {
        let mut cells = vec![0; position.size().cells()];
        for (cell, &home) in (0..).zip(position.homes()) {
            cells[usize::from(home)] = cell;
        }
        let board = position.homes().to_vec();
        let (stage, _) = ground.stage(0, &cells, position.blank() as u16);
        let root = Leaf {
            weighted_distance: ground.weighted_distance(&board),
            hash: 0,
            stage,
            back: 0,
            on: 0,
        };
        Self {
            ground,
            board,
            cells,
            blank: position.blank() as u16,
            path: Vec::new(),
            leaves: vec![root],
            tour: Vec::new(),
            children: Vec::new(),
            seen: Seen::new(width),
            scores: Default::default(),
            plies: 0,
            nodes: 0,
            longest: 0,
            pace: Pace::new(ground.stage_weight),
            next_tour: Vec::new(),
            next_leaves: Vec::new(),
            branch: Vec::new(),
        }
    }

    /// Searches; afterwards [`moves`](Self::moves) are those to the goal if that was reached, else
    /// the first ones of a way that looks good.
    pub(super) fn search(&mut self, control: &mut impl Control) -> End {
        if self.leaves[0].weighted_distance == 0 {
            return End::Solved;
        }
        loop {
            let Some(width) = control.width(self) else {
                return End::Stopped;
            };
            // The small rectangle at the end is soon done, and only a narrow beam gets stuck there.
            let rest = self.pace.stage as usize + 1 == self.ground.plan.stages.len();
            let width = if rest { width.max(300) } else { width };
            if let Some(end) = self.grow(control) {
                return end;
            }
            if self.children.is_empty() {
                self.seen.forget();
            } else {
                self.select(width);
            }
            if self.pace.waited > Self::PATIENCE {
                return End::Stuck;
            }
        }
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.path
            .iter()
            .map(|&step| MOVES[usize::from(step)])
            .collect()
    }

    /// How many moves all leaves have in common.
    pub(super) fn depth(&self) -> usize {
        self.path.len()
    }

    /// Nodes expanded.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The Manhattan distance of the board after these moves.
    pub(super) fn distance(&self) -> u64 {
        let at_home = |cell: u16| self.cells[usize::from(cell)];
        let mut board = self.board.clone();
        board[usize::from(self.blank)] = self.ground.goal;
        debug_assert!(
            (0..)
                .zip(&board)
                .all(|(cell, &tile)| tile == self.ground.goal || at_home(tile) == cell)
        );
        self.ground.distance(&board)
    }

    /// Walks the tour and collects the children of its leaves.
    fn grow(&mut self, control: &mut impl Control) -> Option<End> {
        let tour = std::mem::take(&mut self.tour);
        let mut moves = tour.as_slice();
        self.children.clear();
        self.plies += 1;
        self.pace.begin(self.leaves.len());
        // How much of their branches all leaves share.
        let mut shared = usize::MAX;
        let mut longest = 0;
        let mut end = None;
        for index in 0..self.leaves.len() {
            let Leaf { back, on, .. } = self.leaves[index];
            self.walk_back(self.branch.len() - back as usize);
            if index > 0 {
                shared = shared.min(self.branch.len());
            }
            let (forward, rest) = moves.split_at(on as usize);
            moves = rest;
            for &step in forward {
                self.walk(step);
            }
            self.branch.extend_from_slice(forward);
            longest = longest.max(self.branch.len());
            if index % 2048 == 2047 && control.is_over() {
                end = Some(End::Stopped);
                break;
            }
            if let Some(last) = self.expand(index) {
                self.path.append(&mut self.branch);
                self.path.push(last);
                return Some(End::Solved);
            }
        }
        self.nodes += self.leaves.len() as u64;
        self.pace.end();
        // What all leaves share is walked for good.
        let shared = shared.min(self.branch.len());
        self.walk_back(shared);
        self.path.append(&mut self.branch);
        self.leaves[0].on -= shared as u32;
        self.longest = longest - shared;
        self.tour = tour;
        self.tour.drain(..shared);
        end
    }

    /// Takes back the moves of the branch beyond a length.
    #[inline]
    fn walk_back(&mut self, length: usize) {
        while self.branch.len() > length {
            if let Some(step) = self.branch.pop() {
                self.walk(step ^ 1);
            }
        }
    }

    /// Moves the blank.
    #[inline]
    fn walk(&mut self, step: u8) {
        let from = self.ground.neighbours[usize::from(self.blank)][usize::from(step)];
        let tile = self.board[usize::from(from)];
        self.board[usize::from(self.blank)] = tile;
        self.cells[usize::from(tile)] = self.blank;
        self.blank = from;
    }

    /// Adds the children of the leaf whose board this is; if one is the goal, the step to it.
    #[inline]
    fn expand(&mut self, index: usize) -> Option<u8> {
        let ground = self.ground;
        let leaf = self.leaves[index];
        let blank = self.blank;
        let last = self.branch.last().or(self.path.last());
        let back = last.map_or(u8::MAX, |step| step ^ 1);
        let neighbours = ground.neighbours[usize::from(blank)];
        for (step, from) in (0..).zip(neighbours) {
            if step == back || from == NOWHERE {
                continue;
            }
            let tile = self.board[usize::from(from)];
            if !ground.may_slide(leaf.stage, tile, from, blank) {
                continue;
            }
            let hash = leaf.hash.wrapping_add(ground.rehash(tile, from, blank));
            if !self.seen.is_new(hash, self.plies) {
                continue;
            }
            let weighted_distance = leaf.weighted_distance - ground.gain(tile, from, blank);
            if weighted_distance == 0 {
                return Some(step);
            }
            self.cells[usize::from(tile)] = blank;
            let (stage, moves) = ground.stage(leaf.stage, &self.cells, from);
            self.cells[usize::from(tile)] = from;
            self.pace.meet(stage, moves);
            // The last bits are a lottery among equals.
            let score = (weighted_distance + self.pace.stage_weight * i64::from(moves)) << 4
                | (hash >> 20 & 15) as i64;
            self.children.push(Child {
                score,
                weighted_distance,
                hash,
                stage,
                parent: index as u32,
                step,
            });
        }
        None
    }

    /// Drops all children but those on the main branch with the best one.
    fn prune(&mut self) {
        let front = self.pace.front();
        let best = self.children.iter().filter(|child| child.stage == front);
        let Some(best) = best
            .min_by_key(|child| child.score)
            .map(|child| child.parent)
        else {
            return;
        };
        // Leaves from one that starts at the root to the next such one are one main branch.
        let (mut depth, mut first, mut last) = (0, 0, self.leaves.len() as u32);
        for (index, leaf) in (0..).zip(&self.leaves) {
            depth -= leaf.back;
            if depth == 0 {
                if index > best {
                    last = index;
                    break;
                }
                first = index;
            }
            depth += leaf.on;
        }
        let main = first..last;
        self.children.retain(|child| main.contains(&child.parent));
    }

    /// Makes the best children the leaves.
    fn select(&mut self, width: usize) {
        for scores in &mut self.scores {
            scores.clear();
        }
        let front = self.pace.front();
        // Branches as long as that cost more than they are worth.
        if self.longest > width + 20 {
            self.prune();
        }
        for child in &self.children {
            if let Some(scores) = self.scores.get_mut((front - child.stage) as usize) {
                scores.push(child.score);
            }
        }
        let limits = limits(&mut self.scores, width);
        self.next_tour.clear();
        self.next_leaves.clear();
        let mut children = self.children.iter().peekable();
        let mut moves = self.tour.as_slice();
        // The way from the last new leaf to this one: moves back, and those on at the end of the
        // new tour from `open` on.
        let (mut back, mut open) = (0, 0);
        for (index, leaf) in (0..).zip(&self.leaves) {
            let (forward, rest) = moves.split_at(leaf.on as usize);
            moves = rest;
            let taken_back = (leaf.back as usize).min(self.next_tour.len() - open);
            self.next_tour.truncate(self.next_tour.len() - taken_back);
            back += leaf.back - taken_back as u32;
            self.next_tour.extend_from_slice(forward);
            while let Some(child) = children.next_if(|child| child.parent == index) {
                let limit = limits.get((front - child.stage) as usize);
                if limit.is_none_or(|&limit| child.score > limit) {
                    continue;
                }
                self.next_tour.push(child.step);
                self.seen.keep(child.hash);
                self.next_leaves.push(Leaf {
                    weighted_distance: child.weighted_distance,
                    hash: child.hash,
                    stage: child.stage,
                    back,
                    on: (self.next_tour.len() - open) as u32,
                });
                open = self.next_tour.len();
                back = 1;
            }
        }
        std::mem::swap(&mut self.tour, &mut self.next_tour);
        std::mem::swap(&mut self.leaves, &mut self.next_leaves);
        self.tour.truncate(open);
    }
}

/// The worst score of each stage, front first, that is still within the width.
///
/// Each stage gets a fifth of what those before it left; what nobody needs goes round once more.
fn limits(scores: &mut [Vec<i64>; STAGES], width: usize) -> [i64; STAGES] {
    let mut left = width;
    let mut rooms = [0; STAGES];
    for (room, scores) in rooms.iter_mut().zip(&*scores) {
        *room = left.div_ceil(5).min(scores.len());
        left -= *room;
    }
    for (room, scores) in rooms.iter_mut().zip(&*scores) {
        let more = left.min(scores.len() - *room);
        *room += more;
        left -= more;
    }
    let mut limits = [i64::MIN; STAGES];
    for ((limit, room), scores) in limits.iter_mut().zip(rooms).zip(scores) {
        *limit = match room {
            0 => i64::MIN,
            all if all == scores.len() => i64::MAX,
            room => *scores.select_nth_unstable(room - 1).1,
        };
    }
    limits
}
