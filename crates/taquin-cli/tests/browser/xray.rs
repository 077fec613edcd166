//! *Heuristic X-ray*, against `taquin estimate`.

use serde_json::Value;

use crate::support::{Page, taquin};

const BOARD: &str = "3 11 14 2/12 6 5 15/10 13 7 8/0 1 9 4";

/// The numbers that are added on the page, and their sum.
fn sums(page: &Page) -> Vec<(Vec<u64>, u64)> {
    page.texts("[data-field=sum]")
        .iter()
        .map(|text| {
            let (terms, sum) = text.split_once(" = ").unwrap();
            // A term may have a name before its number.
            let number = |term: &str| term.split_whitespace().last().unwrap().parse().unwrap();
            (terms.split(" + ").map(number).collect(), number(sum))
        })
        .collect()
}

/// Opens a layer and checks that its only sum adds up to an estimate.
fn assert_layer(page: &Page, layer: &str, estimate: &Value) {
    page.click(&format!("[data-layer={layer}]"));
    page.until_there(&format!("[data-layer={layer}][aria-pressed=true]"));
    let sums = sums(page);
    let [(terms, sum)] = &sums[..] else {
        panic!("{layer} has not one sum: {sums:?}");
    };
    assert_eq!(Some(*sum), estimate.as_u64(), "{layer}");
    assert_eq!(terms.iter().sum::<u64>(), *sum, "{layer}");
}

#[test]
fn the_sums_are_those_of_the_program() {
    let record = taquin(&["estimate", BOARD, "--heuristics", "pdb:quick"]);
    let estimates = &record["estimates"];
    let page = Page::open(&format!("/#learn/xray?board={BOARD}"));
    page.until_there("[data-heuristic='pdb:quick']");
    for (name, value) in estimates.as_object().unwrap() {
        let shown = page.number(&format!("[data-heuristic='{name}'] b"));
        assert_eq!(shown, value.as_u64(), "{name}");
    }
    assert_layer(&page, "manhattan", &estimates["manhattan"]);
    assert_layer(&page, "conflicts", &estimates["linear-conflict"]);
    assert_layer(&page, "walking", &estimates["walking-distance"]);

    // A database may look at the board and at its mirror image; the larger sum counts.
    page.click("[data-layer=patterns]");
    page.until_there("[data-layer=patterns][aria-pressed=true]");
    let sums = sums(&page);
    for (terms, sum) in &sums {
        assert_eq!(terms.iter().sum::<u64>(), *sum);
    }
    let most = sums.iter().map(|(_, sum)| *sum).max();
    assert_eq!(most, estimates["pdb:quick"].as_u64());
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn a_move_changes_the_numbers_and_the_truth_can_be_asked_for() {
    let board = "8 1 3/4 0 2/7 6 5";
    let page = Page::open(&format!("/#learn/xray?board={board}"));
    page.until_text("[data-field=sum]", "=");
    page.click("[data-action=truth]");
    let truth = || page.number("[data-heuristic='true distance'] b");
    page.until("the truth is told", || truth() == Some(14));

    page.click(".part-xray .board [data-tile='2']");
    let slid = "8 1 3/4 2 0/7 6 5";
    page.until_board(".part-xray .board", slid);
    let estimates = &taquin(&["estimate", slid])["estimates"];
    let manhattan = || page.number("[data-heuristic=manhattan] b");
    page.until("the estimate follows", || {
        manhattan() == estimates["manhattan"].as_u64()
    });
    let change = page.text("[data-heuristic=manhattan] td:last-child");
    assert!(change == "+1" || change == "−1", "{change}");
    page.until("the truth follows", || {
        truth() == taquin(&["solve", slid])["length"].as_u64()
    });
}
