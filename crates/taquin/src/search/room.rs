//! Memory that may be refused.
//!
//! A search stops at its memory limit, and also where the system has less than that: nothing here
//! ends the process because there is no memory.

use crate::outcome::Limit;
use crate::tables::may_have;

/// Makes room for one more entry in an array that grows by doubling.
#[inline]
pub(super) fn make_room<T>(entries: &mut Vec<T>) -> Result<(), Limit> {
    if entries.len() == entries.capacity() {
        grow(entries)
    } else {
        Ok(())
    }
}

#[cold]
fn grow<T>(entries: &mut Vec<T>) -> Result<(), Limit> {
    entries.try_reserve(1).map_err(|_| Limit::Memory)
}

/// `count` equal entries.
pub(super) fn filled<T: Clone>(entry: T, count: usize) -> Result<Vec<T>, Limit> {
    let mut entries = Vec::new();
    let reserved = entries.try_reserve_exact(count);
    reserved.map_err(|_| Limit::Memory)?;
    entries.resize(count, entry);
    Ok(entries)
}

/// Asks now and then whether there is memory for many small things.
///
/// What a state or a memo points to comes from the allocator in pieces of some bytes, and a refusal
/// of one of those ends the process. So the room for the next few thousand of them is asked for in
/// one piece first, and given back at once.
#[derive(Debug, Default)]
pub(super) struct Probe {
    /// Calls until the next question.
    left: u32,
}

impl Probe {
    /// Calls between two questions.
    const PERIOD: u32 = 4096;
    /// What is to be left for everything else.
    const SPARE: usize = 1 << 20;

    /// Whether there is room for another thing that takes this many bytes in small pieces.
    #[inline]
    pub(super) fn ask(&mut self, bytes: usize) -> Result<(), Limit> {
        if self.left == 0 {
            self.ask_now(bytes)?;
        }
        self.left -= 1;
        Ok(())
    }

    #[cold]
    fn ask_now(&mut self, bytes: usize) -> Result<(), Limit> {
        self.left = Self::PERIOD;
        if bytes == 0 {
            return Ok(());
        }
        // Allocators keep some bytes beside each piece.
        let all = (bytes + 64) * Self::PERIOD as usize + Self::SPARE;
        if may_have(all) {
            Ok(())
        } else {
            self.left = 0;
            Err(Limit::Memory)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_the_memory_limit() {
        assert_eq!(filled(0_u64, usize::MAX / 8).err(), Some(Limit::Memory));
        assert_eq!(filled(7, 3), Ok(vec![7, 7, 7]));
        let mut probe = Probe::default();
        assert_eq!(probe.ask(0), Ok(()));
        assert_eq!(probe.ask(usize::MAX / 8192), Ok(()), "not asked yet");
        let mut probe = Probe::default();
        for _ in 0..2 {
            assert_eq!(probe.ask(usize::MAX / 8192), Err(Limit::Memory));
        }
        assert_eq!(probe.ask(16), Ok(()));
    }
}
