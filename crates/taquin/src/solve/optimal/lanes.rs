//! The inner loop: several depth-first searches side by side on one thread.
//!
//! A lookup in a table of two hundred megabytes takes as long as some hundred instructions. So a
//! search that has computed where to look asks for that memory and gives way to the next one; when
//! its turn comes again, the bits are there. Each of these searches, a *lane*, works on a task of
//! its own and keeps one board, which it changes and changes back.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::Move;
use crate::cpu::{self, Work};
use crate::outcome::Limit;
use crate::solve::AutomatonState;

use super::engine::{Engine, PADDED};
use super::lookup::{Lookup, Word};
use super::tasks::Task;
use crate::outcome::Budget;

/// How many lanes a thread has: enough that memory answers before a lane's turn comes again.
const LANES: usize = 4;

/// How many views are looked up at a time. One by one would save lookups, but cost more in turns
/// that end otherwise than the processor had guessed.
const TOGETHER: usize = 2;

/// One iteration, shared by all threads.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) engine: &'a Engine,
    pub(super) lookups: &'a [Lookup<'a>],
    pub(super) tasks: &'a [Task],
    /// Nodes whose solutions must be longer than this are cut off.
    pub(super) threshold: u16,
    pub(super) want: Want,
    pub(super) budget: &'a Budget,
    /// The next task that nobody has taken.
    pub(super) next: AtomicUsize,
    /// Set when what was wanted is found.
    pub(super) enough: AtomicBool,
}

/// What an iteration looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// One solution.
    First,
    /// The first solutions, so many at most; whether there are more is not asked.
    Some(usize),
    /// All solutions, of which so many at most are listed from each task.
    Each(usize),
}

/// What a thread found, and what it took.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Solutions, with the number of the task that they are from.
    pub(super) solutions: Vec<(usize, Vec<Move>)>,
    /// How many solutions there were, listed or not.
    pub(super) count: u64,
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// The limit that stopped it.
    pub(super) limit: Option<Limit>,
    /// Whether all tasks were searched.
    pub(super) whole: bool,
}

/// A node's child while it is looked up, view by view.
#[derive(Clone, Copy, Debug)]
struct Child<const VIEWS: usize> {
    /// For each view, the word of the slot that follows the moved tile.
    words: [Word; VIEWS],
    slots: [u8; VIEWS],
    sums: [u8; VIEWS],
    /// The bits that are being looked up.
    bits: [usize; TOGETHER],
    /// The move, as an index into `Move::ALL`; the tile, and the cell that it comes from.
    index: u8,
    tile: u8,
    from: u8,
}

/// A node on the way from the task to where the lane is.
#[derive(Clone, Copy, Debug)]
struct Frame<const VIEWS: usize> {
    children: [Child<VIEWS>; 4],
    /// The children that were not cut off, and how many they are.
    alive: [u8; 4],
    count: u8,
    /// How many of them were followed.
    followed: u8,
    blank: u8,
    state: AutomatonState,
    sums: [u8; VIEWS],
    /// For each view, the word that the child being followed has replaced.
    replaced: [Word; VIEWS],
}

impl<const VIEWS: usize> Frame<VIEWS> {
    /// The child being followed.
    #[inline(always)]
    fn child(&self) -> &Child<VIEWS> {
        &self.children[usize::from(self.alive[usize::from(self.followed - 1) & 3]) & 3]
    }
}

/// A depth-first search.
#[derive(Debug)]
struct Lane<const VIEWS: usize> {
    tiles: [u8; PADDED],
    words: [Word; Engine::MAX_SLOTS],
    frames: Vec<Frame<VIEWS>>,
    /// The frame whose children are being looked up, and after how many other views.
    depth: usize,
    views: usize,
    /// Moves from the start to that frame's node.
    length: u16,
    task: usize,
    /// How many solutions of that task were listed.
    listed: usize,
}

/// The lanes of one thread.
#[derive(Debug)]
pub(super) struct Lanes<const VIEWS: usize> {
    lanes: Vec<Lane<VIEWS>>,
}

/// What a lane says when it gives way.
enum LaneStep {
    /// Lookups are under way.
    Waiting,
    /// The child being followed is the goal.
    Goal,
    /// The whole subtree was searched.
    Done,
}

impl<const VIEWS: usize> Lanes<VIEWS> {
    pub(super) const fn new() -> Self {
        Self { lanes: Vec::new() }
    }

    /// Room for paths up to this threshold.
    fn prepare(&mut self, engine: &Engine, threshold: u16) {
        let child = Child {
            words: [Word::default(); VIEWS],
            slots: [0; VIEWS],
            sums: [0; VIEWS],
            bits: [0; TOGETHER],
            index: 0,
            tile: 0,
            from: 0,
        };
        let frame = Frame {
            children: [child; 4],
            alive: [0; 4],
            count: 0,
            followed: 0,
            blank: 0,
            state: engine.automaton.start(),
            sums: [0; VIEWS],
            replaced: [Word::default(); VIEWS],
        };
        self.lanes.resize_with(LANES, || Lane {
            tiles: [0; PADDED],
            words: [Word::default(); Engine::MAX_SLOTS],
            frames: Vec::new(),
            depth: 0,
            views: 0,
            length: 0,
            task: 0,
            listed: 0,
        });
        for lane in &mut self.lanes {
            // Deep enough for this iteration and the next few.
            let depth = usize::from(threshold) + 1;
            if lane.frames.len() < depth {
                lane.frames.resize(depth + 16, frame);
            }
            // Nothing is under way: its first turn takes up a task.
            lane.depth = 0;
            lane.views = VIEWS;
            lane.frames[0].count = 0;
            lane.frames[0].followed = 0;
        }
    }
}

/// One thread's part of an iteration.
pub(super) struct Iteration<'a, const VIEWS: usize> {
    pub(super) job: &'a Job<'a>,
    pub(super) lanes: &'a mut Lanes<VIEWS>,
}

impl<const VIEWS: usize> Work for Iteration<'_, VIEWS> {
    type Result = Found;

    #[inline(always)]
    fn run(self) -> Found {
        let Self { job, lanes } = self;
        lanes.prepare(job.engine, job.threshold);
        let mut lanes = &mut lanes.lanes[..];
        let mut found = Found::default();
        // Nodes that may be expanded before the limits are looked at again.
        let mut allowed = 0;
        // Nodes that others have been told of.
        let mut told = 0;

        let mut turn = 0;
        while !lanes.is_empty() {
            if found.expanded >= allowed {
                job.budget.finish(found.expanded - told);
                told = found.expanded;
                match job.budget.take(job.enough.load(Ordering::Relaxed)) {
                    Ok(0) => break,
                    Ok(more) => allowed += more,
                    Err(limit) => {
                        found.limit = Some(limit);
                        break;
                    }
                }
            }
            let lane = &mut lanes[turn];
            let keep = match lane.step(job, &mut found) {
                LaneStep::Waiting => true,
                LaneStep::Goal => {
                    lane.record(job, &mut found);
                    // It goes on with the next child, if more is wanted.
                    lane.views = VIEWS;
                    job.want != Want::First
                }
                LaneStep::Done => lane.take_up(job, &mut found),
            };
            if keep {
                turn += 1;
            } else {
                if job.want == Want::First && found.count > 0 {
                    // What the other lanes are at is of no interest any more.
                    break;
                }
                let last = lanes.len() - 1;
                lanes.swap(turn, last);
                lanes = &mut lanes[..last];
            }
            if turn >= lanes.len() {
                turn = 0;
            }
        }
        job.budget.finish(found.expanded - told);
        job.budget.give_back(allowed.saturating_sub(found.expanded));
        found
    }
}

impl<const VIEWS: usize> Lane<VIEWS> {
    /// Takes the next task that is within the threshold; whether there is one.
    #[inline(always)]
    fn take_up(&mut self, job: &Job<'_>, found: &mut Found) -> bool {
        while !job.enough.load(Ordering::Relaxed) {
            self.task = job.next.fetch_add(1, Ordering::Relaxed);
            self.listed = 0;
            let Some(task) = job.tasks.get(self.task) else {
                return false;
            };
            if task.bound() > job.threshold {
                continue;
            }
            if task.is_goal() {
                self.keep(job, found, task.path.clone());
                continue;
            }
            self.tiles = task.tiles;
            self.words = task.words;
            self.depth = 0;
            self.length = task.path.len() as u16;
            let frame = &mut self.frames[0];
            for (sum, task) in frame.sums.iter_mut().zip(task.sums) {
                // Within the threshold, which fits.
                *sum = task as u8;
            }
            frame.blank = task.blank;
            frame.state = task.state;
            self.expand(job, found);
            return true;
        }
        false
    }

    /// Makes the children of the frame at `depth`, and starts to look them up in the first view.
    #[inline(always)]
    fn expand(&mut self, job: &Job<'_>, found: &mut Found) {
        let engine = job.engine;
        let frame = &mut self.frames[self.depth];
        let mut moves = engine.moves(usize::from(frame.blank), frame.state);
        found.expanded += 1;
        found.generated += u64::from(moves.count_ones());
        let mut count = 0;
        while moves != 0 {
            let index = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let from = engine.from(frame.blank, index);
            let tile = self.tiles[usize::from(from) % PADDED];
            let child = &mut frame.children[count & 3];
            child.index = index as u8;
            child.tile = tile;
            child.from = from;
            child.look_up(job, 0, frame.blank, &self.words);
            frame.alive[count & 3] = count as u8;
            count += 1;
        }
        frame.count = count as u8;
        frame.followed = 0;
        self.views = 0;
    }

    /// Goes on until the next lookups are under way.
    #[inline(always)]
    fn step(&mut self, job: &Job<'_>, found: &mut Found) -> LaneStep {
        let engine = job.engine;
        let views = engine.views.len().min(VIEWS);

        // Step 1: the lookups of the last turn. Children whose bound is above the threshold in this
        // view are cut off; `alive` keeps the others in their sequence.
        if self.views < views {
            let room = job.threshold - self.length - 1;
            let frame = &mut self.frames[self.depth];
            let first = self.views;
            let last = (first + TOGETHER).min(views);
            let mut count = 0;
            for i in 0..usize::from(frame.count) {
                let number = frame.alive[i & 3];
                let child = &mut frame.children[usize::from(number) & 3];
                let mut within = true;
                for (view, bit) in (first..last).zip(child.bits) {
                    let bit = job.lookups[usize::from(child.slots[view])].bit(bit);
                    let (word, rose) = child.words[view].landed(bit);
                    child.words[view] = word;
                    let sum = frame.sums[view].wrapping_add(2 * rose).wrapping_sub(1);
                    child.sums[view] = sum;
                    within &= u16::from(sum) <= room;
                }
                frame.alive[count & 3] = number;
                count += usize::from(within);
            }
            frame.count = count as u8;

            // Step 2: those that are left are looked up in the next views.
            if count > 0 && last < views {
                self.views = last;
                for i in 0..count {
                    let child = &mut frame.children[usize::from(frame.alive[i & 3]) & 3];
                    child.look_up(job, last, frame.blank, &self.words);
                }
                return LaneStep::Waiting;
            }
        }

        // Step 3: where no child is left, the last move is taken back.
        while self.frames[self.depth].followed == self.frames[self.depth].count {
            if self.depth == 0 {
                return LaneStep::Done;
            }
            self.depth -= 1;
            self.length -= 1;
            let frame = &self.frames[self.depth];
            let child = frame.child();
            self.tiles[usize::from(child.from) % PADDED] = child.tile;
            // Backwards, because two views may have the same slot.
            for view in (0..views).rev() {
                self.words[usize::from(child.slots[view]) % Engine::MAX_SLOTS] =
                    frame.replaced[view];
            }
        }

        // Step 4: the next child is followed.
        let frame = &mut self.frames[self.depth];
        frame.followed += 1;
        let child = *frame.child();
        for view in 0..views {
            let slot = usize::from(child.slots[view]) % Engine::MAX_SLOTS;
            frame.replaced[view] = self.words[slot];
            self.words[slot] = child.words[view];
        }
        self.tiles[usize::from(frame.blank) % PADDED] = child.tile;
        let state = frame.state;
        self.depth += 1;
        self.length += 1;
        if child.sums[0] == 0 {
            // Nothing is below the goal.
            self.frames[self.depth].count = 0;
            self.frames[self.depth].followed = 0;
            return LaneStep::Goal;
        }
        let frame = &mut self.frames[self.depth];
        frame.sums = child.sums;
        frame.blank = child.from;
        frame.state = engine.after(state, usize::from(child.index));
        self.expand(job, found);
        LaneStep::Waiting
    }

    /// Keeps the solution that the lane has just followed to the goal.
    #[cold]
    fn record(&mut self, job: &Job<'_>, found: &mut Found) {
        let mut path = job.tasks[self.task].path.clone();
        let frames = self.frames[..self.depth].iter();
        path.extend(frames.map(|frame| Move::ALL[usize::from(frame.child().index)]));
        self.keep(job, found, path);
    }

    fn keep(&mut self, job: &Job<'_>, found: &mut Found, path: Vec<Move>) {
        found.count += 1;
        let most = match job.want {
            Want::First => {
                job.enough.store(true, Ordering::Relaxed);
                1
            }
            Want::Some(most) | Want::Each(most) => most,
        };
        if self.listed < most {
            self.listed += 1;
            found.solutions.push((self.task, path));
        }
    }
}

impl<const VIEWS: usize> Child<VIEWS> {
    /// Computes where to look in some views, from this one on, and asks for the memory.
    #[inline(always)]
    fn look_up(
        &mut self,
        job: &Job<'_>,
        first: usize,
        blank: u8,
        words: &[Word; Engine::MAX_SLOTS],
    ) {
        let views = job.engine.views.len().min(VIEWS);
        let last = (first + TOGETHER).min(views);
        for (view, place) in (first..last).zip(&mut self.bits) {
            let slot = job.engine.slot(view, self.tile);
            let lookup = &job.lookups[slot];
            let word = words[slot % Engine::MAX_SLOTS];
            let (word, bit) = lookup.advance(word, self.from, blank);
            cpu::prefetch(lookup.bytes, bit / 8);
            self.slots[view] = slot as u8;
            self.words[view] = word;
            *place = bit;
        }
    }
}
