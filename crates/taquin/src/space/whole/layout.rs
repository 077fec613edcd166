//! A number for every board of a space.
//!
//! A board is where the blank is, and in which order the tiles stand in reading order. The order is
//! written in digits: how many of the tiles not yet used come before this one (Lehmer 1960). The
//! digits of all tiles but the last five, read as a number, are the *word*; the last five are the
//! *bit* in it. Of their 120 orders half cannot be reached, because the parity of the whole order
//! is fixed by the blank's row, so that sixty bits hold the rest, and a word fits into a `u64`.
//!
//! With this a tile that slides sideways changes nothing but the blank's cell. One that slides up or
//! down passes the tiles between, which turns a window of the order by one: see
//! [`vertical_moves`](super::vertical_moves).

use crate::Size;
use crate::tables::SpaceKey;

/// The most tiles: one less than [`Space::MAX_CELLS`](super::Space::MAX_CELLS).
pub(super) const MOST_TILES: usize = 13;

/// The tiles that a word's bits arrange, where there are as many.
pub(super) const LOW: usize = 5;

/// The bits of orders of five tiles that begin with the same one: a field.
pub(super) const FIELD: u32 = 12;

/// Tiles in reading order without the blank; those beyond the last are 0.
pub(super) type Order = [u8; MOST_TILES];

/// Where a board is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BoardPlace {
    /// The blank's cell.
    pub(super) blank: usize,
    /// The word among those of the blank's cell.
    pub(super) word: usize,
    /// The bit in the word.
    pub(super) bit: u32,
}

/// The numbers of all boards of a space.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    size: Size,
    /// The goal's blank cell.
    home: usize,
    /// How many tiles there are.
    tiles: usize,
    /// How many of them the bits arrange.
    low: usize,
    /// `groups[k]`: how many words agree in the first `k` tiles.
    groups: Vec<usize>,
    /// Bits in use in each word.
    bits: u32,
    /// For each cell the first cell of its row.
    rows: [u8; MOST_TILES + 1],
    /// The cells of the other colour than the goal's blank, as on a chessboard.
    odd: u32,
    /// For both parities and each bit, the order of the low tiles, each by its rank among them.
    orders: [Vec<[u8; LOW]>; 2],
}

impl Layout {
    pub(super) fn new(key: &SpaceKey) -> Self {
        let tiles = key.size.cells() - 1;
        let colour = |cell: usize| key.size.colour(cell);
        let low = tiles.min(LOW);
        let high = tiles - low;
        let mut groups = vec![1; high + 1];
        for k in (0..high).rev() {
            groups[k] = groups[k + 1] * (tiles - k);
        }
        let bits = (3..=low as u32).product();
        let orders =
            [0, 1].map(|parity| (0..bits).map(|bit| low_order(low, parity, bit)).collect());
        Self {
            size: key.size,
            home: key.blank,
            tiles,
            low,
            groups,
            bits,
            rows: std::array::from_fn(|cell| (cell - key.size.column(cell)) as u8),
            odd: (0..=tiles)
                .filter(|&cell| colour(cell) != colour(key.blank))
                .fold(0, |set, cell| set | 1 << cell),
            orders,
        }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    pub(super) const fn tiles(&self) -> usize {
        self.tiles
    }

    /// How many tiles the words arrange.
    pub(super) const fn high(&self) -> usize {
        self.tiles - self.low
    }

    /// How many tiles the bits arrange.
    pub(super) const fn low(&self) -> usize {
        self.low
    }

    /// How many words agree in the first `k` tiles.
    pub(super) fn group(&self, k: usize) -> usize {
        self.groups[k]
    }

    /// Words for each cell of the blank.
    pub(super) fn words(&self) -> usize {
        self.groups[0]
    }

    /// Words for all cells.
    pub(super) fn all_words(&self) -> usize {
        self.words() * self.size.cells()
    }

    /// How many boards there are.
    pub(super) fn boards(&self) -> u64 {
        self.all_words() as u64 * u64::from(self.bits)
    }

    /// How many bits of each word are in use.
    #[inline(always)]
    pub(super) const fn bits(&self) -> usize {
        self.bits as usize
    }

    /// A word with all bits in use.
    pub(super) const fn full(&self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The order of the low tiles, each by its rank among them.
    pub(super) fn low_orders(&self, parity: usize) -> &[[u8; LOW]] {
        &self.orders[parity]
    }

    /// The parity of the order of all boards with the blank in a cell: each row that the blank
    /// moves turns a window of one tile a column.
    pub(super) const fn parity(&self, blank: usize) -> usize {
        let rows = self.size.row(blank).abs_diff(self.size.row(self.home));
        rows * (self.size.columns() - 1) % 2
    }

    /// The first cell of a cell's row.
    #[inline(always)]
    pub(super) fn row_start(&self, cell: usize) -> usize {
        usize::from(self.rows[cell])
    }

    /// The parity of the number of single-tile moves to boards with the blank in a cell.
    #[inline(always)]
    pub(super) const fn is_odd(&self, blank: usize) -> u32 {
        self.odd >> blank & 1
    }

    /// The place of the goal.
    pub(super) const fn goal(&self) -> BoardPlace {
        BoardPlace {
            blank: self.home,
            word: 0,
            bit: 0,
        }
    }

    /// The place of a board. Only boards of the space have one, and others get that of one which
    /// differs from them in its last two tiles.
    #[inline(always)]
    pub(super) fn place(&self, blank: usize, order: &Order) -> BoardPlace {
        let mut used = 0_u32;
        let mut digit = |tile: u8| {
            let before = (used & ((1 << tile) - 1)).count_ones();
            used |= 1 << tile;
            u32::from(tile) - before
        };
        let (high, tiles) = (self.high(), self.tiles);
        let mut word = 0;
        for (i, &tile) in order[..high].iter().enumerate() {
            word = word * (tiles - i) + digit(tile) as usize;
        }
        let mut bit = 0;
        for (i, &tile) in order[high..tiles - 2].iter().enumerate() {
            bit = bit * (self.low - i) as u32 + digit(tile);
        }
        BoardPlace { blank, word, bit }
    }

    /// The first tiles of a word's boards, in order, and the set of the others.
    fn high_tiles(&self, mut word: usize, order: &mut Order) -> u32 {
        let high = self.high();
        for i in (0..high).rev() {
            order[i] = (word % (self.tiles - i)) as u8;
            word /= self.tiles - i;
        }
        let mut left = (1_u32 << self.tiles) - 1;
        for digit in &mut order[..high] {
            let tile = nth_bit(left, *digit);
            left &= !(1 << tile);
            *digit = tile;
        }
        left
    }

    /// Calls `visit` with the order of every board of a word whose bit is set, in turn.
    #[inline(always)]
    pub(super) fn orders(
        &self,
        blank: usize,
        word: usize,
        mut bits: u64,
        mut visit: impl FnMut(&Order),
    ) {
        let mut order = [0; MOST_TILES];
        let mut left = self.high_tiles(word, &mut order);
        let mut low = [0; LOW];
        for tile in &mut low[..self.low] {
            *tile = left.trailing_zeros() as u8;
            left &= left - 1;
        }
        let parity = self.parity(blank) ^ self.word_parity(word);
        while bits > 0 {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            for (to, &rank) in order[self.high()..self.tiles]
                .iter_mut()
                .zip(&self.orders[parity][bit])
            {
                *to = low[usize::from(rank)];
            }
            visit(&order);
        }
    }

    /// The parity of the order of a word's first tiles among all.
    pub(super) fn word_parity(&self, word: usize) -> usize {
        self.digits_parity(word, self.high())
    }

    /// The parity of the digits of the first `k` tiles, given as a number.
    pub(super) fn digits_parity(&self, mut digits: usize, k: usize) -> usize {
        let mut sum = 0;
        for i in (0..k).rev() {
            sum += digits % (self.tiles - i);
            digits /= self.tiles - i;
        }
        sum % 2
    }
}

/// The place of the n-th lowest bit that is set.
fn nth_bit(mut set: u32, n: u8) -> u8 {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}

/// The order of a parity whose digits, but for the last two tiles, are this number.
fn low_order(low: usize, parity: usize, mut number: u32) -> [u8; LOW] {
    let mut digits = [0_u8; LOW];
    for i in (0..low - 2).rev() {
        let radix = (low - i) as u32;
        digits[i] = (number % radix) as u8;
        number /= radix;
    }
    let sum: usize = digits.iter().map(|&digit| usize::from(digit)).sum();
    digits[low - 2] = ((sum + parity) % 2) as u8;
    let mut left = (1_u32 << low) - 1;
    let mut order = [0; LOW];
    for (tile, digit) in order[..low].iter_mut().zip(digits) {
        *tile = nth_bit(left, digit);
        left &= !(1 << *tile);
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Metric;

    fn layout(size: &str, blank: usize) -> Layout {
        Layout::new(&SpaceKey {
            size: size.parse().unwrap(),
            blank,
            metric: Metric::Single,
        })
    }

    #[test]
    fn words_and_bits_are_as_many_as_boards() {
        for (size, boards) in [
            ("2x2", 12),
            ("2x3", 360),
            ("2x4", 20_160),
            ("3x3", 181_440),
            ("2x5", 1_814_400),
            ("3x4", 239_500_800),
            ("2x7", 43_589_145_600),
        ] {
            let layout = layout(size, 0);
            assert_eq!(layout.boards(), boards, "{size}");
        }
    }

    #[test]
    fn every_place_has_an_order_of_its_own_that_leads_back_to_it() {
        for (size, home) in [("2x2", 3), ("2x3", 4), ("2x4", 7), ("3x3", 4)] {
            let layout = layout(size, home);
            let mut seen = HashSet::new();
            for blank in 0..layout.size().cells() {
                for word in 0..layout.words() {
                    let mut bit = 0;
                    layout.orders(blank, word, layout.full(), |order| {
                        assert_eq!(layout.place(blank, order), BoardPlace { blank, word, bit });
                        let tiles = &order[..layout.tiles()];
                        let inversions: usize = (0..tiles.len())
                            .map(|i| tiles[i..].iter().filter(|&&t| t < tiles[i]).count())
                            .sum();
                        assert_eq!(inversions % 2, layout.parity(blank), "{size} {order:?}");
                        assert!(seen.insert((blank, *order)));
                        bit += 1;
                    });
                    assert_eq!(bit, layout.bits);
                }
            }
        }
    }

    #[test]
    fn the_goal_is_the_first_of_its_cell() {
        let layout = layout("3x4", 11);
        let order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0];
        assert_eq!(layout.place(11, &order), layout.goal());
    }
}
