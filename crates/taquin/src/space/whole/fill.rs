//! Fills a stretch of words with what one move leads to.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use super::planes::Code;
use super::search::{Carry, Found, From, Search, Visitor};
use super::vertical_moves::{Source, Target};
use crate::cpu::Work;

/// What a thread works with.
#[derive(Default)]
pub(super) struct Scratch {
    reached: Vec<u64>,
    seen: Vec<u64>,
    words: Vec<u64>,
}

/// What threads of earlier levels worked with: memory that is given back to the system at every
/// level costs more than the search of a small one.
#[derive(Default)]
pub(super) struct Scratches(Mutex<Vec<Scratch>>);

impl Scratches {
    pub(super) fn take(&self) -> Scratch {
        let kept = self.0.lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    pub(super) fn put(&self, scratch: Scratch) {
        if let Ok(mut kept) = self.0.lock() {
            kept.push(scratch);
        }
    }
}

/// What a thread finds in a level.
#[derive(Default)]
pub(super) struct Local<N> {
    pub(super) counts: Vec<u64>,
    pub(super) notes: N,
}

/// Fills a stretch of words.
pub(super) struct Fill<'a, V: Visitor> {
    pub(super) search: &'a Search<'a>,
    pub(super) visitor: &'a V,
    pub(super) scratch: &'a mut Scratch,
    pub(super) notes: &'a mut V::Notes,
    pub(super) cell: usize,
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) distance: u32,
}

impl<V: Visitor> Work for Fill<'_, V> {
    type Result = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self {
            search,
            scratch,
            cell,
            start,
            length,
            distance,
            ..
        } = self;
        let [first, second] = search
            .planes
            .at(search.layout, cell)
            .map(|plane| &plane[start..][..length]);

        // 1. What was seen; bits that are not in use count as such.
        let unused = !search.layout.full();
        scratch.seen.clear();
        let seen = first.iter().zip(second).map(|(first, second)| {
            first.load(Ordering::Relaxed) | second.load(Ordering::Relaxed) | unused
        });
        scratch.seen.extend(seen);
        if scratch.seen.iter().all(|&seen| seen == u64::MAX) {
            return 0;
        }

        // 2. What is reached from the level before.
        scratch.reached.clear();
        scratch.reached.resize(length, 0);
        let mut target = Target {
            start,
            reached: &mut scratch.reached,
            seen: &scratch.seen,
            parities: search.parities(cell, start, length),
        };
        for link in &search.links[cell] {
            if !search.is_fresh(link, distance - 1) {
                continue;
            }
            let source = match link.from {
                From::Cell(cell) => search.source(cell, distance - 1),
                From::Carry(i) => Source {
                    planes: [&search.carried[i]; 2],
                    flip: [0; 2],
                },
            };
            match link.pull {
                Some(pull) => search.pulls[pull].pull(source, &mut target, &mut scratch.words),
                None => {
                    for (word, reached) in (start..).zip(&mut *target.reached) {
                        *reached |= source.get(word);
                    }
                }
            }
        }

        // 3. What is new.
        let code = Code::new(search.metric, distance);
        let mut count = 0;
        for (i, (&reached, &seen)) in scratch.reached.iter().zip(&scratch.seen).enumerate() {
            let bits = reached & !seen;
            if bits == 0 {
                continue;
            }
            count += u64::from(bits.count_ones());
            // Nobody else writes this word, and the first plane has to be written first.
            if code.bits[0] {
                first[i].store(first[i].load(Ordering::Relaxed) | bits, Ordering::Relaxed);
            }
            if code.bits[1] {
                second[i].store(second[i].load(Ordering::Relaxed) | bits, Ordering::Release);
            }
            let word = start + i;
            self.visitor.found(
                self.notes,
                Found {
                    distance,
                    blank: cell,
                    word,
                    bits,
                },
            );
        }
        count
    }
}

/// Fills a stretch of a carry.
pub(super) struct FillCarry<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) scratch: &'a mut Scratch,
    pub(super) carry: usize,
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) distance: u32,
}

impl Work for FillCarry<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            search,
            scratch,
            carry,
            start,
            length,
            distance,
        } = self;
        let Carry { side, middle } = search.carries[carry];
        scratch.reached.clear();
        scratch.seen.clear();
        scratch.seen.resize(length, 0);
        let beside = search.source(middle, distance);
        scratch
            .reached
            .extend((start..start + length).map(|word| beside.get(word)));
        if search.fresh[side] == distance {
            let mut target = Target {
                start,
                reached: &mut scratch.reached,
                seen: &scratch.seen,
                parities: search.parities(middle, start, length),
            };
            let pull = &search.pulls[search.carry_pulls[carry]];
            pull.pull(
                search.source(side, distance),
                &mut target,
                &mut scratch.words,
            );
        }
        for (to, &reached) in search.carried[carry][start..].iter().zip(&scratch.reached) {
            to.store(reached, Ordering::Relaxed);
        }
    }
}
