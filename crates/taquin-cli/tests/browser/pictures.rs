//! Pictures of every view, for people to look at: `cargo xtask screenshots`.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::json;

use crate::support::{NARROW, Page, WIDE};
use crate::views::{VIEWS, view};

/// The folder that the pictures are for; without one there are none.
fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("TAQUIN_SCREENSHOTS")?);
    fs::create_dir_all(&folder).unwrap();
    Some(folder)
}

fn dressed(scheme: &str) -> Page {
    let page = Page::start();
    page.cdp("Emulation.setScrollbarsHidden", json!({"hidden": true}));
    let features = json!([
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]);
    page.cdp("Emulation.setEmulatedMedia", json!({"features": features}));
    page
}

#[test]
fn every_view_light_and_dark_wide_and_narrow() {
    let Some(folder) = folder() else { return };
    for scheme in ["light", "dark"] {
        let page = dressed(scheme);
        for (screen, width) in [(WIDE, "wide"), (NARROW, "narrow")] {
            for view in VIEWS {
                page.screen(screen);
                view.load(&page);
                page.until_still();
                // All of it, not only what fits the screen.
                let height = page.js("return document.scrollingElement.scrollHeight");
                page.screen((screen.0, height.as_u64().unwrap() as u32));
                let path = folder.join(format!("{}-{scheme}-{width}.png", view.name));
                page.save_picture(&path);
            }
        }
    }
}

/// The README's picture.
#[test]
fn the_page_for_the_readme() {
    let Some(folder) = folder() else { return };
    let page = dressed("light");
    page.screen((1280, 960));
    view("learn-ida").load(&page);
    page.until_still();
    page.save_picture(&folder.join("page.png"));
}
