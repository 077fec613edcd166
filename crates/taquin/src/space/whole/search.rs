//! Breadth-first search of a whole space, with two bits a board.
//!
//! A level of the search holds all boards of one distance. Each word of boards is a target: it pulls
//! from the words that one move leads to, sixty boards at once, what has the distance of the level
//! before, and keeps what it had not seen. Targets are shared among threads.
//!
//! The two bits tell a distance modulo 4, or modulo 3, and what has none yet. A level therefore also
//! pulls from some levels long before; that does no harm, because the neighbours of those have all
//! been seen.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::fill::{Fill, FillCarry, Local, Scratch, Scratches};
use super::layout::Layout;
use super::memory::filled;
use super::planes::{Code, Planes, zeroed};
use super::vertical_moves::{Parities, Pull, PullWindow, Source};
use crate::cpu::run_fast;
use crate::outcome::Budget;
use crate::tables::{BuildError, SpaceKey};
use crate::threads::on_threads;
use crate::{Metric, Move};

/// Boards that a search has found, all of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) distance: u32,
    pub(super) blank: usize,
    pub(super) word: usize,
    /// The boards that have this distance.
    pub(super) bits: u64,
}

/// Who wants to know what a search finds.
pub(super) trait Visitor: Sync {
    /// What a thread gathers during a level.
    type Notes: Default + Send;

    /// Some boards, all of one word. Words come in any order.
    fn found(&self, notes: &mut Self::Notes, found: Found);

    /// A level is complete. `false` ends the search.
    fn level(&mut self, distance: u32, counts: &[u64], notes: Vec<Self::Notes>) -> bool;
}

/// A stretch of words that a thread takes at once: those of a cell or a carry, the first of them and
/// how many they are.
pub(super) type Piece = (usize, usize, usize);

/// Words that a thread takes at once, roughly: enough to make the taking cheap, and little enough
/// to stay in a near cache.
const STRETCH: usize = 2000;

/// One way to get to boards with the blank in a cell.
pub(super) struct Link {
    /// Where the blank was.
    pub(super) from: From,
    /// `None` along a row, where words stay what they are.
    pub(super) pull: Option<usize>,
}

/// Where a link pulls from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// From boards of the level before with the blank in this cell.
    Cell(usize),
    /// From a carry.
    Carry(usize),
}

/// In multi-tile moves on three rows the blank can pass the middle row. A carry holds, for a middle
/// cell, the boards of the level before with the blank there, and what boards with the blank on one
/// side of it become when it moves there: to go on from there is to arrive from either.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    /// The cell on the side.
    pub(super) side: usize,
    pub(super) middle: usize,
}

pub(super) fn carries(layout: &Layout, metric: Metric) -> Vec<Carry> {
    let (rows, columns) = (layout.size().rows(), layout.size().columns());
    if metric == Metric::Single || rows < 3 {
        return Vec::new();
    }
    debug_assert_eq!(
        rows, 3,
        "at most fourteen cells and no more rows than columns"
    );
    let carry = |side_row: usize, column| Carry {
        side: side_row * columns + column,
        middle: columns + column,
    };
    let from_above = (0..columns).map(|column| carry(0, column));
    let from_below = (0..columns).map(|column| carry(2, column));
    from_above.chain(from_below).collect()
}

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) layout: &'a Layout,
    pub(super) metric: Metric,
    pub(super) planes: Planes,
    pub(super) pulls: Vec<Pull>,
    /// The unit of each pull.
    units: Vec<usize>,
    /// For each cell of the blank the ways to get there.
    pub(super) links: Vec<Vec<Link>>,
    pub(super) carries: Vec<Carry>,
    /// The words of each carry.
    pub(super) carried: Vec<Box<[AtomicU64]>>,
    /// For each carry the pull to the middle.
    pub(super) carry_pulls: Vec<usize>,
    /// For each cell the last level that found boards there.
    pub(super) fresh: Vec<u32>,
    /// The parities of the words of a large group: see [`Parities`].
    parities: Vec<u8>,
    /// How many tiles its words agree in.
    parities_from: usize,
    scratches: Scratches,
    threads: usize,
    budget: &'a Budget,
}

/// Searches a space, with no more threads than are worth it.
pub(super) fn search<V: Visitor>(
    key: &SpaceKey,
    layout: &Layout,
    threads: usize,
    budget: &Budget,
    visitor: &mut V,
) -> Result<Planes, BuildError> {
    let threads = useful_threads(layout, threads);
    let mut search = Search::new(layout, key.metric, threads, budget)?;
    search.begin();
    let mut distance = 0;
    let mut counts = vec![0; layout.size().cells()];
    counts[layout.goal().blank] = 1;
    let mut notes = V::Notes::default();
    let goal = layout.goal();
    visitor.found(
        &mut notes,
        Found {
            distance,
            blank: goal.blank,
            word: goal.word,
            bits: 1 << goal.bit,
        },
    );
    let mut notes = vec![notes];
    while visitor.level(distance, &counts, notes) {
        distance += 1;
        search.carry(distance - 1);
        (counts, notes) = search.level(distance, &*visitor);
        budget.check().map_err(BuildError::Stopped)?;
        if counts.iter().all(|&count| count == 0) {
            break;
        }
    }
    Ok(search.planes)
}

/// No more threads than are worth it: to start one takes as long as some thousand words.
pub(super) fn useful_threads(layout: &Layout, threads: usize) -> usize {
    threads.clamp(1, layout.all_words() / 20_000 + 1)
}

/// How many words to fill at once with pulls of these [units](PullWindow::unit): as many as agree in
/// their first tiles, not too few for any pull, and about [`STRETCH`].
pub(super) fn stretch(layout: &Layout, units: impl Iterator<Item = usize>) -> usize {
    let least = units.max().unwrap_or(1).max(STRETCH);
    let mut groups = (0..=layout.high()).rev().map(|k| layout.group(k));
    let enough = groups.find(|&group| group >= least);
    enough.unwrap_or(layout.words())
}

impl<'a> Search<'a> {
    fn new(
        layout: &'a Layout,
        metric: Metric,
        threads: usize,
        budget: &'a Budget,
    ) -> Result<Self, BuildError> {
        let mut search = Self {
            layout,
            metric,
            planes: Planes::new(layout, budget)?,
            pulls: Vec::new(),
            units: Vec::new(),
            links: Vec::new(),
            carries: carries(layout, metric),
            carried: Vec::new(),
            carry_pulls: Vec::new(),
            fresh: vec![u32::MAX; layout.size().cells()],
            parities: Vec::new(),
            parities_from: 0,
            scratches: Scratches::default(),
            threads,
            budget,
        };
        for carry in search.carries.clone() {
            search.carried.push(zeroed(layout.words(), budget)?);
            let pull = search.add_pull(carry.side, carry.middle)?;
            search.carry_pulls.push(pull);
        }
        for to in 0..layout.size().cells() {
            let links = search.links_to(to)?;
            search.links.push(links);
        }

        let longest = stretch(layout, search.units.iter().copied());
        let is_longest = |&k: &usize| layout.group(k) == longest;
        search.parities_from = (0..=layout.high()).find(is_longest).unwrap_or(0);
        let parity = |word: usize| layout.word_parity(word) as u8;
        search.parities = filled(longest, budget, parity)?;
        Ok(search)
    }

    fn add_pull(&mut self, from: usize, to: usize) -> Result<usize, BuildError> {
        let window = PullWindow::new(self.layout, from, to);
        self.pulls
            .push(Pull::new(self.layout, window, self.budget)?);
        self.units.push(window.unit(self.layout));
        Ok(self.pulls.len() - 1)
    }

    fn links_to(&mut self, to: usize) -> Result<Vec<Link>, BuildError> {
        let size = self.layout.size();
        let (columns, row, column) = (size.columns(), size.row(to), size.column(to));
        let reach = match self.metric {
            Metric::Single => 1,
            Metric::Multi => columns,
        };
        let along = (0..columns).filter(|&other| (1..=reach).contains(&other.abs_diff(column)));
        let mut links: Vec<Link> = along
            .map(|other| Link {
                from: From::Cell(row * columns + other),
                pull: None,
            })
            .collect();
        let vertical = [Move::Down, Move::Up].into_iter();
        for middle in vertical.filter_map(|m| size.neighbour(to, m)) {
            // Beyond the middle cell, if there is one, a carry has both.
            let beyond = |carry: &Carry| carry.middle == middle && carry.side != to;
            let from = match self.carries.iter().position(beyond) {
                Some(carry) => From::Carry(carry),
                None => From::Cell(middle),
            };
            let pull = Some(self.add_pull(middle, to)?);
            links.push(Link { from, pull });
        }
        Ok(links)
    }

    /// Marks the goal.
    fn begin(&mut self) {
        let goal = self.layout.goal();
        let word = goal.blank * self.layout.words() + goal.word;
        let code = Code::new(self.metric, 0);
        for (plane, bit) in self.planes.planes.iter().zip(code.bits) {
            plane[word].store(u64::from(bit) << goal.bit, Ordering::Relaxed);
        }
        self.fresh[goal.blank] = 0;
        self.budget.count(1);
    }

    /// Boards of a distance with the blank in that cell.
    pub(super) fn source(&self, cell: usize, distance: u32) -> Source<'_> {
        Source {
            planes: self.planes.at(self.layout, cell),
            flip: Code::new(self.metric, distance).flip(),
        }
    }

    /// Fills the carries with boards of a distance.
    fn carry(&self, distance: u32) {
        let stretches: Vec<Piece> = (0..self.carries.len())
            .flat_map(|i| {
                let length = self.stretch([self.carry_pulls[i]]);
                (0..self.layout.words() / length).map(move |n| (i, n * length, length))
            })
            .collect();
        self.share(&stretches, |(): &mut (), scratch, &(i, start, length)| {
            if self.budget.check().is_err() {
                return;
            }
            run_fast(FillCarry {
                search: self,
                scratch,
                carry: i,
                start,
                length,
                distance,
            });
        });
    }

    /// Searches a level: how many boards it has for each cell of the blank, and what the threads
    /// noted.
    fn level<V: Visitor>(&mut self, distance: u32, visitor: &V) -> (Vec<u64>, Vec<V::Notes>) {
        let cells = self.layout.size().cells();
        let is_target = |&cell: &usize| {
            self.links[cell]
                .iter()
                .any(|link| self.is_fresh(link, distance - 1))
        };
        let stretches: Vec<Piece> = (0..cells)
            .filter(is_target)
            .flat_map(|cell| {
                let pulls = self.links[cell].iter().filter_map(|link| link.pull);
                let length = self.stretch(pulls);
                (0..self.layout.words() / length).map(move |n| (cell, n * length, length))
            })
            .collect();
        let notes = self.share(
            &stretches,
            |notes: &mut Local<V::Notes>, scratch, &(cell, start, length)| {
                if self.budget.check().is_err() {
                    return;
                }
                let count = run_fast(Fill {
                    search: self,
                    visitor,
                    scratch,
                    notes: &mut notes.notes,
                    cell,
                    start,
                    length,
                    distance,
                });
                self.budget.count(count);
                notes.counts.resize(cells, 0);
                notes.counts[cell] += count;
            },
        );
        let mut counts = vec![0; cells];
        for (cell, count) in counts.iter_mut().enumerate() {
            let of_thread = |local: &Local<V::Notes>| local.counts.get(cell).copied();
            *count = notes.iter().filter_map(of_thread).sum();
            if *count > 0 {
                self.fresh[cell] = distance;
            }
        }
        (counts, notes.into_iter().map(|local| local.notes).collect())
    }

    /// Whether a link has anything of a distance.
    pub(super) fn is_fresh(&self, link: &Link, distance: u32) -> bool {
        match link.from {
            From::Cell(cell) => self.fresh[cell] == distance,
            From::Carry(i) => {
                let Carry { side, middle } = self.carries[i];
                self.fresh[side] == distance || self.fresh[middle] == distance
            }
        }
    }

    /// How many words to fill at once with these pulls.
    fn stretch(&self, pulls: impl IntoIterator<Item = usize>) -> usize {
        stretch(self.layout, pulls.into_iter().map(|pull| self.units[pull]))
    }

    /// The parities of the low tiles' orders in a stretch of words with the blank in a cell.
    pub(super) fn parities(&self, cell: usize, start: usize, length: usize) -> Parities<'_> {
        let group = self.parities.len();
        let common = self.layout.digits_parity(start / group, self.parities_from);
        Parities {
            words: &self.parities[start % group..][..length],
            common: common ^ self.layout.parity(cell),
        }
    }

    /// Hands out pieces of work to the threads, each with notes of its own.
    fn share<P: Sync, N: Default + Send>(
        &self,
        pieces: &[P],
        work: impl Fn(&mut N, &mut Scratch, &P) + Sync,
    ) -> Vec<N> {
        let next = AtomicUsize::new(0);
        let all = Mutex::new(Vec::new());
        on_threads(self.threads.min(pieces.len()), || {
            let mut notes = N::default();
            let mut scratch = self.scratches.take();
            while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                work(&mut notes, &mut scratch, piece);
            }
            self.scratches.put(scratch);
            if let Ok(mut all) = all.lock() {
                all.push(notes);
            }
        });
        all.into_inner().unwrap_or_default()
    }
}
