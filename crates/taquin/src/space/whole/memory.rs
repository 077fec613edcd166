//! The memory of whole spaces: how much a search takes, and how it is taken.

use super::Atlas;
use super::atlas::LEVELS;
use super::layout::Layout;
use super::search::{Found, Piece, carries, stretch, useful_threads};
use super::vertical_moves::PullWindow;
use super::walk::Form;
use crate::outcome::Budget;
use crate::tables::{BuildError, try_reserve_exact};
use crate::{Metric, Move};

/// What a thread takes that is not counted by itself: its stack, as far as it is used.
const THREAD: u64 = 32 << 10;
/// What a search takes that is not counted by itself: lists of cells, links and orders.
const SMALL_THINGS: u64 = 128 << 10;

/// Large memory can come in pages of this size, of which the last one is not full.
const HUGE_PAGE: u64 = 2 << 20;

/// Bytes that a search takes at most on `threads` threads, whatever looks on.
pub(super) fn search_bytes(layout: &Layout, metric: Metric, threads: usize) -> u64 {
    let carries = carries(layout, metric).len();
    let words = 2 * layout.all_words() + carries * layout.words();
    (words * size_of::<u64>()) as u64 + tools_bytes(layout, metric, threads)
}

/// Bytes of all that a search works with beside its planes and carries.
fn tools_bytes(layout: &Layout, metric: Metric, threads: usize) -> u64 {
    let word = size_of::<u64>() as u64;
    let carries = carries(layout, metric);

    let of_carries = carries.iter().map(|carry| (carry.side, carry.middle));
    let size = layout.size();
    let of_links = (0..size.cells()).flat_map(|to| {
        let vertical = [Move::Down, Move::Up].into_iter();
        let from = vertical.filter_map(move |m| size.neighbour(to, m));
        from.map(move |from| (from, to))
    });
    let windows = of_carries.chain(of_links);
    let windows = windows.map(|(from, to)| PullWindow::new(layout, from, to));
    let pulls: u64 = windows.clone().map(|window| window.bytes(layout)).sum();

    // Three buffers a thread, and a byte for the parity of each word of one.
    let longest = stretch(layout, windows.map(|window| window.unit(layout))) as u64;
    let threads = useful_threads(layout, threads) as u64;
    let of_threads = threads * (3 * longest * word + THREAD) + longest;

    // A list of pieces grows by doubling: while it does, it is there one and a half times.
    let shortest = stretch(layout, std::iter::empty()) as u64;
    let pieces = layout.all_words() as u64 / shortest;
    let pieces = 3 * pieces * size_of::<Piece>() as u64;

    pulls + of_threads + pieces + SMALL_THINGS
}

/// Bytes that the search for an atlas takes at most on `threads` threads, the atlas included.
pub(super) fn survey_bytes(layout: &Layout, metric: Metric, threads: usize) -> u64 {
    let form = Form::of(layout, metric);
    let threads = useful_threads(layout, threads) as u64;
    let counts = (LEVELS * layout.size().cells() * size_of::<u64>()) as u64;
    // The farthest boards of each thread, and of all.
    let listed = (2 * Atlas::MAX_LISTED * size_of::<Found>()) as u64 * (threads + 1);
    let whole = match form {
        Form::Whole => form.len(layout) as u64,
        Form::Modulo4 | Form::Modulo3 => 0,
    };
    let of_survey = counts + listed + whole;
    let at_first = search_bytes(layout, metric, threads as usize);

    // At the end the atlas is filled from one plane after the other. It has pages only where it is
    // written, and each plane is given back before the next one's turn.
    let plane = layout.all_words() as u64 * size_of::<u64>() as u64;
    let boards = form.len(layout) as u64;
    let filling = match form {
        Form::Whole => boards,
        Form::Modulo4 => plane + boards,
        Form::Modulo3 => 2 * plane + boards / 2,
    };
    // The allocator may keep for later what the search worked with.
    let kept = tools_bytes(layout, metric, threads as usize);
    let unfilled = HUGE_PAGE.min(boards);
    let at_the_end = filling + Atlas::rest_len(layout) as u64 + kept + unfilled;
    of_survey + at_first.max(at_the_end)
}

/// Values that are made between two looks at the budget: about a millisecond of the slowest ones.
pub(super) const PORTION: usize = 1 << 13;

/// So many values, made one after the other, as far as memory and the budget reach.
pub(super) fn filled<T>(
    count: usize,
    budget: &Budget,
    mut make: impl FnMut(usize) -> T,
) -> Result<Vec<T>, BuildError> {
    let mut values = Vec::new();
    try_reserve_exact(&mut values, count)?;
    while values.len() < count {
        budget.check().map_err(BuildError::Stopped)?;
        let end = count.min(values.len() + PORTION);
        values.extend((values.len()..end).map(&mut make));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::SpaceKey;

    fn layout(size: &str) -> Layout {
        Layout::new(&SpaceKey {
            size: size.parse().unwrap(),
            blank: 0,
            metric: Metric::Single,
        })
    }

    #[test]
    fn more_threads_take_more_memory_up_to_as_many_as_are_worth_it() {
        let layout = layout("3x4");
        let bytes = |threads| survey_bytes(&layout, Metric::Single, threads);
        assert!(bytes(2) > bytes(1));
        assert_eq!(bytes(1), bytes(0));
        assert_eq!(bytes(100_000), bytes(1_000_000));
        // Two words for sixty boards.
        assert!(bytes(1) > 239_500_800 / 60 * 16);
    }

    #[test]
    fn filling_stops_when_the_budget_ends_and_when_there_is_no_memory() {
        use std::time::Duration;

        use crate::outcome::{Limit, Limits};

        assert_eq!(
            filled(20_000, &Budget::default(), |i| i).unwrap()[19_999],
            19_999
        );
        let late = Budget::new(&Limits::within(Duration::ZERO));
        assert_eq!(
            filled(1, &late, |i| i).err(),
            Some(BuildError::Stopped(Limit::Time))
        );
        let too_many = filled(usize::MAX / 16, &Budget::default(), |i| i as u64);
        assert!(matches!(too_many, Err(BuildError::Memory(_))));
    }
}
