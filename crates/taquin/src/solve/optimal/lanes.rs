//! The inner loop: several depth-first searches side by side on one thread.
//!
//! A lookup in a table of two hundred megabytes takes as long as some hundred instructions. So a
//! search that has computed where to look asks for that memory and gives way to the next one; when
//! its turn comes again, the bits are there. Each of these searches, a *lane*, works on a task of
//! its own and keeps one board, which it changes and changes back.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::Move;
use crate::cpu::Work;
use crate::outcome::Limit;
use crate::solve::AutomatonState;

use super::engine::{Engine, PADDED};
use super::ledger::Ledger;
use super::lookup::Word;
use super::state::TaskCount;
use super::step::{Form, RowBits, RowWords, TileMove};
use super::tasks::Node;
use crate::outcome::Budget;

/// How many lanes a thread has: enough that memory answers before a lane's turn comes again.
const LANES: usize = 3;

/// One iteration, shared by all threads.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) engine: &'a Engine,
    pub(super) tasks: &'a [Node],
    /// Which of them to search, in this sequence.
    pub(super) order: &'a [u32],
    /// Nodes whose solutions must be longer than this are cut off.
    pub(super) threshold: u16,
    pub(super) want: Want,
    pub(super) budget: &'a Budget,
    /// The place in `order` of the next task that nobody has taken.
    pub(super) next: AtomicUsize,
    /// Set when what was wanted is found.
    pub(super) enough: AtomicBool,
    /// Is told of each task that is done.
    pub(super) ledger: &'a Ledger<'a>,
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
    /// Nodes of all tasks, also of those that were not searched to the end.
    pub(super) expanded: u64,
    pub(super) generated: u64,
    /// The limit that stopped it.
    pub(super) limit: Option<Limit>,
    /// Whether all tasks were searched.
    pub(super) whole: bool,
}

/// A node's child.
#[derive(Clone, Copy, Debug)]
struct Child<const VIEWS: usize, const WIDTH: usize> {
    /// The words of the moved tile's slots.
    words: RowWords<WIDTH>,
    /// The slack of each view.
    slack: [u8; VIEWS],
    /// The move, as an index into `Move::ALL`; the tile, and the cell that it comes from.
    index: u8,
    tile: u8,
    from: u8,
    /// What may be done from there.
    moves: u8,
    state: AutomatonState,
}

/// A node on the way from the task to where the lane is.
#[derive(Clone, Copy, Debug)]
struct Frame<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> {
    words: [Word; SLOTS],
    tiles: [u8; PADDED],
    /// For each view, by how many moves the sum could be longer, halved: parity makes every other
    /// length impossible.
    slack: [u8; VIEWS],
    children: [Child<VIEWS, WIDTH>; 4],
    /// The children that were not cut off, and how many they are.
    alive: [u8; 4],
    count: u8,
    /// How many of them were followed.
    followed: u8,
    blank: u8,
    moves: u8,
    state: AutomatonState,
}

impl<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> Frame<SLOTS, VIEWS, WIDTH> {
    /// The child being followed.
    #[inline(always)]
    fn child(&self) -> &Child<VIEWS, WIDTH> {
        &self.children[usize::from(self.alive[usize::from(self.followed - 1) & 3]) & 3]
    }
}

/// A depth-first search.
#[derive(Debug)]
struct Lane<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> {
    frames: Vec<Frame<SLOTS, VIEWS, WIDTH>>,
    /// The bits of the children that are being looked up.
    bits: [RowBits<WIDTH>; 4],
    is_waiting: bool,
    /// The frame whose children are being looked up.
    depth: usize,
    /// Moves from the start to that frame's node.
    length: u16,
    /// The number of the task, if there is one.
    task: Option<usize>,
    /// What that task took so far.
    spent: TaskCount,
    /// How many solutions of that task were listed.
    listed: usize,
}

/// The lanes of one thread.
#[derive(Debug)]
pub(super) struct Lanes<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> {
    lanes: Vec<Lane<SLOTS, VIEWS, WIDTH>>,
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

impl<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> Lanes<SLOTS, VIEWS, WIDTH> {
    pub(super) const fn new() -> Self {
        Self { lanes: Vec::new() }
    }

    /// Room for paths up to this threshold.
    fn prepare(&mut self, engine: &Engine, threshold: u16) {
        let child = Child {
            words: RowWords::EMPTY,
            slack: [0; VIEWS],
            index: 0,
            tile: 0,
            from: 0,
            moves: 0,
            state: engine.automaton.start(),
        };
        let frame = Frame {
            words: [Word::default(); SLOTS],
            tiles: [0; PADDED],
            slack: [0; VIEWS],
            children: [child; 4],
            alive: [0; 4],
            count: 0,
            followed: 0,
            blank: 0,
            moves: 0,
            state: engine.automaton.start(),
        };
        let lanes = if WIDTH <= 2 { 4 } else { LANES };
        self.lanes.resize_with(lanes, || Lane {
            frames: Vec::new(),
            bits: [RowBits::EMPTY; 4],
            is_waiting: false,
            depth: 0,
            length: 0,
            task: None,
            spent: TaskCount::default(),
            listed: 0,
        });
        for lane in &mut self.lanes {
            // Deep enough for this iteration and the next few.
            let depth = usize::from(threshold) + 1;
            if lane.frames.len() < depth {
                lane.frames.resize(depth + 16, frame);
            }
            // Nothing is under way: its first turn takes up a task.
            lane.task = None;
            lane.spent = TaskCount::default();
            lane.depth = 0;
            lane.is_waiting = false;
            lane.frames[0].count = 0;
            lane.frames[0].followed = 0;
        }
    }
}

/// One thread's part of an iteration.
pub(super) struct Iteration<'a, F, const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> {
    pub(super) job: &'a Job<'a>,
    pub(super) form: F,
    pub(super) lanes: &'a mut Lanes<SLOTS, VIEWS, WIDTH>,
}

impl<F: Form, const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> Work
    for Iteration<'_, F, SLOTS, VIEWS, WIDTH>
{
    type Result = Found;

    #[inline(always)]
    fn run(self) -> Found {
        let Self { job, form, lanes } = self;
        lanes.prepare(job.engine, job.threshold);
        let lanes = &mut lanes.lanes[..];
        let mut busy = lanes.len();
        let mut found = Found::default();
        // Nodes expanded, those that may be before the limits are looked at again, and those that
        // others have been told of.
        let (mut expanded, mut allowed, mut told) = (0, 0, 0);

        let mut turn = 0;
        while busy > 0 {
            if expanded >= allowed {
                job.budget.finish(expanded - told);
                told = expanded;
                match job.budget.take(job.enough.load(Ordering::Relaxed)) {
                    Ok(0) => break,
                    Ok(more) => allowed += more,
                    Err(limit) => {
                        found.limit = Some(limit);
                        break;
                    }
                }
            }
            let after = if turn + 1 < busy { turn + 1 } else { 0 };
            lanes[after].settle(job, form);
            let lane = &mut lanes[turn];
            let keep = match lane.step(job, form) {
                LaneStep::Waiting => {
                    expanded += 1;
                    true
                }
                LaneStep::Goal => {
                    lane.record(job, &mut found);
                    job.want != Want::First
                }
                LaneStep::Done => {
                    lane.finish(job, &mut found);
                    let has_more = lane.take_up(job, form, &mut found);
                    expanded += u64::from(has_more);
                    has_more
                }
            };
            if keep {
                turn += 1;
            } else {
                if job.want == Want::First && found.count > 0 {
                    // What the other lanes are at is of no interest any more.
                    break;
                }
                busy -= 1;
                lanes.swap(turn, busy);
            }
            if turn >= busy {
                turn = 0;
            }
        }
        job.budget.finish(expanded - told);
        job.budget.give_back(allowed.saturating_sub(expanded));
        // What tasks took that were left.
        found.generated += lanes.iter().map(|lane| lane.spent.generated).sum::<u64>();
        found.expanded = expanded;
        found
    }
}

impl<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize> Lane<SLOTS, VIEWS, WIDTH> {
    /// Takes the next task; whether there is one.
    #[inline(always)]
    fn take_up<F: Form>(&mut self, job: &Job<'_>, form: F, found: &mut Found) -> bool {
        while !job.enough.load(Ordering::Relaxed) {
            let place = job.next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = job.order.get(place) else {
                return false;
            };
            let task = &job.tasks[number as usize];
            self.task = Some(number as usize);
            self.listed = 0;
            self.depth = 0;
            self.length = task.path.len() as u16;
            if task.is_goal() {
                self.keep(job, found, task.path.clone());
                self.finish(job, found);
                continue;
            }
            let frame = &mut self.frames[0];
            frame.tiles = task.tiles;
            frame.words.copy_from_slice(&task.words[..SLOTS]);
            let room = job.threshold - self.length;
            for (view, slack) in frame.slack.iter_mut().enumerate() {
                let sum = task.sums[if view < job.engine.views.len() {
                    view
                } else {
                    0
                }];
                *slack = (room.saturating_sub(sum) / 2) as u8;
            }
            frame.blank = task.blank;
            frame.state = task.state;
            frame.moves = job.engine.moves(usize::from(task.blank), task.state);
            self.expand(job, form);
            return true;
        }
        false
    }

    /// The task was searched to the end, if there was one.
    #[inline(always)]
    fn finish(&mut self, job: &Job<'_>, found: &mut Found) {
        if let Some(task) = self.task.take() {
            found.generated += self.spent.generated;
            job.ledger.enter(task, self.spent);
        }
        self.spent = TaskCount::default();
    }

    /// Makes the children of the frame at `depth`, and starts to look them up.
    #[inline(always)]
    fn expand<F: Form>(&mut self, job: &Job<'_>, form: F) {
        let engine = job.engine;
        let frame = &mut self.frames[self.depth];
        let mut moves = frame.moves;
        self.spent.expanded += 1;
        self.spent.generated += u64::from(moves.count_ones());
        self.spent.reached = self.spent.reached.max(self.length);
        let mut count = 0;
        while moves != 0 {
            let index = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let from = engine.from(frame.blank, index);
            let tile = frame.tiles[usize::from(from) % PADDED];
            let child = &mut frame.children[count & 3];
            child.index = index as u8;
            child.tile = tile;
            child.from = from;
            child.state = engine.after(frame.state, index);
            let bits = &mut self.bits[count & 3];
            let to = frame.blank;
            let tile_move = TileMove { tile, from, to };
            form.advance(tile_move, &frame.words, &mut child.words, bits);
            count += 1;
        }
        frame.count = count as u8;
        frame.followed = 0;
        self.is_waiting = true;
    }

    /// Completes the lookups that are under way: which children are within the threshold.
    #[inline(always)]
    fn settle<F: Form>(&mut self, job: &Job<'_>, form: F) {
        if !self.is_waiting {
            return;
        }
        self.is_waiting = false;
        let room = job.threshold - self.length - 1;
        let frame = &mut self.frames[self.depth];
        let mut count = 0;
        for number in 0..usize::from(frame.count) {
            let child = &mut frame.children[number & 3];
            let rises = form.land(child.tile, &mut child.words, &self.bits[number & 3]);
            let within = form.slacken(child.tile, &frame.slack, &rises, &mut child.slack);
            // Tables that were changed may say that less than nothing is left.
            let within = within & (2 * u16::from(child.slack[0]) <= room);
            child.moves = job.engine.moves(usize::from(child.from), child.state);
            frame.alive[count & 3] = number as u8;
            count += usize::from(within);
        }
        frame.count = count as u8;
    }

    /// Goes on until the next lookups are under way.
    #[inline(always)]
    fn step<F: Form>(&mut self, job: &Job<'_>, form: F) -> LaneStep {
        let engine = job.engine;

        // Step 1: children that are within the threshold; `alive` keeps them in their sequence.
        self.settle(job, form);

        // Step 2: where no child is left, the last move is taken back.
        while self.frames[self.depth].followed == self.frames[self.depth].count {
            if self.depth == 0 {
                return LaneStep::Done;
            }
            self.depth -= 1;
            self.length -= 1;
        }

        // Step 3: the next child is followed.
        let [frame, next] = &mut self.frames[self.depth..self.depth + 2] else {
            unreachable!("there is a frame for every length up to the threshold")
        };
        frame.followed += 1;
        let child = frame.child();
        self.depth += 1;
        self.length += 1;
        if 2 * u16::from(child.slack[0]) == job.threshold - self.length {
            // Nothing is below the goal.
            next.count = 0;
            next.followed = 0;
            return LaneStep::Goal;
        }
        next.words = frame.words;
        child
            .words
            .write_to(engine.row(child.tile), &mut next.words);
        next.tiles = frame.tiles;
        next.tiles[usize::from(frame.blank) % PADDED] = child.tile;
        next.slack = child.slack;
        next.blank = child.from;
        next.state = child.state;
        next.moves = child.moves;
        self.expand(job, form);
        LaneStep::Waiting
    }

    /// Keeps the solution that the lane has just followed to the goal.
    #[cold]
    fn record(&mut self, job: &Job<'_>, found: &mut Found) {
        let task = self.task.and_then(|number| job.tasks.get(number));
        let mut path = task.map_or_else(Vec::new, |task| task.path.clone());
        let frames = self.frames[..self.depth].iter();
        path.extend(frames.map(|frame| Move::ALL[usize::from(frame.child().index)]));
        self.keep(job, found, path);
    }

    fn keep(&mut self, job: &Job<'_>, found: &mut Found, path: Vec<Move>) {
        found.count += 1;
        self.spent.solutions += 1;
        let most = match job.want {
            Want::First => {
                job.enough.store(true, Ordering::Relaxed);
                1
            }
            Want::Some(most) | Want::Each(most) => most,
        };
        if self.listed < most {
            self.listed += 1;
            found.solutions.push((self.task.unwrap_or(0), path));
        }
    }
}
