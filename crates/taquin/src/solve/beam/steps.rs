//! A beam by single-tile moves.

use crate::solve::position::Position;
use crate::{Move, Size};

use super::guide::{Appraisal, Guide, Slide};
use super::level::{Level, Shape};
use super::play::{Child, Play};
use super::zobrist::Zobrist;

/// Single-tile moves from a position, ranked by a guide.
#[derive(Debug)]
pub(crate) struct Steps<'a, G> {
    guide: &'a G,
    position: &'a Position,
    zobrist: Zobrist,
    /// For each cell of the blank and each move, the cell of the tile that slides.
    sliding_cells: Box<[[Option<u8>; 4]]>,
}

/// Parents whose children are looked up together, so that memory answers them together.
const BLOCK: usize = 32;

impl<'a, G: Guide> Steps<'a, G> {
    pub(crate) fn new(guide: &'a G, position: &'a Position) -> Self {
        let size = position.size();
        let slides = |blank| Move::ALL.map(|m| size.neighbour(blank, m).map(|cell| cell as u8));
        Self {
            guide,
            position,
            zobrist: Zobrist::new(size.cells()),
            sliding_cells: (0..size.cells()).map(slides).collect(),
        }
    }

    /// The cell of the tile that slides with `Move::ALL[number]`.
    #[inline(always)]
    fn sliding_cell(&self, blank: u8, number: u8) -> Option<u8> {
        self.sliding_cells[usize::from(blank)][usize::from(number) % 4]
    }
}

impl<G: Guide> Play for Steps<'_, G> {
    const BITS: u32 = 2;
    const LAST: u32 = 0;

    fn size(&self) -> Size {
        self.position.size()
    }

    fn shape(&self) -> Shape {
        Shape::new::<u8>(self.size().cells(), self.guide.words())
    }

    fn begin(&self, level: &mut Level) -> Vec<(u64, Appraisal)> {
        let homes = self.position.bytes();
        let blank = self.position.blank() as u8;
        let mut notes = vec![0; self.guide.words()];
        let appraisal = self.guide.begin(&homes, blank, &mut notes);
        let hash = self.zobrist.hash(&homes, blank);
        // There is no move 4 that could not be taken back.
        level.push_start(hash, &homes, (u16::from(blank), 4), &notes);
        vec![(hash, appraisal)]
    }

    #[inline(always)]
    fn children(&self, level: &Level, mut see: impl FnMut(Child)) {
        let guide = self.guide;
        let mut block = Vec::with_capacity(BLOCK * 4);
        for first in (0..level.len()).step_by(BLOCK) {
            block.clear();
            for index in first..(first + BLOCK).min(level.len()) {
                let item = level.get::<u8>(index);
                for number in 0..4 {
                    // Opposites differ in the last bit.
                    if number == item.last ^ 1 {
                        continue;
                    }
                    let to = item.blank as u8;
                    let Some(from) = self.sliding_cell(to, number) else {
                        continue;
                    };
                    let tile = item.homes[usize::from(from)];
                    let slide = Slide { tile, from, to };
                    let glance = guide.glance(item.notes, slide);
                    block.push((index, number, slide, glance));
                }
            }
            for &(index, number, slide, glance) in &block {
                let item = level.get::<u8>(index);
                let Slide { tile, from, to } = slide;
                see(Child {
                    index,
                    number,
                    hash: self.zobrist.after(item.hash, tile, from, to),
                    appraisal: guide.appraise(item.homes, item.notes, slide, glance),
                });
            }
        }
    }

    #[inline(always)]
    fn follow(&self, level: &mut Level, parent: (&Level, usize), number: u8, hash: u64) {
        let to = parent.0.get::<u8>(parent.1).blank as u8;
        let Some(from) = self.sliding_cell(to, number) else {
            return;
        };
        let item = level.push_copy::<u8>(parent, hash, (u16::from(from), number));
        let tile = item.homes[usize::from(from)];
        self.guide
            .advance(item.homes, item.notes, Slide { tile, from, to });
        item.homes[usize::from(to)] = tile;
    }

    fn moves(&self, _: usize, numbers: &[u8], _: bool) -> Vec<Move> {
        let steps = numbers.iter();
        steps
            .map(|&number| Move::ALL[usize::from(number) % 4])
            .collect()
    }
}
