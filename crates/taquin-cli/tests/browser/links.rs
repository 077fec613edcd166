//! Addresses: every state has one, and it leads there again.

use serde_json::Value;

use crate::support::{Page, eventually};
use crate::views::view;

/// What is shown, but for times: boards, fields, choices, what is pressed.
fn state(page: &Page) -> Value {
    page.js(
        "const all = (selector, read) => [...document.querySelectorAll(`main ${selector}`)].map(read);
        return {
            title: document.title,
            boards: all('.board', (board) => board.ariaLabel),
            fields: all('[data-field]:not(:empty, [data-field=time], [data-field=headline])', (field) => `${field.dataset.field}: ${field.textContent}`),
            inputs: all('input, select, textarea', (input) => [input.id || input.name, input.type === 'radio' ? input.checked : input.value]),
            pressed: all('[aria-pressed=true], [aria-current]', (one) => one.textContent),
        }",
    )
}

/// The address that a view writes leads to the same state, from nothing and from elsewhere on the page.
fn assert_round_trip(page: &Page, part: &str) {
    page.until(&format!("the address has {part}"), || {
        page.address().contains(part)
    });
    let address = page.address();
    let before = state(page);
    let leads_back = || {
        eventually(|| state(page) == before);
        assert_eq!(state(page), before, "{address}");
    };
    page.load(&address);
    leads_back();
    let elsewhere = if address.contains("#solve") {
        "play"
    } else {
        "solve-empty"
    };
    page.go(view(elsewhere).path);
    view(elsewhere).wait(page);
    page.go(&address);
    leads_back();
    assert_eq!(page.address(), address);
}

/// A page that stands still: what is animated shows its end at once.
fn still(name: &str) -> Page {
    let page = Page::start();
    page.prefer("prefers-reduced-motion", "reduce");
    view(name).load(&page);
    page
}

#[test]
fn a_game_has_an_address() {
    let page = still("play");
    page.focus("#board");
    page.press([
        thirtyfour::Key::Up,
        thirtyfour::Key::Left,
        thirtyfour::Key::Down,
        thirtyfour::Key::Right,
    ]);
    page.until("tiles have slid", || {
        page.number("[data-field=moves-single]") > Some(1)
    });
    assert_round_trip(&page, "moves=");
}

#[test]
fn a_solution_has_an_address() {
    let page = still("solve");
    page.click("#replay [data-action=forward]");
    page.click("#replay [data-action=forward]");
    page.click("#replay [data-action=forward]");
    assert_round_trip(&page, "step=3");
}

#[test]
fn a_solution_in_slides_has_an_address() {
    let page = still("solve-slides");
    page.click("#replay [data-action=forward]");
    page.click("#replay [data-action=forward]");
    assert_round_trip(&page, "metric=multi&step=2");
}

#[test]
fn a_step_of_a_search_has_an_address() {
    let page = still("learn-ida");
    page.click(".part-ida [data-action=forward]");
    assert_round_trip(&page, "step=41");
}

#[test]
fn an_x_ray_has_an_address() {
    let page = still("learn-xray");
    page.click("[data-layer=conflicts]");
    assert_round_trip(&page, "layer=conflicts");
}

#[test]
fn a_race_has_an_address() {
    let page = still("learn-race");
    page.click("[data-action=add]");
    page.until("three lanes", || page.count(".lanes li") == 3);
    assert_round_trip(&page, "astar:manhattan");
}

#[test]
fn a_space_has_an_address() {
    let page = still("learn-space");
    page.choose("select[name=size]", "2x3");
    page.until_text("[data-field=boards]", "360");
    assert_round_trip(&page, "size=2x3");
}

#[test]
fn back_and_forward_lead_through_views_and_states() {
    let page = still("play");
    let (game, address) = (page.board("#board"), page.address());
    page.click("[data-action=new]");
    page.until("another board", || page.board("#board") != game);
    let other = page.board("#board");
    page.until("another address", || page.address() != address);
    page.click("[data-view=solve]");
    page.until_text("[data-field=headline]", "No board yet");
    page.click("[data-example=easy]");
    page.until_text("[data-field=proof]", "Proven optimal");
    page.click("[data-view=learn]");
    page.until_text("[data-field=status]", "expanded.");
    page.click("[data-part=space]");
    page.until_text("[data-field=boards]", "181,440");

    page.back();
    page.until_text("[data-field=status]", "expanded.");
    page.back();
    page.until_text("[data-field=proof]", "Proven optimal");
    page.back();
    page.until_text("[data-field=headline]", "No board yet");
    page.back();
    page.until_board("#board", &other);
    page.back();
    page.until_board("#board", &game);
    page.forward();
    page.until_board("#board", &other);
    page.forward();
    page.until_text("[data-field=headline]", "No board yet");
    page.forward();
    page.until_text("[data-field=proof]", "Proven optimal");
    assert_eq!(page.complaints(), Vec::<String>::new());
}
