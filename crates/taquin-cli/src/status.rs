//! Exit codes, decided in one place.

use std::process::ExitCode;

/// What a run came to, from best to worst; several boards come to the worst of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Everything was answered, and the answer is yes.
    Done,
    /// Some answer is no: unsolvable, or the goal was not reached.
    No,
    /// Some input could not be read.
    BadInput,
    /// Ctrl-C ended it.
    Interrupted,
}

impl Status {
    /// The exit code after Ctrl-C.
    pub(crate) const INTERRUPTED: u8 = 130;

    /// `Done` for yes, `No` for no.
    pub(crate) const fn of_answer(yes: bool) -> Self {
        if yes { Self::Done } else { Self::No }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::No => 1,
            Status::BadInput => 2,
            Status::Interrupted => Status::INTERRUPTED,
        })
    }
}
