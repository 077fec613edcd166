//! Memory that several share.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::outcome::{Budget, Limit};

/// The memory that all builds share. A build that does not fit waits, within its budget, until
/// others are done. The one that has waited longest comes first.
///
/// ```
/// use taquin::supply::Room;
/// use taquin::{Budget, Limit, Limits};
/// use std::time::Duration;
///
/// let room = Room::new(100);
/// let most = room.take(70, &Budget::default())?;
/// let short = Budget::new(&Limits::within(Duration::ZERO));
/// assert_eq!(room.take(70, &short).err(), Some(Limit::Time));
/// drop(most);
/// assert!(room.take(70, &short).is_ok());
/// # Ok::<(), Limit>(())
/// ```
#[derive(Debug)]
pub struct Room {
    all: u64,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug)]
struct State {
    free: u64,
    /// The numbers of those who wait, in the order in which they came.
    waiting: BTreeSet<u64>,
    /// The number of the next one.
    next: u64,
}

/// Some of the room, which is free again when this is dropped.
#[derive(Debug)]
pub struct TakenRoom<'a> {
    room: &'a Room,
    bytes: u64,
}

/// How often one who waits looks at its budget.
const LOOK: Duration = Duration::from_millis(20);

impl Room {
    /// Room for this many bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self {
            all: bytes,
            state: Mutex::new(State {
                free: bytes,
                waiting: BTreeSet::new(),
                next: 0,
            }),
            freed: Condvar::new(),
        }
    }

    /// How many bytes there are for all.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.all
    }

    /// Takes this many bytes, as soon as they are free. Gives up with the limit that ends the budget.
    ///
    /// What takes more than there is for all never fits. It gets nothing here, at once, and is to be
    /// refused by its own limit on memory.
    pub fn take(&self, bytes: u64, budget: &Budget) -> Result<TakenRoom<'_>, Limit> {
        let bytes = if bytes > self.all { 0 } else { bytes };
        if bytes == 0 {
            return Ok(TakenRoom { room: self, bytes });
        }
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.waiting.insert(number);
        let taken = loop {
            if state.free >= bytes && state.waiting.first() == Some(&number) {
                state.free -= bytes;
                break Ok(TakenRoom { room: self, bytes });
            }
            if let Err(limit) = budget.check() {
                break Err(limit);
            }
            let waited = self.freed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        state.waiting.remove(&number);
        drop(state);
        // There may be room for the next one too.
        self.freed.notify_all();
        taken
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TakenRoom<'_> {
    fn drop(&mut self) {
        self.room.lock().free += self.bytes;
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::thread;

    use super::*;
    use crate::outcome::Limits;

    #[test]
    fn no_more_is_taken_at_once_than_there_is() {
        let room = Room::new(10);
        let taken = AtomicU64::new(0);
        thread::scope(|scope| {
            for bytes in [3, 7, 10, 4, 9, 1] {
                let (room, taken) = (&room, &taken);
                scope.spawn(move || {
                    let part = room.take(bytes, &Budget::default()).unwrap();
                    assert!(taken.fetch_add(part.bytes, Ordering::SeqCst) + part.bytes <= 10);
                    taken.fetch_sub(part.bytes, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(room.lock().free, 10);
        assert!(room.lock().waiting.is_empty());
    }

    #[test]
    fn what_never_fits_waits_for_nobody() {
        let room = Room::new(10);
        let _all = room.take(10, &Budget::default()).unwrap();
        assert_eq!(room.take(11, &Budget::default()).unwrap().bytes, 0);
    }

    #[test]
    fn small_ones_do_not_pass_a_large_one_that_waits() {
        let room = Room::new(10);
        let part = room.take(6, &Budget::default()).unwrap();
        thread::scope(|scope| {
            let large = scope.spawn(|| room.take(10, &Budget::default()).unwrap().bytes);
            while room.lock().waiting.is_empty() {
                thread::yield_now();
            }
            let hasty = Budget::new(&Limits::within(Duration::ZERO));
            assert_eq!(room.take(1, &hasty).err(), Some(Limit::Time));
            drop(part);
            assert_eq!(large.join().unwrap(), 10);
        });
        assert_eq!(room.take(1, &Budget::default()).unwrap().bytes, 1);
    }

    #[test]
    fn who_waits_can_leave() {
        let room = Room::new(10);
        let _all = room.take(10, &Budget::default()).unwrap();
        let cancelled = Limits {
            cancel: Some(Arc::new(AtomicBool::new(true))),
            ..Limits::default()
        };
        let refused = room.take(1, &Budget::new(&cancelled));
        assert_eq!(refused.err(), Some(Limit::Cancelled));
    }
}
