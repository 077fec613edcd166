//! The view *Solve*.

use thirtyfour::Key;

use crate::support::{Page, taquin};

const BOARD: &str = "8 1 3/4 0 2/7 6 5";
const GOAL: &str = "1 2 3/4 5 6/7 8 0";

/// Opens a board and waits for its solution.
fn solved(board: &str) -> Page {
    let page = Page::open(&format!("/#solve?board={board}"));
    page.until_text("[data-field=proof]", "Proven optimal");
    page
}

#[test]
fn an_unsolvable_board_is_explained() {
    let text = "1 2 3 4\n5 6 7 8\n9 10 12 11\n13 15 14 0\n1";
    let page = Page::open("/#solve");
    page.until_text("[data-field=headline]", "No board yet");

    // Not a board at all: told at the field.
    page.fill("#board-text", text);
    page.click("[data-action=solve]");
    page.until("the problem is told", || !page.text("#problem").is_empty());
    assert_eq!(
        page.attribute("#board-text", "aria-invalid").as_deref(),
        Some("true")
    );
    // The browser tells of every answer that is an error; there should be no other.
    assert_eq!(page.complaints().len(), 1);

    let board = "1 2 3 4/5 6 7 8/9 10 12 11/15 13 14 0";
    let check = taquin(&["check", board]);
    // Cut and pasted over everything, a board is judged without another word.
    page.fill("#board-text", board);
    page.press_with(Key::Control, 'a');
    page.press_with(Key::Control, 'x');
    page.press_with(Key::Control, 'v');
    page.until_text("[data-field=verdict]", "Not solvable");
    assert_eq!(page.attribute("#board-text", "aria-invalid"), None);
    let reason = check["reason"].as_str().unwrap();
    assert_eq!(page.text("[data-field=reason]"), format!("No. {reason}."));
    page.click("#inversions [data-action=last]");
    assert_eq!(
        page.number("[data-field=inversions]"),
        check["inversions"].as_u64()
    );
    let sum = check["inversions"].as_u64().unwrap() + check["blank_row"].as_u64().unwrap();
    assert!(page.text("[data-field=sums]").contains(&format!("= {sum}")));

    // Two tiles exchanged, and it can be solved.
    page.click("[data-action=swap]");
    page.until_text("[data-field=verdict]", "✓ Solvable");
    page.until_text("[data-field=proof]", "Proven optimal");
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn inversions_are_counted_before_the_readers_eyes() {
    let check = taquin(&["check", BOARD]);
    let inversions = check["inversions"].as_u64().unwrap();
    let page = solved(BOARD);
    let step = "#inversions [data-field=step]";
    page.until_text(step, &format!("{inversions} / {inversions}"));
    assert_eq!(page.number("[data-field=inversions]"), Some(inversions));
    page.click("#inversions [data-action=first]");
    assert_eq!(page.number("[data-field=inversions]"), Some(0));
    page.click("#inversions [data-action=forward]");
    assert_eq!(page.number("[data-field=inversions]"), Some(1));

    page.prefer("prefers-reduced-motion", "reduce");
    page.load(&format!("/#solve?board={BOARD}"));
    page.until_text("[data-field=reason]", "Yes.");
    assert_eq!(page.number("[data-field=inversions]"), Some(inversions));
}

#[test]
fn the_solution_is_that_of_the_program() {
    let record = taquin(&["solve", BOARD]);
    let page = solved(BOARD);
    let length = record["length"].as_u64();
    assert_eq!(page.number("[data-field=single]"), length);
    assert_eq!(page.number("[data-field=bound]"), length);
    assert_eq!(page.text("[data-field=heuristic]"), record["heuristic"]);
    let letters = page.text("[data-field=moves]");
    let end = taquin(&["apply", BOARD, "--moves", &letters]);
    assert_eq!(end["result"], GOAL, "{letters}");
    assert_eq!(Some(letters.len() as u64), length);

    // The same moves in other words: the program reads them, too.
    page.choose("[data-field=notation]", "numbers");
    let numbers = page.text("[data-field=moves]");
    let end = taquin(&["apply", BOARD, "--moves", &numbers, "--from", "numbers"]);
    assert_eq!(end["result"], GOAL, "{numbers}");
    page.choose("[data-field=notation]", "blank");
    page.choose("[data-field=style]", "arrows");
    let arrows = page.text("[data-field=moves]");
    let end = taquin(&["apply", BOARD, "--moves", &arrows, "--from", "blank"]);
    assert_eq!(end["result"], GOAL, "{arrows}");
}

#[test]
fn a_solution_is_replayed_forwards_and_backwards() {
    let page = solved(BOARD);
    let length = page.number("[data-field=single]").unwrap();
    let letters = page.text("[data-field=moves]");
    let board = ".view-solve .stage .board";
    let after = |step: usize| {
        let end = taquin(&["apply", BOARD, "--moves", &letters[..step]]);
        end["result"].as_str().unwrap().to_owned()
    };
    let at = |step: usize| {
        page.until_text("#replay [data-field=step]", &format!("{step} / {length}"));
        page.until_board(
            board,
            if step == 0 {
                BOARD.to_owned()
            } else {
                after(step)
            }
            .as_str(),
        );
    };
    at(0);

    // With buttons.
    page.click("#replay [data-action=forward]");
    page.click("#replay [data-action=forward]");
    at(2);
    page.click("#replay [data-action=back]");
    at(1);

    // With keys, on a button and on the slider.
    page.press([Key::Right, Key::Right]);
    at(3);
    page.press([Key::End]);
    page.until_board(board, GOAL);
    page.press([Key::Left]);
    at(length as usize - 1);
    page.press([Key::Home]);
    at(0);
    page.focus("#replay input[type=range]");
    page.press([Key::Right, Key::Right, Key::Right, Key::Left]);
    at(2);

    // By itself, to the end.
    page.choose("#replay [data-field=speed]", "64");
    page.click("#replay [data-action=play]");
    at(length as usize);
    assert_eq!(page.board(board), GOAL);
    assert_eq!(
        page.attribute("#replay [data-action=play]", "aria-label")
            .as_deref(),
        Some("Play")
    );
}

#[test]
fn improvements_stream_in_on_large_boards() {
    let scramble = taquin(&["scramble", "--size", "7x7", "--seed", "1"]);
    let board = scramble["board"].as_str().unwrap();
    let page = Page::open(&format!("/#solve?board={board}&within=20s"));
    // Some are there while the search still runs; then it is stopped, and the best stays.
    page.until("two improvements", || {
        page.count("[data-field=improvements] li") >= 2
    });
    assert_eq!(
        page.attribute("[data-action=stop]", "aria-disabled")
            .as_deref(),
        Some("false")
    );
    page.click("[data-action=stop]");
    page.until_text("[data-field=headline]", "best so far");
    let bounds: Vec<(u64, u64)> = page
        .texts("[data-field=improvements] li > span:last-child")
        .iter()
        .map(|text| {
            let (least, most) = text.split_once(" … ").unwrap();
            let number = |text: &str| text.replace(',', "").parse().unwrap();
            (number(least), number(most))
        })
        .collect();
    // The latest comes first.
    for pair in bounds.windows(2) {
        assert!(
            pair[0].0 >= pair[1].0 && pair[0].1 <= pair[1].1,
            "{bounds:?}"
        );
    }
    assert_eq!(page.number("[data-field=single]"), Some(bounds[0].1));
    let end = taquin(&["apply", board, "--moves", &page.text("[data-field=moves]")]);
    assert_eq!(
        end["result"],
        taquin(&["scramble", "--size", "7x7", "--walk", "0"])["board"]
    );
}
