//! Which ways of the blank a search need not follow.
//!
//! Different ways can lead from one class to another: three times around two by two cells is a
//! cycle of twelve edges, and there are many longer ones. Of all ways from one class to another,
//! only the one that comes first is followed: the shortest, and of those the first in the order of
//! their cells. A way is not followed if any part of it is such a detour, so it is enough to know
//! the short detours. The automaton reads the cells that the blank goes to, and says which cells
//! come next.
//!
//! A shortest path is never lost altogether. Of all shortest paths between two classes the first
//! one has no detour: with another way instead of the detour it would be shorter or come
//! earlier. That the board's own edge is no first step changes nothing, because a path that begins
//! with it is a shorter solution.
//!
//! On 4×4 the detours of up to eight edges leave 88 % of all ways of ten edges and 72 % of those of
//! sixteen. Strong tables cut off most ways before they are that long: for Korf's boards it saves
//! 7 % of the nodes with five full tables, and 17 % with two quick ones. Detours of nine edges would
//! leave 67 % instead of 72 %, but take five times as long to find.

use std::collections::{HashMap, HashSet};

use crate::tables::classes::{CELLS, COLUMN, ClassGraph, ROW};

/// Detours have fewer edges than this, so that a [`Word`] holds them.
const LONGEST: usize = 12;

/// Says which cells the blank goes to next.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// For each state, where its arcs begin; they end where those of the next state begin.
    first: Vec<u32>,
    arcs: Vec<Arc>,
}

/// What an automaton knows of the way so far.
pub(super) type State = u16;

/// The blank goes to a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) cell: u8,
    /// What is known then.
    pub(super) state: State,
}

impl Automaton {
    /// Allows all ways but back.
    pub(super) fn reversals_only(graph: &ClassGraph) -> Self {
        Self::new(graph, &[])
    }

    /// Leaves out the detours that are found among this many ways.
    pub(super) fn without_detours(graph: &ClassGraph, ways: usize) -> Self {
        Self::new(graph, &detours(graph, ways))
    }

    /// The state of a search that begins at the class of this kind of a board with its blank there.
    pub(super) const fn start(kind: usize, blank: usize) -> State {
        (kind * CELLS + blank) as State
    }

    /// Where the blank goes next.
    #[inline(always)]
    pub(super) fn arcs(&self, state: State) -> &[Arc] {
        let state = usize::from(state);
        &self.arcs[self.first[state] as usize..self.first[state + 1] as usize]
    }

    fn new(graph: &ClassGraph, detours: &[Word]) -> Self {
        // All beginnings of detours, the shorter ones first. Every word of one edge is among them.
        let mut words: Vec<Word> = Vec::new();
        let mut states: HashMap<Word, State> = HashMap::new();
        for kind in [ROW, COLUMN] {
            words.extend((0..graph.size().cells()).map(|cell| Word::new(kind).and(cell)));
        }
        let mut beginnings: Vec<Word> = Vec::new();
        for detour in detours {
            beginnings.extend((2..detour.edges()).map(|edges| detour.beginning(edges)));
        }
        beginnings.sort_unstable();
        beginnings.dedup();
        words.extend(beginnings);
        // The states of starts come before those of words.
        let starts = 2 * CELLS;
        words.truncate(usize::from(State::MAX) - starts);
        for (i, &word) in words.iter().enumerate() {
            states.insert(word, (starts + i) as State);
        }
        let detours: HashSet<Word> = detours.iter().copied().collect();
        let mut all = Self {
            first: vec![0],
            arcs: Vec::new(),
        };
        let mut add = |before: Word, kind: usize, blank: usize| {
            if blank < graph.size().cells() {
                let line = graph.line(kind, blank);
                for other in 0..graph.lines(kind ^ 1) {
                    let cell = graph.cell(kind, line, other);
                    let mut word = before.and(cell);
                    let mut is_detour = cell == blank;
                    // The longest end that is the beginning of a detour says all.
                    let state = loop {
                        is_detour |= detours.contains(&word);
                        match states.get(&word) {
                            Some(&state) => break state,
                            None => word = word.end(),
                        }
                    };
                    let mut end = word;
                    while end.edges() > 1 {
                        end = end.end();
                        is_detour |= detours.contains(&end);
                    }
                    if !is_detour {
                        let cell = cell as u8;
                        all.arcs.push(Arc { cell, state });
                    }
                }
            }
            all.first.push(all.arcs.len() as u32);
        };
        for kind in [ROW, COLUMN] {
            for blank in 0..CELLS {
                add(Word::new(kind), kind, blank);
            }
        }
        for word in words {
            add(word, word.next_kind(), word.last());
        }
        all
    }
}

/// A way: the kind of the class that it begins at, and the cells that the blank goes to. Shorter
/// ones are smaller; those of one length are in the order of their cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Word(u64);

impl Word {
    const CELL_BITS: usize = 4;

    /// No edges yet; a bit above the cells tells the length.
    const fn new(kind: usize) -> Self {
        Self(0b10 | kind as u64)
    }

    const fn and(self, cell: usize) -> Self {
        Self(self.0 << Self::CELL_BITS | cell as u64)
    }

    const fn edges(self) -> usize {
        (62 - self.0.leading_zeros() as usize) / Self::CELL_BITS
    }

    const fn kind(self) -> usize {
        (self.0 >> (self.edges() * Self::CELL_BITS) & 1) as usize
    }

    /// The kind of the class that it leads to.
    const fn next_kind(self) -> usize {
        self.kind() ^ (self.edges() & 1)
    }

    const fn last(self) -> usize {
        self.0 as usize % CELLS
    }

    /// The first edges.
    const fn beginning(self, edges: usize) -> Self {
        Self(self.0 >> ((self.edges() - edges) * Self::CELL_BITS))
    }

    /// All but the first edge.
    const fn end(self) -> Self {
        let bits = (self.edges() - 1) * Self::CELL_BITS;
        let cells = self.0 & ((1 << bits) - 1);
        Self(((0b10 | self.kind() as u64 ^ 1) << bits) | cells)
    }
}

/// The shortest detours, none of them part of another; about as many ways as are told are looked
/// at.
fn detours(graph: &ClassGraph, ways: usize) -> Vec<Word> {
    let mut detours = Vec::new();
    // The ways of the last length without detours, with the boards that they lead to. Each begins
    // at a class of its own.
    let mut level: Vec<(Word, Place)> = Vec::new();
    let mut seen: HashSet<(u8, usize, u64)> = HashSet::new();
    let starts = |kind: usize| (0..graph.lines(kind)).map(move |line| (kind, line));
    for (start, (kind, line)) in starts(ROW).chain(starts(COLUMN)).enumerate() {
        let place = Place::first(graph, start as u8, kind, line);
        seen.insert((place.start, kind, place.class(graph, kind)));
        level.push((Word::new(kind), place));
    }
    let mut looked_at = level.len();
    for edges in 1..LONGEST {
        let known: HashSet<Word> = level.iter().map(|&(word, _)| word).collect();
        let mut next = Vec::new();
        for &(word, place) in &level {
            let kind = word.next_kind();
            let line = graph.line(kind, usize::from(place.blank));
            for other in 0..graph.lines(kind ^ 1) {
                let cell = graph.cell(kind, line, other);
                if edges > 1 && cell == usize::from(place.blank) {
                    continue;
                }
                let way = word.and(cell);
                if edges > 1 && !known.contains(&way.end()) {
                    continue;
                }
                let there = place.with_blank_in(graph, cell);
                if seen.insert((there.start, kind ^ 1, there.class(graph, kind ^ 1))) {
                    next.push((way, there));
                } else {
                    detours.push(way);
                }
            }
        }
        looked_at += next.len();
        let growth = next.len() / level.len().max(1);
        level = next;
        if looked_at + level.len() * growth.max(1) > ways {
            break;
        }
    }
    detours
}

/// A board with all tiles different, four bits a cell.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The number of the class that the way began at.
    start: u8,
    blank: u8,
    tiles: u64,
}

impl Place {
    fn first(graph: &ClassGraph, start: u8, kind: usize, line: usize) -> Self {
        let blank = graph.cell(kind, line, 0);
        let mut tiles = 0;
        let mut tile = 0;
        for cell in 0..graph.size().cells() {
            // The blank has a number of its own.
            let content = if cell == blank { 15 } else { tile };
            tile += u64::from(cell != blank);
            tiles |= content << (4 * cell);
        }
        Self {
            start,
            blank: blank as u8,
            tiles,
        }
    }

    /// After a slide that leaves the blank in a cell of its row or of its column.
    fn with_blank_in(mut self, graph: &ClassGraph, cell: usize) -> Self {
        let size = graph.size();
        let mut blank = usize::from(self.blank);
        let step = if size.row(blank) == size.row(cell) {
            1
        } else {
            size.columns()
        };
        while blank != cell {
            let next = if cell > blank {
                blank + step
            } else {
                blank - step
            };
            let change = (self.tiles >> (4 * next) ^ self.tiles >> (4 * blank)) & 15;
            self.tiles ^= change << (4 * next) | change << (4 * blank);
            blank = next;
        }
        self.blank = cell as u8;
        self
    }

    /// Its class: the board with the blank at the beginning of its line.
    fn class(self, graph: &ClassGraph, kind: usize) -> u64 {
        let line = graph.line(kind, usize::from(self.blank));
        self.with_blank_in(graph, graph.cell(kind, line, 0)).tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    /// How far classes are on the ways that an automaton leaves, and how many ways of the last
    /// length it leaves.
    fn distances(
        graph: &ClassGraph,
        automaton: &Automaton,
        kind: usize,
        depth: usize,
    ) -> (HashMap<(usize, u64), usize>, usize) {
        // Any board will do.
        let place = Place::first(graph, 0, ROW, 0).with_blank_in(graph, 1);
        let mut level = vec![(Automaton::start(kind, 1), place)];
        let mut distances = HashMap::from([((kind, place.class(graph, kind)), 0)]);
        for edges in 1..=depth {
            let kind = kind ^ (edges & 1);
            let mut next = Vec::new();
            for (state, place) in level {
                for arc in automaton.arcs(state) {
                    let there = place.with_blank_in(graph, usize::from(arc.cell));
                    next.push((arc.state, there));
                    let class = (kind, there.class(graph, kind));
                    distances.entry(class).or_insert(edges);
                }
            }
            level = next;
        }
        (distances, level.len())
    }

    #[test]
    fn every_class_is_reached_on_a_shortest_way() {
        for (size, depth) in [
            ("2x2", 12),
            ("2x3", 12),
            ("3x3", 10),
            ("4x4", 9),
            ("2x8", 6),
        ] {
            let size: Size = size.parse().unwrap();
            let graph = ClassGraph::new(size);
            let plain = Automaton::reversals_only(&graph);
            let automaton = Automaton::without_detours(&graph, 100_000);
            for kind in [ROW, COLUMN] {
                let (expected, ways) = distances(&graph, &plain, kind, depth);
                let (beside, _) = distances(&graph, &plain, kind ^ 1, depth);
                let (found, fewer) = distances(&graph, &automaton, kind, depth);
                for (class, &distance) in &expected {
                    // Unless the way over the board's own edge, which is none here, is as short.
                    if beside.get(class).is_none_or(|there| there + 1 > distance) {
                        assert_eq!(found.get(class), Some(&distance), "{size}, {class:?}");
                    }
                }
                assert!(fewer < ways, "{size}: {fewer} of {ways}");
            }
        }
    }
}
