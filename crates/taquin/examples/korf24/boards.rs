//! Korf and Felner's boards, in the order of their difficulty.

use taquin::Board;

use crate::Result;

const KORF24: &str = include_str!("../../tests/data/korf24.csv");

/// A board whose shortest solution is published.
pub(crate) struct Known {
    pub(crate) id: u32,
    pub(crate) board: Board,
    /// The length of a shortest solution.
    pub(crate) optimal: u32,
    /// The nodes that Korf and Felner's search took in 2002.
    nodes: u64,
}

/// All boards, the one with the fewest published nodes first.
pub(crate) fn by_difficulty() -> Result<Vec<Known>> {
    let mut boards = Vec::new();
    for line in KORF24.lines().skip(1) {
        let [id, board, optimal, nodes] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(format!("no board: {line}").into());
        };
        boards.push(Known {
            id: id.parse()?,
            board: board.parse()?,
            optimal: optimal.parse()?,
            nodes: nodes.parse()?,
        });
    }
    boards.sort_by_key(|known| known.nodes);
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_boards_come_in_the_order_of_their_published_nodes() {
        let boards = by_difficulty().unwrap();
        assert_eq!(boards.len(), 50);
        let first: Vec<u32> = boards.iter().map(|known| known.id).take(4).collect();
        assert_eq!(first, [38, 40, 25, 32]);
        assert!(boards.is_sorted_by_key(|known| known.nodes));
    }
}
