//! The fast tables, one bit a state: judged by the plain ones, and by what holds for every table.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use taquin::tables::{
    BuildError, Bytes, Indexer, Key, OverLimitError, Pattern, Reference, Table, TableMismatchError,
};
use taquin::{Board, Budget, Limit, Limits, Rng, Size, Tile, uniform};

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

fn key(size: Size, blank: usize, homes: &[usize]) -> Key {
    Key::new(size, blank, homes.iter().copied().collect()).unwrap()
}

/// A table with the numbers of its states.
struct Fast {
    table: Table,
    indexer: Indexer,
}

impl Fast {
    fn build(key: Key, threads: usize) -> Self {
        let indexer = Indexer::new(&key);
        let table = Table::build(key, &indexer, threads, &Budget::default()).unwrap();
        Self { table, indexer }
    }

    fn value(&self, cells: &[usize], blank: usize) -> Option<u32> {
        self.table.value(&self.indexer, cells, blank)
    }
}

/// Compares every `step`th state, and the maximum; gives how many states have no value.
fn compare(key: Key, step: usize) -> usize {
    let plain = Reference::build(key).unwrap();
    let fast = Fast::build(key, 2);
    assert_eq!(fast.table.max(), plain.max(), "{key:?}");
    let mut without = 0;
    for entry in plain.iter().step_by(step) {
        let expected = entry.value.map(u32::from);
        let value = fast.value(entry.cells(), entry.blank());
        assert_eq!(value, expected, "{key:?} {entry:?}");
        without += usize::from(expected.is_none());
    }
    without
}

/// Every pattern of a small board, for every home of the blank.
fn every_pattern(size: Size) -> impl Iterator<Item = Key> {
    let cells = size.cells();
    (0..cells).flat_map(move |blank| {
        let homes = (1..1_u64 << cells).filter(move |homes| homes >> blank & 1 == 0);
        homes.filter_map(move |homes| Key::new(size, blank, Pattern::from_homes(homes)).ok())
    })
}

#[test]
fn every_table_of_the_smallest_boards_equals_the_plain_one() {
    for size in ["2x2", "2x3", "3x2"].map(size) {
        let tiles = size.cells() - 1;
        for key in every_pattern(size) {
            // With all tiles but one or none, half of the states cannot be reached.
            let states = Reference::states(&key) as usize;
            let half = if key.pattern().tiles() + 1 >= tiles {
                states / 2
            } else {
                0
            };
            assert_eq!(compare(key, 1), half, "{key:?}");
        }
    }
}

#[test]
fn whole_tables_equal_the_plain_ones() {
    for (text, blank, homes) in [
        // All tiles but one, all but two; the goal's blank in a corner and at an edge.
        ("2x4", 7, &[0, 1, 2, 4, 5, 6][..]),
        ("2x4", 1, &[0, 2, 3, 5, 6, 7]),
        ("2x4", 7, &[1, 2, 3, 4, 5]),
        // The blank in a corner, at an edge and inside.
        ("3x3", 8, &[0]),
        ("3x3", 8, &[5, 7]),
        ("3x3", 8, &[0, 1, 3, 4, 6]),
        ("3x3", 8, &[0, 1, 2, 5, 6, 7]),
        ("3x3", 7, &[4, 6, 8]),
        ("3x3", 7, &[0, 2, 3, 5, 6, 8]),
        ("3x3", 4, &[1, 3, 5, 7]),
        ("3x3", 4, &[0, 1, 2, 3, 6, 8]),
        ("3x4", 11, &[0, 1, 4, 5]),
        ("3x4", 1, &[0, 2, 5, 9]),
        ("3x4", 5, &[1, 4, 6, 9]),
        ("4x3", 11, &[7, 8, 10]),
        ("2x7", 13, &[5, 6, 12]),
        ("2x7", 3, &[2, 4, 10]),
        ("4x4", 15, &[14]),
        ("4x4", 15, &[11, 14]),
        ("4x4", 0, &[1, 4, 5]),
        ("4x4", 1, &[0, 2, 5]),
        ("4x4", 5, &[1, 4, 6, 9]),
        ("5x5", 12, &[7, 11, 13]),
        ("6x6", 35, &[29, 34]),
    ] {
        assert_eq!(
            compare(key(size(text), blank, homes), 1) > 0,
            text == "2x4" && homes.len() == 6
        );
    }
}

#[test]
fn samples_of_larger_tables_equal_the_plain_ones() {
    for (text, blank, homes, step) in [
        ("3x4", 11, &[0, 1, 2, 4, 5, 6][..], 101),
        ("3x4", 6, &[1, 2, 5, 7, 10, 11], 103),
        ("2x7", 13, &[0, 1, 2, 7, 8], 107),
        ("4x4", 15, &[10, 11, 13, 14, 9], 211),
        ("4x4", 6, &[2, 5, 7, 10, 3], 223),
        ("5x5", 24, &[18, 19, 22, 23], 227),
        ("2x18", 35, &[16, 17, 34], 11),
    ] {
        compare(key(size(text), blank, homes), step);
    }
}

#[test]
#[ignore = "plain tables of sixty million bytes: half a minute"]
fn six_tiles_on_4x4_equal_the_plain_table() {
    compare(key(size("4x4"), 15, &[2, 3, 6, 7, 10, 11]), 7);
    compare(key(size("4x4"), 5, &[0, 1, 2, 4, 6, 9]), 101);
}

/// What one move of a pattern's tile leads to, wherever the blank goes in its zone before it.
fn tile_moves(size: Size, cells: &[usize], blank: usize) -> Vec<(Vec<usize>, usize)> {
    let columns = size.columns();
    let beside = |a: usize, b: usize| {
        (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns) == 1
    };
    let mut zone = vec![blank];
    let mut moves = Vec::new();
    let mut visited = 0;
    while let Some(&blank) = zone.get(visited) {
        visited += 1;
        for cell in (0..size.cells()).filter(|&cell| beside(cell, blank)) {
            if let Some(tile) = cells.iter().position(|&c| c == cell) {
                let mut after = cells.to_vec();
                after[tile] = blank;
                moves.push((after, cell));
            } else if !zone.contains(&cell) {
                zone.push(cell);
            }
        }
    }
    moves
}

/// Calls `visit` with every way to put so many tiles and the blank into different cells.
fn every_state(cells: usize, tiles: usize, visit: &mut impl FnMut(&[usize], usize)) {
    fn extend(
        cells: usize,
        count: usize,
        chosen: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize], usize),
    ) {
        if let [tiles @ .., blank] = &chosen[..]
            && chosen.len() == count
        {
            return visit(tiles, *blank);
        }
        for cell in 0..cells {
            if !chosen.contains(&cell) {
                chosen.push(cell);
                extend(cells, count, chosen, visit);
                chosen.pop();
            }
        }
    }
    extend(cells, tiles + 1, &mut Vec::new(), visit);
}

#[test]
fn every_move_of_a_tile_changes_its_value_by_one_and_one_of_them_leads_down() {
    for (text, blank, homes) in [
        ("2x3", 5, &[0, 1, 2, 3, 4][..]),
        ("2x4", 7, &[0, 1, 2, 3, 4, 5, 6]),
        ("2x4", 2, &[0, 1, 3, 5, 6]),
        ("3x3", 8, &[0, 1, 3, 4]),
        ("3x3", 4, &[0, 1, 2, 3, 5, 6, 7]),
        ("3x4", 5, &[1, 4, 6]),
    ] {
        let size = size(text);
        let fast = Fast::build(key(size, blank, homes), 2);
        let mut states = 0;
        let mut max = 0;
        every_state(size.cells(), homes.len(), &mut |cells, blank| {
            let Some(value) = fast.value(cells, blank) else {
                return;
            };
            states += 1;
            max = max.max(value);
            let mut least = value;
            for (cells_after, blank_after) in tile_moves(size, cells, blank) {
                let after = fast.value(&cells_after, blank_after).unwrap();
                assert_eq!(value.abs_diff(after), 1, "{cells:?} to {cells_after:?}");
                least = least.min(after);
            }
            assert_eq!(least, value.saturating_sub(1), "{cells:?} {blank}");
        });
        assert_eq!(max, u32::from(fast.table.max()), "{text}");
        let all: usize = (size.cells() - homes.len()..=size.cells()).product();
        let unreachable = homes.len() + 2 >= size.cells();
        assert_eq!(states, if unreachable { all / 2 } else { all }, "{text}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_table() {
    for (text, blank, homes) in [
        ("2x3", 5, &[0, 4][..]),
        ("3x3", 8, &[0, 1, 2, 3, 4, 5, 6, 7]),
        ("4x4", 15, &[0, 1, 4, 5, 8]),
        ("4x4", 15, &[2, 3, 6, 7, 10, 11]),
        ("3x4", 11, &[0, 1, 2, 4, 5, 8, 9]),
    ] {
        let key = key(size(text), blank, homes);
        let one = Fast::build(key, 1);
        for threads in [0, 2, 3] {
            let several = Fast::build(key, threads);
            assert!(**several.table.bytes() == **one.table.bytes(), "{key:?}");
            assert_eq!(several.table.max(), one.table.max());
        }
    }
}

/// A random board, as the cells of the tiles by their homes; the blank's home is `blank`.
fn random_cells(size: Size, blank: usize, rng: &mut Rng) -> Vec<usize> {
    let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
    tiles.insert(blank, 0);
    let goal = Board::from_tiles(size, &tiles).unwrap();
    let cells = uniform(&goal, rng).cells_of_tiles();
    tiles.iter().map(|&tile| cells[usize::from(tile)]).collect()
}

/// Judges a table that is too large for a plain one: by plain tables of its parts, by parity, and
/// by what moves change.
fn judge_large(blank: usize, parts: [&[usize]; 2], entries: u64) {
    let size = size("4x4");
    let homes = parts.concat();
    let key = key(size, blank, &homes);
    let indexer = Indexer::new(&key);
    assert_eq!(indexer.entries(), entries);
    let budget = Budget::default();
    let table = Table::build(key, &indexer, 2, &budget).unwrap();
    // Every state can be reached, and was once.
    assert_eq!(budget.spent(), entries);
    let fast = Fast { table, indexer };
    let parts = parts.map(|homes| Reference::build(self::key(size, blank, homes)).unwrap());
    let goal: Vec<usize> = key.pattern().iter().collect();
    assert_eq!(fast.value(&goal, blank), Some(0));

    let mut rng = Rng::from_seed(1);
    let mut better = 0;
    for _ in 0..300 {
        let board = random_cells(size, blank, &mut rng);
        let of = |key: &Key| {
            key.pattern()
                .iter()
                .map(|home| board[home])
                .collect::<Vec<_>>()
        };
        let value = fast.value(&of(&key), board[blank]).unwrap();
        let sum = parts
            .iter()
            .map(|part| part.value(&of(part.key()), board[blank]).unwrap());
        let sum: u32 = sum.map(u32::from).sum();
        assert!(
            sum <= value && value <= u32::from(fast.table.max()),
            "{board:?}"
        );
        assert_eq!(sum % 2, value % 2, "{board:?}");
        better += usize::from(sum < value);
        for (cells, blank) in tile_moves(size, &of(&key), board[blank]) {
            let after = fast.value(&cells, blank).unwrap();
            assert_eq!(value.abs_diff(after), 1, "{board:?} to {cells:?}");
        }
    }
    assert!(better > 150, "{better}");
}

#[test]
fn seven_tiles_on_4x4_are_worth_their_parts_and_more() {
    judge_large(15, [&[10, 11, 14], &[6, 7, 12, 13]], 139_849_920);
}

#[test]
#[ignore = "takes 500 MB and seconds"]
fn eight_tiles_on_4x4_are_worth_their_parts_and_more() {
    judge_large(15, [&[0, 1, 4, 5], &[8, 9, 12, 13]], 1_425_191_040);
    judge_large(5, [&[0, 1, 2, 4], &[6, 8, 9, 10]], 1_425_191_040);
}

#[test]
fn a_cancelled_build_ends_without_a_table() {
    let key = key(size("4x4"), 15, &[0, 1, 4, 5, 8, 9, 12]);
    let cancelled = Budget::new(&Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    });
    let built = Table::build(key, &Indexer::new(&key), 2, &cancelled);
    assert_eq!(built.err(), Some(BuildError::Stopped(Limit::Cancelled)));
}

#[test]
fn a_build_that_takes_more_memory_than_it_may_is_refused_with_the_numbers() {
    let key = key(size("4x4"), 15, &[0, 1, 4, 5, 8]);
    let indexer = Indexer::new(&key);
    let build = |limit| {
        let budget = Budget::new(&Limits {
            memory: Some(limit),
            ..Limits::default()
        });
        let built = Table::build(key, &indexer, 1, &budget);
        (built, budget.spent())
    };
    let (refused, states) = build(1000);
    let Err(BuildError::Limit(OverLimitError { bytes, .. })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(states, 0);
    let limit = bytes - 1;
    let subject = key.into();
    let error = BuildError::from(OverLimitError {
        subject,
        bytes,
        limit,
    });
    assert_eq!(
        error.to_string(),
        format!(
            "the table of 5 tiles on 4x4 takes {bytes} bytes of memory to build, and {limit} are \
             allowed"
        )
    );
    assert_eq!(build(limit).0.err(), Some(error));
    assert!(build(bytes).0.is_ok());
    // Two bits a state, and what tests/working_memory.rs measures.
    assert_eq!(bytes, indexer.working_memory(1));
    assert!(bytes * 8 >= indexer.entries() * 2);
}

#[test]
fn stored_bytes_make_the_same_table() {
    let fast = Fast::build(key(size("3x3"), 4, &[0, 1, 2, 3]), 1);
    let (key, max) = (*fast.table.key(), fast.table.max());
    let bytes = fast.table.bytes().clone();
    assert_eq!(bytes.len(), fast.indexer.bytes());
    let again = Table::from_bytes(key, max, &fast.indexer, bytes.clone()).unwrap();
    every_state(9, 4, &mut |cells, blank| {
        let value = again.value(&fast.indexer, cells, blank);
        assert_eq!(value, fast.value(cells, blank));
    });
    for wrong in [&bytes[1..], &[&bytes[..], &[0]].concat(), &[]] {
        let wrong = Bytes::from(wrong.to_vec());
        let (given, wanted) = (wrong.len(), bytes.len());
        let refused = Table::from_bytes(key, max, &fast.indexer, wrong).err();
        let expected = TableMismatchError::Bytes { key, wanted, given };
        assert_eq!(refused, Some(expected));
    }
}

#[test]
fn an_indexer_of_other_tables_is_refused() {
    let fast = Fast::build(key(size("3x3"), 4, &[0, 1, 2]), 1);
    let (own, max) = (*fast.table.key(), fast.table.max());
    let bytes = fast.table.bytes().clone();
    for other in [
        key(size("3x3"), 4, &[0, 1, 2, 3]),
        key(size("3x4"), 4, &[0, 1, 2]),
    ] {
        let indexer = Indexer::new(&other);
        let expected = TableMismatchError::Indexer(own);
        let built = Table::build(own, &indexer, 1, &Budget::default());
        assert_eq!(built.err(), Some(BuildError::Mismatch(expected)));
        let read = Table::from_bytes(own, max, &indexer, bytes.clone());
        assert_eq!(read.err(), Some(expected));
        assert_eq!(fast.table.value(&indexer, &[0, 1, 2], 4), None);
    }
    // Tables of other tiles, as many on the same board, have the same one.
    let other = Indexer::new(&key(size("3x3"), 8, &[3, 6, 7]));
    assert!(Table::from_bytes(own, max, &other, bytes).is_ok());
}

#[test]
fn cells_that_tiles_cannot_be_in_have_no_value() {
    let fast = Fast::build(key(size("3x3"), 4, &[0, 1, 2]), 1);
    assert_eq!(fast.value(&[0, 1, 2], 4), Some(0));
    for (cells, blank) in [
        (&[0, 1][..], 4),
        (&[0, 1, 2, 3], 4),
        (&[0, 1, 1], 4),
        (&[0, 1, 9], 4),
        (&[0, 1, 64], 4),
        (&[0, 1, 2], 2),
        (&[0, 1, 2], 9),
        (&[], 4),
    ] {
        assert_eq!(
            fast.value(cells, blank),
            None,
            "{cells:?}, blank in {blank}"
        );
    }
}

#[test]
fn a_damaged_table_ends_every_walk() {
    let fast = Fast::build(key(size("3x3"), 8, &[0, 1, 2, 3]), 1);
    let (key, max) = (*fast.table.key(), fast.table.max());
    let mut rng = Rng::from_seed(4);
    let noise = (0..fast.indexer.bytes())
        .map(|_| rng.next_u64() as u8)
        .collect();
    for bytes in [
        vec![0; fast.indexer.bytes()],
        vec![255; fast.indexer.bytes()],
        noise,
    ] {
        let damaged = Table::from_bytes(key, max, &fast.indexer, bytes.into()).unwrap();
        let mut without = 0;
        every_state(9, 4, &mut |cells, blank| {
            let value = damaged.value(&fast.indexer, cells, blank);
            assert!(
                value.is_none_or(|value| value <= u32::from(max)),
                "{cells:?}"
            );
            without += usize::from(value.is_none());
        });
        assert!(without > 0);
    }
}
