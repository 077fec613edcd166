//! The open list: a queue of nodes in the order of a key.

use std::collections::BTreeMap;

use super::room::make_room;
use crate::outcome::Limit;

/// A priority queue of nodes (by their numbers, mostly) with few distinct keys: one stack for each
/// key.
///
/// A search of a puzzle has millions of open nodes but only some hundreds of different keys, so
/// finding the right stack is cheap and what follows is a push or a pop at its end. A binary heap
/// compares and swaps its way through all of its levels for every pop instead. The stacks are in a
/// tree rather than an array, so large costs need no more memory than small ones.
///
/// Among equal keys the newest node comes first: it is the one most likely to lead on from what was
/// just searched.
///
/// A node whose key changes is pushed again. The old entry stays, and the search skips it when it
/// comes up: removing it would cost more than meeting it.
#[derive(Debug)]
pub(super) struct BucketQueue<K, N = u32> {
    /// The stack with the smallest key, outside of the tree so that most pops need no lookup.
    front: Option<(K, Vec<N>)>,
    /// The other stacks, none of them empty, all with keys larger than the front's.
    rest: BTreeMap<K, Vec<N>>,
    len: usize,
    /// Entries that all stacks have room for.
    capacity: usize,
    /// The most entries that one stack has had room for.
    largest: usize,
}

impl<K: Ord + Copy, N> BucketQueue<K, N> {
    pub(super) const fn new() -> Self {
        Self {
            front: None,
            rest: BTreeMap::new(),
            len: 0,
            capacity: 0,
            largest: 0,
        }
    }

    /// A queue with one entry.
    pub(super) fn with(key: K, node: N) -> Self {
        Self {
            front: Some((key, vec![node])),
            len: 1,
            capacity: 1,
            largest: 1,
            ..Self::new()
        }
    }

    /// Number of entries, outdated ones included.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Bytes that the queue holds, with the copy that its largest stack makes when it grows.
    pub(super) fn bytes(&self) -> u64 {
        // A tree's nodes are at least half full.
        let tree = 2 * self.rest.len() * size_of::<(K, Vec<N>)>();
        let entries = (self.capacity + 2 * self.largest) * size_of::<N>();
        (tree + entries) as u64
    }

    /// Adds an entry, unless there is no memory for it.
    #[inline]
    pub(super) fn push(&mut self, key: K, node: N) -> Result<(), Limit> {
        let bucket = match &mut self.front {
            Some((front, bucket)) if *front == key => bucket,
            Some((front, _)) if *front < key => self.rest.entry(key).or_default(),
            _ => {
                // The new key is the smallest: its stack becomes the front.
                if let Some((old, bucket)) = self.front.take() {
                    self.rest.insert(old, bucket);
                }
                &mut self.front.insert((key, Vec::new())).1
            }
        };
        let before = bucket.capacity();
        make_room(bucket)?;
        bucket.push(node);
        self.len += 1;
        let after = bucket.capacity();
        if after != before {
            self.capacity += after - before;
            self.largest = self.largest.max(after);
        }
        Ok(())
    }

    /// The entry that would be popped.
    #[inline]
    pub(super) fn peek(&self) -> Option<(K, &N)> {
        let (key, bucket) = self.front.as_ref()?;
        bucket.last().map(|node| (*key, node))
    }

    /// Takes an entry with the smallest key.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(K, N)> {
        let (key, bucket) = self.front.as_mut()?;
        let (key, node) = (*key, bucket.pop()?);
        self.len -= 1;
        if bucket.is_empty() {
            self.capacity -= bucket.capacity();
            self.front = self.rest.pop_first();
        }
        Some((key, node))
    }

    /// The first entry that is not outdated, after dropping those before it.
    #[inline]
    pub(super) fn peek_live(&mut self, live: impl Fn(K, &N) -> bool) -> Option<(K, &N)> {
        while !self.peek().is_none_or(|(key, node)| live(key, node)) {
            self.pop();
        }
        self.peek()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn entries_come_out_by_key_and_the_newest_first_among_equals() {
        let mut queue = BucketQueue::new();
        for (key, node) in [(5, 1), (3, 2), (5, 3), (4, 4), (3, 5)] {
            queue.push(key, node).unwrap();
        }
        assert_eq!(queue.peek(), Some((3, &5)));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [(3, 5), (3, 2), (4, 4), (5, 3), (5, 1)]);
        assert_eq!((queue.len(), queue.capacity), (0, 0));
    }

    #[test]
    fn mixed_pushes_and_pops_agree_with_a_sorted_list() {
        let mut rng = Rng::from_seed(1);
        let (mut queue, mut list) = (BucketQueue::new(), Vec::new());
        for node in 0..5000 {
            let key = rng.below(40);
            queue.push(key, node).unwrap();
            list.push((key, node));
            if rng.below(3) > 0 {
                let (key, node) = queue.pop().expect("one was just pushed");
                assert_eq!(list.iter().map(|entry| entry.0).min(), Some(key));
                list.retain(|&entry| entry != (key, node));
            }
            assert_eq!(queue.len(), list.len());
        }
    }
}
