//! Who hears what is done about tables.

use std::fmt;

use crate::outcome::Budget;
use crate::tables::{BuildError, Tier};
#[cfg(feature = "store")]
use crate::tables::{
    TableSubject,
    store::{StoreNotice, Stored, Unwritten},
};

/// Hears what a [`TableSource`](super::TableSource) does, and may help.
///
/// Every method does something sensible by default, so `()` is an observer too. They are called on
/// the thread that needs the tables, while others wait for the same ones. So an observer must not
/// ask for tables itself.
pub trait BuildObserver: Send + Sync {
    /// Hears something that a person should know. By default nobody does.
    fn notice(&self, notice: &TableNotice) {
        let _ = notice;
    }

    /// Calls `work`, in which something is built, and may show how far it is.
    ///
    /// * `what` says it in a few words: `building the quick tables of 4x4`.
    /// * `total` counts the states to look at, of which [`Budget::spent`] says how many are done.
    ///   Counting them takes a moment too.
    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        budget: &Budget,
        work: &mut dyn FnMut(),
    ) {
        let _ = (what, total, budget);
        work();
    }

    /// Hears of one table that is ready, from its file or built.
    #[cfg(feature = "store")]
    fn table(&self, table: &GotTable<'_>) {
        let _ = table;
    }

    /// Writes a table that was built, now or later. By default now, while the request waits; if that
    /// fails it is a [notice](StoreNotice::NotKept). [`Writers`](super::Writers) does it later.
    #[cfg(feature = "store")]
    fn write(&self, unwritten: Unwritten) {
        if let Err(error) = unwritten.write() {
            self.notice(&TableNotice::Store(StoreNotice::NotKept(error)));
        }
    }
}

impl BuildObserver for () {}

/// A table that a source got.
#[cfg(feature = "store")]
#[derive(Debug)]
pub struct GotTable<'a> {
    /// Which one.
    pub subject: TableSubject,
    /// Its file, or what will be in it.
    pub stored: &'a Stored,
    /// How long building it took; `None` if it was in its file.
    pub built_in: Option<std::time::Duration>,
}

/// Something about tables that a person should know.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableNotice {
    /// A file cannot be used, or another process is writing it.
    #[cfg(feature = "store")]
    Store(StoreNotice),
    /// The tables that were asked for do not fit into memory, so smaller ones are taken.
    Smaller {
        /// Why.
        error: BuildError,
        /// What was asked for.
        asked: Tier,
        /// What is tried instead.
        taken: Tier,
    },
    /// A file is in order, but what it holds is not the atlas of the space that it names. The space
    /// is searched again.
    #[cfg(feature = "store")]
    NoAtlas {
        /// The file.
        path: std::path::PathBuf,
    },
}

impl fmt::Display for TableNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "store")]
            Self::Store(notice) => write!(f, "{notice}"),
            Self::Smaller {
                error,
                asked,
                taken,
            } => write!(
                f,
                "{error}; taking the {taken} tables instead of the {asked} ones"
            ),
            #[cfg(feature = "store")]
            Self::NoAtlas { path } => {
                let path = path.display();
                write!(f, "{path}: not a table of all boards; searching again")
            }
        }
    }
}
