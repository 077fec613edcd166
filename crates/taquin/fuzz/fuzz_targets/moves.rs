//! The move reader panics on no input, and what it accepts is legal and reads back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taquin::notation::{MoveNotation, MoveStyle, read_moves};
use taquin::{Board, Goal, Rng, Size, uniform};

fuzz_target!(|data: &[u8]| {
    let Some((&seed, rest)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let size = Size::new(2 + usize::from(seed % 4), 2 + usize::from(seed / 4 % 4)).unwrap();
    let goal = Goal::Classic.board(size).unwrap();
    let board: Board = uniform(&goal, &mut Rng::from_seed(seed.into()));
    for notation in MoveNotation::ALL {
        let _ = read_moves(text, Some(notation), None);
        let Ok(moves) = read_moves(text, Some(notation), Some(&board)) else {
            continue;
        };
        let end = board.after(&moves).unwrap();
        assert_eq!(end.after(&moves.inverse()).as_ref(), Ok(&board));
        for notation in MoveNotation::ALL {
            for style in MoveStyle::ALL {
                let mut printed = String::new();
                notation.write(&board, &moves, style, &mut printed).unwrap();
                assert_eq!(read_moves(&printed, Some(notation), Some(&board)).as_ref(), Ok(&moves));
            }
        }
    }
});
