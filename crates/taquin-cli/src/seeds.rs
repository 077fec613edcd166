//! Where random numbers start.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};

use clap::Args;

use crate::output::remark;

/// The option of every command that draws boards.
#[derive(Args)]
pub(crate) struct SeedArgs {
    /// Where the random numbers start. Without it every run differs; the seed is in the JSON, and
    /// on a terminal it is told.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl SeedArgs {
    /// The seed as typed, or one that differs from run to run and is told to a person.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            let seed = fresh();
            if io::stderr().is_terminal() {
                remark(format_args!("draw the same again with --seed {seed}"));
            }
            seed
        })
    }
}

/// A seed that differs from run to run, from the randomness of the standard library's hash tables.
fn fresh() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
