//! Which sequences of moves a search can do without.
//!
//! A *word* is a sequence of moves. Words come in *shortlex* order: shorter ones first, those of one
//! length in the order of the dictionary, with the moves in the order of [`Move::ALL`].
//!
//! Two words have the same *effect* if they lead from any arrangement to the same one, on a board
//! without edges. The *area* of a word is the smallest rectangle around the way of the blank. A word
//! is *redundant* if an earlier one has the same effect and its blank stays in the area: wherever
//! the word can be made on a rectangular board, the earlier one can be made instead.
//!
//! The first shortest way to an arrangement has no redundant part. Otherwise the earlier word in
//! its place would give a way to the same arrangement, on the same board, that is shorter, or as
//! short and earlier. So a search that refuses every way with a redundant part still finds a
//! shortest one to everything.

use crate::{Move, Size};

/// A word: two bits a move, under a 1 that marks the beginning. The order of the numbers is the
/// shortlex order of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Word(u32);

impl Word {
    pub(super) const EMPTY: Self = Self(1);

    pub(super) const fn len(self) -> usize {
        self.0.ilog2() as usize / 2
    }

    pub(super) const fn push(self, m: Move) -> Self {
        Self(self.0 << 2 | m as u32)
    }

    /// The word without its first move; it must have one.
    const fn tail(self) -> Self {
        let mark = 1 << (2 * (self.len() - 1));
        Self(self.0 & (mark - 1) | mark)
    }

    pub(super) fn moves(self) -> impl Iterator<Item = Move> {
        let places = (0..self.len()).rev();
        places.map(move |place| Move::ALL[(self.0 >> (2 * place) & 3) as usize])
    }
}

/// A rectangle of cells, the last row and column included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

impl Area {
    const fn of_cell(cell: usize) -> Self {
        let (row, column) = (Plane::SIZE.row(cell), Plane::SIZE.column(cell));
        Self {
            top: row,
            bottom: row,
            left: column,
            right: column,
        }
    }

    /// The smallest rectangle around both.
    fn with(self, other: Self) -> Self {
        Self {
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
            left: self.left.min(other.left),
            right: self.right.max(other.right),
        }
    }

    fn contains(self, other: Self) -> bool {
        self.with(other) == self
    }

    const fn fits(self, size: Size) -> bool {
        self.bottom - self.top < size.rows() && self.right - self.left < size.columns()
    }
}

/// A board whose edges no word reaches, with the blank in the middle at first. Tiles are known by
/// the cell in which they began.
#[derive(Clone)]
struct Plane {
    tiles: [u16; Self::CELLS],
    blank: usize,
    /// A number that equal arrangements share, and others hardly ever: the exclusive-or of a number
    /// for each tile that is not where it began, so that a move needs to look at one tile only.
    hash: u64,
}

impl Plane {
    /// A power of two, so that rows and columns are a matter of bits.
    const SIZE: Size = Size::known(32, 32);
    const CELLS: usize = Self::SIZE.cells();
    /// What stands in the cell of the blank.
    const BLANK: u16 = u16::MAX;

    fn new() -> Self {
        let blank = Self::CELLS / 2 + Self::SIZE.columns() / 2;
        let mut tiles = std::array::from_fn(|cell| cell as u16);
        tiles[blank] = Self::BLANK;
        Self {
            tiles,
            blank,
            hash: 0,
        }
    }

    #[inline]
    fn slide(&mut self, m: Move) {
        let to = self.blank;
        let from = to.wrapping_add(Self::SIZE.offset(m));
        let tile = self.tiles[from];
        self.hash ^= Self::number(tile, from) ^ Self::number(tile, to);
        self.tiles[to] = tile;
        self.tiles[from] = Self::BLANK;
        self.blank = from;
    }

    /// A number that looks random, for a tile on a cell: the mixing step of `SplitMix64`.
    #[inline]
    const fn number(tile: u16, cell: usize) -> u64 {
        let x = (tile as u64 * Self::CELLS as u64 + cell as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

/// What a word does, and where.
struct Effect {
    after: Plane,
    area: Area,
}

impl Effect {
    fn of(word: Word) -> Self {
        let mut after = Plane::new();
        let mut area = Area::of_cell(after.blank);
        for m in word.moves() {
            after.slide(m);
            area = area.with(Area::of_cell(after.blank));
        }
        Self { after, area }
    }

    /// Whether the word of this effect can be made in place of the other one's, wherever that is
    /// possible.
    fn replaces(&self, other: &Self) -> bool {
        other.area.contains(self.area) && other.after.tiles == self.after.tiles
    }
}

/// A set of words.
struct Words(Vec<u64>);

impl Words {
    /// An empty set, for words of up to that length.
    fn up_to(length: usize) -> Self {
        Self(vec![0; (2 << (2 * length)) / 64 + 1])
    }

    fn insert(&mut self, word: Word) {
        self.0[word.0 as usize / 64] |= 1 << (word.0 % 64);
    }

    fn contains(&self, word: Word) -> bool {
        self.0[word.0 as usize / 64] >> (word.0 % 64) & 1 == 1
    }
}

/// The redundant words of up to `depth` moves that have no shorter redundant part, in shortlex
/// order; with a size, only those that fit on a board of that size.
///
/// Goes through the words that have no redundant part, length by length: no others need be looked
/// at. Those whose every shorter part is known to be good are compared with all earlier ones of the
/// same effect. Of these, too, the ones with a redundant part can be left out: what stands for a
/// redundant part is earlier and has the same effect in no larger an area.
pub(super) fn redundant(depth: usize, size: Option<Size>) -> Vec<Word> {
    let mut redundant = Vec::new();
    let mut good = Words::up_to(depth.saturating_sub(1));
    good.insert(Word::EMPTY);
    // Words with the hash of their effect, those of even and of odd length apart: an even and an
    // odd number of moves never have the same effect.
    let mut seen = [vec![(0, Word::EMPTY)], Vec::new()];
    for length in 1..=depth {
        let seen = &mut seen[length % 2];
        let plane = Plane::new();
        let area = Area::of_cell(plane.blank);
        let mut walk = Walk {
            good: &good,
            size,
            plane,
            found: seen,
        };
        walk.extend(Word::EMPTY, length, area);
        seen.sort_unstable();
        for same_hash in seen.chunk_by(|a, b| a.0 == b.0) {
            // Words of equal hash are in shortlex order. Most are alone, and are not replayed.
            let mut earlier: Vec<Effect> = Vec::new();
            for &(_, word) in same_hash {
                if same_hash.len() > 1 {
                    let effect = Effect::of(word);
                    if word.len() == length && earlier.iter().any(|e| e.replaces(&effect)) {
                        redundant.push(word);
                        continue;
                    }
                    earlier.push(effect);
                }
                if word.len() == length && length < depth {
                    good.insert(word);
                }
            }
        }
    }
    redundant.sort_unstable();
    redundant
}

/// Visits the words of one length of which all shorter parts are good.
struct Walk<'a> {
    /// All words without a redundant part that are shorter than that length.
    good: &'a Words,
    size: Option<Size>,
    plane: Plane,
    found: &'a mut Vec<(u64, Word)>,
}

impl Walk<'_> {
    /// Adds `more` moves, at least one, to a good word that led to `plane` within `area`.
    fn extend(&mut self, word: Word, more: usize, area: Area) {
        for m in Move::ALL {
            let longer = word.push(m);
            // Every shorter part of a word is in what it is without its last move, which is good
            // here, or in what it is without its first move.
            let part = if more == 1 { longer.tail() } else { longer };
            if !self.good.contains(part) {
                continue;
            }
            self.plane.slide(m);
            let area = area.with(Area::of_cell(self.plane.blank));
            if self.size.is_none_or(|size| area.fits(size)) {
                if more == 1 {
                    self.found.push((self.plane.hash, longer));
                } else {
                    self.extend(longer, more - 1, area);
                }
            }
            self.plane.slide(m.opposite());
        }
    }
}
