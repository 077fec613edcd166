use super::*;
use crate::domain::Cost;
use crate::heuristic::{AnyMultiHeuristic, HeuristicKind, TileMoves};
use crate::{Goal, Metric, Rng, Size, uniform};

#[test]
fn in_multi_tile_moves_the_parts_are_those_of_the_heuristics() {
    let mut rng = Rng::from_seed(32);
    for (rows, columns) in [(2, 3), (3, 3), (4, 3), (6, 7)] {
        let size = Size::new(rows, columns).unwrap();
        let goal = Goal::Snail.board(size).unwrap();
        let estimator = Estimator::new(&goal, Metric::Multi);
        let single = Estimator::new(&goal, Cost::Unit);
        let puzzle = MultiSliding::flat(&goal);
        assert_eq!(estimator.breakdown(&goal).unwrap().best(), 0);
        for _ in 0..50 {
            let board = uniform(&goal, &mut rng);
            let parts = estimator.breakdown(&board).unwrap();
            let value = |kind| {
                let h = AnyMultiHeuristic::new(kind, &puzzle).ok()?;
                let memo = h.evaluate(&puzzle, &puzzle.state(&board).unwrap());
                Some(Heuristic::<MultiSliding<FlatState>>::value(&h, &memo))
            };
            assert_eq!(Some(parts.hamming), value(HeuristicKind::Hamming));
            assert_eq!(Some(parts.manhattan), value(HeuristicKind::Manhattan));
            let conflict = value(HeuristicKind::LinearConflict);
            assert_eq!(Some(parts.linear_conflict), conflict);
            assert_eq!(parts.walking(), value(HeuristicKind::WalkingDistance));
            assert_eq!(parts.max(), value(HeuristicKind::Max));
            // The moves of single tiles are the same in both metrics.
            let moves = single.breakdown(&board).unwrap();
            let slides = parts.slides.unwrap();
            let sum = |moves: TileMoves| moves.vertical + moves.horizontal;
            assert_eq!(sum(slides.distances), moves.manhattan);
            assert_eq!(sum(slides.moves), moves.linear_conflict);
            assert_eq!(parts.conflicts, moves.conflicts);
            let again = single.towards(&goal, Metric::Multi).breakdown(&board);
            assert_eq!(again.unwrap(), parts);
        }
    }
}

#[test]
fn the_parts_add_up_to_the_estimates() {
    let mut rng = Rng::from_seed(31);
    for (rows, columns) in [(2, 3), (3, 3), (4, 4), (8, 8)] {
        let size = Size::new(rows, columns).unwrap();
        for goal in Goal::NAMED {
            let goal = goal.board(size).unwrap();
            for cost in [Cost::Unit, Cost::Tile] {
                let estimator = Estimator::new(&goal, cost);
                assert_eq!(estimator.breakdown(&goal).unwrap().best(), 0);
                for _ in 0..50 {
                    let parts = estimator.breakdown(&uniform(&goal, &mut rng)).unwrap();
                    let misplaced = parts.tiles.iter().filter(|tile| tile.distance > 0);
                    assert_eq!(
                        misplaced.map(|tile| tile.weight).sum::<u32>(),
                        parts.hamming
                    );
                    let added: u32 = parts.conflicts.iter().map(|line| line.added).sum();
                    assert_eq!(parts.manhattan + added, parts.linear_conflict);
                    for line in &parts.conflicts {
                        let leaves = |tile: &Tile| line.leaving.contains(tile);
                        let weight = |&t: &Tile| parts.tiles[usize::from(t) - 1].weight;
                        let weight: u32 = line.leaving.iter().map(weight).sum();
                        assert_eq!(line.added, 2 * weight);
                        assert!(line.pairs.iter().all(|(a, b)| leaves(a) || leaves(b)));
                    }
                }
            }
        }
    }
}

#[test]
fn a_reversed_row_has_three_pairs_and_two_tiles_that_leave() {
    let board: Board = "3 2 1/4 5 6/7 8 0".parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let parts = Estimator::new(&goal, Cost::Unit).breakdown(&board).unwrap();
    let [line] = &parts.conflicts[..] else {
        panic!("{:?}", parts.conflicts);
    };
    assert_eq!(line.line, Line::Row(0));
    assert_eq!(line.own, [3, 2, 1]);
    assert_eq!(line.pairs, [(3, 2), (3, 1), (2, 1)]);
    assert_eq!(line.leaving.len(), 2);
    assert_eq!(line.added, 4);
    assert_eq!((parts.tiles[0].cell, parts.tiles[0].home), (2, 0));
    assert_eq!(
        (parts.hamming, parts.manhattan, parts.linear_conflict),
        (2, 4, 8)
    );
}

#[test]
fn lines_count_where_their_tiles_belong() {
    let board: Board = "4 2 1/0 5 3".parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let parts = Estimator::new(&goal, Cost::Unit).breakdown(&board).unwrap();
    assert_eq!(parts.rows, [[2, 1], [1, 1]]);
    assert_eq!(parts.columns, [[1, 0, 0], [0, 2, 0], [1, 0, 1]]);
}

#[test]
fn a_board_of_another_size_is_refused() {
    let goal = |rows, columns| {
        Goal::Classic
            .board(Size::new(rows, columns).unwrap())
            .unwrap()
    };
    let estimator = Estimator::new(&goal(3, 3), Cost::Unit);
    assert!(estimator.breakdown(&goal(3, 4)).is_err());
}
