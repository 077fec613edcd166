//! What the person at the terminal is told of tables.

use taquin::supply::{BuildObserver, TableNotice};
use taquin::tables::store::Unwritten;
use taquin::{Budget, Goal, Notice};

use super::{with_bar_of, writers};
use crate::goals;
use crate::output::remark;

/// Says what a source of tables notices, draws how far it is, and writes in the background.
pub(super) struct Terminal;

impl BuildObserver for Terminal {
    fn notice(&self, notice: &TableNotice) {
        remark(format_args!("{notice}"));
    }

    fn building(
        &self,
        what: &str,
        total: &(dyn Fn() -> u64 + Sync),
        budget: &Budget,
        work: &mut dyn FnMut(),
    ) {
        with_bar_of(what, total, budget, work);
    }

    fn write(&self, unwritten: Unwritten) {
        writers::write_later(unwritten);
    }
}

/// Says what a person should know about how boards are solved, and what to do about it.
pub(crate) fn remark_on(notice: &Notice, named: &Goal) {
    match notice {
        Notice::NoTimeForTables { goal } => {
            let (size, option) = (goal.size(), goals::option(named));
            remark(format_args!(
                "{notice}; run `taquin tables build {size}{option}` once for better results"
            ));
        }
        _ => remark(format_args!("{notice}")),
    }
}
