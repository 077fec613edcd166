//! `cargo xtask automaton`: the automata that come with the library, found anew.
//!
//! A test of the library checks that the files are current. Should they ever be lost, empty ones do
//! to compile this chore.

use std::fs;

use taquin::Size;
use taquin::solve::Automaton;

use crate::{Chore, root};

/// Writes the files that [`Automaton::standard`] reads.
pub(crate) fn write() -> Chore {
    let size = Size::new(4, 4).map_err(|error| error.to_string())?;
    let depth = Automaton::MAX_DEPTH;
    for (name, automaton) in [
        ("within-4x4.bin", Automaton::within(size, depth)),
        ("every-size.bin", Automaton::new(depth)),
    ] {
        let bytes = automaton.to_bytes();
        println!(
            "{name}: {} states, {} bytes",
            automaton.states(),
            bytes.len()
        );
        let path = root().join("crates/taquin/src/solve/automaton").join(name);
        fs::write(path, bytes).map_err(|error| format!("cannot write {name}: {error}"))?;
    }
    Ok(())
}
