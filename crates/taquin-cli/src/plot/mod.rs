//! Pictures of results: charts as SVG or PNG files, and as text for the terminal.
//!
//! A chart is filled in by a command and drawn once, as an SVG that needs nothing else. A PNG
//! (feature `png`) is rendered from that very SVG with a font that is part of the program, so that a
//! picture looks the same on every machine.

pub(crate) mod bars;
pub(crate) mod heat;
pub(crate) mod terminal;

mod axis;
mod file;
#[cfg(feature = "png")]
mod png;
mod svg;

pub(crate) use file::PlotFile;

/// A drawn chart.
pub(crate) struct Picture {
    svg: String,
}
