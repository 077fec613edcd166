//! Boards in every form that people write, and everything that can be wrong with them.

use taquin::notation::{BoardForm, BoardReader, ReadError, ReadOptions};

/// What a text is read as: boards in the default form, or messages.
fn read_as(text: &str, form: Option<BoardForm>, size: Option<&str>) -> Vec<String> {
    let size = size.map(|size| size.parse().unwrap());
    BoardReader::new(text.as_bytes(), ReadOptions { form, size })
        .map(|entry| match entry {
            Ok(entry) => entry.board.to_string(),
            Err(ReadError::Parse(error)) => error.to_string(),
            Err(ReadError::Io(error)) => panic!("{error}"),
        })
        .collect()
}

fn read(text: &str) -> Vec<String> {
    read_as(text, None, None)
}

#[test]
fn every_form_of_the_table_is_recognised() {
    let fifteen = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let rosetta = "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2";
    for (text, board) in [
        (fifteen, fifteen),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", fifteen),
        ("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,_", fifteen),
        ("3\n 0  1  3\n 4  2  5\n 7  8  6\n", "0 1 3/4 2 5/7 8 6"),
        (
            "# a comment\n3 # size\n1 2 3\n8 0 4 # here\n7 6 5",
            "1 2 3/8 0 4/7 6 5",
        ),
        ("1 2 3 x 4 6 7 5 8", "1 2 3/0 4 6/7 5 8"),
        ("283104765", "2 8 3/1 0 4/7 6 5"),
        ("123x46758", "1 2 3/0 4 6/7 5 8"),
        ("0xfe169b4c0a73d852", rosetta),
        ("fe169b4c0a73d852", rosetta),
        ("4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0", fifteen),
        // Width comes first in a game ID.
        ("3x2:1,2,3,4,5,0", "1 2 3/4 5 0"),
        ("1\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n", fifteen),
        ("1\n\n2 3 4 1 5 x 7 6 8\n", "2 3 4/1 5 0/7 6 8"),
        ("1 2 3\n4 5 6\n7 8 .\n", "1 2 3/4 5 6/7 8 0"),
        ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 -\n", fifteen),
        ("\u{feff}1 2 3/4 5 X\r\n", "1 2 3/4 5 0"),
    ] {
        assert_eq!(read(text), [board], "{text:?}");
    }
}

#[test]
fn case_lists_are_read_to_their_end_and_then_something_else_may_follow() {
    let four = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n";
    let board = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    // Four cases of UVa 10181 look like a Princeton board at first.
    assert_eq!(read(&format!("4\n{}", four.repeat(4))), [board; 4]);
    assert_eq!(read(&format!("4\n{four}")), [board]);
    assert_eq!(read(&format!("4\n{four}4\n{four}")), [board; 2]);
    assert_eq!(read(&format!("2\n\n{four}\n{four}\n283104765")).len(), 3);
    let eight = "\n1 2 3 4 5 6 7 8 x\n";
    assert_eq!(
        read(&format!("9\n{}", eight.repeat(9))),
        ["1 2 3/4 5 6/7 8 0"; 9]
    );
}

#[test]
fn boards_of_different_forms_can_follow_each_other() {
    let text = "1 2 3/4 5 0\n\n3\n0 1 3\n4 2 5\n7 8 6\n283104765\n1 2 3\n4 5 6\n7 8 0\n\n1 0 2 3";
    let sizes = ["1 2 3/4 5 0", "0 1 3/4 2 5/7 8 6", "2 8 3/1 0 4/7 6 5"];
    let rest = ["1 2 3/4 5 6/7 8 0", "1 0/2 3"];
    assert_eq!(read(text), [&sizes[..], &rest[..]].concat());
}

#[test]
fn a_size_shapes_flat_lists_and_is_checked_for_the_others() {
    let list = "1 2 3 4 5 0";
    assert_eq!(read_as(list, None, Some("2x3")), ["1 2 3/4 5 0"]);
    assert_eq!(read_as(list, None, Some("3x2")), ["1 2/3 4/5 0"]);
    assert_eq!(read_as("123450", None, Some("2x3")), ["1 2 3/4 5 0"]);
    assert_eq!(read_as("1230", None, Some("2x2")), ["1 2/3 0"]);
    assert_eq!(
        read_as("1 2/3 0", None, Some("3x3")),
        ["line 1, column 1: expected a 3x3 board, found 2x2"]
    );
    assert_eq!(
        read_as("1 2 3 0", None, Some("2x3")),
        ["line 1, column 1: a 2x3 board has 6 cells, not 4"]
    );
}

#[test]
fn faults_are_told_with_place_token_and_what_was_expected() {
    for (text, message) in [
        (
            "1 2 3/4 5 6/7 8 8",
            "line 1, column 17: tile 8 appears twice and the blank is missing \
             (it stands first at line 1, column 15)",
        ),
        (
            "1 2 3/4 5 6/7 9 0",
            "line 1, column 15: tile 9 is too large: a 3x3 board has the tiles 0 to 8",
        ),
        (
            "1 2 3/4 5 6/7 99999999999 0",
            "line 1, column 15: tile \"99999999999\" is too large: a 3x3 board has the tiles 0 to 8",
        ),
        (
            "1 2 3/4 five 6/7 8 0",
            "line 1, column 9: expected a tile, or \"/\" and the next row, found \"five\"",
        ),
        (
            "1 2 3/4 5/6 7 8 0",
            "line 1, column 10: row 2 has 2 tiles where 3 were expected",
        ),
        (
            "1 2 3/4 5 0/",
            "line 1, column 13: expected the tiles of row 3, but the row ends here",
        ),
        (
            "1 2 3 4 5 0",
            "line 1, column 1: 6 tiles do not make a square board: give the size, or mark the \
             rows with \"/\" as in \"1 2 3/4 5 0\"",
        ),
        (
            "0 1 2 3 4 5 6 7 8/1",
            "line 1, column 20: row 2 has 1 tiles where 9 were expected",
        ),
        (
            "1/0",
            "line 1, column 1: a board has 2 to 255 rows and columns, not 2x1",
        ),
        (
            "300",
            "line 1, column 1: a board has 2 to 255 rows and columns, not 300x300",
        ),
        (
            "283104766",
            "line 1, column 9: tile 6 appears twice and tile 5 is missing \
             (it stands first at line 1, column 8)",
        ),
        (
            "0xfe169b4c0a73d8g2",
            "line 1, column 17: expected a hexadecimal digit, found \"g\"",
        ),
        (
            "3x:1,2",
            "line 1, column 1: expected a game ID as in \"4x4:1,2,3,…\": width x height, a colon, \
             the tiles, found \"3x:1,2\"",
        ),
        (
            "hello",
            "line 1, column 1: expected a tile number or a sign for the blank, found \"hello\"",
        ),
        (
            "3\n1 2 3\n4 5 6\n",
            "line 3, column 1: expected row 3 of 3, but the input ends here",
        ),
        (
            "3\n1 2 3\n4 5\n7 8 0\n",
            "line 3, column 1: row 2 has 2 tiles where 3 were expected",
        ),
        (
            "3\n1 2 3\n4 5 6\n7 8 8\n",
            "line 4, column 5: tile 8 appears twice and the blank is missing \
             (it stands first at line 4, column 3)",
        ),
        (
            "1 2 3\n4 5 6\n7 8 8\n",
            "line 3, column 5: tile 8 appears twice and the blank is missing \
             (it stands first at line 3, column 3)",
        ),
    ] {
        assert_eq!(read(text), [message], "{text:?}");
    }
}

#[test]
fn a_bad_board_does_not_spoil_the_next_one() {
    let good = "1 2 3/4 5 6/7 8 0";
    for text in [
        "1 2 3 4 5 6 7 8 8\n1 2 3 4 5 6 7 8 0\n",
        "1 2 3/4 5 6/7 8 8\n1 2 3/4 5 6/7 8 0\n",
        "3x3:1,2,3,4,5,6,7,8,8\n3x3:1,2,3,4,5,6,7,8,0\n",
        "3\n1 2 3\n4 5 x6\n7 8 0\n3\n1 2 3\n4 5 6\n7 8 0\n",
        "3\n1 2 3\n4 5 6 7\n7 8 0\n\n3\n1 2 3\n4 5 6\n7 8 0\n",
        "1 2 3\n4 5\n7 8 0\n\n1 2 3/4 5 6/7 8 0",
        "3\n1 2 3\n3\n1 2 3\n4 5 6\n7 8 0\n",
    ] {
        let boards = read(text);
        let (last, bad) = boards.split_last().unwrap();
        assert_eq!(last, good, "{text:?}: {boards:?}");
        assert!(!bad.is_empty(), "{text:?}");
        assert!(
            bad.iter().all(|b| b.starts_with("line")),
            "{text:?}: {boards:?}"
        );
    }
}

#[test]
fn a_truncated_list_gives_its_boards_and_says_what_is_missing() {
    let text = "3\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n";
    assert_eq!(
        read(text),
        [
            "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0",
            "line 5, column 1: the list announces 3 boards but ends after 1",
        ]
    );
    let partial = "2\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n1 2 3 4\n";
    assert_eq!(
        read(partial)[1..],
        ["line 6, column 1: expected row 2 of 4, but the input ends here",]
    );
}

#[test]
fn a_forced_form_refuses_all_others() {
    for (form, text, message) in [
        (
            BoardForm::Uva10181,
            "1 2 3/4 5 0",
            "line 1, column 1: expected the number of boards on a line of its own, found \
             \"1 2 3/4 5 0\"",
        ),
        (
            BoardForm::Princeton,
            "1 2 3",
            "line 1, column 1: expected the number of rows on a line of its own, found \"1 2 3\"",
        ),
        (
            BoardForm::Hex,
            "1 2 3 0",
            "line 1, column 1: expected a board in the form \"hex\", found \"1 2 3 0\"",
        ),
        (
            BoardForm::Flat,
            "1 2/3 0",
            "line 1, column 4: expected a tile number or a sign for the blank, found \"/\"",
        ),
    ] {
        assert_eq!(read_as(text, Some(form), None), [message], "{form:?}");
    }
    let wide = "1 2 3 0\n7 6 5 4\n";
    assert_eq!(
        read_as(wide, Some(BoardForm::Grid), None),
        ["1 2 3 0/7 6 5 4"]
    );
}

#[test]
fn what_is_not_text_ends_the_reading_with_one_error() {
    let bytes = b"\x7fELF\x02\x01\x01\x00\n\xff\xfe\n1 2 3/4 5 0\n";
    let entries: Vec<_> = BoardReader::new(&bytes[..], ReadOptions::default()).collect();
    assert_eq!(entries.len(), 1);
    let message = entries[0].as_ref().unwrap_err().to_string();
    assert!(
        message.starts_with("line 1, column 8: this is not text (byte 0x00)"),
        "{message}"
    );
}

#[test]
fn a_grid_whose_first_row_is_a_board_by_itself_is_still_a_grid() {
    let grid = "1 2 3 0\n4 5 6 7\n8 9 10 11\n12 13 14 15\n";
    assert_eq!(read(grid), ["1 2 3 0/4 5 6 7/8 9 10 11/12 13 14 15"]);
    assert_eq!(read("1 2 3 0\n3 2 1 0\n"), ["1 2/3 0", "3 2/1 0"]);
    assert_eq!(read("1 2 3 0\n3 2 1 1\n")[0], "1 2/3 0");
    assert_eq!(read("1 2 3 0\n3 2 one 0\n")[0], "1 2/3 0");
}

#[test]
fn four_cases_of_which_the_first_is_bad_are_still_four_cases() {
    let bad = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15\n";
    let good = bad.replace("15 15", "15 0");
    let boards = read(&format!("4\n{bad}{good}{good}{good}"));
    assert_eq!(boards[1..], ["1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"; 3]);
}

#[test]
fn bytes_that_are_no_text_are_refused_inside_a_board_too() {
    for bytes in [
        &b"1 2\n3 0\xff\n"[..],
        b"3\n1 2 3\n4 5 6\xff\n7 8 0\n1 2/3 0\n",
    ] {
        let entries: Vec<_> = BoardReader::new(bytes, ReadOptions::default()).collect();
        assert!(entries.iter().all(Result::is_err), "{entries:?}");
        let last = entries.last().unwrap().as_ref().unwrap_err().to_string();
        assert!(last.contains("this is not text"), "{last}");
    }
}

#[test]
fn too_many_rows_are_one_error() {
    let rows = "1 2 3\n".repeat(1000);
    for text in [format!("300\n{rows}"), format!("999\n{rows}")] {
        let found = read(&text);
        assert!(
            found[0].contains("a board has 2 to 255 rows and columns"),
            "{found:?}"
        );
    }
    assert_eq!(
        read("1\n0\n1 2/3 0\n"),
        [
            "line 1, column 1: a board has 2 to 255 rows and columns, not 1x1",
            // The 0 announces no boards.
            "1 2/3 0",
        ]
    );
    assert_eq!(read("1\n-").len(), 2);
    let grid = read_as(&(rows + "\n1 2\n3 0\n"), Some(BoardForm::Grid), None);
    assert_eq!(grid.len(), 2, "{grid:?}");
    assert_eq!(grid[1], "1 2/3 0");
}

#[test]
fn a_large_board_with_a_fault_takes_no_others_with_it() {
    let numbers = |first: u32| {
        let mut numbers: Vec<String> = (1..255 * 255).map(|tile| tile.to_string()).collect();
        numbers.push("0".to_owned());
        numbers[0] = first.to_string();
        numbers.join(" ") + "\n"
    };
    let text = numbers(2) + &numbers(1).repeat(14);
    let found = read(&text);
    assert_eq!(found.len(), 15);
    assert!(found[0].contains("tile 2"), "{}", &found[0][..100]);
    assert!(found[1..].iter().all(|board| board.ends_with(" 0")));
}

#[test]
fn any_number_of_empty_lines_is_passed_over() {
    let empty = "\n".repeat(100_000);
    let text = format!("2{empty}1 2{empty}3 0{empty}283104765{empty}");
    assert_eq!(read(&text), ["1 2/3 0", "2 8 3/1 0 4/7 6 5"]);
}

#[test]
fn nothing_is_nothing() {
    assert!(read("").is_empty());
    assert!(read("\n  \n# only a comment\n").is_empty());
    assert_eq!(
        "".parse::<taquin::Board>().unwrap_err().to_string(),
        "line 1, column 1: no board here: the input is empty, or nothing but comments"
    );
    assert_eq!(
        "1 2/3 0\n1 2/3 0"
            .parse::<taquin::Board>()
            .unwrap_err()
            .to_string(),
        "line 2, column 1: expected the end of the board, found \"1 2/3 0\""
    );
}

#[cfg(feature = "json")]
#[test]
fn json_can_tell_the_size_of_a_flat_list_and_carry_very_many_moves() {
    let moves = "RL".repeat(1 << 20);
    let text = format!("{{\"board\":\"1 2 3 4 5 0\",\"size\":\"2x3\",\"moves\":\"{moves}\"}}\n");
    let entries: Vec<_> = BoardReader::new(text.as_bytes(), ReadOptions::default()).collect();
    assert_eq!(entries.len(), 1);
    let entry = entries[0].as_ref().unwrap();
    assert_eq!(entry.board.to_string(), "1 2 3/4 5 0");
    assert_eq!(entry.moves.as_ref().unwrap().text.len(), moves.len());
}

#[cfg(feature = "json")]
#[test]
fn json_lines_bring_boards_and_moves() {
    let text = "{\"board\":\"1 2/3 0\",\"moves\":\"RD\",\"notation\":\"blank\",\"x\":1}\n\
                {\"board\":null}\n{\"board\":\"1 1/3 0\"}\n{\"board\":\"1 2/3 0\"}\n{\n";
    let entries: Vec<_> = BoardReader::new(text.as_bytes(), ReadOptions::default()).collect();
    assert_eq!(entries.len(), 5);
    let first = entries[0].as_ref().unwrap();
    let moves = first.moves.as_ref().unwrap();
    assert_eq!(moves.text, "RD");
    assert_eq!(moves.notation, Some(taquin::notation::MoveNotation::Blank));
    assert_eq!(
        entries[1].as_ref().unwrap_err().to_string(),
        "line 2, column 1: the object has no \"board\""
    );
    assert_eq!(
        entries[2].as_ref().unwrap_err().to_string(),
        "line 3, column 1: in \"board\": tile 1 appears twice and tile 2 is missing (it stands \
         first at line 3, column 1)"
    );
    assert!(entries[3].as_ref().unwrap().moves.is_none());
    assert!(entries[4].is_err());
}
