//! `cargo xtask automaton`: the automata that come with the library, found anew and written into the
//! folder that is named.
//!
//! A test of the library checks that the files are current. Should they ever be lost, empty ones do
//! to compile this.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use taquin::Size;
use taquin::solve::Automaton;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1);
    let folder = PathBuf::from(folder.ok_or("name the folder to write to")?);
    let depth = Automaton::MAX_DEPTH;
    for (name, automaton) in [
        ("within-4x4.bin", Automaton::within(Size::new(4, 4)?, depth)),
        ("every-size.bin", Automaton::new(depth)),
    ] {
        let bytes = automaton.to_bytes();
        println!(
            "{name}: {} states, {} bytes",
            automaton.states(),
            bytes.len()
        );
        fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}
