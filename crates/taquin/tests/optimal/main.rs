//! The optimal solver over pattern databases: its lengths judged by whole spaces, by published
//! figures and by the laboratory; its limits; and all shortest solutions.

mod all;
mod lengths;
mod limits;
mod refusals;
mod support;
mod tasks;
