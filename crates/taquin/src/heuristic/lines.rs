//! The conflicts among the tiles that are in their own line.
//!
//! Take the tiles of a line that belong to that line. Those that stay in it for ever cannot pass
//! one another, so their homes must come in the same order as they do. The others have to leave
//! the line and come back: two moves each that Manhattan distance does not count. The fewest have
//! to leave when an increasing subsequence of the homes that is as long (or as heavy) as possible
//! stays. In the words of graph theory: the tiles that leave are a smallest vertex cover of the
//! graph of reversed pairs. Adding two for each reversed pair would be too much.

use super::homes::Homes;
use crate::Tile;
use crate::domain::{Cost, TileState};

/// All rows, or all columns.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    count: usize,
    length: usize,
    /// From a cell to the next line's and to the line's next.
    line_stride: usize,
    place_stride: usize,
    /// Each cell's line and its place in that line.
    positions: Box<[(u8, u8)]>,
    /// Each tile's home: the line in the high byte, one more than the place in the low byte.
    homes: Box<[u16]>,
    weights: Box<[u32]>,
    /// What each content of a line adds, by its number: see [`Self::content`]. Empty where lines
    /// are too long.
    table: Box<[u32]>,
    /// Where each line's part of the table starts. With unit costs all lines share one.
    table_stride: usize,
    /// The number of a content is written in base `length + 1`: the powers of the base, one for
    /// each place.
    powers: Box<[usize]>,
}

/// Rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Rows,
    Columns,
}

/// A line of up to 255 cells.
const MAX_LENGTH: usize = 255;

impl Lines {
    /// A table has at most this many entries: enough for 6x6 with heavy costs.
    const MAX_ENTRIES: usize = 1 << 20;
    /// The most bytes that a table takes, and lists for each cell with it.
    pub(super) const MAX_BYTES: u64 = (Self::MAX_ENTRIES * size_of::<u32>() + (1 << 20)) as u64;
    /// The home of the blank, which belongs to no line: there are at most 255.
    const NOWHERE: u16 = u16::MAX;

    pub(super) fn new(homes: &Homes, axis: Axis, cost: Cost) -> Self {
        let size = homes.size();
        let (rows, columns) = (size.rows(), size.columns());
        let (count, length, line_stride, place_stride) = match axis {
            Axis::Rows => (rows, columns, columns, 1),
            Axis::Columns => (columns, rows, 1, columns),
        };
        let position = |cell: usize| match axis {
            Axis::Rows => (size.row(cell) as u8, size.column(cell) as u8),
            Axis::Columns => (size.column(cell) as u8, size.row(cell) as u8),
        };
        let tiles = 1..size.cells() as Tile;
        let home = |tile| {
            let (line, place) = position(homes.cell(tile));
            u16::from(line) << 8 | (u16::from(place) + 1)
        };
        let mut lines = Self {
            count,
            length,
            line_stride,
            place_stride,
            positions: (0..size.cells()).map(position).collect(),
            homes: std::iter::once(Self::NOWHERE)
                .chain(tiles.clone().map(home))
                .collect(),
            weights: std::iter::once(0)
                .chain(tiles.map(|tile| homes.weight(tile)))
                .collect(),
            table: Box::default(),
            table_stride: 0,
            powers: Box::default(),
        };
        lines.tabulate(homes, cost);
        lines
    }

    /// Fills the table, if it is not too large.
    fn tabulate(&mut self, homes: &Homes, cost: Cost) {
        let base = self.length + 1;
        let Some(entries) = base.checked_pow(self.length as u32) else {
            return;
        };
        let tables = match cost {
            Cost::Unit => 1,
            Cost::Tile => self.count,
        };
        if entries.saturating_mul(tables) > Self::MAX_ENTRIES {
            return;
        }
        self.powers = (0..self.length as u32).map(|p| base.pow(p)).collect();
        self.table_stride = if tables == 1 { 0 } else { entries };
        let mut table = vec![0; entries * tables];
        for (line, part) in table.chunks_mut(entries).enumerate() {
            // What each place's own tile weighs in this line.
            let mut weights = vec![1; self.length];
            if cost == Cost::Tile {
                for tile in 1..homes.size().cells() as Tile {
                    if let Some(place) = self.home_place(tile, line) {
                        weights[place] = homes.weight(tile);
                    }
                }
            }
            let mut content = vec![0; self.length];
            fill(part, &weights, &self.powers, &mut content, 0);
        }
        self.table = table.into();
    }

    /// The tile's home place in a line, if it belongs there.
    #[inline]
    pub(super) fn home_place(&self, tile: Tile, line: usize) -> Option<usize> {
        let digit = self.digit(tile, line);
        (digit > 0).then(|| digit - 1)
    }

    /// One more than the tile's home place in a line; 0 if it does not belong there.
    #[inline]
    fn digit(&self, tile: Tile, line: usize) -> usize {
        let home = self.homes[usize::from(tile)];
        if usize::from(home >> 8) == line {
            usize::from(home & 0xff)
        } else {
            0
        }
    }

    /// What one move of the tile counts.
    #[inline]
    pub(super) fn weight(&self, tile: Tile) -> u32 {
        self.weights[usize::from(tile)]
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The tiles in a line, the blank among them.
    #[inline]
    pub(super) fn tiles<S: TileState>(&self, state: &S, line: usize) -> impl Iterator<Item = Tile> {
        let first = line * self.line_stride;
        (0..self.length).map(move |place| state.tile(first + place * self.place_stride))
    }

    /// What the conflicts of a line add.
    pub(super) fn added<S: TileState>(&self, state: &S, line: usize) -> u32 {
        if self.table.is_empty() {
            self.computed(self.tiles(state, line), line)
        } else {
            self.table[line * self.table_stride + self.content(state, line)]
        }
    }

    /// What it changes, modulo 2³², that a tile went from one line into the next.
    ///
    /// The two cells are neighbours in a crossing line. The order of the tiles in that line is
    /// the same as before, and so are its conflicts. Of the other two lines, one can be the tile's
    /// own. The tile is new there, or it is missing there now.
    #[inline]
    pub(super) fn change<S: TileState>(
        &self,
        after: &S,
        tile: Tile,
        from: usize,
        to: usize,
    ) -> u32 {
        let home = usize::from(self.homes[usize::from(tile)] >> 8);
        let (left, place) = self.positions[from];
        let (entered, _) = self.positions[to];
        if home == usize::from(left) {
            let (with, without) =
                self.with_and_without(after, home, tile, usize::from(place), false);
            without.wrapping_sub(with)
        } else if home == usize::from(entered) {
            let (with, without) =
                self.with_and_without(after, home, tile, usize::from(place), true);
            with.wrapping_sub(without)
        } else {
            0
        }
    }

    /// What a line adds with a tile on a place and without it, given whether it is there now.
    #[inline]
    fn with_and_without<S: TileState>(
        &self,
        state: &S,
        line: usize,
        tile: Tile,
        place: usize,
        present: bool,
    ) -> (u32, u32) {
        if self.table.is_empty() {
            let with_on_place = |on_place: Tile| {
                let tiles = self.tiles(state, line).enumerate();
                self.computed(
                    tiles.map(|(p, t)| if p == place { on_place } else { t }),
                    line,
                )
            };
            return (with_on_place(tile), with_on_place(0));
        }
        let now = self.content(state, line);
        let share = self.digit(tile, line) * self.powers[place];
        let (with, without) = if present {
            (now, now - share)
        } else {
            (now + share, now)
        };
        let first = line * self.table_stride;
        (self.table[first + with], self.table[first + without])
    }

    /// The number of a line's content: for each place a digit that says which of the line's own
    /// tiles is there, if any.
    #[inline]
    fn content<S: TileState>(&self, state: &S, line: usize) -> usize {
        self.tiles(state, line)
            .zip(&self.powers)
            .map(|(tile, power)| self.digit(tile, line) * power)
            .sum()
    }

    /// What a line adds, without the table.
    fn computed(&self, tiles: impl Iterator<Item = Tile>, line: usize) -> u32 {
        let own = tiles.filter_map(|tile| {
            let place = self.home_place(tile, line)?;
            Some((place, self.weight(tile)))
        });
        2 * weight_that_leaves(own)
    }
}

/// Fills in what the contents add that agree with `content` up to `place`.
fn fill(table: &mut [u32], weights: &[u32], powers: &[usize], content: &mut [usize], place: usize) {
    if place == content.len() {
        let number: usize = content.iter().zip(powers).map(|(d, p)| d * p).sum();
        let own = content.iter().filter(|&&digit| digit > 0);
        table[number] = 2 * weight_that_leaves(own.map(|digit| (digit - 1, weights[digit - 1])));
        return;
    }
    for digit in 0..=content.len() {
        // No tile is in a line twice.
        if digit == 0 || !content[..place].contains(&digit) {
            content[place] = digit;
            fill(table, weights, powers, content, place + 1);
        }
    }
}

/// The least weight of the tiles that have to leave a line, given its own tiles in their order: the
/// home place and the weight of each.
///
/// That is all of them without the heaviest increasing subsequence. It is found tile by tile: the
/// best subsequence that ends with a tile is the best one that ends before its home, and the tile.
/// The best so far are kept in a Fenwick tree, which finds a maximum over the first places in a
/// logarithmic number of steps.
fn weight_that_leaves(own: impl Iterator<Item = (usize, u32)>) -> u32 {
    let mut best = [0_u32; MAX_LENGTH + 1];
    let (mut total, mut heaviest) = (0, 0);
    for (place, weight) in own {
        let mut with_tile = 0;
        let mut node = place;
        while node > 0 {
            with_tile = best[node].max(with_tile);
            node &= node - 1;
        }
        with_tile += weight;
        node = place + 1;
        while node <= MAX_LENGTH {
            best[node] = best[node].max(with_tile);
            node += node & node.wrapping_neg();
        }
        heaviest = heaviest.max(with_tile);
        total += weight;
    }
    total - heaviest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn leaving(places: &[usize]) -> u32 {
        weight_that_leaves(places.iter().map(|&place| (place, 1)))
    }

    #[test]
    fn as_many_leave_as_a_longest_increasing_subsequence_leaves_out() {
        assert_eq!(leaving(&[]), 0);
        assert_eq!(leaving(&[7]), 0);
        assert_eq!(leaving(&[0, 1, 2, 3]), 0);
        assert_eq!(leaving(&[1, 0]), 1);
        // Three reversed pairs, but two tiles are enough.
        assert_eq!(leaving(&[2, 1, 0]), 2);
        // Tile 3 alone is in three reversed pairs: it leaves and all is well.
        assert_eq!(leaving(&[3, 0, 1, 2]), 1);
        assert_eq!(leaving(&[1, 0, 3, 2]), 2);
        assert_eq!(leaving(&(0..255).rev().collect::<Vec<_>>()), 254);
    }

    #[test]
    fn the_lightest_set_leaves_among_all_sets() {
        let mut rng = Rng::from_seed(21);
        for _ in 0..500 {
            let count = 1 + rng.below(8);
            let mut own: Vec<(usize, u32)> = (0..count)
                .map(|p| (p * 30, 1 + rng.below(20) as u32))
                .collect();
            for i in (1..count).rev() {
                own.swap(i, rng.below(i + 1));
            }
            let cheapest = (0..1_u32 << count)
                .filter(|staying| {
                    let stay: Vec<usize> = (0..count)
                        .filter(|i| staying >> i & 1 == 1)
                        .map(|i| own[i].0)
                        .collect();
                    stay.is_sorted()
                })
                .map(|staying| {
                    let leaves = (0..count).filter(|i| staying >> i & 1 == 0);
                    leaves.map(|i| own[i].1).sum::<u32>()
                })
                .min();
            assert_eq!(
                Some(weight_that_leaves(own.iter().copied())),
                cheapest,
                "{own:?}"
            );
        }
    }
}
