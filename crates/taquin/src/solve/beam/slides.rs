//! A beam by multi-tile moves.
//!
//! Slides along rows and columns alternate in a shortest solution. So the boards that differ only
//! by the blank's place in the line that it will slide along next are one node: a class. Its
//! children are the classes that each place in that line leads to, and it is worth what the best
//! of its boards is.

use crate::heuristic::alternating_from;
use crate::solve::position::Position;
use crate::{Move, Rng, Size};

use super::guide::Appraisal;
use super::level::{Item, Level, Shape};
use super::play::{Child, Play};
use super::slide_guide::{COLUMN, Cell, LINES, LineChange, ROW, SlideGuide};

/// Multi-tile moves from a position, ranked by a guide.
#[derive(Debug)]
pub(crate) struct Slides<'a> {
    guide: SlideGuide,
    position: &'a Position,
    hashes: Hashes,
    /// How many tiles a slide moves at most, along a row and along a column.
    most: [u32; 2],
}

/// A number for each tile and for each cell; a board's hash is the sum of the products for its
/// tiles and their cells. A table of products would be too large for large boards.
#[derive(Debug)]
struct Hashes {
    tiles: Box<[u64]>,
    cells: Box<[u64]>,
}

impl Hashes {
    fn new(cells: usize) -> Self {
        let mut rng = Rng::from_seed(cells as u64);
        let mut keys = || (0..cells).map(|_| rng.next_u64() | 1).collect();
        Self {
            tiles: keys(),
            cells: keys(),
        }
    }

    fn hash(&self, homes: &[Cell], blank: Cell) -> u64 {
        let tiles = (0..)
            .zip(homes)
            .filter(|&(cell, _): &(Cell, _)| cell != blank);
        tiles.fold(0, |hash, (cell, &tile)| {
            let key = self.tiles[usize::from(tile)].wrapping_mul(self.cells[usize::from(cell)]);
            hash.wrapping_add(key)
        })
    }

    /// The hash after a tile has moved.
    #[inline(always)]
    fn after(&self, hash: u64, tile: Cell, from: Cell, to: Cell) -> u64 {
        let [from, to] = [from, to].map(|cell| self.cells[usize::from(cell)]);
        hash.wrapping_add(self.tiles[usize::from(tile)].wrapping_mul(to.wrapping_sub(from)))
    }
}

/// What is known of a board, in its notes.
#[derive(Clone, Copy)]
struct Notes {
    /// What its tiles count, and what its lines do.
    tiles: i32,
    lines: i32,
    /// By how many steps tiles are from home, along rows and along columns.
    steps: [i32; 2],
}

impl Notes {
    const WORDS: usize = 2;

    #[inline(always)]
    const fn read(words: &[u64]) -> Self {
        let (low, high) = (words[0], words[1]);
        Self {
            tiles: low as i32,
            lines: (low >> 32) as i32,
            steps: [high as i32, (high >> 32) as i32],
        }
    }

    #[inline(always)]
    const fn write(self, words: &mut [u64]) {
        words[0] = pack(self.tiles, self.lines);
        words[1] = pack(self.steps[ROW], self.steps[COLUMN]);
    }
}

#[inline(always)]
const fn pack(low: i32, high: i32) -> u64 {
    low.cast_unsigned() as u64 | (high.cast_unsigned() as u64) << 32
}

/// A slide under way: the blank goes along its line, one place at a time.
struct Sliding<'a> {
    slides: &'a Slides<'a>,
    /// The board before the slide.
    homes: &'a [Cell],
    axis: usize,
    /// The number of the line.
    line: u8,
    /// Where the blank is by now.
    place: u8,
    hash: u64,
    notes: Notes,
    /// What the lines count that the blank has left for good.
    left: i32,
    /// What was in the blank's place.
    tile: Option<Cell>,
}

impl<'a> Sliding<'a> {
    #[inline(always)]
    fn new(slides: &'a Slides<'a>, item: &Item<'a, Cell>) -> Self {
        let axis = usize::from(item.last & 1);
        let notes = Notes::read(item.notes);
        Self {
            slides,
            homes: item.homes,
            axis,
            line: slides.guide.place(axis ^ 1, item.blank),
            place: slides.guide.place(axis, item.blank),
            hash: item.hash,
            notes,
            left: notes.lines,
            tile: None,
        }
    }

    #[inline(always)]
    const fn cross(&self, before: Option<Cell>, after: Option<Cell>) -> LineChange {
        LineChange {
            axis: self.axis ^ 1,
            line: self.place,
            place: self.line,
            before,
            after,
        }
    }

    /// Moves the blank to the next place.
    #[inline(always)]
    fn step(&mut self, place: u8) {
        let guide = &self.slides.guide;
        let cells = guide.line(self.axis, self.line);
        let (from, to) = (cells.cell(place), cells.cell(self.place));
        let tile = self.homes[usize::from(from)];
        // The line that the blank leaves gets the tile, and the one it comes to loses it.
        self.left += guide.change(self.homes, self.cross(self.tile, Some(tile)));
        let home = guide.place(self.axis, tile);
        self.notes.steps[self.axis] +=
            i32::from(home.abs_diff(self.place)) - i32::from(home.abs_diff(place));
        self.notes.tiles += guide.tile(self.axis, tile, self.line, self.place)
            - guide.tile(self.axis, tile, self.line, place);
        self.hash = self.slides.hashes.after(self.hash, tile, from, to);
        self.place = place;
        self.tile = Some(tile);
        self.notes.lines = self.left + guide.change(self.homes, self.cross(Some(tile), None));
    }

    /// The hash of the class of the board by now, and what it is worth.
    #[inline(always)]
    fn class(&self) -> (u64, Appraisal) {
        let Self {
            slides,
            homes,
            axis,
            ..
        } = *self;
        let (guide, axis, line) = (&slides.guide, axis ^ 1, self.place);
        let cells = guide.line(axis, line);
        let tile = |place: u8| homes[usize::from(cells.cell(place))];
        // What the tile in a place counts more when it slides to another.
        let more = |tile: Cell, from: u8, to: u8| {
            guide.tile(axis, tile, line, to) - guide.tile(axis, tile, line, from)
        };
        let (mut hash, mut best) = (self.hash, 0);
        // Step 1: the blank goes to the first place of the line that it will slide along.
        let mut tiles = 0;
        for place in (0..self.line).rev() {
            let tile = tile(place);
            hash = slides
                .hashes
                .after(hash, tile, cells.cell(place), cells.cell(place + 1));
            tiles += more(tile, place, place + 1);
            best = best.min(tiles);
        }
        // Step 2: and to the last one.
        tiles = 0;
        for place in self.line + 1..cells.length {
            tiles += more(tile(place), place, place - 1);
            best = best.min(tiles);
        }
        let best = self.notes.tiles + best;
        let bound = match (self.notes.tiles, best) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => slides.bound(self.notes.steps, axis).max(2),
        };
        let appraisal = Appraisal {
            score: best.wrapping_add(self.notes.lines).cast_unsigned(),
            bound,
        };
        (hash ^ Slides::AXES[axis & 1], appraisal)
    }
}

impl<'a> Slides<'a> {
    /// Longer lines do not fit into a word's bits.
    pub(crate) const MAX_LINE: usize = LINES;

    /// How a board of so many cells lies in memory.
    pub(crate) const fn shape_of(cells: usize) -> Shape {
        Shape::new::<Cell>(cells, Notes::WORDS)
    }

    /// What tells hashes of the two kinds of classes apart.
    const AXES: [u64; 2] = [0, 0x9e37_79b9_7f4a_7c15];

    pub(crate) fn new(position: &'a Position) -> Self {
        let size = position.size();
        Self {
            guide: SlideGuide::new(position),
            position,
            hashes: Hashes::new(size.cells()),
            most: [size.columns() as u32 - 1, size.rows() as u32 - 1],
        }
    }

    /// Slides that are needed at least for so many steps, if the next one is along this axis.
    #[inline(always)]
    fn bound(&self, steps: [i32; 2], axis: usize) -> u32 {
        let needed =
            [ROW, COLUMN].map(|axis| steps[axis].cast_unsigned().div_ceil(self.most[axis]));
        alternating_from(needed[axis & 1], needed[axis & 1 ^ 1])
    }
}

impl Play for Slides<'_> {
    const BITS: u32 = 6;
    const LAST: u32 = 1;

    fn size(&self) -> Size {
        self.position.size()
    }

    fn shape(&self) -> Shape {
        Self::shape_of(self.size().cells())
    }

    fn begin(&self, level: &mut Level) -> Vec<(u64, Appraisal)> {
        let homes = self.position.homes();
        let blank = self.position.blank() as Cell;
        let (tiles, lines) = self.guide.sums(homes, blank);
        let steps = [ROW, COLUMN].map(|axis| {
            let tiles = (0..).zip(homes).filter(|&(cell, _)| cell != blank);
            let step = |(cell, &tile)| {
                let [at, home] = [cell, tile].map(|cell| self.guide.place(axis, cell));
                i32::from(at.abs_diff(home))
            };
            tiles.map(step).sum()
        });
        let notes = Notes {
            tiles: tiles.cast_signed(),
            lines: lines.cast_signed(),
            steps,
        };
        let mut words = [0; Notes::WORDS];
        notes.write(&mut words);
        let hash = self.hashes.hash(homes, blank);
        for axis in [ROW, COLUMN] {
            level.push_start(hash, homes, (blank, axis as u8), &words);
        }
        let class = |axis: usize| {
            // As if it had come there by a slide along the other axis.
            let mut sliding = Sliding::new(self, &level.get(axis));
            std::mem::swap(&mut sliding.line, &mut sliding.place);
            sliding.axis ^= 1;
            sliding.class()
        };
        [ROW, COLUMN].map(class).to_vec()
    }

    #[inline(always)]
    fn children(&self, level: &Level, mut see: impl FnMut(Child)) {
        for index in 0..level.len() {
            let item = level.get::<Cell>(index);
            let mut show = |sliding: &Sliding<'_>| {
                let (hash, appraisal) = sliding.class();
                see(Child {
                    index,
                    number: sliding.place,
                    hash,
                    appraisal,
                });
            };
            let start = Sliding::new(self, &item);
            let (place, length) = (start.place, self.guide.line(start.axis, start.line).length);
            let mut sliding = start;
            for place in (0..place).rev() {
                sliding.step(place);
                show(&sliding);
            }
            let mut sliding = Sliding::new(self, &item);
            for place in place + 1..length {
                sliding.step(place);
                show(&sliding);
            }
        }
    }

    #[inline(always)]
    fn follow(&self, level: &mut Level, parent: (&Level, usize), number: u8, _: u64) {
        let item = parent.0.get::<Cell>(parent.1);
        let mut sliding = Sliding::new(self, &item);
        let (begin, axis) = (sliding.place, sliding.axis);
        let cells = self.guide.line(axis, sliding.line);
        while sliding.place < number {
            sliding.step(sliding.place + 1);
        }
        while sliding.place > number {
            sliding.step(sliding.place - 1);
        }
        let place = (cells.cell(number), (axis ^ 1) as u8);
        let new = level.push_copy::<Cell>(parent, sliding.hash, place);
        sliding.notes.write(new.notes);
        let tile = |place: u8| item.homes[usize::from(cells.cell(place))];
        for place in begin..number {
            new.homes[usize::from(cells.cell(place))] = tile(place + 1);
        }
        for place in number..begin {
            new.homes[usize::from(cells.cell(place + 1))] = tile(place);
        }
    }

    fn moves(&self, first: usize, numbers: &[u8], to_goal: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut blank = self.position.blank() as Cell;
        let mut axis = first & 1;
        let mut slide = |axis: usize, number: u8, blank: &mut Cell| {
            // The tiles go where the blank comes from.
            let (back, on) = match axis {
                ROW => (Move::Right, Move::Left),
                _ => (Move::Down, Move::Up),
            };
            let place = self.guide.place(axis, *blank);
            let m = if number < place { back } else { on };
            moves.extend(std::iter::repeat_n(m, usize::from(number.abs_diff(place))));
            *blank = self
                .guide
                .line(axis, self.guide.place(axis ^ 1, *blank))
                .cell(number);
        };
        for &number in numbers {
            slide(axis, number, &mut blank);
            axis ^= 1;
        }
        if to_goal {
            let goal = self.guide.place(axis, self.position.goal() as Cell);
            slide(axis, goal, &mut blank);
        }
        moves
    }
}
