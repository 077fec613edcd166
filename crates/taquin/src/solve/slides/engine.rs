//! A goal's tables, and a board as they see it.

use std::sync::Arc;

use thiserror::Error;

use super::colouring::Colouring;
use super::graph::{CELLS, COLUMN, ClassGraph, ROW, Step};
use super::numbering::{LowParts, Numbering};
use super::table::{Class, ClassTable};
use crate::outcome::Budget;
use crate::tables::{BuildError, Tier};
use crate::{Board, Size};

/// The most views of a board.
pub(super) const VIEWS: usize = 10;

/// The most children of a node: all other cells of a row.
pub(super) const CHILDREN: usize = 7;

/// A table that leads nowhere: it was changed after it was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a table of multi-tile moves for {size} is damaged")]
pub struct DamagedColouringError {
    /// The size of the boards that it is for.
    pub size: Size,
}

/// Tables for a canonical goal of at most sixteen cells.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) goal: Board,
    pub(super) views: Vec<View>,
    /// For each kind of class and each cell of the blank, the cells that it can go to in the line
    /// of the class.
    children: [[Children; CELLS]; 2],
}

/// Cells to go to.
#[derive(Clone, Copy, Debug, Default)]
struct Children {
    cells: [u8; CHILDREN],
    count: u8,
}

/// A way to look at boards: through a colouring, as they are or transposed.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) table: Arc<ClassTable>,
    is_transposed: bool,
    /// The colour of each tile; that of the blank is of no interest.
    colours: [u8; CELLS],
    /// For each kind of the board's classes and each cell: the edge, as the view sees it, of the
    /// boards whose blank is there, and the bit of the class that it leads to.
    pub(super) steps: [[Step; CELLS]; 2],
    pub(super) line_bits: [[u8; CELLS]; 2],
}

/// A node of the search: a class, which every view sees as another word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) words: [u32; VIEWS],
    /// What each view says of the distance to the target.
    pub(super) values: [u8; VIEWS],
    /// Where the blank was when the class was reached.
    pub(super) blank: u8,
}

impl Engine {
    /// Builds the tables of a canonical goal.
    pub(super) fn build(
        goal: &Board,
        tier: Tier,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        let (size, blank) = (goal.size(), goal.blank());
        let graph = ClassGraph::new(size);
        let low = Arc::new(LowParts::new(size.cells() - 1));
        let mut numberings: Vec<Arc<Numbering>> = Vec::new();
        let mut views = Vec::new();
        let mut transposed_views = Vec::new();
        for colouring in Colouring::catalogue(size, blank, tier) {
            let counts = colouring.counts(blank);
            let known = numberings.iter().find(|known| known.counts() == counts);
            let numbering = known.cloned().unwrap_or_else(|| {
                let new = Arc::new(Numbering::new(counts, Arc::clone(&low)));
                numberings.push(Arc::clone(&new));
                new
            });
            let table = ClassTable::build(&graph, &colouring, blank, numbering, threads, budget)?;
            let table = Arc::new(table);
            // A colouring that is its own mirror image says the same of a board and of its mirror
            // image.
            if Colouring::has_transposed_view(size, blank) {
                let transposed = colouring.transposed();
                if !transposed.is_like(&colouring) {
                    transposed_views.push(View::new(goal, Arc::clone(&table), &transposed, true));
                }
            }
            views.push(View::new(goal, table, &colouring, false));
        }
        views.extend(transposed_views);
        views.truncate(VIEWS);
        Ok(Self {
            goal: goal.clone(),
            views,
            children: children(&graph),
        })
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        let own = self.views.iter().filter(|view| !view.is_transposed);
        own.map(|view| view.table.bytes()).sum()
    }

    /// The cells to which the blank can go in its line, if the line is a class of this kind.
    #[inline(always)]
    pub(super) fn children(&self, kind: usize, blank: u8) -> &[u8] {
        let children = &self.children[kind][usize::from(blank) % CELLS];
        &children.cells[..usize::from(children.count) % (CHILDREN + 1)]
    }

    /// The class of a canonical board that is of this kind, and its distances to the goal's class
    /// of the other kind.
    pub(super) fn start(
        &self,
        board: &Board,
        kind: usize,
        target: usize,
    ) -> Result<Node, DamagedColouringError> {
        let mut node = Node {
            blank: board.blank() as u8,
            ..Node::default()
        };
        for (i, view) in self.views.iter().enumerate() {
            let class = view.class(board, kind);
            let distance = view.table.distance(class, view.kind(target));
            let size = board.size();
            node.values[i] = distance.ok_or(DamagedColouringError { size })? as u8;
            node.words[i] = class.word;
        }
        Ok(node)
    }
}

impl View {
    /// `colouring` is that of the board as it is, whatever the table's.
    fn new(
        goal: &Board,
        table: Arc<ClassTable>,
        colouring: &Colouring,
        is_transposed: bool,
    ) -> Self {
        let graph = &table.graph;
        let size = graph.size();
        let mut colours = [0; CELLS];
        for (tile, &colour) in goal.tiles().zip(colouring.colours()) {
            colours[usize::from(tile)] = colour;
        }
        let mut steps = [[Step::default(); CELLS]; 2];
        let mut line_bits = [[0; CELLS]; 2];
        for kind in [ROW, COLUMN] {
            for cell in 0..size.cells() {
                let seen_cell = if is_transposed {
                    size.column(cell) * size.columns() + size.row(cell)
                } else {
                    cell
                };
                let seen = kind ^ usize::from(is_transposed);
                steps[kind][cell] = *graph.step(seen, seen_cell);
                let line = graph.line(seen ^ 1, seen_cell);
                line_bits[kind][cell] = graph.line_bit(seen ^ 1, line) as u8;
            }
        }
        Self {
            table,
            is_transposed,
            colours,
            steps,
            line_bits,
        }
    }

    /// What this view takes a kind of the board's classes for.
    pub(super) fn kind(&self, kind: usize) -> usize {
        kind ^ usize::from(self.is_transposed)
    }

    /// A class of a board, as this view sees it.
    fn class(&self, board: &Board, kind: usize) -> Class {
        let class = |board: &Board| {
            let colours = board.tiles().map(|tile| self.colours[usize::from(tile)]);
            let colours: Vec<u8> = colours.collect();
            Class::new(&self.table.graph, self.kind(kind), &colours, board.blank())
        };
        if self.is_transposed {
            class(&board.transformed(crate::Symmetry::TRANSPOSE))
        } else {
            class(board)
        }
    }
}

fn children(graph: &ClassGraph) -> [[Children; CELLS]; 2] {
    let of = |kind: usize, blank: usize| {
        let mut children = Children::default();
        if blank < graph.size().cells() {
            let line = graph.line(kind, blank);
            let cells = (0..graph.lines(kind ^ 1)).map(|other| graph.cell(kind, line, other));
            for cell in cells.filter(|&cell| cell != blank) {
                children.cells[usize::from(children.count)] = cell as u8;
                children.count += 1;
            }
        }
        children
    };
    [ROW, COLUMN].map(|kind| std::array::from_fn(|blank| of(kind, blank)))
}
