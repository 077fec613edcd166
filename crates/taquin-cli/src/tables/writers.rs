//! Tables are written while they are already used: an answer need not wait for the disk.

use std::sync::Once;

use taquin::supply::Writers;
use taquin::tables::store::{StoreError, Unwritten};

use crate::output::remark;

/// The threads that write.
static WRITERS: Writers = Writers::new();

/// Writes a table in the background.
pub(super) fn write_later(unwritten: Unwritten) {
    WRITERS.write(unwritten, |error| tell(&error));
}

/// Waits until all tables are written.
pub(crate) fn finish() {
    WRITERS.finish();
}

/// Says that tables are not kept: once, since all of them go to the same folder.
fn tell(error: &StoreError) {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        remark(format_args!(
            "{error}; tables are not kept and will be built again the next time; \
             --tables-dir says where to keep them"
        ));
    });
}
