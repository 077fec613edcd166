//! Keyboards and screen readers.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::support::Page;
use crate::views::VIEWS;

/// Fails with everything that was found, view by view.
fn assert_none(faults: &[(&str, Value)]) {
    let found: Vec<String> = faults
        .iter()
        .filter(|(_, faults)| faults.as_array().is_none_or(|faults| !faults.is_empty()))
        .map(|(view, faults)| format!("{view}: {faults:#}"))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Finds faults in every view by a script that returns a list of them.
fn faults(script: &str) -> Vec<(&'static str, Value)> {
    let page = Page::start();
    let look = |view: &crate::views::View| {
        view.load(&page);
        page.js(script)
    };
    VIEWS.iter().map(|view| (view.name, look(view))).collect()
}

#[test]
fn headings_are_in_order_and_the_language_is_told() {
    assert_none(&faults(
        "const faults = [];
        if (!document.documentElement.lang) faults.push('no language');
        if (!document.title) faults.push('no title');
        if (document.querySelectorAll('main').length !== 1) faults.push('not one main');
        const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one) => one.checkVisibility());
        const levels = headings.map((one) => Number(one.tagName[1]));
        if (levels.filter((level) => level === 1).length !== 1) faults.push(`not one h1: ${levels}`);
        levels.forEach((level, at) => {
            if (level > (levels[at - 1] ?? 0) + 1) faults.push(`a level is skipped before ${headings[at].textContent}`);
        });
        for (const image of document.querySelectorAll('img')) if (!image.hasAttribute('alt')) faults.push(image.outerHTML);
        const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
        faults.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `two elements are called ${id}`));
        for (const one of document.querySelectorAll('[aria-describedby], [aria-labelledby], label[for]')) {
            const names = one.getAttribute('aria-describedby') ?? one.getAttribute('aria-labelledby') ?? one.htmlFor;
            for (const name of names.split(' ')) if (!document.getElementById(name)) faults.push(`nothing is called ${name}`);
        }
        return faults",
    ));
}

/// What the browser tells a screen reader of everything that can be operated or is a picture.
#[test]
fn everything_that_can_be_operated_has_a_name() {
    const ROLES: &[&str] = &[
        "application",
        "button",
        "checkbox",
        "combobox",
        "image",
        "img",
        "link",
        "listbox",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
    ];
    let page = Page::start();
    let mut faults = Vec::new();
    for view in VIEWS {
        view.load(&page);
        let tree = page.cdp("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap();
        let operable = nodes.iter().filter(|node| {
            let role = node["role"]["value"].as_str().unwrap_or_default();
            node["ignored"] != true && ROLES.contains(&role)
        });
        let operable: Vec<&Value> = operable.collect();
        assert!(operable.len() > 3, "{}: the tree is empty", view.name);
        let named = |node: &Value| {
            let name = node["name"]["value"].as_str().unwrap_or_default();
            !name.trim().is_empty()
        };
        let unnamed: Vec<&Value> = operable.into_iter().filter(|&node| !named(node)).collect();
        faults.push((view.name, json!(unnamed)));
    }
    assert_none(&faults);
}

#[test]
fn the_tab_key_reaches_every_control_and_shows_where_it_is() {
    let page = Page::start();
    let mut faults = Vec::new();
    for view in VIEWS.iter().filter(|view| view.name != "api") {
        view.load(&page);
        page.until_still();
        // Of radio buttons the Tab key reaches the one that is chosen.
        let controls = page.js(
            "const operable = 'a[href], button, input, select, textarea, summary, [tabindex=\"0\"]';
            window.controls = [...document.querySelectorAll(operable)].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled
                && one.tabIndex >= 0 && !(one.type === 'radio' && !one.checked));
            window.reached = new Map();
            addEventListener('focusin', ({ target }) => {
                const ring = (one) => { const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one); return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'; };
                // A control that is hidden behind its label has the ring on the label.
                reached.set(target, ring(target) || (target.labels?.[0] && ring(target.labels[0])));
            });
            return window.controls.length",
        );
        let controls = controls.as_u64().unwrap();
        assert!(controls > 5, "{}: {controls} controls", view.name);
        page.press((0..=controls).map(|_| Key::Tab));
        let missed = page.js(
            "const name = (one) => one.outerHTML.slice(0, 100);
            return [...controls.filter((one) => !reached.has(one)).map((one) => `not reached: ${name(one)}`),
                ...[...reached].filter(([, ring]) => !ring).map(([one]) => `no ring: ${name(one)}`)]",
        );
        faults.push((view.name, missed));
    }
    assert_none(&faults);
}

#[test]
fn the_first_tab_offers_to_skip_to_the_content() {
    let page = Page::open("/#play?size=3x3&seed=1");
    page.until_text("[data-field=note]", "Slide tiles");
    page.press([Key::Tab, Key::Enter]);
    assert_eq!(page.js("return document.activeElement.id"), "main");
    assert!(page.address().starts_with("/#play?size=3x3&seed=1"));
}

#[test]
fn changes_are_told() {
    let page = Page::open("/#play?board=1 2 3/4 5 6/0 7 8");
    page.until_board("#board", "1 2 3/4 5 6/0 7 8");
    page.focus("#board");
    page.press([Key::Left]);
    page.until_text("#live", "7 left");
    page.press([Key::Left]);
    page.until_text("#live", "Solved in 2 single-tile moves");
    page.click("[data-view=solve]");
    page.until("the view has the focus", || {
        page.js("return document.activeElement.id") == "main"
    });
    page.until("its name is told", || page.text("#live") == "Solve");
}
