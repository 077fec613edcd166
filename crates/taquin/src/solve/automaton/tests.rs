//! Brute force on real boards is the judge of the automaton.

use std::collections::{HashMap, HashSet};

use super::words::{Word, redundant};
use super::*;
use crate::{Board, Tile};

fn size(rows: usize, columns: usize) -> Size {
    Size::new(rows, columns).unwrap()
}

/// The board with its tiles in order around the blank.
fn board(size: Size, blank: usize) -> Board {
    let mut tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
    tiles.insert(blank, 0);
    Board::from_tiles(size, &tiles).unwrap()
}

fn slid(board: &Board, m: Move) -> Board {
    let mut board = board.clone();
    board.slide(m).unwrap();
    board
}

fn accepts(automaton: &Automaton, moves: &[Move]) -> bool {
    let start = Some(automaton.start());
    let end = moves
        .iter()
        .fold(start, |state, &m| automaton.next(state?, m));
    end.is_some()
}

/// How far the blank goes from where it begins: to the top, bottom, left and right.
fn extent(moves: &[Move]) -> [usize; 4] {
    let (mut row, mut column) = (0_isize, 0_isize);
    let mut extent = [0; 4];
    for m in moves {
        match m {
            Move::Up => row += 1,
            Move::Down => row -= 1,
            Move::Left => column += 1,
            Move::Right => column -= 1,
        }
        for (most, now) in extent.iter_mut().zip([-row, row, -column, column]) {
            *most = now.max(*most);
        }
    }
    extent.map(isize::unsigned_abs)
}

/// Compares the boards at each distance with those that are reached by allowed moves in as many.
fn check_distances(automaton: &Automaton, start: &Board, most: usize) {
    let mut known = HashSet::from([start.clone()]);
    let mut layer = known.clone();
    let mut reached = HashSet::from([(start.clone(), automaton.start())]);
    for distance in 1..=most {
        let after = |board: &Board| board.legal_moves().map(|m| slid(board, m)).collect();
        let next: HashSet<Board> = layer.iter().flat_map::<Vec<Board>, _>(after).collect();
        layer = next.difference(&known).cloned().collect();
        known.extend(layer.iter().cloned());
        // A shortest way is made of shortest ways: others need not be followed.
        reached = reached
            .iter()
            .flat_map(|(board, state)| {
                let moves = board.legal_moves();
                moves.filter_map(|m| Some((slid(board, m), automaton.next(*state, m)?)))
            })
            .filter(|(board, _)| layer.contains(board))
            .collect();
        let boards: HashSet<&Board> = reached.iter().map(|(board, _)| board).collect();
        assert_eq!(boards.len(), layer.len(), "at {distance} from\n{start}");
    }
}

#[test]
fn all_distances_of_small_spaces_stay_what_they_are() {
    // From every cell of the blank to everything: that is from every board to every other.
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
        let size = size(rows, columns);
        let automaton = Automaton::standard(size);
        for blank in 0..size.cells() {
            check_distances(&automaton, &board(size, blank), 40);
        }
    }
}

#[test]
fn distances_on_larger_boards_stay_what_they_are() {
    for (rows, columns, most) in [
        (2, 5, 22),
        (5, 2, 22),
        (2, 7, 17),
        (3, 4, 16),
        (4, 3, 16),
        (3, 5, 14),
        (4, 4, 14),
        (5, 5, 11),
    ] {
        let size = size(rows, columns);
        let automaton = Automaton::standard(size);
        // The order of the words has no symmetry, so every corner counts.
        let last = size.cells() - 1;
        for blank in [0, columns - 1, last / 2, last + 1 - columns, last] {
            check_distances(&automaton, &board(size, blank), most);
        }
    }
}

#[test]
fn automata_of_every_depth_keep_distances() {
    let size = size(2, 4);
    for depth in 0..=12 {
        let automaton = Automaton::new(depth);
        for blank in 0..size.cells() {
            check_distances(&automaton, &board(size, blank), 40);
        }
    }
}

/// The first sequence of that many moves that leads to the target, if there is one.
fn first_way(board: &Board, target: &Board, length: usize, way: &mut Vec<Move>) -> bool {
    let distance = |(&a, &b): (&usize, &usize)| board.size().distance(a, b);
    let (cells, homes) = (board.cells_of_tiles(), target.cells_of_tiles());
    let estimate: usize = cells.iter().zip(&homes).skip(1).map(distance).sum();
    if way.len() + estimate > length {
        return false;
    }
    if way.len() == length {
        return board == target;
    }
    board.legal_moves().any(|m| {
        way.push(m);
        let found = first_way(&slid(board, m), target, length, way);
        if !found {
            way.pop();
        }
        found
    })
}

#[test]
fn an_earlier_sequence_within_the_same_rectangle_does_what_a_forbidden_one_does() {
    let forbidden = redundant(Automaton::MAX_DEPTH, None);
    assert_eq!(forbidden.len(), 18_700);
    let automaton = Automaton::standard(size(5, 5));
    for word in forbidden {
        let moves: Vec<Move> = word.moves().collect();
        let [top, bottom, left, right] = extent(&moves);
        // Boards have two rows and columns at least.
        let (rows, columns) = ((top + bottom).max(1) + 1, (left + right).max(1) + 1);
        let start = board(size(rows, columns), top * columns + left);
        let mut target = start.clone();
        target.apply(&moves).unwrap();
        let mut first = Vec::new();
        let lengths = moves.len() % 2..=moves.len();
        let found = lengths
            .step_by(2)
            .any(|length| first_way(&start, &target, length, &mut first));
        assert!(found, "{moves:?} is itself a way");
        assert!((first.len(), &first) < (moves.len(), &moves), "{moves:?}");
        assert!(accepts(&automaton, &first), "{first:?}");
    }
}

#[test]
fn exactly_the_sequences_with_a_redundant_part_are_refused() {
    let depth = 8;
    // Large enough for every way from its middle, and so without edges.
    let room = depth + 1;
    let (side, middle) = (2 * room + 1, room * (2 * room + 2));
    // Where the ways to a board went that have been seen so far.
    let mut seen: HashMap<Board, Vec<[usize; 4]>> = HashMap::new();
    let mut redundant: HashSet<Vec<Move>> = HashSet::new();
    let mut layer = vec![(Vec::new(), board(size(side, side), middle))];
    let (automaton, mut refused) = (Automaton::new(depth), 0);
    for _ in 0..=depth {
        let mut next = Vec::new();
        for (moves, board) in layer {
            let extent = extent(&moves);
            let inside = |other: &[usize; 4]| other.iter().zip(&extent).all(|(a, b)| a <= b);
            let others = seen.entry(board.clone()).or_default();
            if others.iter().any(inside) {
                redundant.insert(moves.clone());
            }
            others.push(extent);
            let part =
                |from: usize| (from..=moves.len()).any(|to| redundant.contains(&moves[from..to]));
            let has_part = (0..moves.len()).any(part);
            assert_eq!(accepts(&automaton, &moves), !has_part, "{moves:?}");
            refused += usize::from(has_part);
            // In shortlex order, without moves that are taken back at once.
            for m in Move::ALL {
                if moves.last() != Some(&m.opposite()) {
                    next.push(([&moves[..], &[m]].concat(), slid(&board, m)));
                }
            }
        }
        layer = next;
    }
    assert!(refused > 40);
}

#[test]
fn depth_2_refuses_reversals_and_nothing_else() {
    let automaton = Automaton::reversals_only();
    assert_eq!(automaton.states(), 5);
    let mut words = vec![Vec::new()];
    for _ in 0..6 {
        words = words
            .iter()
            .flat_map(|word| Move::ALL.map(|m| [&word[..], &[m]].concat()))
            .collect();
        for word in &words {
            let reversal = word.windows(2).any(|pair| pair[0] == pair[1].opposite());
            assert_eq!(accepts(&automaton, word), !reversal, "{word:?}");
        }
    }
    assert_eq!(Automaton::new(0).states(), 1);
    assert_eq!(Automaton::new(1).allowed(AutomatonState(0)), 0b1111);
}

#[test]
fn the_allowed_moves_are_those_that_lead_on() {
    let automaton = Automaton::standard(size(4, 4));
    for state in (0..automaton.states()).map(|state| AutomatonState(state as u16)) {
        for m in Move::ALL {
            let allowed = automaton.allowed(state) >> (m as u8) & 1 == 1;
            assert_eq!(allowed, automaton.next(state, m).is_some());
        }
    }
}

/// The number of ways that the automaton allows from the first cell, for each number of moves.
fn ways(automaton: &Automaton, size: Size, most: usize) -> Vec<u64> {
    let cells = size.cells();
    let moves: Vec<Vec<(Move, usize)>> = (0..cells)
        .map(|blank| {
            let board = board(size, blank);
            let cell = |m| Some((m, board.sliding_cell(m)?));
            Move::ALL.into_iter().filter_map(cell).collect()
        })
        .collect();
    let mut here = vec![0; cells * automaton.states()];
    here[0] = 1;
    let mut ways = vec![1];
    for _ in 0..most {
        let mut next = vec![0; here.len()];
        for (i, &count) in here.iter().enumerate().filter(|(_, count)| **count > 0) {
            for &(m, cell) in &moves[i % cells] {
                if let Some(state) = automaton.next(AutomatonState((i / cells) as u16), m) {
                    next[usize::from(state.0) * cells + cell] += count;
                }
            }
        }
        here = next;
        ways.push(here.iter().sum());
    }
    ways
}

#[test]
fn deeper_automata_allow_fewer_ways_but_never_fewer_than_there_are_boards() {
    let size = size(4, 4);
    // Boards at each distance from the 15-puzzle's goal with the blank in a corner (OEIS A151944).
    let boards = [
        1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1_948, 3_938, 7_808, 15_544, 30_821,
    ];
    let mut fewer = vec![u64::MAX; 26];
    for (depth, states, of_25) in [
        (0, 1, None),
        (2, 5, Some(184_499_846)),
        (6, 21, None),
        (8, 150, Some(104_899_942)),
        (10, 1_127, Some(80_624_731)),
        (12, 7_794, Some(66_552_864)),
        (13, 9_791, Some(64_046_815)),
        (14, 22_569, Some(57_639_666)),
    ] {
        let automaton = match depth {
            14 => Automaton::standard(size),
            _ => Automaton::new(depth),
        };
        assert_eq!(automaton.states(), states);
        let ways = ways(&automaton, size, 25);
        if let Some(of_25) = of_25 {
            assert_eq!(ways[25], of_25, "depth {depth}");
        }
        assert!(ways.iter().zip(&fewer).all(|(now, before)| now <= before));
        assert!(
            ways.iter()
                .zip(&boards)
                .all(|(ways, boards)| ways >= boards)
        );
        fewer = ways;
    }
}

#[test]
fn leaving_out_what_does_not_fit_makes_no_difference_on_the_board() {
    for (rows, columns) in [(2, 3), (3, 3), (3, 4), (2, 6)] {
        let size = size(rows, columns);
        let (all, fitting) = (Automaton::new(12), Automaton::within(size, 12));
        assert!(fitting.states() < all.states());
        assert_eq!(ways(&fitting, size, 30), ways(&all, size, 30));
    }
}

#[test]
fn what_comes_with_the_library_is_what_the_library_finds() {
    let four = size(4, 4);
    let depth = Automaton::MAX_DEPTH;
    for (size, fresh) in [
        (four, Automaton::within(four, depth)),
        (size(4, 5), Automaton::new(depth)),
    ] {
        let same = Automaton::standard(size).table == fresh.table;
        assert!(same, "run `cargo xtask automaton`");
    }
    assert_eq!(redundant(depth, Some(four)).len(), 7_014);
    assert_eq!(Automaton::standard(size(4, 5)).states(), 54_923);
}

#[test]
fn words_come_in_shortlex_order() {
    let (a, b) = (Word::EMPTY.push(Move::Right), Word::EMPTY.push(Move::Up));
    assert!(Word::EMPTY < b && b < a && a < b.push(Move::Up));
    assert_eq!(
        a.push(Move::Up).moves().collect::<Vec<_>>(),
        [Move::Right, Move::Up]
    );
}
