//! The judge is judged: by real boards, by the rules of zones and parity, by published figures.

use std::collections::{HashMap, VecDeque};

use super::*;
use crate::tables::Pattern;
use crate::{Board, Tile};

fn key(size: &str, blank: usize, homes: &[usize]) -> Key {
    let pattern = homes.iter().copied().collect();
    Key::new(size.parse().unwrap(), blank, pattern).unwrap()
}

fn build(size: &str, blank: usize, homes: &[usize]) -> Reference {
    Reference::build(key(size, blank, homes)).unwrap()
}

/// Some tables of several sizes: with few tiles and with all, goals with the blank in a corner,
/// at an edge and inside.
fn tables() -> Vec<Reference> {
    vec![
        build("2x2", 0, &[1, 2, 3]),
        build("2x3", 5, &[0, 1, 2, 3, 4]),
        build("3x3", 8, &[0, 1, 3, 4]),
        build("3x3", 1, &[0, 2, 4, 5, 7, 8]),
        build("3x3", 4, &[0, 1, 2, 3, 5]),
        build("4x4", 15, &[4, 8, 9]),
        build("4x4", 14, &[0, 1, 15]),
        build("3x5", 7, &[2, 12, 14]),
        build("5x2", 3, &[0, 1, 2, 4]),
    ]
}

/// Few cells of small boards in one number.
fn packed(cells: impl Iterator<Item = usize>) -> u64 {
    cells.fold(0, |number, cell| number << 8 | cell as u64)
}

/// All boards that moves lead to from a goal, the goal first, and all moves between them.
struct Space {
    boards: Vec<Board>,
    /// For each board, where its moves lead and which tiles they move.
    moves: Vec<Vec<(usize, Tile)>>,
}

impl Space {
    /// The space of the goal with the blank in a cell.
    fn new(size: Size, blank: usize) -> Self {
        let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
        tiles.insert(blank, 0);
        let goal = Board::from_tiles(size, &tiles).unwrap();
        let mut numbers = HashMap::from([(goal.clone(), 0)]);
        let mut space = Self {
            boards: vec![goal],
            moves: Vec::new(),
        };
        while let Some(board) = space.boards.get(space.moves.len()).cloned() {
            let successors = board.legal_moves().map(|m| {
                let mut next = board.clone();
                let tile = next.slide(m).unwrap();
                let number = *numbers.entry(next).or_insert_with_key(|next| {
                    space.boards.push(next.clone());
                    space.boards.len() - 1
                });
                (number, tile)
            });
            space.moves.push(successors.collect());
        }
        space
    }

    /// The least number of moves of a pattern's tiles on any way from the goal to a board that
    /// shows the state, for each state that one shows.
    fn least_moves(&self, pattern: Pattern) -> HashMap<u64, u8> {
        let tiles: Vec<Tile> = pattern
            .iter()
            .map(|home| self.boards[0].tile(home).unwrap())
            .collect();
        let mut least = vec![u8::MAX; self.boards.len()];
        least[0] = 0;
        let mut queue = VecDeque::from([0]);
        while let Some(board) = queue.pop_front() {
            for &(next, tile) in &self.moves[board] {
                let cost = u8::from(tiles.contains(&tile));
                if least[board] + cost < least[next] {
                    least[next] = least[board] + cost;
                    if cost == 0 {
                        queue.push_front(next);
                    } else {
                        queue.push_back(next);
                    }
                }
            }
        }
        let mut of_states = HashMap::new();
        for (board, least) in self.boards.iter().zip(least) {
            let cells = board.cells_of_tiles();
            let state = tiles.iter().chain(&[0]).map(|&t| cells[usize::from(t)]);
            let slot = of_states.entry(packed(state)).or_insert(u8::MAX);
            *slot = least.min(*slot);
        }
        of_states
    }

    /// Every state of a table has the value that real boards give it, or none if no board that
    /// leads to the goal shows it.
    fn check(&self, blank: usize, pattern: Pattern) {
        let key = Key::new(self.boards[0].size(), blank, pattern).unwrap();
        let table = Reference::build(key).unwrap();
        let least = self.least_moves(pattern);
        for entry in table.iter() {
            let state = entry.cells().iter().copied().chain([entry.blank()]);
            let expected = least.get(&packed(state)).copied();
            assert_eq!(entry.value, expected, "{key:?} {entry:?}");
        }
        assert_eq!(Some(table.max()), least.values().copied().max(), "{key:?}");
    }
}

#[test]
fn values_are_those_of_real_boards_for_all_patterns_and_goals_of_2x2_2x3_and_3x2() {
    for size in ["2x2", "2x3", "3x2"] {
        let size: Size = size.parse().unwrap();
        for blank in 0..size.cells() {
            let space = Space::new(size, blank);
            let patterns = (1..1 << size.cells()).filter(|&homes| !has(homes, blank));
            patterns.for_each(|homes| space.check(blank, Pattern::from_homes(homes)));
        }
    }
}

#[test]
fn values_are_those_of_real_boards_of_3x3_with_the_blank_in_a_corner_at_an_edge_and_inside() {
    let patterns: [&[usize]; 5] = [
        &[6],
        &[2, 3],
        &[0, 5, 6],
        &[1, 2, 3, 5],
        &[0, 1, 2, 3, 5, 6],
    ];
    for blank in [8, 7, 4] {
        let space = Space::new("3x3".parse().unwrap(), blank);
        for homes in patterns {
            space.check(blank, homes.iter().copied().collect());
        }
    }
}

#[test]
fn the_pattern_of_all_tiles_gives_the_true_distances() {
    // Published: 12 boards of 2x2 up to 6 moves away, 360 of 2x3 up to 21, and 12.622 on
    // average. That each value is the true one is what the search of real boards checks.
    for (size, homes, boards, max, sum) in [
        ("2x2", &[0, 1, 2][..], 12, 6, 36),
        ("2x3", &[0, 1, 2, 3, 4], 360, 21, 4544),
    ] {
        let table = build(size, homes.len(), homes);
        let values: Vec<u8> = table.iter().filter_map(|entry| entry.value).collect();
        assert_eq!((values.len(), table.max()), (boards, max));
        assert_eq!(values.iter().map(|&v| u32::from(v)).sum::<u32>(), sum);
        assert_eq!(table.iter().count(), 2 * boards);
    }
}

#[test]
fn a_zone_has_one_value_and_each_move_of_a_tile_changes_it_by_one() {
    for table in tables() {
        let columns = table.key.size().columns();
        for entry in table.iter() {
            let blank = entry.blank();
            for cell in 0..table.key.size().cells() {
                let rows_apart = (cell / columns).abs_diff(blank / columns);
                if rows_apart + (cell % columns).abs_diff(blank % columns) != 1 {
                    continue;
                }
                let mut cells = entry.cells().to_vec();
                let tile = cells.iter().position(|&c| c == cell);
                if let Some(tile) = tile {
                    cells[tile] = blank;
                }
                let after = table.value(&cells, cell);
                let change = entry.value.zip(after).map(|(a, b)| a.abs_diff(b));
                let expected = entry.value.map(|_| u8::from(tile.is_some()));
                assert_eq!(change, expected, "{entry:?} {cell}");
                assert_eq!(entry.value.is_some(), after.is_some());
            }
        }
    }
}

#[test]
fn the_parity_of_a_value_is_that_of_the_colours_of_the_cells() {
    for table in tables() {
        let columns = table.key.size().columns();
        let colour = |cell: usize| cell / columns + cell % columns;
        let at_home: usize = table.key.pattern().iter().map(colour).sum();
        for entry in table.iter() {
            let here: usize = entry.cells().iter().copied().map(colour).sum();
            let parity = usize::from(entry.value.unwrap_or_default()) % 2;
            assert!(
                entry.value.is_none() || parity == (here + at_home) % 2,
                "{entry:?}"
            );
        }
    }
}

#[test]
fn every_state_comes_once_and_is_found_again() {
    for table in tables() {
        let mut last = Vec::new();
        let mut states = 0;
        for entry in table.iter() {
            let state = entry.state[..=entry.tiles].to_vec();
            assert!(last < state, "{entry:?}");
            assert_eq!(table.value(entry.cells(), entry.blank()), entry.value);
            last = state;
            states += 1;
        }
        assert_eq!(states, Reference::states(&table.key));
    }
}

#[test]
fn what_is_no_state_has_no_value() {
    let table = build("3x3", 8, &[0, 1]);
    assert!(table.value(&[7, 3], 8).is_some());
    for (cells, blank) in [
        (&[7][..], 8),
        (&[7, 3, 2], 8),
        (&[7, 7], 8),
        (&[7, 3], 3),
        (&[9, 3], 8),
        (&[7, 3], usize::MAX),
    ] {
        assert_eq!(table.value(cells, blank), None, "{cells:?} {blank}");
    }
}

#[test]
fn zones_of_six_seven_and_eight_tiles_are_as_many_as_known() {
    // A table by zones has an entry for each zone and order of the tiles: 11,816,640 for six
    // tiles on 4x4, 139,849,920 for seven, 1,425,191,040 for eight, 181,008,000 for six on 5x5.
    // By cells of the blank there are more.
    let six = key("4x4", 15, &[0, 1, 2, 4, 5, 6]);
    assert_eq!(Reference::states(&six), 57_657_600);
    for (size, tiles, zones) in [
        ("4x4", 6, 11_816_640 / 720),
        ("4x4", 7, 139_849_920 / 5040),
        ("4x4", 8, 1_425_191_040 / 40320),
        ("5x5", 6, 181_008_000 / 720),
    ] {
        let size: Size = size.parse().unwrap();
        let neighbours = neighbours(size);
        let mut found = 0;
        for walls in (0..1_u64 << size.cells()).filter(|w| w.count_ones() == tiles) {
            let cells: Vec<usize> = (0..size.cells()).filter(|&c| has(walls, c)).collect();
            let mut free = ((1 << size.cells()) - 1) & !walls;
            while free != 0 {
                free &= !zone(&neighbours, &cells, free.trailing_zeros() as usize);
                found += 1;
            }
        }
        assert_eq!(found, zones, "{tiles} on {size}");
    }
}

#[test]
fn tables_that_are_too_large_are_refused_with_their_bytes() {
    // Seven tiles of 4x4 would fit into the bytes, six of 5x5 have few enough tiles.
    for (size, tiles, bytes) in [("4x4", 7, 518_918_400), ("5x5", 6, 2_422_728_000)] {
        let homes: Vec<usize> = (0..tiles).collect();
        let key = key(size, tiles, &homes);
        let refused = Reference::build(key).unwrap_err();
        assert_eq!(refused, ReferenceTooLargeError { key, bytes });
        assert!(refused.to_string().contains(&bytes.to_string()));
    }
}
