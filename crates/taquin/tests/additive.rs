//! What pattern databases promise, checked with the plain tables on every state of small spaces.

use std::collections::{HashMap, VecDeque};

use taquin::tables::{Key, Reference};
use taquin::{Board, Size, Symmetry, Tile};

fn build(size: Size, blank: usize, homes: &[usize]) -> Reference {
    let pattern = homes.iter().copied().collect();
    Reference::build(Key::new(size, blank, pattern).unwrap()).unwrap()
}

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

/// Rows and columns between two cells.
fn apart(size: Size, a: usize, b: usize) -> usize {
    let columns = size.columns();
    (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns)
}

/// The tables of several patterns for one goal.
struct Tables(Vec<Reference>);

impl Tables {
    fn build(size: Size, blank: usize, patterns: &[Vec<usize>]) -> Self {
        Self(patterns.iter().map(|p| build(size, blank, p)).collect())
    }

    /// The sum of the patterns' values on a board.
    fn sum(&self, board: &Placed) -> u32 {
        let value = |table: &Reference| {
            let cells: Vec<usize> = table.key().pattern().iter().map(|h| board.0[h]).collect();
            u32::from(table.value(&cells, board.0[table.key().blank()]).unwrap())
        };
        self.0.iter().map(value).sum()
    }
}

/// A board by the cells in which the piece of each home is. That of the blank's home is the blank.
struct Placed(Vec<usize>);

impl Placed {
    fn new(goal: &Board, board: &Board) -> Self {
        let cells = board.cells_of_tiles();
        Self(goal.tiles().map(|tile| cells[usize::from(tile)]).collect())
    }

    /// The board seen in a mirror, in which homes are mirrored too.
    fn mirrored(&self, size: Size, mirror: Symmetry) -> Self {
        let mut cells = vec![0; self.0.len()];
        for (home, &cell) in self.0.iter().enumerate() {
            cells[mirror.cell(size, home)] = mirror.cell(size, cell);
        }
        Self(cells)
    }

    fn manhattan(&self, size: Size, blank: usize) -> usize {
        let tiles = self.0.iter().enumerate().filter(|&(home, _)| home != blank);
        tiles.map(|(home, &cell)| apart(size, home, cell)).sum()
    }
}

/// The goal that has its blank in a cell.
fn goal(size: Size, blank: usize) -> Board {
    let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).unwrap()
}

fn successors(board: &Board) -> impl Iterator<Item = Board> {
    board.legal_moves().map(|m| {
        let mut next = board.clone();
        next.slide(m).unwrap();
        next
    })
}

/// The distance of every board that can reach the goal.
fn distances(goal: &Board) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal.clone()]);
    while let Some(board) = queue.pop_front() {
        let distance = distances[&board] + 1;
        for next in successors(&board) {
            distances.entry(next).or_insert_with_key(|next| {
                queue.push_back(next.clone());
                distance
            });
        }
    }
    distances
}

/// The homes of the tiles, in rows or in columns, cut into patterns of so many.
fn cut(size: Size, blank: usize, by_columns: bool, tiles: usize) -> Vec<Vec<usize>> {
    let mut homes: Vec<usize> = (0..size.cells()).filter(|&home| home != blank).collect();
    if by_columns {
        homes.sort_by_key(|home| (home % size.columns(), *home));
    }
    homes.chunks(tiles).map(<[usize]>::to_vec).collect()
}

#[test]
fn the_sum_of_disjoint_patterns_is_admissible_and_every_move_changes_it_by_one() {
    let size = size("3x3");
    for (blank, by_columns, tiles) in [(8, false, 4), (7, true, 3), (4, false, 6)] {
        let goal = goal(size, blank);
        let tables = Tables::build(size, blank, &cut(size, blank, by_columns, tiles));
        for (board, distance) in distances(&goal) {
            let placed = Placed::new(&goal, &board);
            let sum = tables.sum(&placed);
            assert!(sum <= distance, "{board} {sum} {distance}");
            assert!(sum as usize >= placed.manhattan(size, blank), "{board}");
            for next in successors(&board) {
                let after = tables.sum(&Placed::new(&goal, &next));
                assert_eq!(sum.abs_diff(after), 1, "{board} to {next}");
            }
        }
    }
}

#[test]
fn patterns_that_share_a_tile_do_not_add() {
    let goal = goal(size("2x3"), 5);
    let tables = Tables::build(goal.size(), 5, &[vec![0, 1, 2], vec![2, 3, 4]]);
    let too_much = |(board, &distance): (&Board, &u32)| {
        let sum = tables.sum(&Placed::new(&goal, board));
        sum > distance
    };
    assert!(distances(&goal).iter().any(too_much));
}

#[test]
fn a_pattern_is_worth_at_least_its_parts() {
    let size = size("3x3");
    for (whole, parts) in [
        (&[0, 1, 3, 4][..], [&[0, 1][..], &[3, 4]]),
        (&[2, 4, 5, 6, 7], [&[5], &[2, 4, 6, 7]]),
    ] {
        let table = build(size, 8, whole);
        let parts = parts.map(|homes| (homes, build(size, 8, homes)));
        let mut better = 0;
        for entry in table.iter() {
            let cell_of = |home| entry.cells()[whole.iter().position(|h| h == home).unwrap()];
            let values = parts.iter().map(|(homes, part)| {
                let cells: Vec<usize> = homes.iter().map(cell_of).collect();
                part.value(&cells, entry.blank()).unwrap()
            });
            let sum: u8 = values.sum();
            let value = entry.value.unwrap();
            assert!(sum <= value, "{entry:?} {sum}");
            better += usize::from(sum < value);
        }
        assert!(better > 0, "{whole:?}");
    }
}

/// What one move of a pattern's tile leads to, wherever the blank goes in its zone before it.
fn tile_moves(size: Size, cells: &[usize], blank: usize) -> Vec<(Vec<usize>, usize)> {
    let mut zone = vec![blank];
    let mut moves = Vec::new();
    let mut visited = 0;
    while let Some(&blank) = zone.get(visited) {
        visited += 1;
        for cell in (0..size.cells()).filter(|&cell| apart(size, cell, blank) == 1) {
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

#[test]
fn tiles_at_home_can_lock_the_blank_out_and_zones_know_it() {
    // Tiles 6 and 8 of the 8-puzzle, at home next to the corner of the blank.
    let table = build(size("3x3"), 8, &[5, 7]);
    assert_eq!(table.value(&[5, 7], 8), Some(0));
    for outside in [0, 1, 2, 3, 4, 6] {
        assert_eq!(table.value(&[5, 7], outside), Some(4));
    }
}

#[test]
fn without_zones_one_move_can_change_a_value_by_more_than_one() {
    let size = size("3x3");
    for (homes, expected) in [(&[5, 7][..], 3), (&[3, 4, 6], 5), (&[4, 5, 6, 7], 7)] {
        let table = build(size, 8, homes);
        let mut without_zones: HashMap<Vec<usize>, u8> = HashMap::new();
        for entry in table.iter() {
            let value = entry.value.unwrap();
            let least = without_zones.entry(entry.cells().to_vec()).or_insert(value);
            *least = value.min(*least);
        }
        let mut largest = 0;
        for entry in table.iter() {
            let before = without_zones[entry.cells()];
            for (after, _) in tile_moves(size, entry.cells(), entry.blank()) {
                largest = largest.max(before.abs_diff(without_zones[&after]));
            }
        }
        assert_eq!(largest, expected, "{homes:?}");
    }
}

/// A table of which only bit 1 of each value is left.
struct OneBit(Reference);

impl OneBit {
    fn bit(&self, cells: &[usize], blank: usize) -> u8 {
        self.0.value(cells, blank).unwrap() >> 1 & 1
    }

    /// The value modulo 4: the bit, and the colours of the cells against those of the homes.
    fn modulo_4(&self, cells: &[usize], blank: usize) -> u8 {
        let columns = self.0.key().size().columns();
        let homes = self.0.key().pattern().iter();
        let colours = homes.chain(cells.iter().copied());
        let parity = colours.map(|c| c / columns + c % columns).sum::<usize>() % 2;
        self.bit(cells, blank) << 1 | parity as u8
    }

    /// The value after a move, from the value before it: one less or one more, as the bit says.
    fn step(&self, before: u8, cells: &[usize], blank: usize) -> u8 {
        let up = before + 1;
        if up >> 1 & 1 == self.bit(cells, blank) {
            up
        } else {
            before - 1
        }
    }

    /// The value, by counting the moves of a walk on which each lowers it. Only the goal has none.
    fn walk(&self, cells: &[usize], blank: usize) -> u8 {
        let (mut cells, mut blank) = (cells.to_vec(), blank);
        let mut steps = 0;
        loop {
            let lower = (self.modulo_4(&cells, blank) + 3) % 4;
            let mut moves = tile_moves(self.0.key().size(), &cells, blank).into_iter();
            match moves.find(|(cells, blank)| self.modulo_4(cells, *blank) == lower) {
                Some(down) => (cells, blank) = down,
                None => return steps,
            }
            steps += 1;
        }
    }
}

/// Small tables with goals of all kinds, and with states from which no way leads to the goal.
fn one_bit_tables() -> [OneBit; 5] {
    [
        ("2x3", 5, &[0, 1, 2, 3, 4][..]),
        ("3x3", 8, &[0, 3, 4]),
        ("3x3", 7, &[4, 6, 8]),
        ("3x3", 4, &[1, 3, 5, 7]),
        ("4x4", 15, &[11, 14]),
    ]
    .map(|(text, blank, homes)| OneBit(build(size(text), blank, homes)))
}

#[test]
fn one_bit_gives_the_value_after_a_move_from_the_value_before() {
    for table in one_bit_tables() {
        for entry in table.0.iter() {
            let Some(before) = entry.value else { continue };
            for (cells, blank) in tile_moves(table.0.key().size(), entry.cells(), entry.blank()) {
                let after = table.step(before, &cells, blank);
                assert_eq!(table.0.value(&cells, blank), Some(after), "{entry:?}");
            }
        }
    }
}

#[test]
fn one_bit_gives_the_first_value_by_walking_downhill() {
    for table in one_bit_tables() {
        for entry in table.0.iter().filter(|entry| entry.value.is_some()) {
            let steps = table.walk(entry.cells(), entry.blank());
            assert_eq!(entry.value, Some(steps), "{entry:?}");
        }
    }
}

#[test]
fn the_table_of_a_mirrored_pattern_is_the_mirrored_table() {
    for (text, blank, homes) in [
        ("3x3", 8, &[0, 1, 3, 5][..]),
        // Transposed, this is itself.
        ("3x3", 4, &[1, 3, 8]),
        ("2x5", 4, &[0, 6, 9]),
    ] {
        let size = size(text);
        let table = build(size, blank, homes);
        for mirror in Symmetry::ALL {
            let there = |cell: usize| mirror.cell(size, cell);
            let mirrored_homes: Vec<usize> = homes.iter().copied().map(there).collect();
            let mirrored = build(mirror.size(size), there(blank), &mirrored_homes);
            for entry in table.iter() {
                // The mirror changes which home comes first.
                let mut tiles: Vec<_> = mirrored_homes.iter().zip(entry.cells()).collect();
                tiles.sort_unstable();
                let cells: Vec<usize> = tiles.iter().map(|&(_, &cell)| there(cell)).collect();
                let value = mirrored.value(&cells, there(entry.blank()));
                assert_eq!(value, entry.value, "{mirror:?} {entry:?}");
            }
        }
    }
}

#[test]
fn the_larger_of_a_board_and_its_mirror_image_is_admissible_and_better_than_either() {
    let goal = goal(size("3x3"), 8);
    let tables = Tables::build(goal.size(), 8, &[vec![0, 1, 2, 5], vec![3, 4, 6, 7]]);
    let (mut by_board, mut by_mirror) = (0, 0);
    for (board, distance) in distances(&goal) {
        let placed = Placed::new(&goal, &board);
        let mirrored = placed.mirrored(goal.size(), Symmetry::TRANSPOSE);
        let (sum, mirrored) = (tables.sum(&placed), tables.sum(&mirrored));
        assert!(sum.max(mirrored) <= distance, "{board}");
        by_board += usize::from(sum > mirrored);
        by_mirror += usize::from(mirrored > sum);
    }
    // The mirror is its own inverse, so each board that gains is the image of one that loses.
    assert!(by_board > 0);
    assert_eq!(by_board, by_mirror);
}

#[test]
fn the_largest_sum_of_several_partitions_is_admissible_consistent_and_better_than_each() {
    let goal = goal(size("3x3"), 8);
    let partitions = [
        [vec![0, 1, 3, 4], vec![2, 5, 6, 7]],
        [vec![0, 1, 2, 4], vec![3, 5, 6, 7]],
        [vec![0, 3, 6, 7], vec![1, 2, 4, 5]],
    ]
    .map(|patterns| Tables::build(goal.size(), 8, &patterns));
    let sums = |board: &Board| {
        let placed = Placed::new(&goal, board);
        partitions.each_ref().map(|tables| tables.sum(&placed))
    };
    let mut alone_the_largest = [0; 3];
    for (board, distance) in distances(&goal) {
        let here = sums(&board);
        let largest = here.into_iter().max().unwrap();
        assert!(largest <= distance, "{board}");
        if here.iter().filter(|&&sum| sum == largest).count() == 1 {
            alone_the_largest[here.iter().position(|&sum| sum == largest).unwrap()] += 1;
        }
        for next in successors(&board) {
            let after = sums(&next).into_iter().max().unwrap();
            assert_eq!(largest.abs_diff(after), 1, "{board} to {next}");
        }
    }
    assert!(
        alone_the_largest.iter().all(|&boards| boards > 0),
        "{alone_the_largest:?}"
    );
}
