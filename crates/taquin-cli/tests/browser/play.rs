//! The view *Play*.

use std::fs;

use thirtyfour::Key;

use crate::support::{NARROW, Page, taquin};

const GOAL: &str = "1 2 3/4 5 6/7 8 0";
/// A move from the goal.
const NEARLY: &str = "1 2 3 4/5 6 7 8/9 10 11 0/13 14 15 12";

/// A scramble and its shortest solution, as the program knows them.
fn scramble(seed: &str) -> (String, String) {
    let scramble = taquin(&["scramble", "--size", "3x3", "--seed", seed]);
    let board = scramble["board"].as_str().unwrap().to_owned();
    let solution = taquin(&["solve", &board]);
    (board, solution["moves"].as_str().unwrap().to_owned())
}

/// The tile that a move slides: the one that lies on the other side of the blank.
fn tile_of(board: &str, way: char) -> u32 {
    let rows: Vec<Vec<u32>> = board
        .split('/')
        .map(|row| row.split(' ').map(|tile| tile.parse().unwrap()).collect())
        .collect();
    let blank = |row: &Vec<u32>| row.iter().position(|&tile| tile == 0);
    let row = rows.iter().position(|row| blank(row).is_some()).unwrap();
    let column = blank(&rows[row]).unwrap();
    match way {
        'U' => rows[row + 1][column],
        'D' => rows[row - 1][column],
        'L' => rows[row][column + 1],
        _ => rows[row][column - 1],
    }
}

/// From the middle of a tile to a bit more than half a tile further that way.
fn gesture(page: &Page, tile: u32, way: char) -> ((f64, f64), (f64, f64)) {
    page.until_still();
    let (x, y) = page.middle(&format!("#board [data-tile='{tile}']"));
    let width = page
        .js("return document.querySelector('#board [data-tile]').getBoundingClientRect().width");
    let far = 0.7 * width.as_f64().unwrap();
    let to = match way {
        'U' => (x, y - far),
        'D' => (x, y + far),
        'L' => (x - far, y),
        _ => (x + far, y),
    };
    ((x, y), to)
}

/// The card at the end, and the counters beside it.
fn assert_solved_shortest(page: &Page, moves: &str) {
    page.until_board("#board", GOAL);
    page.until_text("[data-field=result]", "that is the shortest there is");
    let words = format!("Solved in {} single-tile moves", moves.len());
    page.until_text("[data-field=result]", &words);
    assert_eq!(
        page.number("[data-field=moves-single]"),
        Some(moves.len() as u64)
    );
    let slides = 1 + moves
        .as_bytes()
        .windows(2)
        .filter(|two| two[0] != two[1])
        .count();
    assert_eq!(page.number("[data-field=moves-multi]"), Some(slides as u64));
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn a_scramble_is_solved_with_the_arrow_keys() {
    let (board, moves) = scramble("1");
    let page = Page::open("/#play?size=3x3&seed=1");
    page.until_board("#board", &board);
    page.focus("#board");
    page.press(moves.chars().map(|way| match way {
        'U' => Key::Up,
        'D' => Key::Down,
        'L' => Key::Left,
        _ => Key::Right,
    }));
    assert_solved_shortest(&page, &moves);
}

#[test]
fn a_scramble_is_solved_by_dragging() {
    let (board, moves) = scramble("2");
    let page = Page::open("/#play?size=3x3&seed=2");
    page.until_board("#board", &board);
    for way in moves.chars() {
        let before = page.board("#board");
        let (from, to) = gesture(&page, tile_of(&before, way), way);
        page.drag(from, to);
        page.until("the tile has slid", || page.board("#board") != before);
    }
    assert_solved_shortest(&page, &moves);
}

#[test]
fn a_scramble_is_solved_by_swiping_on_a_phone() {
    let (board, moves) = scramble("3");
    let page = Page::start();
    page.screen(NARROW);
    page.load("/#play?size=3x3&seed=3");
    page.until_board("#board", &board);
    for way in moves.chars() {
        let before = page.board("#board");
        let (from, to) = gesture(&page, tile_of(&before, way), way);
        page.swipe(from, to);
        page.until("the tile has slid", || page.board("#board") != before);
    }
    assert_solved_shortest(&page, &moves);
}

#[test]
fn a_click_slides_a_whole_line_and_can_be_taken_back() {
    let page = Page::open(&format!("/#play?board={NEARLY}"));
    page.until_board("#board", NEARLY);
    let counts = || {
        let count = |field: &str| page.number(&format!("[data-field=moves-{field}]")).unwrap();
        (count("single"), count("multi"))
    };
    let slid = "1 2 3 4/5 6 7 8/0 9 10 11/13 14 15 12";

    page.click("#board [data-tile='9']");
    page.until_board("#board", slid);
    assert_eq!(counts(), (3, 1));

    page.click("[data-action=undo]");
    page.until_board("#board", NEARLY);
    assert_eq!(counts(), (0, 0));
    page.click("[data-action=redo]");
    page.until_board("#board", slid);
    page.press_with(Key::Control, 'z');
    page.until_board("#board", NEARLY);
    page.press_with(Key::Control, 'y');
    page.until_board("#board", slid);
    assert_eq!(counts(), (3, 1));

    // A tile that is not in line with the blank stays where it is.
    page.until_still();
    page.click("#board [data-tile='6']");
    assert_eq!(page.board("#board"), slid);

    // There and back again: seven moves where one would do.
    page.click("#board [data-tile='11']");
    page.until_board("#board", NEARLY);
    page.until_still();
    page.click("#board [data-tile='12']");
    page.until_text("[data-field=result]", "Solved in 7 single-tile moves");
    page.until_text("[data-field=result]", "It took 3 multi-tile moves.");
    page.until_text("[data-field=result]", "the shortest takes 1");
}

#[test]
fn what_is_seen_is_what_a_screen_reader_hears() {
    let page = Page::open("/#play?size=3x5&seed=4");
    let scramble = taquin(&["scramble", "--size", "3x5", "--seed", "4"]);
    page.until_board("#board", scramble["board"].as_str().unwrap());
    page.until_still();
    let seen = page.js(
        "const tiles = [...document.querySelectorAll('#board [data-tile]')].map((tile) => {
            const box = tile.getBoundingClientRect();
            return [Math.round(box.y / 10), Math.round(box.x), tile.innerText.trim()];
        });
        tiles.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        return tiles.map((tile) => tile[2]).join(' ')",
    );
    let heard = page.board("#board").replace('/', " ");
    let heard: Vec<&str> = heard.split(' ').filter(|&tile| tile != "0").collect();
    assert_eq!(seen, heard.join(" "));
}

#[test]
fn a_hint_rings_a_tile_and_tells_what_remains() {
    let (board, _) = scramble("5");
    let hint = taquin(&["hint", &board]);
    let page = Page::open("/#play?size=3x3&seed=5");
    page.until_board("#board", &board);
    page.click("[data-action=hint]");
    let length = hint["length"].as_u64().unwrap();
    page.until_text("#message", &format!("{length} single-tile moves to go"));
    let ringed = page.attribute("#board .marked", "data-tile").unwrap();
    let ringed: u32 = ringed.parse().unwrap();
    assert!(page.text("#message").contains(&format!("Move {ringed} ")));

    // The move that it tells leads nearer, also where there are several such moves.
    page.until_still();
    page.click("#board .marked");
    page.until("the tile has slid", || page.board("#board") != board);
    let rest = taquin(&["solve", &page.board("#board")]);
    assert_eq!(rest["length"].as_u64(), Some(length - 1));
    assert_eq!(page.count("#board .marked"), 0);
}

#[test]
fn the_size_and_the_goal_can_be_chosen() {
    let page = Page::open("/#play?size=3x3&seed=1");
    page.until_board("#board", &scramble("1").0);
    page.choose("#rows", "2");
    page.until("there are two rows", || {
        page.board("#board").split('/').count() == 2
    });
    page.choose("#columns", "5");
    page.until("there are ten cells", || {
        page.board("#board").split([' ', '/']).count() == 10
    });
    page.choose("#goal", "snail");
    page.until_board(".settings .board", "1 2 3 4 5/0 9 8 7 6");
    page.fill("#seed", "11");
    page.press([Key::Enter]);
    page.until("the address has the seed", || {
        page.address().contains("seed=11")
    });
    let args = [
        "scramble", "--size", "2x5", "--goal", "snail", "--seed", "11",
    ];
    page.until_board("#board", taquin(&args)["board"].as_str().unwrap());

    page.load("/#play?size=10x10&seed=1");
    let args = ["scramble", "--size", "10x10", "--seed", "1"];
    page.until_board("#board", taquin(&args)["board"].as_str().unwrap());
}

#[test]
fn tiles_can_have_a_picture_of_ones_own() {
    let page = Page::open("/#play?size=3x3&seed=1");
    page.until_text("[data-field=note]", "Slide tiles");
    assert_eq!(page.count("#board.picture"), 0);
    page.click("label:has(> input[value=picture])");
    page.until_there("#board.picture");
    let before = page.attribute("#board", "style");
    let file = page.folder().join("mine.png");
    page.save_picture(&file);
    page.choose_file("#picture", &file);
    page.until("the picture is another one", || {
        page.attribute("#board", "style") != before
    });
    page.click("label:has(> input[value=numbers])");
    page.until("the numbers are back", || page.count("#board.picture") == 0);

    let other = page.folder().join("other.png");
    fs::write(&other, "not a picture").unwrap();
    page.choose_file("#picture", &other);
    page.until_text("#message", "not a picture");
}
