//! How many moves it takes to carry one tile to a cell, as if there were no others.

/// Longer than any way; also where there is none.
pub(super) const NO_WAY: u16 = u16::MAX / 2;

/// Where in its line the cell is that a tile is carried to.
#[derive(Clone, Copy, Debug)]
enum CellInLine {
    /// The first cell.
    First,
    /// Behind cells that are filled.
    Behind,
    /// The last cell; only the one before it is free too.
    Last,
    /// Beside the last cell, which is taken.
    BesideLast,
    /// Beside the one before it, which is taken; the last cell is free.
    BesideBefore,
}

/// The ways to one cell: from every cell around, with the blank on each of the tile's four sides.
///
/// Cells are meant as [`View`](super::view::View) sees them, with `u` relative to the goal, so that
/// one table serves all lines of a board.
#[derive(Debug)]
pub(super) struct Ways {
    reach: i32,
    /// Whether the cells before the goal are filled.
    behind: bool,
    moves: Vec<[u16; 4]>,
}

/// The sides of a tile: `u - 1`, `u + 1`, `v - 1`, `v + 1`.
const SIDES: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

impl Ways {
    fn new(place: CellInLine, reach: i32) -> Self {
        let mut ways = Self {
            reach,
            behind: matches!(place, CellInLine::Behind),
            moves: Vec::new(),
        };
        let width = 2 * reach - 1;
        let free = |u: i32, v: i32| {
            let inside = u > -reach && u < reach && v >= 0 && v < reach;
            inside
                && match place {
                    CellInLine::First => u >= 0,
                    CellInLine::Behind => u >= 0 || v > 0,
                    CellInLine::Last => u <= 0 && (u >= -1 || v > 0),
                    CellInLine::BesideLast => u <= 0 && (u == -1 || v > 0),
                    CellInLine::BesideBefore => u <= 1 && (u == 1 || v > 0),
                }
        };
        let goal = match place {
            CellInLine::BesideLast | CellInLine::BesideBefore => (0, 1),
            _ => (0, 0),
        };
        ways.moves = vec![[NO_WAY; 4]; (width * reach) as usize];
        // Breadth first, from the goal: a slide takes one move, a quarter round the tile takes two.
        let mut queues = [Vec::new(), Vec::new(), Vec::new()];
        for (side, step) in SIDES.iter().enumerate() {
            if free(goal.0 + step.0, goal.1 + step.1) {
                let index = ways.index(goal.0, goal.1);
                ways.moves[index][side] = 0;
                queues[0].push((goal, side));
            }
        }
        let mut moves = 0;
        while queues.iter().any(|queue| !queue.is_empty()) {
            for ((u, v), side) in std::mem::take(&mut queues[usize::from(moves) % 3]) {
                let at = ways.index(u, v);
                if ways.moves[at][side] != moves {
                    continue;
                }
                let blank = (u + SIDES[side].0, v + SIDES[side].1);
                let mut reach = |(u, v), side: usize, cost: u16| {
                    let index = ways.index(u, v);
                    if ways.moves[index][side] > moves + cost {
                        ways.moves[index][side] = moves + cost;
                        queues[usize::from(moves + cost) % 3].push(((u, v), side));
                    }
                };
                reach(blank, side ^ 1, 1);
                for (turned, step) in SIDES.iter().enumerate() {
                    let is_quarter = turned / 2 != side / 2;
                    if is_quarter
                        && free(u + step.0, v + step.1)
                        && free(blank.0 + step.0, blank.1 + step.1)
                    {
                        reach((u, v), turned, 2);
                    }
                }
            }
            moves += 1;
        }
        ways
    }

    const fn index(&self, u: i32, v: i32) -> usize {
        ((u + self.reach - 1) * self.reach + v) as usize
    }

    /// The moves that carry a tile to the goal, which is at `u` = 0.
    #[inline]
    fn moves(&self, tile: (i32, i32), blank: (i32, i32)) -> i32 {
        let ways = &self.moves[self.index(tile.0, tile.1)];
        let (du, dv) = (blank.0 - tile.0, blank.1 - tile.1);
        // The blank's way to each side; two more if the tile stands in that way.
        let around = |across: i32, ahead: i32| if across == 0 && ahead > 0 { 2 } else { 0 };
        let mut sides = [
            (du + 1).abs() + dv.abs() + around(dv, du),
            (du - 1).abs() + dv.abs() + around(dv, -du),
            du.abs() + (dv + 1).abs() + around(du, dv),
            du.abs() + (dv - 1).abs() + around(du, -dv),
        ];
        // The filled cells are in the way too, which matters just before the goal.
        if self.behind && tile == (0, 1) && du < 0 {
            sides[2] += if dv == 0 { 4 } else { 2 };
        }
        let best = |side: usize| sides[side] + i32::from(ways[side]);
        best(0).min(best(1)).min(best(2)).min(best(3))
    }
}

/// The ways to every kind of cell.
#[derive(Debug)]
pub(super) struct Carries {
    first: Ways,
    behind: Ways,
    last: Ways,
    beside_last: Ways,
    beside_before: Ways,
}

impl Carries {
    /// For boards whose longer side has this many cells.
    pub(super) fn new(side: usize) -> Self {
        let reach = side as i32;
        Self {
            first: Ways::new(CellInLine::First, reach),
            behind: Ways::new(CellInLine::Behind, reach),
            last: Ways::new(CellInLine::Last, reach),
            beside_last: Ways::new(CellInLine::BesideLast, reach),
            beside_before: Ways::new(CellInLine::BesideBefore, reach),
        }
    }

    /// From where a tile and the blank are to the cell at `to` of the line.
    #[inline]
    pub(super) fn place(&self, tile: (i32, i32), blank: (i32, i32), to: i32, first: bool) -> i32 {
        let ways = if first { &self.first } else { &self.behind };
        ways.moves((tile.0 - to, tile.1), (blank.0 - to, blank.1))
    }

    /// From where a tile and the blank are to the last cell of the line.
    #[inline]
    pub(super) fn park(&self, tile: (i32, i32), blank: (i32, i32), to: i32) -> i32 {
        self.last
            .moves((tile.0 - to, tile.1), (blank.0 - to, blank.1))
    }

    /// From where a tile and the blank are to the cell beside the one before the last.
    #[inline]
    pub(super) fn follow_before(&self, tile: (i32, i32), blank: (i32, i32), to: i32) -> i32 {
        self.beside_before
            .moves((tile.0 - to, tile.1), (blank.0 - to, blank.1))
    }

    /// From where a tile and the blank are to the cell beside the last one.
    #[inline]
    pub(super) fn follow(&self, tile: (i32, i32), blank: (i32, i32), to: i32) -> i32 {
        self.beside_last
            .moves((tile.0 - to, tile.1), (blank.0 - to, blank.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_in_the_open_takes_five_moves_straight_and_three_askew() {
        let carries = Carries::new(9);
        // The blank is where the tile has to go.
        let place = |tile, blank| carries.place(tile, blank, 0, true);
        assert_eq!(place((1, 0), (0, 0)), 1);
        assert_eq!(place((3, 0), (2, 0)), 11);
        assert_eq!(place((2, 2), (1, 2)), 1 + 3 * 3);
        // One more for each move of the blank, and two more round the tile.
        assert_eq!(place((1, 0), (0, 3)), 4);
        assert_eq!(place((1, 0), (2, 0)), 5);
    }

    #[test]
    fn what_is_filled_is_in_the_way() {
        let carries = Carries::new(9);
        // Up into a cell behind a filled one: the blank has to come round the other side.
        assert_eq!(carries.place((5, 1), (6, 1), 5, false), 2 + 1);
        assert_eq!(carries.place((5, 1), (4, 1), 5, false), 6 + 1);
        assert_eq!(carries.place((5, 1), (4, 3), 5, false), 6 + 1);
        assert_eq!(carries.place((4, 1), (5, 1), 5, false), 1 + 6 + 1);
        // From the cell before the last one there is no way to the one beside the last.
        let stuck = carries.follow((7, 0), (5, 5), 8);
        assert!(stuck >= i32::from(NO_WAY), "{stuck}");
    }
}
