//! The inner loop: several depth-first searches side by side on one thread.
//!
//! As in the [single-tile engine](super::super::optimal), a search that has computed where to look
//! asks for that memory and gives way to the next one; when its turn comes again, the bits are
//! there.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::engine::{CHILDREN, Engine, Node, VIEWS};
use super::lookup::Lookup;
use super::tasks::Task;
use crate::Board;
use crate::cpu::Work;
use crate::outcome::{Budget, Limit};

/// How many lanes a thread has.
const LANES: usize = 4;

/// Up to which view children are looked up in one turn, after how many others.
///
/// One view at a time would save lookups, but cost more in turns that end otherwise than the
/// processor had guessed. A child that four views have not cut off is most likely cut off by none.
#[inline(always)]
fn end_of_turn(first: usize, views: usize) -> usize {
    if first < 4 {
        views.min(first + 2)
    } else {
        views
    }
}

/// One iteration, shared by all threads.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) engine: &'a Engine,
    pub(super) lookups: &'a [Lookup<'a>],
    pub(super) tasks: &'a [Task],
    /// The kind of the tasks' classes.
    pub(super) kind: usize,
    /// The edges of the paths that are looked for.
    pub(super) edges: u32,
    /// Where the path begins.
    pub(super) board: &'a Board,
    pub(super) budget: &'a Budget,
    /// The next task that nobody has taken.
    pub(super) next: AtomicUsize,
    /// Set when a solution is found.
    pub(super) enough: AtomicBool,
}

/// What a thread found, and what it took.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The cells that the blank goes to, but for the last one, the goal's.
    pub(super) path: Option<Vec<u8>>,
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// The limit that stopped it.
    pub(super) limit: Option<Limit>,
}

/// A node on the way from the task to where the lane is.
#[derive(Clone, Debug, Default)]
struct Frame {
    node: Node,
    children: [Node; CHILDREN],
    /// The bits that are being looked up.
    bits: [[u32; VIEWS]; CHILDREN],
    /// The children that were not cut off, and how many they are.
    alive: [u8; CHILDREN],
    count: u8,
    /// How many of them were followed.
    followed: u8,
}

/// A depth-first search.
#[derive(Debug, Default)]
struct Lane {
    frames: Vec<Frame>,
    /// The frame whose children are being looked up, and after how many other views.
    depth: usize,
    views: usize,
    /// The kind of that frame's class, and the edges that are left from there.
    kind: usize,
    left: u32,
    task: usize,
}

/// The lanes of one thread.
#[derive(Debug, Default)]
pub(super) struct Lanes(Vec<Lane>);

/// What a lane says when it gives way.
enum LaneStep {
    /// Lookups are under way.
    Waiting,
    /// All views take the child being followed for the target.
    Target,
    /// The whole subtree was searched.
    Done,
}

impl Lanes {
    /// Room for paths of this many edges.
    fn prepare(&mut self, edges: u32) {
        self.0.resize_with(LANES, Lane::default);
        for lane in &mut self.0 {
            // Deep enough for this iteration and the next few.
            let depth = edges as usize + 2;
            if lane.frames.len() < depth {
                lane.frames.resize(depth + 8, Frame::default());
            }
            // Nothing is under way: its first turn takes up a task.
            lane.depth = 0;
            lane.views = usize::MAX;
            lane.frames[0].count = 0;
            lane.frames[0].followed = 0;
        }
    }
}

/// One thread's part of an iteration.
pub(super) struct Iteration<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) lanes: &'a mut Lanes,
}

impl Work for Iteration<'_> {
    type Result = Found;

    #[inline(always)]
    fn run(self) -> Found {
        let Self { job, lanes } = self;
        lanes.prepare(job.edges);
        let mut lanes = &mut lanes.0[..];
        let mut found = Found::default();
        // Nodes that may be expanded before the limits are looked at again, and nodes that others
        // have been told of.
        let (mut allowed, mut told) = (0, 0);
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
                LaneStep::Target => {
                    // What the other lanes are at is of no interest any more.
                    if lane.is_solved(job, &mut found) {
                        break;
                    }
                    true
                }
                LaneStep::Done => lane.take_up(job, &mut found),
            };
            if keep {
                turn += 1;
            } else {
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

impl Lane {
    /// Takes the next task that is within the threshold; whether there is one.
    #[inline(always)]
    fn take_up(&mut self, job: &Job<'_>, found: &mut Found) -> bool {
        while !job.enough.load(Ordering::Relaxed) {
            self.task = job.next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = job.tasks.get(self.task) else {
                return false;
            };
            if task.bound() > job.edges {
                continue;
            }
            self.depth = 0;
            self.kind = job.kind;
            self.left = job.edges - task.path.len() as u32;
            self.frames[0].node = task.node;
            if self.left == 0 {
                if self.is_solved(job, found) {
                    return false;
                }
                continue;
            }
            self.expand(job, found);
            return true;
        }
        false
    }

    /// Makes the children of the frame at `depth`, and starts to look them up in the first views.
    #[inline(always)]
    fn expand(&mut self, job: &Job<'_>, found: &mut Found) {
        let frame = &mut self.frames[self.depth];
        let cells = job.engine.children(self.kind, frame.node.blank);
        found.expanded += 1;
        found.generated += cells.len() as u64;
        for (i, &cell) in cells.iter().enumerate() {
            frame.children[i].blank = cell;
            frame.alive[i] = i as u8;
        }
        frame.count = cells.len() as u8;
        frame.followed = 0;
        self.views = 0;
        frame.look_up(job, self.kind, 0..end_of_turn(0, job.lookups.len()));
    }

    /// Goes on until the next lookups are under way.
    #[inline(always)]
    fn step(&mut self, job: &Job<'_>, found: &mut Found) -> LaneStep {
        let views = job.lookups.len();

        // Step 1: the lookups of the last turn. Children that are further from the target than
        // there are edges left are cut off; `alive` keeps the others in their sequence.
        if self.views < views {
            let frame = &mut self.frames[self.depth];
            let last = end_of_turn(self.views, views);
            frame.cut_off(job, self.views..last, self.left - 1);

            // Step 2: those that are left are looked up in the next views.
            self.views = last;
            if frame.count > 0 && last < views {
                frame.look_up(job, self.kind, last..end_of_turn(last, views));
                return LaneStep::Waiting;
            }
            self.views = views;
        }

        // Step 3: where no child is left, the lane goes back.
        while self.frames[self.depth].followed == self.frames[self.depth].count {
            if self.depth == 0 {
                return LaneStep::Done;
            }
            self.depth -= 1;
            self.left += 1;
            self.kind ^= 1;
        }

        // Step 4: the next child is followed.
        let frame = &mut self.frames[self.depth];
        let child = frame.alive[usize::from(frame.followed) % CHILDREN];
        frame.followed += 1;
        let node = frame.children[usize::from(child) % CHILDREN];
        self.depth += 1;
        self.left -= 1;
        self.kind ^= 1;
        let frame = &mut self.frames[self.depth];
        frame.node = node;
        if self.left == 0 {
            // Nothing is below it.
            frame.count = 0;
            frame.followed = 0;
            return LaneStep::Target;
        }
        self.expand(job, found);
        LaneStep::Waiting
    }

    /// Whether the path to here leads to the goal; then it is kept.
    #[cold]
    fn is_solved(&self, job: &Job<'_>, found: &mut Found) -> bool {
        let mut path = job.tasks[self.task].path.clone();
        let frames = self.frames[..=self.depth].iter().skip(1);
        path.extend(frames.map(|frame| frame.node.blank));
        // The views may take another class for the target.
        if !job.engine.is_solution(job.board, &path) {
            return false;
        }
        job.enough.store(true, Ordering::Relaxed);
        found.path = Some(path);
        true
    }
}

impl Frame {
    /// Starts to look up the children that are left in some views.
    #[inline(always)]
    fn look_up(&mut self, job: &Job<'_>, kind: usize, views: Range<usize>) {
        for i in 0..usize::from(self.count) {
            let number = usize::from(self.alive[i]) % CHILDREN;
            let child = &mut self.children[number];
            for view in views.clone() {
                let lookup = &job.lookups[view];
                let (word, bit) = lookup.step(self.node.words[view], kind, child.blank);
                child.words[view] = word;
                self.bits[number][view] = bit;
                lookup.prefetch(bit);
            }
        }
    }

    /// Keeps the children that can be within `room` edges of the target, as far as these views
    /// know.
    #[inline(always)]
    fn cut_off(&mut self, job: &Job<'_>, views: Range<usize>, room: u32) {
        let mut count = 0;
        for i in 0..usize::from(self.count) {
            let number = usize::from(self.alive[i]) % CHILDREN;
            let child = &mut self.children[number];
            let mut within = true;
            for view in views.clone() {
                let bit = self.bits[number][view];
                let value = job.lookups[view].value(self.node.values[view], bit);
                child.values[view] = value;
                within &= u32::from(value) <= room;
            }
            self.alive[count] = number as u8;
            count += usize::from(within);
        }
        self.count = count as u8;
    }
}
