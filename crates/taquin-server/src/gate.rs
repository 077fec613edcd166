//! Who may search: a bounded number at once, and a bounded number waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time;

/// Lets a bounded number of searches in at once. A bounded number of others wait in order, and the
/// rest is refused at once: so a flood costs little, and the searches that were let in get done.
#[derive(Debug)]
pub(crate) struct Gate {
    turns: Arc<Semaphore>,
    all: usize,
    waiting: Arc<AtomicUsize>,
    queue: usize,
    patience: Duration,
}

/// All turns are taken, and too many wait already, or it took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// The right to search: as long as this lives, one of the turns is taken.
#[derive(Debug)]
pub(crate) struct SearchPermit {
    _permit: OwnedSemaphorePermit,
}

/// A place in the queue, or at its head.
#[derive(Debug)]
pub(crate) enum QueuePlace {
    /// It is one's turn.
    First(SearchPermit),
    /// Others come before.
    Waiting(Waiting),
}

/// A search that waits; it leaves the queue when this is dropped.
#[derive(Debug)]
pub(crate) struct Waiting {
    turns: Arc<Semaphore>,
    /// How many there are with this one.
    all: Arc<AtomicUsize>,
    patience: Duration,
    ahead: usize,
}

impl Gate {
    /// For that many searches at once, at least one.
    pub(crate) fn new(searches: usize, queue: usize, patience: Duration) -> Self {
        let searches = searches.max(1);
        Self {
            turns: Arc::new(Semaphore::new(searches)),
            all: searches,
            waiting: Arc::default(),
            queue,
            patience,
        }
    }

    /// A place, unless there is none.
    pub(crate) fn place(&self) -> Result<QueuePlace, Busy> {
        // The semaphore serves in order, and gives no turn to a newcomer while others wait.
        if let Ok(permit) = Arc::clone(&self.turns).try_acquire_owned() {
            return Ok(QueuePlace::First(SearchPermit { _permit: permit }));
        }
        let ahead = self
            .waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |waiting| {
                (waiting < self.queue).then_some(waiting + 1)
            })
            .map_err(|_| Busy)?;
        Ok(QueuePlace::Waiting(Waiting {
            turns: Arc::clone(&self.turns),
            all: Arc::clone(&self.waiting),
            patience: self.patience,
            ahead,
        }))
    }

    /// Searches that run.
    pub(crate) fn running(&self) -> usize {
        self.all - self.turns.available_permits()
    }

    /// Searches that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl QueuePlace {
    /// Waits for the turn.
    pub(crate) async fn turn(self) -> Result<SearchPermit, Busy> {
        match self {
            Self::First(turn) => Ok(turn),
            Self::Waiting(waiting) => waiting.turn().await,
        }
    }
}

impl Waiting {
    /// How many wait before this one.
    pub(crate) const fn ahead(&self) -> usize {
        self.ahead
    }

    async fn turn(self) -> Result<SearchPermit, Busy> {
        let permit = Arc::clone(&self.turns).acquire_owned();
        match time::timeout(self.patience, permit).await {
            Ok(Ok(permit)) => Ok(SearchPermit { _permit: permit }),
            // It took too long; nobody closes the semaphore.
            Ok(Err(_)) | Err(_) => Err(Busy),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn some_run_some_wait_and_the_rest_is_sent_away() {
        let gate = Gate::new(2, 1, Duration::from_secs(10));
        let first = gate.place().unwrap().turn().await.unwrap();
        let _second = gate.place().unwrap().turn().await.unwrap();
        let QueuePlace::Waiting(third) = gate.place().unwrap() else {
            panic!("there are two turns");
        };
        assert_eq!((gate.running(), gate.waiting(), third.ahead()), (2, 1, 0));
        assert_eq!(gate.place().unwrap_err(), Busy);
        drop(first);
        let third = third.turn().await.unwrap();
        assert_eq!((gate.running(), gate.waiting()), (2, 0));
        drop(third);
        assert_eq!(gate.running(), 1);
    }

    #[tokio::test]
    async fn who_leaves_the_queue_makes_room() {
        let gate = Gate::new(1, 1, Duration::from_secs(10));
        let _turn = gate.place().unwrap().turn().await.unwrap();
        let waiting = gate.place().unwrap();
        assert!(gate.place().is_err());
        drop(waiting);
        assert!(gate.place().is_ok());
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let gate = Gate::new(1, 1, Duration::from_millis(10));
        let _turn = gate.place().unwrap().turn().await.unwrap();
        assert_eq!(gate.place().unwrap().turn().await.unwrap_err(), Busy);
        assert_eq!(gate.waiting(), 0);
    }
}
