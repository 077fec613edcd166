//! The search of [`Swift`]: the most promising boards of each depth, and no others.

use super::lines::SHIFT;
use super::swift::Swift;
use super::{Grid, SIZE, across};
use crate::Move;
use crate::cpu::Work;

/// A board of the search.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    grid: Grid,
    /// The cells of the tiles of the first row, and of the first column on the mirrored board, as
    /// the line table wants them but for the blank.
    lines: [u32; 2],
    /// The cells of all tiles, part by part.
    cells: u64,
    /// The value of each part, eight bits each. Bytes of their own would be written one by one and
    /// read together, for which the processor has to wait.
    values: u32,
    /// Their sum.
    rest: u8,
    blank: u8,
    /// The move that led here.
    last: u8,
}

/// A move from a node, not yet made.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    parent: u16,
    score: u8,
    /// The new value of the part whose tile moves.
    value: u8,
    from: u8,
    m: u8,
}

/// How each board that was kept came about: its parent, and the move.
type Trace = Vec<(u16, u8)>;

/// The moves that do not take the last one back.
#[derive(Clone, Copy)]
struct Choice {
    count: u8,
    /// The cell that a tile comes from, and the move as a number; only the first `count` count.
    moves: [(u8, u8); 3],
}

/// The choices for each last move and each cell of the blank.
const CHOICES: [[Choice; 16]; 4] = {
    let none = Choice {
        count: 0,
        moves: [(0, 0); 3],
    };
    let mut choices = [[none; 16]; 4];
    let mut last = 0;
    while last < 4 {
        let mut blank = 0;
        while blank < 16 {
            let choice = &mut choices[last][blank];
            let mut m = 0;
            while m < 4 {
                if let Some(from) = SIZE.neighbour(blank, Move::ALL[m])
                    && m ^ 1 != last
                {
                    choice.moves[choice.count as usize] = (from as u8, m as u8);
                    choice.count += 1;
                }
                m += 1;
            }
            blank += 1;
        }
        last += 1;
    }
    choices
};

/// What a change of a tile's cell is multiplied with in the index of the first row; 0 for tiles of
/// other rows.
const UNIT: [u32; 16] = {
    let mut unit = [0; 16];
    let mut tile = 0;
    while tile < 4 {
        unit[tile] = 16 << (4 * tile);
        tile += 1;
    }
    unit
};

impl Node {
    fn new(grid: Grid, swift: &Swift) -> Self {
        let cells = grid.cells();
        let mut node = Self {
            grid,
            blank: cells[15],
            ..Self::default()
        };
        // The part that the blank fills is looked up as if it were at home.
        node.cells = u64::from(Grid::BLANK) << SHIFT[15];
        for home in 0..15 {
            let cell = cells[usize::from(home)];
            node.lines[0] += UNIT[usize::from(home)] * u32::from(cell);
            node.lines[1] += UNIT[usize::from(across(home))] * u32::from(across(cell));
            node.cells |= u64::from(cell) << SHIFT[usize::from(home)];
        }
        for part in 0..4 {
            let value = swift.value(part, node.cells);
            node.values |= u32::from(value) << (8 * part);
            node.rest += value;
        }
        node
    }

    /// The lines after the tile in `from` slid into the blank.
    #[inline(always)]
    fn lines_after(&self, tile: u8, from: u8) -> [u32; 2] {
        let change = u32::from(from ^ self.blank);
        let mirrored = u32::from(across(from ^ self.blank));
        [
            self.lines[0] ^ (UNIT[usize::from(tile) % 16] * change),
            self.lines[1] ^ (UNIT[usize::from(across(tile)) % 16] * mirrored),
        ]
    }

    /// The part of a tile, and all cells after the tile in `from` slid into the blank.
    #[inline(always)]
    fn cells_after(&self, tile: u8, from: u8) -> (usize, u64) {
        let shift = SHIFT[usize::from(tile) % 16];
        let cells = self.cells ^ u64::from(from ^ self.blank) << shift;
        (usize::from(shift / 16), cells)
    }

    #[inline(always)]
    const fn value(&self, part: usize) -> u8 {
        (self.values >> (8 * part)) as u8
    }

    /// What a step from here leads to.
    #[inline(always)]
    fn after(&self, step: Step) -> Self {
        let tile = self.grid.home(step.from);
        let (part, cells) = self.cells_after(tile, step.from);
        Self {
            grid: self.grid.slid(step.from, self.blank),
            lines: self.lines_after(tile, step.from),
            cells,
            values: self.values ^ u32::from(self.value(part) ^ step.value) << (8 * part),
            rest: self.rest + step.value - self.value(part),
            blank: step.from,
            last: step.m,
        }
    }
}

/// A search that keeps so many boards of each depth, those with the lowest scores.
pub(super) struct Search<'a> {
    pub(super) swift: &'a Swift,
    pub(super) grid: Grid,
    pub(super) width: usize,
}

/// A shortest solution so far: how long it is, and the step after which the end is known.
#[derive(Clone, Copy, Debug)]
struct Found {
    length: usize,
    depth: usize,
    step: Step,
    grid: Grid,
}

/// All that one depth leads to.
struct Steps {
    all: Vec<Step>,
    count: usize,
    lowest: u8,
    /// How many there are of each score.
    scores: [u16; 256],
}

impl Work for Search<'_> {
    type Result = Option<Vec<Move>>;

    #[inline(always)]
    fn run(self) -> Self::Result {
        let Self { swift, grid, width } = self;
        // Step 1: nothing to search if the end is known at once.
        let start = Node::new(grid, swift);
        if swift.lines(start.lines, start.blank) == 0 {
            let mut moves = Vec::new();
            swift.end.finish(grid, &mut moves);
            return Some(moves);
        }
        let mut nodes = Vec::with_capacity(width);
        let mut next = Vec::with_capacity(width);
        let mut steps = Steps {
            all: vec![Step::default(); 3 * width + 3],
            count: 0,
            lowest: 0,
            scores: [0; 256],
        };
        let mut chosen = vec![0; 3 * width + 3];
        let mut trace: Trace = Vec::with_capacity(48 * width);
        // The first of each depth in the trace.
        let mut starts = Vec::with_capacity(Swift::DEPTH);
        let mut seen = Seen::new(width);
        let mut found: Option<Found> = None;
        // No move has led here. As if it were twice here, after different ones, all four are tried.
        nodes.extend([0, 2].map(|last| Node { last, ..start }));
        let mut depth = 0;
        while depth < Swift::DEPTH && !nodes.is_empty() {
            depth += 1;
            // Step 2: score every move from every board; those that bring both lines into place
            // end a solution.
            self.expand(&nodes, depth, &mut steps, &mut found);
            // Step 3: keep the boards with the lowest scores.
            next.clear();
            starts.push(trace.len());
            for &step in steps.choose(width, &mut chosen) {
                let step = steps.all[usize::from(step)];
                let node = nodes[usize::from(step.parent)].after(step);
                if seen.insert(node.grid) {
                    next.push(node);
                    trace.push((step.parent, step.m));
                }
            }
            std::mem::swap(&mut nodes, &mut next);
        }
        // Step 4: back from the shortest solution to the start, then on to its end.
        let found = found?;
        let mut moves = Vec::with_capacity(found.length);
        moves.push(Move::ALL[usize::from(found.step.m)]);
        let mut at = found.step.parent;
        for &start in starts[..found.depth - 1].iter().rev() {
            let (parent, m) = trace[start + usize::from(at)];
            moves.push(Move::ALL[usize::from(m)]);
            at = parent;
        }
        moves.reverse();
        swift.end.finish(found.grid, &mut moves);
        Some(moves)
    }
}

impl Search<'_> {
    /// Scores what every move from every node leads to.
    #[inline(always)]
    fn expand(&self, nodes: &[Node], depth: usize, out: &mut Steps, found: &mut Option<Found>) {
        let (mut count, mut lowest) = (0, u8::MAX);
        out.scores.fill(0);
        let shortest = found.as_ref().map_or(usize::MAX, |found| found.length);
        for (parent, node) in (0..).zip(nodes) {
            let choice = &CHOICES[usize::from(node.last) % 4][usize::from(node.blank) % 16];
            for &(from, m) in &choice.moves[..usize::from(choice.count)] {
                let tile = node.grid.home(from);
                let lines = self.swift.lines(node.lines_after(tile, from), from);
                let (part, cells) = node.cells_after(tile, from);
                let value = self.swift.value(part, cells);
                let rest = node.rest + value - node.value(part);
                let score = lines + rest;
                let step = Step {
                    parent,
                    score,
                    value,
                    from,
                    m,
                };
                // What cannot become shorter than what is known is left out, and so is what is at
                // its end.
                let counts = u16::from(depth + usize::from(rest) < shortest) * u16::from(lines > 0);
                out.all[count] = step;
                out.scores[usize::from(score)] += counts;
                count += usize::from(counts);
                lowest = lowest.min(score);
                if lines == 0 {
                    // The end is known.
                    let grid = node.grid.slid(from, node.blank);
                    let length = depth + usize::from(self.swift.end.distance(grid));
                    if found.as_ref().is_none_or(|found| length < found.length) {
                        *found = Some(Found {
                            length,
                            depth,
                            step,
                            grid,
                        });
                    }
                }
            }
        }
        (out.count, out.lowest) = (count, lowest);
    }
}

impl Steps {
    /// The steps with the lowest scores.
    #[inline(always)]
    fn choose<'a>(&self, width: usize, chosen: &'a mut [u16]) -> &'a [u16] {
        let mut left = width;
        let mut limit = usize::from(self.lowest);
        while limit < 255 && usize::from(self.scores[limit]) <= left {
            left -= usize::from(self.scores[limit]);
            limit += 1;
        }
        let mut count = 0;
        for (i, step) in (0..).zip(&self.all[..self.count]) {
            let score = usize::from(step.score);
            // Products and sums where a branch would be guessed wrong too often.
            let last = usize::from(score == limit) * usize::from(left > 0);
            chosen[count] = i;
            count += usize::from(score < limit) + last;
            left -= last;
        }
        &chosen[..count]
    }
}

/// Boards that were kept before; it may forget some.
struct Seen {
    grids: Vec<u64>,
    shift: u32,
}

impl Seen {
    fn new(width: usize) -> Self {
        let bits = (16 * width).next_power_of_two().trailing_zeros();
        Self {
            grids: vec![0; 1 << bits],
            shift: 64 - bits,
        }
    }

    /// Whether it is new.
    #[inline(always)]
    fn insert(&mut self, grid: Grid) -> bool {
        let place = grid.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        std::mem::replace(&mut self.grids[place as usize], grid.0) != grid.0
    }
}
