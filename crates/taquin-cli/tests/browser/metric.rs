//! What counts as a move: every tile, or every slide.

use thirtyfour::Key;

use crate::support::{Page, taquin};

const BOARD: &str = "8 6 7/2 5 4/3 0 1";
const GOAL: &str = "1 2 3/4 5 6/7 8 0";
/// Three tiles that slide together lead to the goal.
const LINE: &str = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15";

/// Chooses what is counted.
fn count(page: &Page, metric: &str) {
    page.click(&format!("label:has(> input[value={metric}])"));
}

fn is_counted(page: &Page, metric: &str) -> bool {
    page.count(&format!("input[value={metric}]:checked")) == 1
}

#[test]
fn a_board_is_solved_in_the_fewest_slides() {
    let record = taquin(&["solve", BOARD, "--metric", "multi"]);
    let length = record["length"].as_u64().unwrap();
    let page = Page::open(&format!("/#solve?board={BOARD}"));
    page.until_text("[data-field=headline]", "31 single-tile moves");
    count(&page, "multi");
    page.until_text(
        "[data-field=headline]",
        &format!("{length} multi-tile moves ✓ Proven optimal"),
    );
    assert!(page.address().ends_with("&metric=multi"));

    // Both lengths are told; only the one that was asked for is a proof.
    let headline = page.text("[data-field=headline]");
    let single = page.number("[data-field=single]").unwrap();
    let words =
        format!("It has {single} single-tile moves. No solution has fewer multi-tile moves.");
    assert!(headline.ends_with(&words), "{headline}");
    assert_eq!(page.number("[data-field=multi]"), Some(length));
    assert_eq!(page.number("[data-field=bound]"), Some(length));

    // The moves are slides, and the program counts them alike.
    let moves = page.text("[data-field=moves]");
    let words: Vec<&str> = moves.split(' ').collect();
    assert_eq!(words.len() as u64, length, "{moves}");
    let end = taquin(&["apply", BOARD, "--moves", &moves]);
    assert_eq!(end["result"], GOAL, "{moves}");
    assert_eq!(end["lengths"]["single"].as_u64(), Some(single));

    // Every step is a slide, however many tiles it has.
    let board = ".view-solve .stage .board";
    for step in 1..=words.len() {
        page.click("#replay [data-action=forward]");
        page.until_text("#replay [data-field=step]", &format!("{step} / {length}"));
        let after = taquin(&["apply", BOARD, "--moves", &words[..step].join(" ")]);
        assert_eq!(page.board(board), after["result"].as_str().unwrap());
        assert_eq!(page.text("[data-field=moves] mark"), words[step - 1]);
    }
    assert_eq!(page.board(board), GOAL);
    // The last one slid two tiles, which is told.
    page.until_text("#live", "2 tiles");
    page.press([Key::Left]);
    page.until_text(
        "#replay [data-field=step]",
        &format!("{} / {length}", length - 1),
    );
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn slides_are_marked_whole_in_every_notation() {
    let page = Page::open(&format!("/#solve?board={LINE}&metric=multi&step=1"));
    page.until_text("[data-field=headline]", "1 multi-tile move ✓");
    assert_eq!(page.text("[data-field=moves] mark"), "L3");
    page.choose("[data-field=style]", "arrows");
    assert_eq!(page.text("[data-field=moves] mark"), "←←←");
    page.choose("[data-field=notation]", "numbers");
    assert_eq!(page.text("[data-field=moves] mark"), "13 14 15");

    // Tile by tile, a mark is one tile again.
    count(&page, "single");
    page.until_text("[data-field=headline]", "3 single-tile moves ✓");
    page.click("#replay [data-action=forward]");
    assert_eq!(page.text("[data-field=moves] mark"), "13");
    page.choose("[data-field=notation]", "tile");
    assert_eq!(page.text("[data-field=moves]"), "LLL");
    assert_eq!(page.text("[data-field=moves] mark"), "L");
}

#[test]
fn another_metric_takes_the_solution_away() {
    let mut page = Page::open(&format!("/#solve?board={BOARD}"));
    page.until_text("[data-field=headline]", "31 single-tile moves");
    page.server = None;
    count(&page, "multi");
    page.until_text("#problem", "cannot be reached");
    assert_eq!(page.text("[data-field=headline]"), "");
    assert_eq!(page.text("[data-field=single]"), "–");
    assert_eq!(page.text("[data-field=moves]"), "");
    assert_eq!(page.text("#replay [data-field=step]"), "0 / 0");
}

#[test]
fn a_game_counts_what_the_player_chooses() {
    let page = Page::open(&format!("/#play?board={LINE}"));
    page.until_board("#board", LINE);
    let other = ".counts .other [data-field]";
    let is_other = |metric: &str| {
        let field = page.attribute(other, "data-field");
        field.as_deref() == Some(&format!("moves-{metric}"))
    };
    assert!(is_counted(&page, "single") && is_other("multi"));
    // With the keys: the radio buttons are one stop.
    page.focus("input[value=single]");
    page.press([Key::Right]);
    page.until("slides are counted", || is_other("single"));
    page.until("the address has the metric", || {
        page.address().ends_with("&metric=multi")
    });

    page.click("#board [data-tile='15']");
    page.until_text("[data-field=result]", "Solved in 1 multi-tile move, 0:0");
    page.until_text("[data-field=result]", "It took 3 single-tile moves.");
    let link = page.attribute("[data-field=result] a", "href");
    assert!(link.unwrap().ends_with("&metric=multi"));
    count(&page, "single");
    page.until_text("[data-field=result]", "Solved in 3 single-tile moves, 0:0");
    page.until_text("[data-field=result]", "that is the shortest there is");
    page.until_text("[data-field=result]", "It took 1 multi-tile move.");

    // A new game and another view keep the choice.
    count(&page, "multi");
    page.click("[data-action=new]");
    page.until("another board", || page.count("#board.solved") == 0);
    page.until("the address has the metric", || {
        page.address().ends_with("&metric=multi")
    });
    page.click("[data-view=learn]");
    page.until_text("[data-field=status]", "expanded.");
    page.click("[data-view=play]");
    page.until_there("#board");
    assert!(is_counted(&page, "multi"));
}

#[test]
fn a_hint_rings_all_tiles_that_slide() {
    let page = Page::open(&format!("/#play?board={LINE}&metric=multi"));
    page.until_board("#board", LINE);
    page.click("[data-action=hint]");
    page.until_text(
        "#message",
        "Move 13, 14 and 15 left. 1 multi-tile move to go, and it cannot be done in fewer.",
    );
    assert_eq!(page.count("#board .marked"), 3);

    // In another metric it is another hint.
    count(&page, "single");
    page.until("the hint is gone", || page.count("#board .marked") == 0);
    assert!(!page.text("#message").contains("to go"));
    page.click("[data-action=hint]");
    page.until_text("#message", "Move 13 left. 3 single-tile moves to go");
    assert_eq!(page.count("#board .marked"), 1);

    count(&page, "multi");
    page.click("#board [data-tile='15']");
    page.until_text("[data-field=result]", "that is the shortest there is");
    assert_eq!(page.complaints(), Vec::<String>::new());
}
