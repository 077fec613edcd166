//! A goal's tables, and a board as they see it.

use std::sync::Arc;

use super::automaton::{Automaton, State};
use crate::Board;
use crate::solve::DamagedTableError;
use crate::tables::classes::{CELLS, COLUMN, Class, ClassGraph, ClassTable, Colouring, ROW, Step};
use crate::tables::{ChangedTableError, ClassTables};

/// The most views of a board.
pub(super) const VIEWS: usize = 16;

/// The most children of a node: all other cells of a row.
pub(super) const CHILDREN: usize = 7;

/// Ways of the blank that the automaton is made from: those of up to eight edges on 4×4, which
/// takes some 15 ms.
const WAYS: usize = 100_000;

/// Tables for a canonical goal of at most sixteen cells.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Engine {
    tables: ClassTables,
    pub(super) goal: Board,
    pub(super) views: Vec<View>,
    /// Where the blank goes next.
    pub(super) automaton: Arc<Automaton>,
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
    /// What the automaton knows of the way to here.
    pub(super) state: State,
}

impl Engine {
    /// An engine for a canonical goal with tables, which must be those of its size and blank.
    pub(in crate::solve) fn new(goal: &Board, tables: &ClassTables) -> Self {
        let blank = goal.blank();
        let mut views = Vec::new();
        let mut transposed_views = Vec::new();
        for table in &tables.tables {
            let colouring = table.key().colouring();
            // A colouring that is its own mirror image says the same of a board and of its mirror
            // image.
            if Colouring::has_transposed_view(goal.size(), blank) {
                let transposed = colouring.transposed();
                if !transposed.is_like(colouring, blank) {
                    transposed_views.push(View::new(goal, Arc::clone(table), &transposed, true));
                }
            }
            views.push(View::new(goal, Arc::clone(table), colouring, false));
        }
        views.extend(transposed_views);
        views.truncate(VIEWS);
        Self {
            tables: tables.clone(),
            goal: goal.clone(),
            views,
            automaton: Arc::new(Automaton::without_detours(
                &ClassGraph::new(goal.size()),
                WAYS,
            )),
        }
    }

    /// Whether the tables are still what they were when they were built or checked.
    pub(in crate::solve) fn confirm(&self) -> Result<(), ChangedTableError> {
        self.tables.confirm()
    }

    /// This engine with every way of the blank, so that no solution is left out.
    pub(super) fn without_automaton(&self) -> Self {
        let graph = ClassGraph::new(self.goal.size());
        Self {
            automaton: Arc::new(Automaton::reversals_only(&graph)),
            ..self.clone()
        }
    }

    /// The class of a canonical board that is of this kind, and its distances to the goal's class
    /// of the other kind.
    pub(super) fn start(
        &self,
        board: &Board,
        kind: usize,
        target: usize,
    ) -> Result<Node, DamagedTableError> {
        let mut node = Node {
            blank: board.blank() as u8,
            state: Automaton::start(kind, board.blank()),
            ..Node::default()
        };
        for (i, view) in self.views.iter().enumerate() {
            let class = view.class(board, kind);
            let distance = view.table.distance(class, view.kind(target));
            let subject = (*view.table.key()).into();
            node.values[i] = distance.ok_or(DamagedTableError { subject })? as u8;
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
