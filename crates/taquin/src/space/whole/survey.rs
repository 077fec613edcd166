//! What searches write down for an atlas.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::Atlas;
use super::atlas::LEVELS;
use super::layout::{BoardPlace, Layout};
use super::memory::{PORTION, filled};
use super::planes::Planes;
use super::search::{Found, Visitor};
use super::walk::Form;
use crate::outcome::Budget;
use crate::tables::{BuildError, BytesMut};

/// Counts the boards of all levels and keeps some of the last one.
pub(super) struct Survey {
    counts: Vec<Vec<u64>>,
    last: First,
    /// The distances of all boards, where they are few.
    whole: Vec<AtomicU8>,
    words: usize,
}

impl Visitor for Survey {
    type Notes = First;

    #[inline(always)]
    fn found(&self, notes: &mut First, found: Found) {
        if !self.whole.is_empty() {
            let word = found.blank * self.words + found.word;
            for place in found.places() {
                let at = word * 64 + place.bit as usize;
                self.whole[at].store(found.distance as u8, Ordering::Relaxed);
            }
        }
        notes.add(found);
    }

    fn level(&mut self, _: u32, counts: &[u64], notes: Vec<First>) -> bool {
        self.counts.push(counts.to_vec());
        self.last = First::default();
        for found in notes.into_iter().flat_map(|notes| notes.found) {
            self.last.add(found);
        }
        self.counts.len() < LEVELS
    }
}

/// The words that come first of those that were found, at least as many as there may be boards on
/// the list: which they are does not depend on how the threads came upon them.
#[derive(Default)]
pub(super) struct First {
    found: Vec<Found>,
    /// Words from this one on are too many.
    end: Option<(usize, usize)>,
}

impl First {
    #[inline(always)]
    fn add(&mut self, found: Found) {
        let is_too_late = |end| (found.blank, found.word) >= end;
        if !self.end.is_some_and(is_too_late) {
            self.found.push(found);
            if self.found.len() == 2 * Atlas::MAX_LISTED {
                self.cut();
            }
        }
    }

    #[cold]
    fn cut(&mut self) {
        let place = |found: &Found| (found.blank, found.word);
        let most = Atlas::MAX_LISTED;
        let (_, first_too_many, _) = self.found.select_nth_unstable_by_key(most, place);
        self.end = Some(place(first_too_many));
        self.found.truncate(most);
    }
}

impl Survey {
    pub(super) fn new(layout: &Layout, form: Form, budget: &Budget) -> Result<Self, BuildError> {
        let bytes = match form {
            Form::Whole => form.len(layout),
            Form::Modulo4 | Form::Modulo3 => 0,
        };
        Ok(Self {
            counts: Vec::new(),
            last: First::default(),
            // What is no board has no distance.
            whole: filled(bytes, budget, |_| AtomicU8::new(u8::MAX))?,
            words: layout.words(),
        })
    }

    /// The bytes of the atlas.
    pub(super) fn into_bytes(
        self,
        layout: &Layout,
        form: Form,
        planes: Planes,
        budget: &Budget,
    ) -> Result<BytesMut, BuildError> {
        let len = form.len(layout);
        let mut bytes = BytesMut::zeroed(len + Atlas::rest_len(layout))?;
        let (stored, rest) = bytes.split_at_mut(len);
        let [first, second] = planes.planes;
        // Each plane is given back before the next is written: the atlas has no pages yet.
        let kept = match form {
            Form::Whole => {
                for (to, distance) in stored.iter_mut().zip(self.whole) {
                    *to = distance.into_inner();
                }
                Vec::new()
            }
            Form::Modulo4 => {
                drop(first);
                vec![second]
            }
            Form::Modulo3 => vec![first, second],
        };
        // Two words of sixty bits, one after the other, are fifteen bytes. Smaller boards, whose
        // words have fewer, keep no planes.
        let mut stored = stored.chunks_exact_mut(15);
        for plane in kept {
            for words in plane.chunks(PORTION) {
                budget.check().map_err(BuildError::Stopped)?;
                let (pairs, _) = words.as_chunks();
                for ([first, second], to) in pairs.iter().zip(&mut stored) {
                    let [first, second] = [first, second].map(|word| word.load(Ordering::Relaxed));
                    let pair = u128::from(first) | u128::from(second) << layout.bits();
                    to.copy_from_slice(&pair.to_le_bytes()[..to.len()]);
                }
            }
        }

        let mut last = self.last.found;
        last.sort_by_key(|found| (found.blank, found.word));
        let places = last.iter().flat_map(Found::places);
        let listed = places
            .map(|place| number_of(layout, place))
            .take(Atlas::MAX_LISTED);
        let room = LEVELS * layout.size().cells();
        let counts = self.counts.into_iter().flatten();
        let counts = counts.chain(std::iter::repeat(0)).take(room);
        for (to, number) in rest.as_chunks_mut().0.iter_mut().zip(counts.chain(listed)) {
            *to = number.to_le_bytes();
        }
        Ok(bytes)
    }
}

/// Keeps all boards of one level, as far as there is room.
pub(super) struct Level {
    distance: u32,
    /// What each thread found.
    pub(super) found: Vec<Vec<Found>>,
    /// How many boards the level has.
    pub(super) boards: u64,
    /// Bytes that may still be taken.
    room: AtomicU64,
    is_full: AtomicBool,
}

impl Level {
    /// The level of a distance, in so many bytes.
    pub(super) fn new(distance: u32, room: u64) -> Self {
        Self {
            distance,
            found: Vec::new(),
            boards: 0,
            room: AtomicU64::new(room),
            is_full: AtomicBool::new(false),
        }
    }

    /// Whether there was no room for all boards.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Makes room in a thread's notes.
    #[cold]
    fn grow(&self, notes: &mut Vec<Found>) {
        let more = notes.len().max(Atlas::MAX_LISTED);
        let bytes = (more * size_of::<Found>()) as u64;
        let taken = self
            .room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| {
                room.checked_sub(bytes)
            });
        if taken.is_err() || notes.try_reserve_exact(more).is_err() {
            self.is_full.store(true, Ordering::Relaxed);
        }
    }
}

impl Visitor for Level {
    type Notes = Vec<Found>;

    #[inline(always)]
    fn found(&self, notes: &mut Vec<Found>, found: Found) {
        if found.distance == self.distance && !self.is_full() {
            if notes.len() == notes.capacity() {
                self.grow(notes);
            }
            if notes.len() < notes.capacity() {
                notes.push(found);
            }
        }
    }

    fn level(&mut self, distance: u32, counts: &[u64], notes: Vec<Vec<Found>>) -> bool {
        self.found = notes;
        self.boards = counts.iter().sum();
        distance < self.distance
    }
}

impl Found {
    /// The places of the boards that were found.
    pub(super) fn places(&self) -> impl Iterator<Item = BoardPlace> {
        let Self {
            blank,
            word,
            mut bits,
            ..
        } = *self;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(BoardPlace { blank, word, bit })
        })
    }
}

/// The number of a place, as it is stored.
fn number_of(layout: &Layout, place: BoardPlace) -> u64 {
    ((place.blank * layout.words() + place.word) * 64) as u64 + u64::from(place.bit)
}
