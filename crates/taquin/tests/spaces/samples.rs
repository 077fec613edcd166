//! Random boards at a distance.

use std::collections::HashMap;

use taquin::space::{Atlas, SampleError};
use taquin::tables::BytesMut;
use taquin::{Budget, Metric, Rng};

use crate::support::{METRICS, atlas, classic};

#[test]
fn samples_have_the_distance_that_was_asked_for() {
    for metric in METRICS {
        let atlas = atlas(&classic("3x3"), metric);
        for distance in 0..=atlas.census().all().farthest() {
            let mut rng = Rng::from_seed(u64::from(distance));
            let boards = atlas.sample(distance, 5, &mut rng, 1, &Budget::default());
            let boards = boards.unwrap();
            assert_eq!(boards.len(), 5);
            for board in boards {
                assert_eq!(atlas.distance(&board), Ok(distance));
            }
        }
    }
}

#[test]
fn boards_that_are_common_are_drawn_without_a_search() {
    let atlas = atlas(&classic("2x5"), Metric::Single);
    let budget = Budget::default();
    assert!(atlas.census().all().at(34) > 100_000);
    let boards = atlas.sample(34, 20, &mut Rng::from_seed(1), 1, &budget);
    let boards = boards.unwrap();
    assert_eq!(boards.len(), 20);
    for board in boards {
        assert_eq!(atlas.distance(&board), Ok(34));
    }
    assert_eq!(budget.spent(), 0);
}

#[test]
fn every_board_at_a_distance_is_as_likely_as_every_other() {
    let atlas = atlas(&classic("3x3"), Metric::Single);
    let mut rng = Rng::from_seed(8);
    let mut drawn = HashMap::new();
    for board in atlas
        .sample(5, 20_000, &mut rng, 1, &Budget::default())
        .unwrap()
    {
        *drawn.entry(board).or_insert(0_u32) += 1;
    }
    // Twenty boards, a thousand times each, give or take some thirty.
    assert_eq!(drawn.len(), 20);
    for (board, count) in drawn {
        assert!(count.abs_diff(1000) < 150, "{board}: {count}");
    }
}

#[test]
fn the_same_seed_gives_the_same_boards_whatever_the_threads() {
    let atlas = atlas(&classic("2x5"), Metric::Multi);
    for distance in [5, 22, 36] {
        let sample = |threads| {
            let mut rng = Rng::from_seed(4);
            let boards = atlas.sample(distance, 3, &mut rng, threads, &Budget::default());
            boards.unwrap()
        };
        assert_eq!(sample(1).len(), 3);
        assert_eq!(sample(1), sample(3), "distance {distance}");
    }
}

#[test]
fn a_table_whose_counts_are_wrong_is_noticed_before_long() {
    let drawn = atlas(&classic("2x5"), Metric::Single);
    let mut bytes = BytesMut::from(drawn.bytes().to_vec());
    bytes[..200_000].fill(0);
    let damaged = Atlas::from_bytes(drawn.space(), bytes.into()).unwrap();
    let sample = damaged.sample(34, 5, &mut Rng::from_seed(1), 1, &Budget::default());
    assert_eq!(sample, Err(SampleError::Damaged));
}

#[test]
fn a_distance_that_no_board_has_is_refused_with_the_largest() {
    let atlas = atlas(&classic("3x3"), Metric::Single);
    let refused = atlas.sample(32, 1, &mut Rng::from_seed(1), 1, &Budget::default());
    let expected = SampleError::Distance {
        distance: 32,
        farthest: 31,
    };
    assert_eq!(refused.as_ref(), Err(&expected));
    assert_eq!(
        expected.to_string(),
        "no board needs 32 moves: the farthest need 31"
    );
}
