//! *How IDA\* thinks*, against the program's own trace.

use serde_json::Value;
use thirtyfour::Key;

use crate::support::{Page, taquin_lines};

const GOAL: &str = "1 2 3/4 5 6/7 8 0";

/// Opens a board, and gives its trace as the program tells it.
fn opened(board: &str) -> (Page, Vec<Value>) {
    let trace = taquin_lines(&["trace", board, "--heuristic", "manhattan"]);
    let page = Page::open(&format!("/#learn/ida?board={board}&heuristic=manhattan"));
    page.until_text("[data-field=status]", "expanded.");
    (page, trace)
}

/// The counters of the page.
fn counters(page: &Page) -> [Option<u64>; 4] {
    ["iteration", "threshold", "expanded", "generated"]
        .map(|name| page.number(&format!("[data-field={name}]")))
}

/// Checks everything that the page shows at an event against the trace.
fn assert_at(page: &Page, trace: &[Value], index: usize) {
    page.until_text("[data-field=event]", &index.to_string());
    let seen = &trace[..=index];
    let of = |kind: &str| seen.iter().filter(|event| event["event"] == kind).count() as u64;
    let begun = seen.iter().rfind(|event| event["event"] == "iteration");
    let [iteration, threshold, expanded, generated] = counters(page);
    let context = format!("event {index}: {}", trace[index]);
    assert_eq!(
        iteration.unwrap_or(0),
        begun.map_or(0, |event| event["number"].as_u64().unwrap()),
        "{context}"
    );
    assert_eq!(
        threshold,
        begun.and_then(|event| event["threshold"].as_u64()),
        "{context}"
    );
    match trace[index]["event"].as_str().unwrap() {
        kind @ ("expanded" | "pruned") => {
            for name in ["g", "h", "f"] {
                let shown = page.number(&format!("[data-field={name}]"));
                assert_eq!(shown, trace[index][name].as_u64(), "{name} at {context}");
            }
            assert_eq!(
                page.board(".part-ida .board"),
                trace[index]["board"],
                "{context}"
            );
            let over = page
                .text("[data-field=verdict]")
                .contains("over the budget");
            assert_eq!(over, kind == "pruned", "{context}");
            assert_eq!(expanded, Some(of("expanded")), "{context}");
        }
        // Every successor has been expanded or cut off by now; the start is nobody's successor.
        "next_threshold" => {
            let made = of("expanded") + of("pruned") - of("iteration");
            assert_eq!(generated, Some(made), "{context}");
        }
        "end" => {
            assert_eq!(expanded, trace[index]["nodes"].as_u64());
            assert_eq!(generated, trace[index]["generated"].as_u64());
        }
        _ => assert_eq!(expanded, Some(of("expanded")), "{context}"),
    }
}

#[test]
fn every_step_shows_what_the_trace_says_and_so_does_every_step_back() {
    let (page, trace) = opened("1 2 3/4 0 6/7 5 8");
    assert_at(&page, &trace, 0);
    page.focus(".part-ida [data-action=forward]");
    for index in 1..trace.len() {
        page.press([Key::Right]);
        assert_at(&page, &trace, index);
    }
    // Behind the end the solution is replayed.
    page.press([Key::End]);
    page.until_board(".part-ida .board", GOAL);
    page.press([Key::Left, Key::Left]);
    for index in (0..trace.len() - 1).rev() {
        page.click(".part-ida [data-action=back]");
        assert_at(&page, &trace, index);
    }
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn an_address_that_is_opened_while_another_is_to_be_written_is_not_lost() {
    let (page, trace) = opened("8 1 3/4 0 2/7 6 5");
    page.go("/#learn/ida?board=8 1 3/4 0 2/7 6 5&step=40");
    assert_at(&page, &trace, 40);
    // The page writes its step down after a while: here when the next address waits to be read.
    page.js(
        "location.hash = location.hash.replace('step=40', 'step=55');
        for (const end = performance.now() + 600; performance.now() < end;);",
    );
    assert_at(&page, &trace, 55);
}

#[test]
fn the_counters_of_a_longer_search_are_those_of_the_program() {
    let (page, trace) = opened("8 1 3/4 0 2/7 6 5");
    let end = trace.len() - 1;
    let step = |index: usize| page.go(&format!("/#learn/ida?board=8 1 3/4 0 2/7 6 5&step={index}"));
    // Somewhere, at the end of each iteration, at the end; then back.
    let thresholds = trace
        .iter()
        .enumerate()
        .filter(|(_, event)| event["event"] == "next_threshold");
    let mut stops: Vec<usize> = thresholds.map(|(index, _)| index).collect();
    assert!(stops.len() > 1, "several iterations");
    stops.extend([40, end]);
    stops.sort_unstable();
    for &index in stops.iter().chain(stops.iter().rev()) {
        step(index);
        assert_at(&page, &trace, index);
    }

    // From iteration to iteration, and all of them in a table.
    page.click(".part-ida [data-action=first]");
    let iterations: Vec<(usize, &Value)> = trace
        .iter()
        .enumerate()
        .filter(|(_, event)| event["event"] == "iteration")
        .collect();
    for (index, _) in &iterations {
        page.click("[data-action=next-iteration]");
        assert_at(&page, &trace, *index);
    }
    assert_eq!(page.count("[data-iteration]"), iterations.len());
    page.click(".part-ida [data-action=last]");
    page.until_board(".part-ida .board", GOAL);
    let nodes: u64 = page
        .texts("[data-iteration] .number")
        .iter()
        .map(|text| text.replace(',', "").parse::<u64>().unwrap())
        .sum();
    assert_eq!(Some(nodes), trace[end]["nodes"].as_u64());
    let thresholds = page.texts("[data-iteration] td:nth-child(2)");
    let told: Vec<String> = iterations
        .iter()
        .map(|(_, event)| event["threshold"].to_string())
        .collect();
    assert_eq!(thresholds, told);
}

#[test]
fn the_node_that_set_a_budget_can_be_shown() {
    let (page, trace) = opened("8 1 3/4 0 2/7 6 5");
    let next = trace
        .iter()
        .find(|event| event["event"] == "next_threshold")
        .unwrap();
    page.click(".part-ida [data-action=last]");
    page.click("[data-iteration='2'] [data-action=show-setter]");
    page.until_board(".part-ida .board", next["board"].as_str().unwrap());
    assert_eq!(page.number("[data-field=f]"), next["threshold"].as_u64());
}

#[test]
fn the_tree_is_walked_with_the_arrow_keys() {
    let (page, trace) = opened("8 1 3/4 0 2/7 6 5");
    page.click(".part-ida [data-action=forward]");
    page.click(".part-ida [data-action=forward]");
    assert_at(&page, &trace, 2);
    page.go("/#learn/ida?board=8 1 3/4 0 2/7 6 5&step=40");
    assert_at(&page, &trace, 40);
    let g = page.number("[data-field=g]").unwrap();
    page.focus("[data-tree]");
    page.press([Key::Up]);
    page.until("the parent is shown", || {
        page.number("[data-field=g]") == Some(g - 1)
    });
}

#[test]
fn an_unsolvable_board_is_not_searched() {
    let page = Page::open("/#learn/ida?board=1 2 3/4 5 6/8 7 0");
    page.until_text("[data-field=status]", "cannot be solved");
    assert_eq!(page.complaints(), Vec::<String>::new());
}
