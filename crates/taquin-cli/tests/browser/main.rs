//! The page in a real browser: headless Chromium, driven as a person would.
//!
//! These tests need Chromium and chromedriver, so plain `cargo test` leaves them out; `cargo xtask
//! test` finds both and runs them. `TAQUIN_CHROMIUM` and `TAQUIN_CHROMEDRIVER` name other ones.

mod access;
mod frame;
mod ida;
mod links;
mod looks;
mod metric;
mod pictures;
mod play;
mod race;
mod solve;
mod space;
mod support;
mod views;
mod xray;
