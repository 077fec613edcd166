//! *Race*.

use crate::support::{Page, taquin};

const BOARD: &str = "8 1 3/4 0 2/7 6 5";

#[test]
fn two_searches_of_one_board_stand_side_by_side() {
    let pairs = [("idastar", "manhattan"), ("astar", "linear-conflict")];
    let page = Page::open(&format!(
        "/#learn/race?board={BOARD}&pairs=idastar:manhattan,astar:linear-conflict"
    ));
    page.until_text(".lanes li:nth-child(2) [data-field=state]", "ready");
    page.click("[data-action=start]");
    page.until_text(
        "[data-field=winner]",
        "Fewest nodes: astar with linear-conflict",
    );
    for (index, (algorithm, heuristic)) in pairs.iter().enumerate() {
        let lane = format!(".lanes li:nth-child({})", index + 1);
        let shown = |field: &str| page.number(&format!("{lane} [data-field={field}]"));
        let record = taquin(&[
            "solve",
            BOARD,
            "--algorithm",
            algorithm,
            "--heuristic",
            heuristic,
        ]);
        assert_eq!(shown("nodes"), record["nodes"].as_u64(), "{algorithm}");
        assert_eq!(shown("length"), record["length"].as_u64(), "{algorithm}");
        assert_eq!(
            shown("states-kept"),
            record["peak_states"].as_u64(),
            "{algorithm}"
        );
        let state = page.text(&format!("{lane} [data-field=state]"));
        assert_eq!(state, "solved, proven optimal");
    }
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn searches_can_be_added_and_removed() {
    let page = Page::open(&format!(
        "/#learn/race?board={BOARD}&pairs=bfs:zero,astar:manhattan"
    ));
    page.until("two lanes", || page.count(".lanes li") == 2);
    assert_eq!(page.count("[data-action=remove]"), 0);
    page.click("[data-action=add]");
    page.until("three lanes", || page.count(".lanes li") == 3);
    page.click("[data-action=add]");
    page.until("four lanes", || page.count(".lanes li") == 4);
    page.click(".lanes li:nth-child(4) [data-action=remove]");
    page.until("three lanes", || page.count(".lanes li") == 3);
}
