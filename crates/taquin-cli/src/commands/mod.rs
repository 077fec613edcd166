//! The commands: each file has what can be typed (`Args`) and what it does (`run`).

pub(crate) mod advise;
pub(crate) mod apply;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod distance;
pub(crate) mod enumerate;
pub(crate) mod estimate;
pub(crate) mod farthest;
pub(crate) mod hint;
pub(crate) mod man;
pub(crate) mod predict;
pub(crate) mod quality;
pub(crate) mod sample;
pub(crate) mod scramble;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tables;
pub(crate) mod trace;
