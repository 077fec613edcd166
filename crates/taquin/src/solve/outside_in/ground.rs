//! What does not change during a search.

use super::super::position::Position;
use super::carry::Carries;
use super::plan::{Carry, LineEnd, Plan, Stage, Variant};
use crate::{Move, Rng};

/// The moves in the order of [`Ground::neighbours`]; the last bit of an index turns a move round.
pub(super) const MOVES: [Move; 4] = [Move::Down, Move::Up, Move::Right, Move::Left];

/// No cell.
pub(super) const NOWHERE: u16 = u16::MAX;

/// The board and the order in which it is to be solved.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) plan: Plan,
    /// The cells around each cell, in the order of [`MOVES`].
    pub(super) neighbours: Vec<[u16; 4]>,
    /// The home of the blank.
    pub(super) goal: u16,
    /// What a move to the end of a stage is worth at least, in the currency of [`Ground::gain`].
    pub(super) stage_weight: f64,
    at: Vec<(i32, i32)>,
    carries: Carries,
    weights: Vec<i64>,
    tile_keys: Vec<u64>,
    cell_keys: Vec<u64>,
}

impl Ground {
    /// The weight of the tiles whose turn comes last, and by how much the first ones are heavier.
    const WEIGHT: f64 = 16.0;
    const HEAVIER: f64 = 4.0;
    /// Of a move to the end of a stage, for each cell of a side.
    const URGE: f64 = 10.0 / 3.0;
    /// What it takes to undo the knot of the last two tiles of a line, about.
    const KNOT: i32 = 14;

    pub(super) fn new(position: &Position, variant: Variant) -> Self {
        let size = position.size();
        let (rows, columns) = (size.rows(), size.columns());
        let plan = Plan::new(position, variant);
        let at = |cell: usize| (size.row(cell) as i32, size.column(cell) as i32);
        let neighbours = (0..size.cells()).map(|cell| {
            let beside = |m| size.neighbour(cell, m);
            MOVES.map(|m| beside(m).map_or(NOWHERE, |to| to as u16))
        });
        let weight =
            |turn: &f64| (Self::WEIGHT * (1.0 + Self::HEAVIER * (1.0 - turn).powi(3))) as i64;
        let mut weights: Vec<i64> = plan.turn_of.iter().map(weight).collect();
        weights[position.goal()] = 0;
        let mut rng = Rng::from_seed(variant.lottery);
        let mut keys = || (0..size.cells()).map(|_| rng.next_u64() | 1).collect();
        Self {
            neighbours: neighbours.collect(),
            goal: position.goal() as u16,
            stage_weight: Self::URGE * (rows + columns) as f64 / 2.0,
            at: (0..size.cells()).map(at).collect(),
            carries: Carries::new(columns.max(rows)),
            weights,
            tile_keys: keys(),
            cell_keys: keys(),
            plan,
        }
    }

    /// By how much a tile comes nearer to its home, as weighted squares of distances: so the
    /// farthest ones come first, and nobody is left behind whom to fetch later would cost most.
    #[inline]
    pub(super) fn gain(&self, tile: u16, from: u16, to: u16) -> i64 {
        let weight = self.weights[usize::from(tile)];
        weight * (self.square(tile, from) - self.square(tile, to))
    }

    #[inline]
    fn square(&self, tile: u16, cell: u16) -> i64 {
        let (home, at) = (self.at[usize::from(tile)], self.at[usize::from(cell)]);
        let (rows, columns) = (home.0 - at.0, home.1 - at.1);
        i64::from(rows * rows + columns * columns)
    }

    /// The weighted squares of the distances of all tiles: 0 only on the goal.
    pub(super) fn weighted_distance(&self, board: &[u16]) -> i64 {
        let of = |(cell, &tile)| self.weights[usize::from(tile)] * self.square(tile, cell);
        (0..).zip(board).map(of).sum()
    }

    /// The Manhattan distance of a board.
    pub(super) fn distance(&self, board: &[u16]) -> u64 {
        let of = |(cell, &tile): (usize, &u16)| {
            let (home, at) = (self.at[usize::from(tile)], self.at[cell]);
            u64::from(home.0.abs_diff(at.0) + home.1.abs_diff(at.1))
        };
        let tiles = board.iter().enumerate();
        tiles.filter(|(_, tile)| **tile != self.goal).map(of).sum()
    }

    /// What the hash of a board changes by.
    #[inline]
    pub(super) fn rehash(&self, tile: u16, from: u16, to: u16) -> u64 {
        let key = |cell: u16| self.cell_keys[usize::from(cell)];
        self.tile_keys[usize::from(tile)].wrapping_mul(key(to).wrapping_sub(key(from)))
    }

    /// Whether a stage lets the tile in cell `from` slide to the blank.
    #[inline]
    pub(super) fn may_slide(&self, stage: u32, tile: u16, from: u16, blank: u16) -> bool {
        if self.plan.kept_from[usize::from(from)] <= stage {
            return false;
        }
        match &self.plan.stages[stage as usize] {
            Stage::Follow(_, turn) => {
                (tile, from) != (turn.before, turn.last) && (tile, from) != (turn.last, turn.before)
            }
            Stage::Close(turn) => match (tile == turn.before, tile == turn.last) {
                (true, _) if from == turn.last => blank == turn.before,
                (true, _) if from == turn.beside_before => blank == turn.before,
                (_, true) if from == turn.before => blank == turn.last,
                (_, true) if from == turn.beside_last => blank == turn.last,
                _ => true,
            },
            _ => true,
        }
    }

    /// The stage that a board is in, which is not before the one given, and how many moves it
    /// takes to its end if no other tiles matter.
    #[inline]
    pub(super) fn stage(&self, mut stage: u32, cells: &[u16], blank: u16) -> (u32, i32) {
        loop {
            let (done, moves) = match self.plan.stages[stage as usize] {
                Stage::Place(carry) => self.place(carry, cells, blank),
                Stage::Park(line, turn) => self.park(line, turn, cells, blank),
                Stage::Follow(line, turn) => self.follow(line, turn, cells, blank),
                Stage::Close(turn) => self.close(turn, cells, blank),
                Stage::Rest => (0, 0),
            };
            if done == 0 {
                return (stage, moves);
            }
            stage += done;
        }
    }

    // For each kind of stage: how many stages are done (0 if this one is not), and the moves to
    // its end.

    #[inline]
    fn place(&self, carry: Carry, cells: &[u16], blank: u16) -> (u32, i32) {
        let tile = cells[usize::from(carry.tile)];
        if tile == carry.to {
            return (1, 0);
        }
        let [tile, blank, to] = self.seen(carry.line, [tile, blank, carry.to]);
        (0, self.carries.place(tile, blank, to.0, carry.first))
    }

    fn park(&self, line: u16, turn: LineEnd, cells: &[u16], blank: u16) -> (u32, i32) {
        let first = cells[usize::from(turn.before)];
        let second = cells[usize::from(turn.last)];
        if (first, second) == (turn.before, turn.last) {
            return (3, 0);
        }
        if (first, second) == (turn.last, turn.before) {
            return (0, Self::KNOT);
        }
        // Nothing gets past a blank in a cell that has only one way out.
        if first == turn.last {
            let knot = second == turn.beside_before && blank == turn.before;
            return if knot { (0, Self::KNOT) } else { (1, 0) };
        }
        if second == turn.before {
            let knot = first == turn.beside_last && blank == turn.last;
            return if knot { (0, Self::KNOT) } else { (1, 0) };
        }
        let [a, b, blank] = self.seen(line, [first, second, blank]);
        let to = self.plan.views[usize::from(line)].length() as i32 - 1;
        let there = self.carries.park(a, blank, to);
        let back = self.carries.place(b, blank, to - 1, to == 1);
        (0, there.min(back))
    }

    fn follow(&self, line: u16, turn: LineEnd, cells: &[u16], blank: u16) -> (u32, i32) {
        let first = cells[usize::from(turn.before)];
        let second = cells[usize::from(turn.last)];
        if (first, second) == (turn.before, turn.last) {
            return (2, 0);
        }
        let to = self.plan.views[usize::from(line)].length() as i32 - 1;
        let [a, b, seen] = self.seen(line, [first, second, blank]);
        if first == turn.last {
            if second == turn.beside_last {
                return (1, 0);
            }
            (0, self.carries.follow(b, seen, to))
        } else {
            if first == turn.beside_before {
                return (1, 0);
            }
            (0, self.carries.follow_before(a, seen, to - 1))
        }
    }

    fn close(&self, turn: LineEnd, cells: &[u16], blank: u16) -> (u32, i32) {
        let first = cells[usize::from(turn.before)];
        let second = cells[usize::from(turn.last)];
        if (first, second) == (turn.before, turn.last) {
            return (1, 0);
        }
        let (hole, door) = if second == turn.beside_last {
            (turn.before, turn.beside_before)
        } else {
            (turn.last, turn.beside_last)
        };
        if first == turn.before || second == turn.last {
            return (0, 1);
        }
        if blank == hole {
            return (0, 2);
        }
        let (blank, door) = (self.at[usize::from(blank)], self.at[usize::from(door)]);
        (0, 3 + (blank.0 - door.0).abs() + (blank.1 - door.1).abs())
    }

    /// Where cells are, as seen from a line.
    #[inline]
    fn seen(&self, line: u16, cells: [u16; 3]) -> [(i32, i32); 3] {
        let view = &self.plan.views[usize::from(line)];
        cells.map(|cell| view.of(self.at[usize::from(cell)]))
    }
}
