//! Spaces by name, and the same spaces searched plainly.

use std::collections::HashMap;

use taquin::space::{Atlas, Slide, Space};
use taquin::{Board, Budget, Goal, Metric, Size};

pub(crate) const METRICS: [Metric; 2] = [Metric::Single, Metric::Multi];

pub(crate) fn size(text: &str) -> Size {
    text.parse().expect("a size")
}

pub(crate) fn classic(text: &str) -> Board {
    Goal::Classic.board(size(text)).expect("every size has it")
}

/// The goal with 1, 2, 3 … in reading order and the blank in that cell.
pub(crate) fn goal_with_blank(text: &str, blank: usize) -> Board {
    let size = size(text);
    let mut tiles: Vec<_> = (1..size.cells() as u16).collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).expect("a board")
}

pub(crate) fn space(goal: &Board, metric: Metric) -> Space {
    Space::new(goal, metric).expect("a small board")
}

pub(crate) fn atlas(goal: &Board, metric: Metric) -> Atlas {
    let atlas = space(goal, metric).search(2, &Budget::default());
    atlas.expect("there is memory and nobody stops it")
}

/// Every board that one move leads to.
pub(crate) fn neighbours(board: &Board, metric: Metric) -> Vec<(Slide, Board)> {
    let most = match metric {
        Metric::Single => 1,
        Metric::Multi => u8::MAX,
    };
    let mut neighbours = Vec::new();
    for direction in board.legal_moves() {
        let mut after = board.clone();
        let mut tiles = 0;
        while tiles < most && after.slide(direction).is_ok() {
            tiles += 1;
            neighbours.push((Slide { direction, tiles }, after.clone()));
        }
    }
    neighbours
}

/// The distance of every board, by a search that knows nothing of words and bits.
pub(crate) fn distances(goal: &Board, metric: Metric) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut frontier = vec![goal.clone()];
    let mut distance = 0;
    while !frontier.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for (_, board) in frontier.iter().flat_map(|board| neighbours(board, metric)) {
            if !distances.contains_key(&board) {
                distances.insert(board.clone(), distance);
                next.push(board);
            }
        }
        frontier = next;
    }
    distances
}

/// The tiles, for sorting.
pub(crate) fn tiles(board: &Board) -> Vec<u16> {
    board.tiles().collect()
}
