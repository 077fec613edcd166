//! Who tells the person at the terminal what is done about tables.

use taquin::Goal;
use taquin::solve::{Attendant, Notice};
use taquin::tables::Building;
use taquin::tables::store::Unwritten;

use super::{with_bar_of, writers};
use crate::goals;
use crate::output::remark;

/// Says what a provider notices, draws how far it is, and writes in the background.
pub(super) struct Terminal {
    /// What boards are solved for.
    pub(super) goal: Goal,
}

impl Attendant for Terminal {
    fn notice(&self, notice: &Notice) {
        match notice {
            Notice::NoTime { goal } => {
                let size = goal.size();
                let option = goals::option(&self.goal);
                remark(format_args!(
                    "{notice}; run `taquin tables build {size}{option}` once for better results"
                ));
            }
            _ => remark(format_args!("{notice}")),
        }
    }

    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        building: &Building,
        work: &mut dyn FnMut(),
    ) {
        with_bar_of(what, total, building, work);
    }

    fn write(&self, unwritten: Unwritten) {
        writers::write_later(unwritten);
    }
}
