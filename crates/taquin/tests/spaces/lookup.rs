//! Distances and first moves, looked up in an atlas.

use taquin::space::{Atlas, DistanceError};
use taquin::tables::{Bytes, BytesMut};
use taquin::{Board, Goal, Metric, Rng, Solvability, uniform};

use crate::support::{
    METRICS, atlas, classic, distances, goal_with_blank, neighbours, size, space, tiles,
};

/// Compares distances, first moves and solutions of all boards with those of a plain search.
fn check_every_board(goal: &Board, metric: Metric) {
    let atlas = atlas(goal, metric);
    let distances = distances(goal, metric);
    for (board, &distance) in &distances {
        assert_eq!(atlas.distance(board), Ok(distance), "{board} to {goal}");
        let mut expected: Vec<_> = neighbours(board, metric)
            .into_iter()
            .filter(|(_, after)| distances[after] + 1 == distance)
            .map(|(slide, _)| slide)
            .collect();
        expected.sort_by_key(|slide| (slide.direction as usize, slide.tiles));
        assert_eq!(atlas.best(board).unwrap(), expected, "{board} to {goal}");
        let solution = atlas.solution(board).unwrap();
        assert_eq!(
            solution.length(metric),
            distance as usize,
            "{board} to {goal}"
        );
        assert_eq!(board.after(&solution).unwrap(), *goal);
    }
}

#[test]
fn every_board_of_small_spaces_has_the_distance_and_first_moves_of_a_plain_search() {
    for board in ["2x2", "2x3", "3x2", "4x2"] {
        for blank in 0..size(board).cells() {
            for metric in METRICS {
                check_every_board(&goal_with_blank(board, blank), metric);
            }
        }
    }
}

#[test]
fn every_board_of_3x3_has_the_distance_and_first_moves_of_a_plain_search() {
    let snail = Goal::Snail.board(size("3x3")).unwrap();
    check_every_board(&classic("3x3"), Metric::Single);
    check_every_board(&goal_with_blank("3x3", 1), Metric::Multi);
    check_every_board(&snail, Metric::Single);
}

#[test]
fn every_first_move_on_3x4_leads_to_a_board_that_is_nearer_by_one() {
    let mut rng = Rng::from_seed(6);
    for metric in METRICS {
        for goal in [classic("3x4"), goal_with_blank("4x3", 4)] {
            let atlas = atlas(&goal, metric);
            for _ in 0..200 {
                let board = uniform(&goal, &mut rng);
                let distance = atlas.distance(&board).unwrap();
                let best = atlas.best(&board).unwrap();
                assert!(!best.is_empty());
                for (slide, after) in neighbours(&board, metric) {
                    let after = atlas.distance(&after).unwrap();
                    assert_eq!(after + 1 == distance, best.contains(&slide), "{board}");
                    assert!(after.abs_diff(distance) <= 1, "{board}");
                }
            }
        }
    }
}

#[test]
fn the_farthest_boards_of_3x4_are_the_known_ones() {
    let lines = include_str!("../data/farthest12.txt").lines();
    let mut known: Vec<Board> = lines
        .map(|line| {
            let tiles: Vec<_> = line.split(' ').map(|tile| tile.parse().unwrap()).collect();
            Board::from_tiles(size("3x4"), &tiles).unwrap()
        })
        .collect();
    known.sort_by_key(tiles);
    assert_eq!(atlas(&classic("3x4"), Metric::Single).farthest(), known);
}

#[test]
fn a_board_that_cannot_be_solved_or_has_another_size_has_no_distance() {
    let goal = classic("3x3");
    let atlas = atlas(&goal, Metric::Single);
    let board: Board = "2 1 3/4 5 6/7 8 0".parse().unwrap();
    let verdict = Solvability::of(&board, &goal).unwrap();
    assert_eq!(
        atlas.distance(&board),
        Err(DistanceError::Unsolvable(verdict))
    );
    assert_eq!(atlas.best(&board), Err(DistanceError::Unsolvable(verdict)));
    for other in ["2x3", "4x4", "3x4"] {
        let refused = atlas.distance(&classic(other));
        assert!(matches!(refused, Err(DistanceError::Size(_))), "{other}");
    }
}

#[test]
fn an_atlas_comes_back_from_its_bytes_and_serves_every_goal_of_its_key() {
    for metric in METRICS {
        let drawn = atlas(&classic("2x4"), metric);
        // The same corner, seen in a mirror, with other names.
        let goal: Board = "0 3/7 1/5 2/6 4".parse().unwrap();
        let other = space(&goal, metric);
        assert_eq!(other.key(), drawn.space().key());
        let read = Atlas::from_bytes(&other, drawn.bytes().clone()).unwrap();
        let searched = atlas(&goal, metric);
        assert_eq!(read.census(), searched.census());
        assert_eq!(read.farthest(), searched.farthest());
        for (board, distance) in distances(&goal, metric) {
            assert_eq!(read.distance(&board), Ok(distance));
        }
    }
}

#[test]
fn bytes_that_are_no_atlas_of_the_space_are_refused() {
    let drawn = atlas(&classic("2x3"), Metric::Single);
    let from = |bytes: Vec<u8>| Atlas::from_bytes(drawn.space(), Bytes::from(bytes));
    let good = drawn.bytes().to_vec();
    assert!(from(good.clone()).is_some());
    assert!(from(good[1..].to_vec()).is_none());
    assert!(from([&good[..], &[0]].concat()).is_none());
    assert!(from(Vec::new()).is_none());
    // Six words of boards, a byte each, then the counts: one board more.
    let mut counts = good.clone();
    counts[6 * 64] += 1;
    assert!(from(counts).is_none());
    // A board at the end of the list that there is not.
    let mut listed = good.clone();
    let list = listed.len() - Atlas::MAX_LISTED * 8;
    listed[list + 7] = 0xff;
    assert!(from(listed).is_none());
}

#[test]
fn damaged_distances_are_noticed_or_wrong_but_never_lead_on_for_ever() {
    for (size, metric) in [
        ("3x3", Metric::Single),
        ("2x5", Metric::Single),
        ("2x5", Metric::Multi),
    ] {
        let goal = classic(size);
        let drawn = atlas(&goal, metric);
        let mut rng = Rng::from_seed(3);
        for fill in [0x00, 0xff, 0x5a] {
            let mut bytes = BytesMut::from(drawn.bytes().to_vec());
            bytes[..190_000].fill(fill);
            let atlas = Atlas::from_bytes(drawn.space(), bytes.into()).unwrap();
            let mut noticed = 0;
            for _ in 0..100 {
                let board = uniform(&goal, &mut rng);
                let damaged = Err(DistanceError::Damaged);
                let lost = atlas.distance(&board) == damaged || atlas.solution(&board).is_err();
                noticed += usize::from(lost);
            }
            assert!(noticed > 50, "{size} {metric:?}, {fill}: {noticed}");
        }
    }
}
