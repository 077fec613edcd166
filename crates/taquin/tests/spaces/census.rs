//! How many boards there are at each distance.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use taquin::space::{Space, SpaceTooLargeError, Tally};
use taquin::tables::BuildError;
use taquin::{Board, Budget, Goal, Limit, Limits, Metric};

use crate::support::{METRICS, atlas, classic, distances, goal_with_blank, size, space, tiles};

/// OEIS A089473.
const SINGLE_3X3: [u64; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];
const MULTI_3X3: [u64; 25] = [
    1, 4, 8, 16, 32, 64, 127, 244, 454, 856, 1576, 2854, 5117, 8588, 13466, 19739, 26558, 31485,
    30985, 23494, 11751, 3390, 589, 41, 1,
];

fn metric(name: &str) -> Metric {
    let found = METRICS.into_iter().find(|metric| metric.name() == name);
    found.expect("single or multi")
}

/// Checks the lines of the published table whose number of cells passes.
fn check_published(cells: impl Fn(usize) -> bool) {
    let mut checked = 0;
    let lines = include_str!("../data/spaces.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [board, name, boards, farthest, there, mean] = line
            .split(' ')
            .collect::<Vec<_>>()
            .try_into()
            .expect("six figures a line");
        if !cells(size(board).cells()) {
            continue;
        }
        let atlas = atlas(&classic(board), metric(name));
        let all = atlas.census().all();
        let found_there = all.at(all.farthest());
        assert_eq!(all.boards().to_string(), boards, "{line}");
        assert_eq!(all.farthest().to_string(), farthest, "{line}");
        assert_eq!(found_there.to_string(), there, "{line}");
        assert_eq!(format!("{:.3}", all.mean().unwrap()), mean, "{line}");
        let listed = atlas.farthest();
        assert_eq!(listed.len().to_string(), there, "{line}");
        for board in listed {
            assert_eq!(atlas.distance(board), Ok(all.farthest()), "{line}: {board}");
        }
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn published_figures_up_to_10_cells_are_found() {
    check_published(|cells| cells <= 10);
}

#[test]
fn published_figures_of_12_cells_are_found() {
    check_published(|cells| cells == 12);
}

#[test]
#[ignore = "takes 18 GB of memory and some minutes: cargo test --release --test spaces -- --ignored"]
fn published_figures_of_14_cells_are_found() {
    check_published(|cells| cells == 14);
}

#[test]
fn the_published_sequences_of_3x3_are_found_number_by_number() {
    let goal = classic("3x3");
    assert_eq!(
        atlas(&goal, Metric::Single).census().all().counts(),
        SINGLE_3X3
    );
    assert_eq!(
        atlas(&goal, Metric::Multi).census().all().counts(),
        MULTI_3X3
    );
}

#[test]
fn a_goal_blank_at_an_edge_or_in_the_centre_of_3x3_gives_the_published_figures() {
    for blank in 0..9 {
        let atlas = atlas(&goal_with_blank("3x3", blank), Metric::Single);
        let all = atlas.census().all();
        let expected = match blank {
            4 => (30, 148),
            _ => (31, 2),
        };
        assert_eq!(
            (all.farthest(), all.at(all.farthest())),
            expected,
            "cell {blank}"
        );
        assert_eq!(atlas.farthest().len() as u64, expected.1);
    }
}

/// Parberry 2014.
#[test]
fn the_published_means_and_maxima_of_3x3_by_the_blank_are_found() {
    let atlas = atlas(&classic("3x3"), Metric::Single);
    let blanks = atlas.census().by_blank();
    let means: Vec<String> = blanks
        .iter()
        .map(|tally| format!("{:.2}", tally.mean().unwrap()))
        .collect();
    assert_eq!(
        means,
        [
            "22.15", "21.90", "22.12", "21.90", "21.65", "21.89", "22.12", "21.89", "22.14"
        ]
    );
    let maxima: Vec<u32> = blanks.iter().map(Tally::farthest).collect();
    assert_eq!(maxima, [30, 29, 30, 29, 30, 31, 30, 31, 30]);
}

/// Compares the census and the farthest boards with those of a plain search.
fn check_against_a_plain_search(goal: &Board, metric: Metric) {
    let atlas = atlas(goal, metric);
    let distances = distances(goal, metric);
    let farthest = *distances.values().max().unwrap();
    for (cell, tally) in atlas.census().by_blank().iter().enumerate() {
        let mut counts = vec![0; farthest as usize + 1];
        for (board, &distance) in &distances {
            counts[distance as usize] += u64::from(board.blank() == cell);
        }
        while counts.last() == Some(&0) {
            counts.pop();
        }
        assert_eq!(tally.counts(), counts, "{goal}, {metric:?}, cell {cell}");
    }
    let mut boards: Vec<Board> = distances
        .into_iter()
        .filter(|&(_, distance)| distance == farthest)
        .map(|(board, _)| board)
        .collect();
    boards.sort_by_key(tiles);
    assert_eq!(atlas.farthest(), boards, "{goal}, {metric:?}");
}

#[test]
fn a_plain_search_agrees_for_every_goal_blank_of_small_boards() {
    for board in ["2x2", "2x3", "3x2", "2x4", "4x2"] {
        for blank in 0..size(board).cells() {
            for metric in METRICS {
                check_against_a_plain_search(&goal_with_blank(board, blank), metric);
            }
        }
    }
}

#[test]
fn a_plain_search_agrees_on_3x3_for_goals_of_all_kinds() {
    let snail = Goal::Snail.board(size("3x3")).unwrap();
    let other: Board = "8 1 6/3 0 7/4 5 2".parse().unwrap();
    for goal in [
        &goal_with_blank("3x3", 0),
        &goal_with_blank("3x3", 3),
        &snail,
        &other,
    ] {
        for metric in METRICS {
            check_against_a_plain_search(goal, metric);
        }
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    for metric in METRICS {
        let space = space(&classic("5x2"), metric);
        let search = |threads| space.search(threads, &Budget::default()).unwrap();
        let one = search(1);
        for threads in [0, 2, 7] {
            let several = search(threads);
            assert!(
                several.bytes()[..] == one.bytes()[..],
                "{threads} threads, {metric:?}"
            );
        }
    }
}

#[test]
fn a_level_has_the_boards_of_its_distance_and_no_others() {
    for metric in METRICS {
        let goal = goal_with_blank("3x2", 2);
        let space = space(&goal, metric);
        let distances = distances(&goal, metric);
        for distance in 0..25 {
            let at = distances.iter().filter(|(_, d)| **d == distance);
            let mut expected: Vec<Board> = at.map(|(board, _)| board.clone()).collect();
            expected.sort_by_key(tiles);
            let level = space.level(distance, 2, &Budget::default()).unwrap();
            assert_eq!(level, expected, "distance {distance}");
        }
    }
}

#[test]
fn a_space_that_is_too_large_is_refused_with_its_size() {
    let refused = Space::new(&classic("4x4"), Metric::Single).err();
    assert_eq!(refused, Some(SpaceTooLargeError { size: size("4x4") }));
    assert_eq!(
        refused.unwrap().to_string(),
        "whole spaces go up to 14 cells, and 4x4 has 16"
    );
}

#[test]
fn a_search_can_be_stopped() {
    let cancelled = Budget::new(&Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    });
    let stopped = space(&classic("3x4"), Metric::Single).search(2, &cancelled);
    assert_eq!(stopped.err(), Some(BuildError::Stopped(Limit::Cancelled)));
}

#[test]
fn a_search_says_how_far_it_is() {
    let budget = Budget::default();
    let space = space(&classic("3x3"), Metric::Single);
    space.search(2, &budget).unwrap();
    assert_eq!(budget.spent(), space.boards());
}
