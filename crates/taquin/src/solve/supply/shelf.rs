//! A bounded place for things that take long to make.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Keeps things by their keys, at most so many: the least recently used one makes room.
///
/// Whoever works on a thing locks that one only. What somebody works on is never dropped, or the
/// next who asks would make it a second time: so there may be more for as long as that takes.
pub(super) struct Shelf<K, V> {
    capacity: usize,
    places: Mutex<Places<K, V>>,
}

struct Places<K, V> {
    by_key: HashMap<K, Place<V>>,
    /// How often something was asked for.
    asked: u64,
}

struct Place<V> {
    thing: Thing<V>,
    /// Whether it was made, so that nobody works on it for long.
    is_made: bool,
    /// When it was asked for last.
    asked: u64,
}

/// Locked while somebody works on it; empty before it is made.
type Thing<V> = Arc<Mutex<Option<V>>>;

impl<K: Clone + Eq + Hash, V> Shelf<K, V> {
    /// How many things are kept unless somebody says otherwise.
    pub(super) const CAPACITY: usize = 64;

    /// Keeps so many things, at least one.
    pub(super) fn new(capacity: usize) -> Self {
        let places = Places {
            by_key: HashMap::new(),
            asked: 0,
        };
        Self {
            capacity: capacity.max(1),
            places: Mutex::new(places),
        }
    }

    /// Does `work` on a thing, which it makes if there is `None`. Others who want the same one
    /// wait, others who want another do not. A thing that `work` does not make is not kept.
    pub(super) fn with<R>(&self, key: &K, work: impl FnOnce(&mut Option<V>) -> R) -> R {
        let thing = self.thing(key);
        let mut guard = lock(&thing);
        let was_there = guard.is_some();
        let result = work(&mut guard);
        let is_made = guard.is_some();
        drop(guard);
        drop(thing);
        if !(was_there && is_made) {
            self.tidy(key, is_made);
        }
        result
    }

    /// A thing that was made, without a wait for one that is not.
    pub(super) fn peek(&self, key: &K) -> Option<V>
    where
        V: Clone,
    {
        let thing = {
            let places = lock(&self.places);
            let place = places.by_key.get(key).filter(|place| place.is_made)?;
            Arc::clone(&place.thing)
        };
        lock(&thing).clone()
    }

    /// The place of a thing, new or not.
    fn thing(&self, key: &K) -> Thing<V> {
        let mut places = lock(&self.places);
        places.asked += 1;
        let asked = places.asked;
        if let Some(place) = places.by_key.get_mut(key) {
            place.asked = asked;
            return Arc::clone(&place.thing);
        }
        let thing = Thing::default();
        let place = Place {
            thing: Arc::clone(&thing),
            is_made: false,
            asked,
        };
        places.by_key.insert(key.clone(), place);
        thing
    }

    /// Notes that a thing was made, or clears its place if that stayed empty; then makes room.
    fn tidy(&self, key: &K, is_made: bool) {
        let mut places = lock(&self.places);
        let by_key = &mut places.by_key;
        if let Some(place) = by_key.get_mut(key) {
            place.is_made |= is_made;
        }
        let stayed_empty = |place: &Place<V>| place.is_idle() && lock(&place.thing).is_none();
        if by_key.get(key).is_some_and(stayed_empty) {
            by_key.remove(key);
        }
        let mut dropped = Vec::new();
        while by_key.len() > self.capacity {
            let idle = by_key.iter().filter(|(_, place)| place.is_idle());
            let Some((oldest, _)) = idle.min_by_key(|(_, place)| place.asked) else {
                break;
            };
            let oldest = oldest.clone();
            dropped.extend(by_key.remove(&oldest));
        }
        // Large tables take a while to give back: nobody need wait for that.
        drop(places);
        drop(dropped);
    }
}

impl<V> Place<V> {
    /// Whether nobody works on it. Only who has locked the places can begin to.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.thing) == 1
    }
}

/// What panicked in there left nothing half done: a thing is made or not.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// A thing, and whether it was made just now.
    fn get(shelf: &Shelf<u32, u32>, key: u32) -> (u32, bool) {
        shelf.with(&key, |thing| {
            let is_new = thing.is_none();
            (*thing.get_or_insert(key * 10), is_new)
        })
    }

    #[test]
    fn the_least_recently_used_makes_room() {
        let shelf = Shelf::new(2);
        assert_eq!(get(&shelf, 1), (10, true));
        assert_eq!(get(&shelf, 2), (20, true));
        assert_eq!(get(&shelf, 1), (10, false));
        assert_eq!(get(&shelf, 3), (30, true));
        assert_eq!(shelf.peek(&2), None);
        assert_eq!(get(&shelf, 1), (10, false));
        assert_eq!(get(&shelf, 3), (30, false));
        assert_eq!(lock(&shelf.places).by_key.len(), 2);
    }

    #[test]
    fn what_is_not_made_takes_no_room() {
        let shelf = Shelf::new(1);
        get(&shelf, 1);
        shelf.with(&2, |_| ());
        assert_eq!(get(&shelf, 1), (10, false));
        assert_eq!(lock(&shelf.places).by_key.len(), 1);
    }

    #[test]
    fn what_somebody_works_on_stays() {
        let shelf = Shelf::new(1);
        shelf.with(&1, |thing| {
            // Nobody waits here for the first one, and it is not dropped for the others.
            assert_eq!(get(&shelf, 2), (20, true));
            assert_eq!(shelf.peek(&1), None);
            *thing = Some(10);
        });
        assert_eq!(get(&shelf, 1), (10, false));
        assert_eq!(lock(&shelf.places).by_key.len(), 1);
    }

    #[test]
    fn what_was_made_is_seen_while_others_use_it() {
        let shelf = Shelf::new(1);
        get(&shelf, 1);
        let (used, seen) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                shelf.with(&1, |_| used.wait());
                seen.wait();
            });
            used.wait();
            assert_eq!(shelf.peek(&1), Some(10));
            seen.wait();
        });
    }

    #[test]
    fn of_many_who_want_the_same_one_makes_it() {
        let shelf = Shelf::new(1);
        let (made, barrier) = (AtomicUsize::new(0), Barrier::new(4));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    barrier.wait();
                    shelf.with(&7, |thing| {
                        thing.get_or_insert_with(|| made.fetch_add(1, Ordering::Relaxed));
                    });
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn after_a_panic_it_is_made_by_the_next() {
        let shelf = Shelf::new(1);
        let panicked = thread::scope(|scope| {
            let worker = scope.spawn(|| shelf.with(&1, |_| -> Infallible { panic!("on purpose") }));
            worker.join().is_err()
        });
        assert!(panicked);
        assert_eq!(get(&shelf, 1), (10, true));
    }
}
