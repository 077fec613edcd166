//! JSON Lines.

use anyhow::Result;
use serde::Serialize;

use crate::output::Output;

pub(super) fn write(out: &mut Output, record: &impl Serialize) -> Result<()> {
    out.json(record)
}
