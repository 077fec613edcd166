//! *Whole space*.

use thirtyfour::Key;

use crate::support::{Page, taquin};

#[test]
fn all_boards_of_3x3_are_shown() {
    let all = taquin(&["enumerate", "3x3"]);
    let quality = taquin(&["quality", "3x3", "--heuristics", "manhattan"]);
    let page = Page::open("/#learn/space");
    page.until_text("[data-field=boards]", "181,440");
    assert_eq!(
        page.number("[data-field=farthest]"),
        all["farthest"].as_u64()
    );
    let script = "return [...document.querySelectorAll('[data-count]')].map((one) => Number(one.dataset.count))";
    assert_eq!(page.js(script), all["counts"]);
    let error = format!("{:.2}", quality["mean_error"].as_f64().unwrap());
    assert_eq!(page.text("[data-field=mean-error]"), error);
    assert_eq!(page.text("[data-field=admissible]"), "yes");

    // A chart is one stop for the Tab key; the arrow keys go from mark to mark.
    page.focus("[data-count][tabindex='0']");
    page.press([Key::Right]);
    page.until_text(
        "[data-field=readout]",
        "2 boards 1 single-tile move from the goal",
    );
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn another_size_and_the_other_metric_can_be_chosen() {
    let page = Page::open("/#learn/space?size=2x3");
    page.until_text("[data-field=boards]", "360");
    page.choose("select[name=metric]", "multi");
    let multi = taquin(&["enumerate", "2x3", "--metric", "multi"]);
    page.until("the farthest is another one", || {
        page.number("[data-field=farthest]") == multi["farthest"].as_u64()
    });
    let mark = page.attribute("[data-count]", "aria-label").unwrap();
    assert_eq!(mark, "1 board 0 multi-tile moves from the goal");
    assert!(page.address().contains("metric=multi"));
}
