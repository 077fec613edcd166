//! What holds for all views: they load little, from here only, do not jump and do not complain.

use serde_json::{Value, json};

use crate::support::{NARROW, Page, Server, WIDE};
use crate::views::{VIEWS, view};

#[test]
fn no_view_makes_the_browser_complain() {
    let page = Page::start();
    for view in VIEWS {
        view.load(&page);
        assert_eq!(page.complaints(), Vec::<String>::new(), "{}", view.name);
    }
}

/// The address and the bytes of everything that was fetched for this document.
fn fetched(page: &Page) -> Vec<(String, u64)> {
    let script = "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((one) => [one.name, one.transferSize])";
    serde_json::from_value(page.js(script)).unwrap()
}

#[test]
fn the_page_is_small_and_comes_from_its_server_only() {
    let page = Page::open("/");
    let mut all = Vec::new();
    for view in VIEWS.iter().filter(|view| view.path.starts_with("/#")) {
        // Without loading anew: what one view has fetched, the next need not.
        page.go(view.path);
        view.wait(&page);
        all = fetched(&page);
    }
    for (address, _) in &all {
        assert!(address.starts_with(&page.origin), "{address}");
    }
    let files = all
        .iter()
        .filter(|(address, _)| !address.contains("/api/v1/"));
    let mut files: Vec<&(String, u64)> = files.collect();
    files.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    assert!(
        files.len() > 10 && bytes > 10_000,
        "they are not counted: {files:?}"
    );
    assert!(bytes < 100_000, "{bytes} bytes: {files:#?}");
}

#[test]
fn nothing_jumps_while_a_view_loads() {
    let page = Page::start();
    let watch = "window.shifts = [];
        new PerformanceObserver((list) => {
            for (const shift of list.getEntries()) {
                if (!shift.hadRecentInput) shifts.push([shift.value, shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.nodeName)]);
            }
        }).observe({ type: 'layout-shift', buffered: true });";
    page.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": watch}),
    );
    let mut jumping = Vec::new();
    for screen in [WIDE, NARROW] {
        page.screen(screen);
        for view in VIEWS {
            view.load(&page);
            page.until_still();
            // Shifts are told after the frame in which they happen.
            page.js("window.painted = 0; const paint = () => { window.painted++; requestAnimationFrame(paint); }; paint()");
            page.until("a few frames are painted", || {
                page.js("return window.painted > 3") == true
            });
            let shifts = page.js("return shifts");
            let moved = |shift: &Value| shift[0].as_f64().unwrap();
            let sum: f64 = shifts.as_array().unwrap().iter().map(moved).sum();
            if sum >= 0.02 {
                jumping.push(format!(
                    "{} at {}: {sum:.3}: {shifts:#}",
                    view.name, screen.0
                ));
            }
        }
    }
    assert!(jumping.is_empty(), "{}", jumping.join("\n"));
}

#[test]
fn a_server_that_is_gone_is_missed_and_one_that_is_back_is_found() {
    let mut page = Page::start();
    view("play").load(&page);
    let address = page.server.take().expect("it runs").address.clone();
    page.click("[data-action=hint]");
    page.until_text("#banner.shown", "The server is gone.");
    // What is there can still be played with.
    let before = page.board("#board");
    page.focus("#board");
    page.press([
        thirtyfour::Key::Up,
        thirtyfour::Key::Down,
        thirtyfour::Key::Left,
    ]);
    page.until("a tile slides", || page.board("#board") != before);

    page.server = Some(Server::start(&address));
    page.until_text("#banner", "The server is back.");
    page.until("the message goes", || page.count("#banner.shown") == 0);
    page.click("[data-action=hint]");
    page.until_text("#message", "to go");
}

#[test]
fn solve_and_learn_say_that_the_server_is_gone() {
    let mut page = Page::start();
    // Views are loaded when they are first opened: these are there already.
    view("learn-ida").load(&page);
    view("solve").load(&page);
    let address = page.server.take().expect("it runs").address.clone();
    page.click("[data-example=swap]");
    page.until_text("#problem", "cannot be reached");
    page.until_text("#banner.shown", "The server is gone.");
    page.server = Some(Server::start(&address));
    page.until("the message goes", || page.count("#banner.shown") == 0);
    page.click("[data-action=retry]");
    page.until_text("[data-field=verdict]", "Not solvable");
}
