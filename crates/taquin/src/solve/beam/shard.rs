//! A beam search on one thread or several.
//!
//! Every thread owns a shard: the boards whose hash falls to it. A level takes two steps. First
//! each thread makes the children of its boards and hands each to the shard it falls to; then each
//! thread takes the best of what it was handed. Equal boards meet in one shard, so the same
//! boards are kept whichever thread is faster.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, mpsc};
use std::thread;

use crate::Move;
use crate::cpu::{Work, run_fast};
use crate::outcome::Budget;
use crate::solve::position::Position;
use crate::threads::start as start_thread;

use super::guide::{Guide, Slide};
use super::level::{Level, Shape};
use super::pace::{Pace, Width};
use super::picker::{Candidate, Picker};
use super::zobrist::Zobrist;

/// A beam search to run.
pub(crate) struct Beam<'a, G> {
    /// What ranks boards.
    pub(crate) guide: &'a G,
    /// Where to start.
    pub(crate) position: &'a Position,
    /// How many boards to keep.
    pub(crate) width: Width,
    /// How many threads to use.
    pub(crate) threads: usize,
    /// Only solutions of at most so many moves are of interest.
    pub(crate) longest: u32,
    /// What it may spend; looked at once a level.
    pub(crate) budget: &'a Budget,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// A solution.
    pub(crate) moves: Option<Vec<Move>>,
    /// Without one: the way to the most promising board that was seen.
    pub(crate) nearest: Option<Vec<Move>>,
    /// Boards whose children were made.
    pub(crate) expanded: u64,
    /// Children made.
    pub(crate) generated: u64,
}

/// Parents whose children are looked up together, so that memory answers them together.
const BLOCK: usize = 32;
/// More threads than that have nothing to do but wait for one another.
const MAX_THREADS: usize = 16;
/// Boards of a level for each thread: fewer take no longer than the threads take to meet.
const THREAD_BOARDS: usize = 16;
/// A beam that comes no nearer for so many levels, for each cell of the longer side, is stuck.
const PATIENCE: u32 = 8;
/// Each thread remembers so many boards for each that it keeps on a level.
const REMEMBERED: usize = 16;

/// Bytes for each board of the width, in all: this level and the next, candidates for it, what was
/// kept before, and where a solution of so many moves came from.
pub(crate) const fn bytes_per_board(cells: usize, notes: usize, length: usize) -> usize {
    2 * Shape::new(cells, notes).bytes()
        + 8 * size_of::<Candidate>()
        + 2 * REMEMBERED * 8
        + 4 * length
}

impl<G: Guide> Beam<'_, G> {
    /// How many threads have enough to do.
    fn threads(&self) -> usize {
        let boards = match self.width {
            Width::Fixed(width) => width,
            Width::Until { most, .. } => most,
        };
        let most = MAX_THREADS.min(boards.div_ceil(THREAD_BOARDS));
        self.threads.min(most)
    }

    /// Searches.
    pub(crate) fn run(&self) -> Found {
        let homes: Vec<u8> = self.position.homes().iter().map(|&h| h as u8).collect();
        let blank = self.position.blank() as u8;
        let mut notes = vec![0; self.guide.words()];
        let start = self.guide.begin(&homes, blank, &mut notes);
        if start.bound == 0 {
            return Found {
                moves: Some(Vec::new()),
                ..Found::default()
            };
        }
        if start.bound > self.longest {
            return Found::default();
        }
        let common = OnceLock::new();
        thread::scope(|scope| {
            // Threads that cannot be started are not missed, if that is known before the others
            // begin to wait for them.
            let mut helpers = Vec::new();
            for me in 1..self.threads() {
                let (start, started) = mpsc::channel::<&Shared<'_, G>>();
                let help = move || {
                    if let Ok(shared) = started.recv() {
                        run_fast(Shard { shared, me });
                    }
                };
                if start_thread(scope, help).is_none() {
                    break;
                }
                helpers.push(start);
            }
            let shared = common.get_or_init(|| Shared::new(self, helpers.len() + 1, &homes));
            read_write(&shared.levels[0][0]).push_start(shared.start, &homes, blank, &notes);
            for helper in helpers {
                // It waits for this.
                let _ = helper.send(shared);
            }
            run_fast(Shard { shared, me: 0 });
        });
        common
            .into_inner()
            .map_or_else(Found::default, Shared::found)
    }
}

/// What the threads share.
struct Shared<'a, G> {
    beam: &'a Beam<'a, G>,
    zobrist: Zobrist,
    /// For each cell of the blank and each move, the cell of the tile that slides.
    sliding_cells: Box<[[Option<u8>; 4]]>,
    /// The hash of the start.
    start: u64,
    pace: Pace,
    shards: usize,
    /// How many boards each shard keeps.
    quota: AtomicUsize,
    /// This level and the next one, in turns, by shard.
    levels: [Vec<RwLock<Level>>; 2],
    /// Children, by the shard that hands them over, then by the one that takes them.
    boxes: Vec<Vec<Mutex<Vec<Candidate>>>>,
    /// By shard: for each level where each board came from, see [`Shared::step`].
    history: Vec<Mutex<Vec<Vec<u32>>>>,
    barrier: Barrier,
    /// The last step of a solution, and the level of the board it starts from.
    goal: Mutex<Option<(usize, u32)>>,
    over: AtomicBool,
    /// The best score so far, the level of the parent of the board that has it, and its step.
    nearest: Mutex<Option<(u32, u32, u32)>>,
    /// The smallest bound of a level's children, for even and odd depths.
    bound: [AtomicU32; 2],
    /// Boards kept, on levels of even and of odd depth.
    kept: [AtomicUsize; 2],
    expanded: AtomicU64,
    generated: AtomicU64,
}

impl<'a, G: Guide> Shared<'a, G> {
    fn new(beam: &'a Beam<'a, G>, shards: usize, homes: &[u8]) -> Self {
        let size = beam.position.size();
        let cells = size.cells();
        let slides = |blank| Move::ALL.map(|m| size.neighbour(blank, m).map(|cell| cell as u8));
        let shape = Shape::new(cells, beam.guide.words());
        let zobrist = Zobrist::new(cells);
        let pace = Pace::new(beam.width);
        let levels = || {
            let levels = (0..shards).map(|_| RwLock::new(Level::new(shape)));
            levels.collect::<Vec<_>>()
        };
        let boxes = || (0..shards).map(|_| Mutex::default()).collect();
        Self {
            beam,
            start: zobrist.hash(homes, beam.position.blank() as u8),
            zobrist,
            sliding_cells: (0..cells).map(slides).collect(),
            quota: AtomicUsize::new(pace.width(0, 0, 0).div_ceil(shards)),
            pace,
            shards,
            levels: [levels(), levels()],
            boxes: (0..shards).map(|_| boxes()).collect(),
            history: (0..shards).map(|_| Mutex::default()).collect(),
            barrier: Barrier::new(shards),
            goal: Mutex::new(None),
            over: AtomicBool::new(false),
            nearest: Mutex::new(None),
            bound: [AtomicU32::new(u32::MAX), AtomicU32::new(u32::MAX)],
            kept: Default::default(),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
        }
    }

    /// A board by its number in its shard, and a move, as one number.
    #[inline(always)]
    const fn step(&self, shard: usize, index: usize, number: u8) -> u32 {
        ((index * self.shards + shard) << 2) as u32 | number as u32
    }

    /// The cell of the tile that slides with `Move::ALL[number]`.
    #[inline(always)]
    fn sliding_cell(&self, blank: u8, number: u8) -> Option<u8> {
        self.sliding_cells[usize::from(blank)][usize::from(number) % 4]
    }

    /// The shard, the number in it, and the move.
    #[inline(always)]
    const fn parts(&self, step: u32) -> (usize, usize, u8) {
        let board = (step >> 2) as usize;
        (board % self.shards, board / self.shards, (step & 3) as u8)
    }

    fn found(self) -> Found {
        let goal = *lock(&self.goal);
        let nearest = *lock(&self.nearest);
        let history: Vec<_> = self.history.iter().map(lock).collect();
        let way = |mut level: usize, mut step: u32| {
            let mut moves = Vec::with_capacity(level + 1);
            loop {
                let (shard, index, number) = self.parts(step);
                moves.push(Move::ALL[usize::from(number)]);
                if level == 0 {
                    break;
                }
                level -= 1;
                step = history[shard][level][index];
            }
            moves.reverse();
            moves
        };
        let moves = goal.map(|(level, step)| way(level, step));
        let nearest = nearest.filter(|_| goal.is_none());
        let nearest = nearest.map(|(_, level, step)| way(level as usize, step));
        drop(history);
        Found {
            moves,
            nearest,
            expanded: self.expanded.into_inner(),
            generated: self.generated.into_inner(),
        }
    }
}

/// One thread's part.
struct Shard<'a, G> {
    shared: &'a Shared<'a, G>,
    me: usize,
}

impl<G: Guide> Work for Shard<'_, G> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let shared = self.shared;
        let mut outbox = vec![Vec::new(); shared.shards];
        let mut picker = Picker::new(REMEMBERED * shared.quota.load(Ordering::Relaxed));
        picker.remember(shared.start);
        for depth in 0.. {
            let turn = depth as usize % 2;

            // Step 1: children.
            self.generate(depth, &mut outbox);
            for (list, taker) in outbox.iter_mut().zip(&shared.boxes[self.me]) {
                std::mem::swap(&mut *lock(taker), list);
            }
            if self.me == 0 && self.gives_up(depth) {
                shared.over.store(true, Ordering::Relaxed);
            }
            shared.barrier.wait();
            if shared.over.load(Ordering::Relaxed) || lock(&shared.goal).is_some() {
                return;
            }

            // Step 2: the best of them. All threads have read the other counter by now.
            shared.kept[1 - turn].store(0, Ordering::Relaxed);
            let bound = shared.bound[turn].load(Ordering::Relaxed);
            shared.bound[1 - turn].store(u32::MAX, Ordering::Relaxed);
            self.choose(depth, &mut picker);
            for (giver, list) in shared.boxes.iter().zip(&mut outbox) {
                let mut taken = lock(&giver[self.me]);
                taken.clear();
                // The memory goes back to where it is needed next, from whichever thread.
                std::mem::swap(&mut *taken, list);
                taken.clear();
            }
            shared.barrier.wait();
            if shared.kept[turn].load(Ordering::Relaxed) == 0 {
                return;
            }
            if self.me == 0 {
                let expanded = shared.expanded.load(Ordering::Relaxed);
                let width = shared.pace.width(depth, bound, expanded);
                let quota = width.div_ceil(shared.shards);
                shared.quota.store(quota, Ordering::Relaxed);
            }
        }
    }
}

impl<G: Guide> Shard<'_, G> {
    /// Makes the children of this shard's boards.
    #[inline(always)]
    fn generate(&self, depth: u32, outbox: &mut [Vec<Candidate>]) {
        let shared = self.shared;
        let guide = shared.beam.guide;
        let level = read(&shared.levels[depth as usize % 2][self.me]);
        let left = shared.beam.longest.saturating_sub(depth + 1);
        let mut block = Vec::with_capacity(BLOCK * 4);
        let mut generated = 0;
        let mut least = u32::MAX;
        for first in (0..level.len()).step_by(BLOCK) {
            block.clear();
            for index in first..(first + BLOCK).min(level.len()) {
                let item = level.get(index);
                for number in 0..4 {
                    // Opposites differ in the last bit.
                    if number == item.last ^ 1 {
                        continue;
                    }
                    let Some(from) = shared.sliding_cell(item.blank, number) else {
                        continue;
                    };
                    let slide = Slide {
                        tile: item.homes[usize::from(from)],
                        from,
                        to: item.blank,
                    };
                    let glance = guide.glance(item.notes, slide);
                    block.push((index, number, slide, glance));
                }
            }
            generated += block.len() as u64;
            for &(index, number, slide, glance) in &block {
                let item = level.get(index);
                let appraisal = guide.appraise(item.homes, item.notes, slide, glance);
                if appraisal.bound > left {
                    continue;
                }
                let step = shared.step(self.me, index, number);
                if appraisal.bound == 0 {
                    let mut goal = lock(&shared.goal);
                    // Of several always the same, whichever thread comes first.
                    if goal.is_none_or(|(_, other)| step < other) {
                        *goal = Some((depth as usize, step));
                    }
                    continue;
                }
                least = least.min(appraisal.bound);
                let Slide { tile, from, to } = slide;
                let hash = shared.zobrist.after(item.hash, tile, from, to);
                outbox[(hash >> 48) as usize % shared.shards].push(Candidate {
                    hash,
                    step,
                    score: appraisal.score,
                });
            }
        }
        shared.bound[depth as usize % 2].fetch_min(least, Ordering::Relaxed);
        let expanded = level.len() as u64;
        shared.expanded.fetch_add(expanded, Ordering::Relaxed);
        shared.generated.fetch_add(generated, Ordering::Relaxed);
    }

    /// Whether it is to stop, or nothing has come nearer for long.
    fn gives_up(&self, depth: u32) -> bool {
        let shared = self.shared;
        let size = shared.beam.position.size();
        let patience = PATIENCE * size.rows().max(size.columns()) as u32;
        let nearest = *lock(&shared.nearest);
        nearest.is_some_and(|(_, level, _)| depth > level + patience)
            || shared.beam.budget.check().is_err()
    }

    /// Takes the best of what this shard was handed.
    #[inline(always)]
    fn choose(&self, depth: u32, picker: &mut Picker) {
        let shared = self.shared;
        let turn = depth as usize % 2;
        let inbox: Vec<_> = shared.boxes.iter().map(|row| lock(&row[self.me])).collect();
        let lists: Vec<&[Candidate]> = inbox.iter().map(|list| &list[..]).collect();
        let expanded = shared.expanded.load(Ordering::Relaxed);
        let left = shared.beam.budget.nodes_left().saturating_sub(expanded) / shared.shards as u64;
        let quota = shared.quota.load(Ordering::Relaxed);
        picker.pick(&lists, quota.min(usize::try_from(left).unwrap_or(quota)));
        let parents: Vec<_> = shared.levels[turn].iter().map(read).collect();
        let mut next = read_write(&shared.levels[1 - turn][self.me]);
        next.clear();
        for candidate in &picker.chosen {
            let (shard, index, number) = shared.parts(candidate.step);
            let blank = parents[shard].get(index).blank;
            if let Some(from) = shared.sliding_cell(blank, number) {
                let parent = (&*parents[shard], index);
                next.push_after(shared.beam.guide, parent, (number, from), candidate.hash);
            }
        }
        if let Some(first) = picker.chosen.first() {
            let mut nearest = lock(&shared.nearest);
            let this = (first.score, depth, first.step);
            // Of several always the same, whichever thread comes first.
            if nearest.is_none_or(|best| this < best) {
                *nearest = Some(this);
            }
        }
        let steps: Vec<u32> = picker.chosen.iter().map(|c| c.step).collect();
        shared.kept[turn].fetch_add(steps.len(), Ordering::Relaxed);
        lock(&shared.history[self.me]).push(steps);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn read_write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
