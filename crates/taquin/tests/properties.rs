//! What holds for every board, every walk and every text.

use proptest::prelude::*;
use taquin::notation::{
    BoardForm, BoardReader, MoveNotation, MoveStyle, ReadOptions, read_board, read_moves,
};
use taquin::{
    Board, Goal, Metric, Moves, Reduction, Rng, Size, Solvability, Symmetry, random_walk, uniform,
};

/// Boards of all shapes up to 7×7, with any goal.
fn boards() -> impl Strategy<Value = Board> {
    (2_usize..8, 2_usize..8, any::<u64>(), 0..4_usize).prop_map(|(rows, columns, seed, goal)| {
        let size = Size::new(rows, columns).unwrap();
        let goal = Goal::NAMED[goal].board(size).unwrap();
        uniform(&goal, &mut Rng::from_seed(seed))
    })
}

/// A board and a legal walk from it.
fn walks() -> impl Strategy<Value = (Board, Moves)> {
    (boards(), 0..60_usize, any::<u64>()).prop_map(|(board, length, seed)| {
        let walk = random_walk(&board, length, &mut Rng::from_seed(seed));
        (board, walk)
    })
}

proptest! {
    #[test]
    fn every_form_reads_what_it_prints(board in boards()) {
        let mut written = 0;
        for form in BoardForm::ALL {
            let mut text = String::new();
            if form.write(&board, &mut text).is_err() {
                continue;
            }
            written += 1;
            if form.is_case_list() {
                text.insert_str(0, "1\n");
            }
            let forced = ReadOptions { form: Some(form), size: Some(board.size()) };
            prop_assert_eq!(read_board(&text, forced), Ok(board.clone()), "{:?}", form);
            // A board of an unknown form is found from the text; only the shape of a list that is
            // not square must be told.
            let guessed = ReadOptions { form: None, size: Some(board.size()) };
            prop_assert_eq!(read_board(&text, guessed), Ok(board.clone()), "{:?}", form);
        }
        // Six forms are for some sizes only.
        prop_assert!(written >= BoardForm::ALL.len() - 6, "{written}");
    }

    #[test]
    fn square_boards_are_read_without_being_told_anything(side in 2_usize..8, seed: u64) {
        let goal = Goal::Classic.board(Size::new(side, side).unwrap()).unwrap();
        let board = uniform(&goal, &mut Rng::from_seed(seed));
        for form in BoardForm::ALL {
            let mut text = String::new();
            // Four digits alone could be a number.
            let ambiguous = side == 2 && form == BoardForm::P1379;
            if ambiguous || form.write(&board, &mut text).is_err() {
                continue;
            }
            if form.is_case_list() {
                text.insert_str(0, "1\n");
            }
            prop_assert_eq!(text.parse(), Ok(board.clone()), "{:?}", form);
        }
    }

    #[test]
    fn moves_and_their_inverse_lead_back((board, walk) in walks()) {
        let end = board.after(&walk).unwrap();
        prop_assert_eq!(end.after(&walk.inverse()), Ok(board.clone()));
        let mut undone = end;
        undone.undo(&walk).unwrap();
        prop_assert_eq!(undone, board);
        prop_assert_eq!(walk.inverse().inverse(), walk);
    }

    #[test]
    fn multi_tile_length_is_at_most_single_tile_length((_, walk) in walks()) {
        prop_assert!(walk.length(Metric::Multi) <= walk.length(Metric::Single));
        prop_assert_eq!(walk.length(Metric::Multi) == 0, walk.is_empty());
    }

    #[test]
    fn moves_never_change_solvability((board, walk) in walks()) {
        let end = board.after(&walk).unwrap();
        prop_assert!(Solvability::of(&board, &end).unwrap().is_solvable());
    }

    #[test]
    fn every_notation_and_style_reads_what_it_prints((board, walk) in walks()) {
        for notation in MoveNotation::ALL {
            for style in MoveStyle::ALL {
                let mut text = String::new();
                notation.write(&board, &walk, style, &mut text).unwrap();
                let read = read_moves(&text, Some(notation), Some(&board));
                prop_assert_eq!(read.as_ref(), Ok(&walk), "{:?} {:?}", notation, style);
            }
        }
    }

    #[test]
    fn symmetries_carry_walks_along((board, walk) in walks()) {
        let end = board.after(&walk).unwrap();
        for symmetry in Symmetry::ALL {
            let mirrored = board.transformed(symmetry).after(&symmetry.moves(&walk)).unwrap();
            prop_assert_eq!(&mirrored, &end.transformed(symmetry));
            prop_assert_eq!(mirrored.transformed(symmetry.inverse()), end.clone());
        }
    }

    #[test]
    fn reduction_keeps_solvability_and_gives_solutions_back((goal, walk) in walks()) {
        let board = goal.after(&walk).unwrap();
        let reduction = Reduction::new(&goal);
        let reduced = reduction.reduce(&board).unwrap();
        prop_assert!(Solvability::of(&reduced, reduction.goal()).unwrap().is_solvable());
        let solution = reduction.symmetry().moves(&walk.inverse());
        prop_assert_eq!(reduced.after(&solution), Ok(reduction.goal().clone()));
        prop_assert_eq!(reduction.restore(&solution), walk.inverse());
    }

    #[test]
    fn no_text_makes_the_readers_panic(
        text in "([0-9]{1,3}|[ /,xX_.#:\n-]|[^ ]|0x[0-9a-f]{0,17}|[0-9]\n){0,80}",
        form in 0..BoardForm::ALL.len() + 1,
    ) {
        let options = ReadOptions { form: BoardForm::ALL.get(form).copied(), size: None };
        let boards: Vec<_> = BoardReader::new(text.as_bytes(), options).collect();
        // A record takes at least one character, so the reader ends.
        prop_assert!(boards.len() <= text.len() + 1);
        for board in boards.into_iter().flatten() {
            prop_assert_eq!(board.board.to_string().parse(), Ok(board.board));
        }
    }

    #[test]
    fn no_bytes_make_the_readers_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for form in BoardForm::ALL.into_iter().map(Some).chain([None]) {
            let options = ReadOptions { form, size: None };
            prop_assert!(BoardReader::new(&bytes[..], options).count() <= bytes.len() + 1);
        }
    }

    #[test]
    fn no_moves_make_the_reader_panic(
        text in "([UDLRudlrv^<>↑↓←→][0-9]{0,3}|[0-9]{1,2}|[ ,\n]|.){0,40}",
        board in boards(),
    ) {
        for notation in MoveNotation::ALL.into_iter().map(Some).chain([None]) {
            let _ = read_moves(&text, notation, None);
            if let Ok(moves) = read_moves(&text, notation, Some(&board)) {
                prop_assert!(board.after(&moves).is_ok());
            }
        }
    }
}

#[test]
fn the_largest_board_works() {
    let size = Size::new(255, 255).unwrap();
    let goal = Goal::Snail.board(size).unwrap();
    let board = uniform(&goal, &mut Rng::from_seed(1));
    assert!(Solvability::of(&board, &goal).unwrap().is_solvable());
    assert_eq!(board.to_string().parse(), Ok(board.clone()));
    let walk = random_walk(&board, 10_000, &mut Rng::from_seed(2));
    let end = board.after(&walk).unwrap();
    assert_eq!(end.after(&walk.inverse()), Ok(board));
}
