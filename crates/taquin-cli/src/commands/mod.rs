//! The commands: each file has what can be typed (`Args`) and what it does (`run`).

pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod man;
pub(crate) mod scramble;
pub(crate) mod show;
