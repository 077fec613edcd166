//! The inner loop: several depth-first searches side by side on one thread.
//!
//! As in the [single-tile engine](super::super::optimal), a search that has computed where to look
//! asks for that memory and gives way to the next one; when its turn comes again, the bits are
//! there.
//!
//! Most lookups are left out. Along an edge the value of a view goes up by one or down by one, and
//! the edges that are left go down by one. The *slack* of a view is how often its value can still
//! go up: half of what is left beyond the value. A view with slack cuts off none of the children.
//! A view without slack is *tight*: it cuts off the children for which its value goes up, and for
//! the others it stays tight. So only tight views are looked up for children. A view with a slack
//! of n cannot be tight before n edges more. Until then it is left alone, and then the
//! lookups on the way are made up for; most subtrees end before.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::automaton::State;
use super::engine::{CHILDREN, Engine, VIEWS};
use super::lookup::Lookup;
use super::tasks::Task;
use crate::cpu::Work;
use crate::outcome::{Budget, Limit};
use crate::{Board, Moves};

/// How many lanes a thread has.
const LANES: usize = 4;

/// How many tight views are looked up in one turn. One at a time saves lookups, four save turns;
/// both take a little longer.
const TOGETHER: usize = 2;

/// Views as bits.
type Views = u16;

/// No depth: where a view is tight, or where there is none.
const NEVER: u8 = u8::MAX;

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
    /// The first solutions, this many at most; whether there are more is not asked.
    Some(usize),
    /// All solutions, of which this many at most are listed from each task.
    Each(usize),
}

/// What a thread found, and what it took.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Solutions, with the number of the task that they are from.
    pub(super) solutions: Vec<(usize, Moves)>,
    /// How many solutions there were, listed or not.
    pub(super) count: u64,
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// The limit that stopped it.
    pub(super) limit: Option<Limit>,
    /// Whether all tasks were searched, as far as those know who hand them out.
    pub(super) is_whole: bool,
}

/// A node on the way from the task to where the lane is.
#[derive(Clone, Debug)]
struct Frame {
    /// The words and the values that are known. For tight views the words are known, and the
    /// values are the edges that are left.
    words: [u32; VIEWS],
    values: [u8; VIEWS],
    known: Views,
    tight: Views,
    /// The depth at which each view may be tight: then its value must be known.
    due: [u8; VIEWS],
    /// Where the bits are that are made up for.
    bits: [u32; VIEWS],
    /// Where the blank was when the class was reached, and what the automaton knows.
    blank: u8,
    state: State,
    children: [Child; CHILDREN],
    /// The children that were not cut off, and how many they are.
    alive: [u8; CHILDREN],
    count: u8,
    /// How many of them were followed.
    followed: u8,
}

/// A child of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Child {
    /// Those of the tight views.
    words: [u32; VIEWS],
    /// Where the bits are that are being looked up.
    bits: [u32; TOGETHER],
    blank: u8,
    state: State,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            words: [0; VIEWS],
            values: [0; VIEWS],
            known: 0,
            tight: 0,
            due: [NEVER; VIEWS],
            bits: [0; VIEWS],
            blank: 0,
            state: 0,
            children: [Child::default(); CHILDREN],
            alive: [0; CHILDREN],
            count: 0,
            followed: 0,
        }
    }
}

/// A depth-first search.
#[derive(Debug, Default)]
struct Lane {
    frames: Vec<Frame>,
    /// The frame that is being worked at.
    depth: usize,
    /// The kind of that frame's class, and the edges that are left from there.
    kind: usize,
    left: u32,
    /// The views whose values are being made up for.
    late: Views,
    /// The tight views in which the children are being looked up, and those that come after them.
    asked: Views,
    later: Views,
    task: usize,
    /// How many solutions of that task were listed.
    listed: usize,
}

/// The lanes of one thread.
#[derive(Debug, Default)]
pub(super) struct Lanes(Vec<Lane>);

/// What a lane says when it gives way.
enum LaneStep {
    /// Lookups are under way.
    Waiting,
    /// The tight views take the child being followed for the target.
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
            (lane.late, lane.asked) = (0, 0);
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
                    lane.record(job, &mut found);
                    true
                }
                LaneStep::Done => lane.take_up(job, &mut found),
            };
            if job.want == Want::First && found.count > 0 {
                // What the other lanes are at is of no interest any more.
                break;
            }
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
            self.listed = 0;
            let Some(task) = job.tasks.get(self.task) else {
                return false;
            };
            if task.bound() > job.edges {
                continue;
            }
            self.depth = 0;
            self.kind = job.kind;
            self.left = job.edges - task.path.len() as u32;
            let frame = &mut self.frames[0];
            frame.words = task.node.words;
            frame.values = task.node.values;
            (frame.blank, frame.state) = (task.node.blank, task.node.state);
            (frame.known, frame.tight) = (0, 0);
            frame.due = [NEVER; VIEWS];
            for view in 0..job.lookups.len() {
                frame.know(view, 0, self.left);
            }
            if self.left == 0 {
                self.record(job, found);
                continue;
            }
            self.expand(job, found);
            return true;
        }
        false
    }

    /// Makes the children of the frame at `depth`, and starts with the first lookups.
    #[inline(always)]
    fn expand(&mut self, job: &Job<'_>, found: &mut Found) {
        let depth = self.depth as u8;
        let frame = &mut self.frames[self.depth];
        let arcs = job.engine.automaton.arcs(frame.state);
        found.expanded += 1;
        found.generated += arcs.len() as u64;
        for (i, arc) in arcs.iter().enumerate() {
            let child = &mut frame.children[i % CHILDREN];
            (child.blank, child.state) = (arc.cell, arc.state);
            frame.alive[i % CHILDREN] = i as u8;
        }
        frame.count = arcs.len() as u8;
        frame.followed = 0;
        let due = (0..VIEWS).zip(frame.due);
        self.late = due.fold(0, |late, (view, due)| {
            late | Views::from(due <= depth) << view
        });
        if self.late == 0 {
            self.ask(job, self.frames[self.depth].tight);
        } else {
            self.make_up(job);
        }
    }

    /// Goes on until the next lookups are under way.
    #[inline(always)]
    fn step(&mut self, job: &Job<'_>, found: &mut Found) -> LaneStep {
        // Step 1: values that were made up for say which views are tight.
        if self.late != 0 {
            self.learn(job);
            self.late = 0;
            self.ask(job, self.frames[self.depth].tight);
            if self.asked != 0 {
                return LaneStep::Waiting;
            }
        }

        // Step 2: the children are cut off for which a tight view goes up; `alive` keeps the
        // others in their sequence. They are looked up in the next tight views.
        if self.asked != 0 {
            let asked = std::mem::take(&mut self.asked);
            let frame = &mut self.frames[self.depth];
            frame.cut_off(job, asked, self.left - 1);
            if frame.count > 0 && self.later != 0 {
                self.ask(job, self.later);
                return LaneStep::Waiting;
            }
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
        let (before, after) = self.frames.split_at_mut(self.depth + 1);
        let (frame, next) = (&mut before[self.depth], &mut after[0]);
        let child = frame.alive[usize::from(frame.followed) % CHILDREN];
        frame.followed += 1;
        let child = &frame.children[usize::from(child) % CHILDREN];
        next.words = child.words;
        (next.known, next.tight) = (frame.tight, frame.tight);
        next.due = frame.due;
        (next.blank, next.state) = (child.blank, child.state);
        self.depth += 1;
        self.left -= 1;
        self.kind ^= 1;
        if self.left == 0 {
            // Nothing is below it.
            next.count = 0;
            next.followed = 0;
            return LaneStep::Target;
        }
        self.expand(job, found);
        LaneStep::Waiting
    }

    /// Starts to look up the children in the first of some tight views.
    #[inline(always)]
    fn ask(&mut self, job: &Job<'_>, views: Views) {
        let frame = &mut self.frames[self.depth];
        let mut later = views;
        for place in 0..TOGETHER {
            if later == 0 {
                break;
            }
            let view = later.trailing_zeros() as usize;
            later &= later - 1;
            frame.look_up(job, self.kind, view, place);
        }
        self.asked = views ^ later;
        self.later = later;
    }

    /// Starts the lookups, from where each view is known to here.
    #[inline(always)]
    fn make_up(&mut self, job: &Job<'_>) {
        let mut late = self.late;
        while late != 0 {
            let view = late.trailing_zeros() as usize;
            late &= late - 1;
            let lookup = &job.lookups[view];
            let known = self.known_at(view);
            let mut kind = self.kind ^ (self.depth - known) & 1;
            let mut word = self.frames[known].words[view];
            for frame in &mut self.frames[known + 1..=self.depth] {
                let (next, bit) = lookup.step(word, kind, frame.blank);
                lookup.prefetch(bit);
                frame.words[view] = next;
                frame.bits[view] = bit;
                word = next;
                kind ^= 1;
            }
        }
    }

    /// Follows the values from where each view is known to here.
    #[inline(always)]
    fn learn(&mut self, job: &Job<'_>) {
        let mut late = self.late;
        while late != 0 {
            let view = late.trailing_zeros() as usize;
            late &= late - 1;
            let known = self.known_at(view);
            let mut value = self.frames[known].values[view];
            for depth in known + 1..=self.depth {
                let left = self.left + (self.depth - depth) as u32;
                let frame = &mut self.frames[depth];
                value = job.lookups[view].value(value, frame.bits[view]);
                frame.values[view] = value;
                frame.know(view, depth, left);
            }
        }
    }

    /// The depth at which the value of a view is known, the last one on the way to here.
    #[inline(always)]
    fn known_at(&self, view: usize) -> usize {
        let mut frames = self.frames[..=self.depth].iter();
        // All are known of the task.
        frames
            .rposition(|frame| frame.known >> view & 1 != 0)
            .unwrap_or(0)
    }

    /// Counts the path to here if it leads to the goal, and keeps it if it is wanted.
    #[cold]
    fn record(&mut self, job: &Job<'_>, found: &mut Found) {
        let mut path = job.tasks[self.task].path.clone();
        let frames = self.frames[..=self.depth].iter().skip(1);
        path.extend(frames.map(|frame| frame.blank));
        // The views may take another class for the target.
        if !job.engine.is_solution(job.board, &path) {
            return;
        }
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
            let moves = job.engine.moves(job.board, &path);
            found.solutions.push((self.task, moves));
        }
    }
}

impl Frame {
    /// Takes note of the value of a view, at this depth and with these edges left.
    #[inline(always)]
    fn know(&mut self, view: usize, depth: usize, left: u32) {
        let slack = left.saturating_sub(u32::from(self.values[view])) / 2;
        self.known |= 1 << view;
        if slack == 0 {
            self.tight |= 1 << view;
            self.due[view] = NEVER;
        } else {
            self.due[view] = (depth as u32 + slack) as u8;
        }
    }

    /// Starts to look up the children that are left in a tight view.
    #[inline(always)]
    fn look_up(&mut self, job: &Job<'_>, kind: usize, view: usize, place: usize) {
        let lookup = &job.lookups[view];
        for i in 0..usize::from(self.count) {
            let child = &mut self.children[usize::from(self.alive[i]) % CHILDREN];
            let (word, bit) = lookup.step(self.words[view], kind, child.blank);
            child.words[view] = word;
            child.bits[place] = bit;
            lookup.prefetch(bit);
        }
    }

    /// Keeps the children that are `room` edges from the target, as far as these tight views know.
    #[inline(always)]
    fn cut_off(&mut self, job: &Job<'_>, views: Views, room: u32) {
        let expected = (room >> 1 & 1) as u8;
        let mut count = 0;
        for i in 0..usize::from(self.count) {
            let number = self.alive[i];
            let child = &self.children[usize::from(number) % CHILDREN];
            let mut asked = views;
            let mut is_within = true;
            for place in child.bits {
                if asked != 0 {
                    let view = asked.trailing_zeros() as usize;
                    asked &= asked - 1;
                    is_within &= job.lookups[view].bit(place) == expected;
                }
            }
            self.alive[count] = number;
            count += usize::from(is_within);
        }
        self.count = count as u8;
    }
}
