//! Small screens and dark rooms.

use crate::support::{NARROW, Page};
use crate::views::VIEWS;

#[test]
fn a_narrow_screen_never_scrolls_sideways() {
    let page = Page::start();
    let mut wide = Vec::new();
    for screen in [NARROW, (320, 600)] {
        page.screen(screen);
        for view in VIEWS {
            view.load(&page);
            let width = page.js("return document.scrollingElement.scrollWidth");
            if width.as_u64() > Some(screen.0.into()) {
                // What sticks out, without what lies in a part that scrolls by itself.
                let culprits = page.js_with(
                    "return [...document.querySelectorAll('body *')]
                        .filter((one) => one.getBoundingClientRect().right > arguments[0] + 0.5 && !one.closest('.scroll'))
                        .map((one) => one.outerHTML.slice(0, 80)).slice(0, 5)",
                    vec![screen.0.into()],
                );
                wide.push(format!(
                    "{} at {}: {width}: {culprits:#}",
                    view.name, screen.0
                ));
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn the_page_is_dark_in_the_dark() {
    let page = Page::start();
    let lightness = "const canvas = document.createElement('canvas').getContext('2d');
        const grey = (colour) => {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const shown = (element) => getComputedStyle(element).backgroundColor;
        const ground = ['rgba(0, 0, 0, 0)', 'transparent'].includes(shown(document.body)) ? document.documentElement : document.body;
        return [grey(shown(ground)), grey(getComputedStyle(document.body).color)]";
    for view in VIEWS {
        page.prefer("prefers-color-scheme", "light");
        view.load(&page);
        let [ground, ink]: [f64; 2] = serde_json::from_value(page.js(lightness)).unwrap();
        assert!(
            ground > 200.0 && ink < 80.0,
            "{}: {ground} {ink}",
            view.name
        );
        // Also while it is open.
        page.prefer("prefers-color-scheme", "dark");
        let [ground, ink]: [f64; 2] = serde_json::from_value(page.js(lightness)).unwrap();
        assert!(
            ground < 60.0 && ink > 160.0,
            "{}: {ground} {ink}",
            view.name
        );
    }
}
