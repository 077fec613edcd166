//! What is kept for the next request, counted in bytes.

use std::hash::Hash;
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::{Cache, GuardResult};
use taquin::Budget;

use crate::problem::Problem;

/// Things that take long to make, kept as long as all of them together take no more bytes than
/// allowed.
pub(crate) struct Kept<K, V>(Cache<K, Weighed<V>, ByBytes>);

#[derive(Clone)]
struct Weighed<V> {
    value: V,
    bytes: u64,
}

#[derive(Clone)]
struct ByBytes;

impl<K, V> Weighter<K, Weighed<V>> for ByBytes {
    fn weight(&self, _: &K, value: &Weighed<V>) -> u64 {
        value.bytes.max(1)
    }
}

/// How often a request that waits for another's work looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(20);
/// Few enough that they are kept in one part, which then has all of the bytes.
const ITEMS: usize = 32;

impl<K: Clone + Eq + Hash, V: Clone> Kept<K, V> {
    /// Room for this many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(Cache::with_weighter(ITEMS, bytes, ByBytes))
    }

    /// How many bytes are taken.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weight()
    }

    /// How many things are kept.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// What is kept under a key, or what `make` makes, with the bytes that it takes. Of several
    /// requests that want the same thing one makes it; the others wait within their budgets.
    pub(crate) fn get_or_make(
        &self,
        key: &K,
        budget: &Budget,
        make: impl FnOnce() -> Result<(V, u64), Problem>,
    ) -> Result<V, Problem> {
        loop {
            match self.0.get_value_or_guard(key, Some(LOOK)) {
                GuardResult::Value(kept) => return Ok(kept.value),
                GuardResult::Guard(guard) => {
                    let (value, bytes) = make()?;
                    // Fails only where the place was given to another meanwhile.
                    drop(guard.insert(Weighed {
                        value: value.clone(),
                        bytes,
                    }));
                    return Ok(value);
                }
                GuardResult::Timeout => budget.check().map_err(Problem::out_of)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, mpsc};
    use std::thread;

    use taquin::Limits;

    use super::*;

    fn budget(limits: &Limits) -> Budget {
        Budget::new(limits)
    }

    #[test]
    fn a_thing_is_made_once() {
        let kept = Kept::new(1000);
        let fail = || Err(Problem::internal());
        let free = Budget::default();
        assert!(kept.get_or_make(&1, &free, fail).is_err());
        let made = kept.get_or_make(&1, &free, || Ok(("known", 10)));
        assert_eq!(made, Ok("known"));
        assert_eq!(kept.get_or_make(&1, &free, fail), Ok("known"));
        assert_eq!(kept.bytes(), 10);
    }

    #[test]
    fn all_of_it_has_no_more_bytes_than_allowed() {
        let kept = Kept::new(1000);
        let free = Budget::default();
        for key in 0..100 {
            let made = kept.get_or_make(&key, &free, || Ok((key, 90)));
            assert_eq!(made, Ok(key));
            assert!(kept.bytes() <= 1000);
        }
        assert!(kept.bytes() > 500);
        // What is larger than all there is can still be had.
        assert_eq!(kept.get_or_make(&200, &free, || Ok((7, 5000))), Ok(7));
        assert!(kept.bytes() <= 1000);
    }

    #[test]
    fn who_waits_for_another_does_so_within_its_own_limits() {
        let kept = Kept::new(1000);
        let (begin, began) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        thread::scope(|scope| {
            let kept = &kept;
            let first = scope.spawn(move || {
                kept.get_or_make(&1, &Budget::default(), || {
                    begin.send(()).unwrap();
                    ended.recv().unwrap();
                    Ok(("known", 1))
                })
            });
            began.recv().unwrap();
            let never = || unreachable!("another makes it");
            let left = Limits {
                cancel: Some(Arc::new(AtomicBool::new(true))),
                ..Limits::default()
            };
            assert!(kept.get_or_make(&1, &budget(&left), never).is_err());
            let hasty = Limits::within(Duration::from_millis(1));
            assert!(kept.get_or_make(&1, &budget(&hasty), never).is_err());
            end.send(()).unwrap();
            assert_eq!(first.join().unwrap(), Ok("known"));
        });
    }
}
