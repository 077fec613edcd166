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
use crate::threads::start as start_thread;

use super::guide::Appraisal;
use super::level::{Level, Shape};
use super::pace::{Pace, Width};
use super::picker::{Candidate, Picker};
use super::play::{Child, Play};

/// A beam search to run.
pub(crate) struct Beam<'a, P> {
    /// Where to start, what a move is, and what ranks boards.
    pub(crate) play: &'a P,
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

/// More threads than that have nothing to do but wait for one another.
const MAX_THREADS: usize = 16;
/// Boards of a level for each thread: fewer take no longer than the threads take to meet.
const THREAD_BOARDS: usize = 16;
/// A beam that comes no nearer for so many levels, for each cell of the longer side, is stuck.
const PATIENCE: u32 = 8;
/// Each thread remembers so many boards for each that it keeps on a level.
const REMEMBERED: usize = 16;

/// Bytes for each board of the width, in all: this level and the next, candidates for it, which are
/// so many and those picked, what was kept before, and where a solution of so many moves came from.
pub(crate) const fn bytes_per_board(shape: Shape, children: usize, length: usize) -> usize {
    2 * shape.bytes()
        + (2 * children + 2) * size_of::<Candidate>()
        + 2 * REMEMBERED * 8
        + 4 * length
}

impl<P: Play> Beam<'_, P> {
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
        let mut level = Level::new(self.play.shape());
        let starts = self.play.begin(&mut level);
        let bound = |&(_, (_, start)): &(usize, (u64, Appraisal))| start.bound;
        let Some((first, (_, start))) = (0..).zip(starts.iter().copied()).min_by_key(bound) else {
            return Found::default();
        };
        if start.bound > self.longest {
            return Found::default();
        }
        if start.bound <= P::LAST {
            return Found {
                moves: Some(self.play.moves(first, &[], true)),
                ..Found::default()
            };
        }
        let common = OnceLock::new();
        thread::scope(|scope| {
            // Threads that cannot be started are not missed, if that is known before the others
            // begin to wait for them.
            let mut helpers = Vec::new();
            for me in 1..self.threads() {
                let (start, started) = mpsc::channel::<&Shared<'_, P>>();
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
            let shared = common.get_or_init(|| Shared::new(self, helpers.len() + 1, starts));
            *read_write(&shared.levels[0][0]) = level;
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
struct Shared<'a, P> {
    beam: &'a Beam<'a, P>,
    /// The boards of the first level.
    starts: Vec<(u64, Appraisal)>,
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
    /// The level of a board and the step from it to one as good as the goal, after its bound.
    goal: Mutex<Option<(usize, (u32, u32))>>,
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

impl<'a, P: Play> Shared<'a, P> {
    fn new(beam: &'a Beam<'a, P>, shards: usize, starts: Vec<(u64, Appraisal)>) -> Self {
        let shape = beam.play.shape();
        let pace = Pace::new(beam.width);
        let levels = || {
            let levels = (0..shards).map(|_| RwLock::new(Level::new(shape)));
            levels.collect::<Vec<_>>()
        };
        let boxes = || (0..shards).map(|_| Mutex::default()).collect();
        Self {
            beam,
            starts,
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
        ((index * self.shards + shard) << P::BITS) as u32 | number as u32
    }

    /// The shard, the number in it, and the move.
    #[inline(always)]
    const fn parts(&self, step: u32) -> (usize, usize, u8) {
        let board = (step >> P::BITS) as usize;
        let number = step as u8 & ((1 << P::BITS) - 1);
        (board % self.shards, board / self.shards, number)
    }

    fn found(self) -> Found {
        let goal = *lock(&self.goal);
        let nearest = *lock(&self.nearest);
        let history: Vec<_> = self.history.iter().map(lock).collect();
        let way = |mut level: usize, mut step: u32, to_goal: bool| {
            let mut numbers = Vec::with_capacity(level + 1);
            loop {
                let (shard, index, number) = self.parts(step);
                numbers.push(number);
                if level == 0 {
                    numbers.reverse();
                    return self.beam.play.moves(index, &numbers, to_goal);
                }
                level -= 1;
                step = history[shard][level][index];
            }
        };
        let moves = goal.map(|(level, (_, step))| way(level, step, true));
        let nearest = nearest.filter(|_| goal.is_none());
        let nearest = nearest.map(|(_, level, step)| way(level as usize, step, false));
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
struct Shard<'a, P> {
    shared: &'a Shared<'a, P>,
    me: usize,
}

impl<P: Play> Work for Shard<'_, P> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let shared = self.shared;
        let mut outbox = vec![Vec::new(); shared.shards];
        let mut picker = Picker::new(REMEMBERED * shared.quota.load(Ordering::Relaxed));
        for &(hash, _) in &shared.starts {
            picker.remember(hash);
        }
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

impl<P: Play> Shard<'_, P> {
    /// Makes the children of this shard's boards.
    #[inline(always)]
    fn generate(&self, depth: u32, outbox: &mut [Vec<Candidate>]) {
        let shared = self.shared;
        let level = read(&shared.levels[depth as usize % 2][self.me]);
        let left = shared.beam.longest.saturating_sub(depth + 1);
        let mut generated = 0;
        let mut least = u32::MAX;
        shared.beam.play.children(&level, |child: Child| {
            generated += 1;
            let Appraisal { score, bound } = child.appraisal;
            if bound > left {
                return;
            }
            let step = shared.step(self.me, child.index, child.number);
            if bound <= P::LAST {
                let mut goal = lock(&shared.goal);
                // Of several always the same, whichever thread comes first.
                if goal.is_none_or(|(_, other)| (bound, step) < other) {
                    *goal = Some((depth as usize, (bound, step)));
                }
                return;
            }
            least = least.min(bound);
            let hash = child.hash;
            outbox[(hash >> 48) as usize % shared.shards].push(Candidate { hash, step, score });
        });
        shared.bound[depth as usize % 2].fetch_min(least, Ordering::Relaxed);
        let expanded = level.len() as u64;
        shared.expanded.fetch_add(expanded, Ordering::Relaxed);
        shared.generated.fetch_add(generated, Ordering::Relaxed);
    }

    /// Whether it is to stop, or nothing has come nearer for long.
    fn gives_up(&self, depth: u32) -> bool {
        let shared = self.shared;
        let size = shared.beam.play.size();
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
            let parent = (&*parents[shard], index);
            let play = shared.beam.play;
            play.follow(&mut next, parent, number, candidate.hash);
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
