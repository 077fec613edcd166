//! The board reader ends on every input, panics on none, and reads back what it prints.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taquin::notation::{BoardForm, BoardReader, ReadOptions, read_board};

fuzz_target!(|data: &[u8]| {
    // The first byte chooses a form, so that all readers get their share.
    let (form, text) = match data.split_first() {
        Some((&choice, text)) => (BoardForm::ALL.get(usize::from(choice)).copied(), text),
        None => (None, data),
    };
    let options = ReadOptions { form, size: None };
    for entry in BoardReader::new(text, options).flatten() {
        let board = entry.board;
        assert_eq!(board.to_string().parse(), Ok(board.clone()));
        for form in BoardForm::ALL {
            let mut printed = String::new();
            if form.write(&board, &mut printed).is_err() {
                continue;
            }
            if form.is_case_list() {
                printed.insert_str(0, "1\n");
            }
            let options = ReadOptions {
                form: Some(form),
                size: Some(board.size()),
            };
            assert_eq!(read_board(&printed, options), Ok(board.clone()), "{form:?}");
        }
    }
});
