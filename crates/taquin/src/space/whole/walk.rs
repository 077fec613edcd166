//! The way from a board to the goal, by what is stored of each board.

use super::layout::{BoardPlace, Layout, MOST_TILES, Order};
use super::vertical_moves::turn;
use crate::cpu::{Work, run_fast};
use crate::{Metric, Move};

/// A board of the canonical puzzle: where the blank is, and the tiles in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) blank: usize,
    pub(super) order: Order,
}

/// One or more tiles that slide in a line, in the canonical puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) direction: Move,
    pub(super) tiles: usize,
}

impl Position {
    /// A position from the names of the tiles on all cells, 0 for the blank.
    pub(super) fn new(blank: usize, names: &[u8]) -> Self {
        let mut order = [0; MOST_TILES];
        let tiles = names[..blank].iter().chain(&names[blank + 1..]);
        for (to, &name) in order.iter_mut().zip(tiles) {
            *to = name.saturating_sub(1);
        }
        Self { blank, order }
    }

    /// The parity of the order: that of its length less the number of its cycles.
    pub(super) fn parity(&self, layout: &Layout) -> usize {
        let mut left = (1_u32 << layout.tiles()) - 1;
        let mut parity = layout.tiles();
        while left != 0 {
            parity += 1;
            let first = left.trailing_zeros();
            let mut at = first;
            loop {
                left &= !(1 << at);
                at = u32::from(self.order[at as usize]);
                if at == first {
                    break;
                }
            }
        }
        parity % 2
    }

    /// The board after a tile slides into the blank; `None` if there is no such tile.
    #[inline(always)]
    fn after(mut self, layout: &Layout, direction: Move) -> Option<Self> {
        let size = layout.size();
        let from = self.blank;
        self.blank = size.neighbour(from, direction)?;
        if matches!(direction, Move::Up | Move::Down) {
            turn(&mut self.order, size.columns(), from, self.blank);
        }
        Some(self)
    }
}

/// What an atlas has of each board's distance. It is called the residue, whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All of it, a byte: where there are few boards.
    Whole,
    /// In single-tile moves the remainder modulo 4. Its lower bit follows from the blank's cell, the
    /// higher one is stored.
    Modulo4,
    /// In multi-tile moves the remainder modulo 3, plus 1, in two planes of bits.
    Modulo3,
}

/// Up to so many boards have a byte each. A distance is looked up faster than a walk takes, and
/// nobody misses the memory.
const FEW: u64 = 1_000_000;

impl Form {
    pub(super) fn of(layout: &Layout, metric: Metric) -> Self {
        match metric {
            _ if layout.boards() <= FEW => Self::Whole,
            Metric::Single => Self::Modulo4,
            Metric::Multi => Self::Modulo3,
        }
    }

    /// How many bytes all boards take.
    pub(super) fn len(self, layout: &Layout) -> usize {
        match self {
            Self::Whole => layout.all_words() * 64,
            Self::Modulo4 => plane_len(layout),
            Self::Modulo3 => plane_len(layout) * 2,
        }
    }
}

/// How many bytes a plane of bits takes, with nothing between one word's bits and the next's: words
/// are many and come in pairs, so that these end with a byte.
fn plane_len(layout: &Layout) -> usize {
    layout.boards().div_ceil(8) as usize
}

/// Knows of every board whether it is nearer to the goal than its neighbours.
#[derive(Clone, Copy)]
pub(super) struct Guide<'a> {
    layout: &'a Layout,
    metric: Metric,
    form: Form,
    bytes: &'a [u8],
    farthest: u32,
}

impl<'a> Guide<'a> {
    /// A guide by what an atlas has of all boards.
    pub(super) fn new(layout: &'a Layout, metric: Metric, bytes: &'a [u8], farthest: u32) -> Self {
        Self {
            layout,
            metric,
            form: Form::of(layout, metric),
            bytes,
            farthest,
        }
    }

    /// The number of steps to the goal; `None` if there is none, as in a damaged table.
    pub(super) fn distance(&self, start: Position) -> Option<u32> {
        run_fast(Walk {
            guide: *self,
            start,
        })
    }

    /// The first board that is found to be nearer, with its place. Those along the row come first:
    /// they change nothing but the blank's cell.
    #[inline(always)]
    fn nearer(
        &self,
        position: Position,
        place: BoardPlace,
        wanted: u32,
    ) -> Option<(Position, BoardPlace)> {
        let layout = self.layout;
        let columns = layout.size().columns();
        let blank = position.blank;
        let reach = match self.metric {
            Metric::Single => 1,
            Metric::Multi => columns,
        };
        let row = layout.row_start(blank);
        let first = row.max(blank.saturating_sub(reach));
        let last = (row + columns - 1).min(blank + reach);
        for cell in first..=last {
            let beside = BoardPlace {
                blank: cell,
                ..place
            };
            if cell != blank && self.residue(beside) == wanted {
                let order = position.order;
                return Some((Position { blank: cell, order }, beside));
            }
        }
        for direction in [Move::Up, Move::Down] {
            let mut after = position;
            for _ in 0..reach {
                let Some(next) = after.after(layout, direction) else {
                    break;
                };
                after = next;
                let place = layout.place(after.blank, &after.order);
                if self.residue(place) == wanted {
                    return Some((after, place));
                }
            }
        }
        None
    }

    /// Every step to a board that is nearer by one.
    #[inline(always)]
    pub(super) fn downhill(
        &self,
        position: Position,
    ) -> impl Iterator<Item = (Step, Position)> + use<'a> {
        let guide = *self;
        let residue = move |position: Position| {
            guide.residue(guide.layout.place(position.blank, &position.order))
        };
        let wanted = guide.before(residue(position));
        let steps = guide.steps(position);
        steps.filter(move |&(_, after)| residue(after) == wanted)
    }

    /// Every step.
    #[inline(always)]
    fn steps(self, position: Position) -> impl Iterator<Item = (Step, Position)> + use<'a> {
        let most = match self.metric {
            Metric::Single => 1,
            Metric::Multi => usize::MAX,
        };
        let directions = [Move::Left, Move::Right, Move::Up, Move::Down];
        directions.into_iter().flat_map(move |direction| {
            let first = position.after(self.layout, direction);
            let slides =
                std::iter::successors(first, move |after| after.after(self.layout, direction));
            let slides = (1..=most).zip(slides);
            slides.map(move |(tiles, after)| (Step { direction, tiles }, after))
        })
    }

    /// What is known of a distance. In a damaged table it can be that of no board.
    #[inline(always)]
    fn residue(&self, place: BoardPlace) -> u32 {
        match self.form {
            Form::Whole => {
                let word = place.blank * self.layout.words() + place.word;
                u32::from(self.bytes[word * 64 + place.bit as usize])
            }
            Form::Modulo4 => self.layout.is_odd(place.blank) | self.bit(0, place) << 1,
            Form::Modulo3 => (self.bit(0, place) | self.bit(1, place) << 1).wrapping_sub(1) & 3,
        }
    }

    /// The residue of the boards that are nearer by one.
    #[inline(always)]
    const fn before(&self, residue: u32) -> u32 {
        match self.form {
            Form::Whole => residue.wrapping_sub(1),
            Form::Modulo4 => (residue + 3) % 4,
            Form::Modulo3 => (residue + 2) % 3,
        }
    }

    #[inline(always)]
    fn bit(&self, plane: usize, place: BoardPlace) -> u32 {
        let word =
            (plane * self.layout.size().cells() + place.blank) * self.layout.words() + place.word;
        let at = word * self.layout.bits() + place.bit as usize;
        u32::from(self.bytes[at / 8] >> (at % 8) & 1)
    }
}

/// The way to the goal, counted.
struct Walk<'a> {
    guide: Guide<'a>,
    start: Position,
}

impl Work for Walk<'_> {
    type Result = Option<u32>;

    #[inline(always)]
    fn run(self) -> Option<u32> {
        let Self { guide, start } = self;
        let goal = guide.layout.goal();
        let mut position = start;
        let mut place = guide.layout.place(start.blank, &start.order);
        let mut residue = guide.residue(place);
        if guide.form == Form::Whole {
            let is_possible = residue <= guide.farthest && (residue == 0) == (place == goal);
            return is_possible.then_some(residue);
        }
        for steps in 0..=guide.farthest {
            if place == goal {
                return Some(steps);
            }
            residue = guide.before(residue);
            (position, place) = guide.nearer(position, place, residue)?;
        }
        None
    }
}
