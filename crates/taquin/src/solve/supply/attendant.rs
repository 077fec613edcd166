//! Who hears what is done about tables.

use std::fmt;
use std::path::PathBuf;

use super::Unready;
use crate::Board;
use crate::tables::store::{self, Unwritten};
use crate::tables::{BuildError, Building, Tier};

/// Who hears what a [`Provider`](super::Provider) does, and may help.
///
/// All methods have something sensible to do by default, so `()` is an attendant too. They are
/// called on the thread that needs the tables, while others wait for the same ones: so an attendant
/// must not ask the provider for tables.
pub trait Attendant: Send + Sync {
    /// Hears something that a person should know. By default nobody does.
    fn notice(&self, notice: &Notice) {
        let _ = notice;
    }

    /// Calls `work`, in which something is built, and may show how far it is.
    ///
    /// * `what` says it in a few words: `building the quick tables of 4x4`.
    /// * `total` counts the states to look at, of which [`Building::states`] says how many are
    ///   done. To count them takes a moment too.
    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        building: &Building,
        work: &mut dyn FnMut(),
    ) {
        let _ = (what, total, building);
        work();
    }

    /// Writes a table that was built, now or later. By default now; if that fails it is a
    /// [notice](store::Notice::NotKept).
    fn write(&self, unwritten: Unwritten) {
        if let Err(error) = unwritten.write() {
            self.notice(&Notice::Store(store::Notice::NotKept(error)));
        }
    }
}

impl Attendant for () {}

/// Something that a person should know.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice {
    /// A file cannot be used, or is somebody else's just now.
    Store(store::Notice),
    /// The tables that were asked for do not fit into memory, so smaller ones are taken.
    Smaller {
        /// Why.
        error: BuildError,
        /// What was asked for.
        asked: Tier,
        /// What is tried instead.
        taken: Tier,
    },
    /// A file is in order, but what it holds is not the atlas of the space that it names: that is
    /// searched again.
    NoAtlas {
        /// The file.
        path: PathBuf,
    },
    /// Any solution will do, so a goal does without its tables.
    Without(Unready),
    /// A goal does without its tables, which would help, because there is no time to build them.
    NoTime {
        /// The goal.
        goal: Board,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(notice) => write!(f, "{notice}"),
            Self::Smaller {
                error,
                asked,
                taken,
            } => write!(
                f,
                "{error}; taking the {taken} tables instead of the {asked} ones"
            ),
            Self::NoAtlas { path } => {
                let path = path.display();
                write!(f, "{path}: not a table of all boards; searching again")
            }
            Self::Without(unready) => write!(f, "{unready}; searching without tables"),
            Self::NoTime { goal } => write!(
                f,
                "{} has no tables yet, and building them would take too much of the time",
                goal.size()
            ),
        }
    }
}
