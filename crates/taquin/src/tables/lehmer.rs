//! Numbers for arrangements: k different things out of n, in order.
//!
//! Each thing is written as how many of the things not yet used come before it. The first of these
//! digits is below n, the second below n − 1, and so on, and every such row of digits stands for
//! one arrangement (Lehmer 1960). Read as a number, most significant digit first, it is the
//! arrangement's place in lexicographic order.

/// How many arrangements there are: n · (n − 1) · …, `k` factors. `k` is at most `n`, and the
/// product must fit.
pub(crate) fn count(n: usize, k: usize) -> u64 {
    (n + 1 - k..=n).map(|factor| factor as u64).product()
}

/// The number of an arrangement of different things below `n`.
pub(crate) fn rank(things: &[usize], n: usize) -> usize {
    things.iter().enumerate().fold(0, |rank, (i, thing)| {
        let used_before = things[..i].iter().filter(|&used| used < thing).count();
        rank * (n - i) + thing - used_before
    })
}

/// The arrangement with a number below [`count`], written to `things`; its length is k.
pub(crate) fn unrank(mut rank: usize, n: usize, things: &mut [usize]) {
    for i in (0..things.len()).rev() {
        // The digit, as if no thing before this one were used.
        let digit = rank % (n - i);
        rank /= n - i;
        // Once this thing is used, those after it skip it.
        for later in &mut things[i + 1..] {
            *later += usize::from(*later >= digit);
        }
        things[i] = digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `visit` with every arrangement in lexicographic order, found by trying all things in
    /// all places.
    fn every_arrangement(
        n: usize,
        k: usize,
        begun: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize]),
    ) {
        if begun.len() == k {
            return visit(begun);
        }
        for thing in 0..n {
            if !begun.contains(&thing) {
                begun.push(thing);
                every_arrangement(n, k, begun, visit);
                begun.pop();
            }
        }
    }

    /// The n-th arrangement in lexicographic order has the rank n, and the rank n gives it.
    fn check(n: usize, k: usize) {
        let mut next = 0;
        let mut things = vec![0; k];
        every_arrangement(n, k, &mut Vec::new(), &mut |arrangement| {
            assert_eq!(rank(arrangement, n), next, "{arrangement:?} of {n}");
            unrank(next, n, &mut things);
            assert_eq!(things, arrangement, "rank {next} of {k} of {n}");
            next += 1;
        });
        assert_eq!(next as u64, count(n, k), "{k} of {n}");
    }

    #[test]
    fn every_arrangement_has_its_place_in_lexicographic_order_as_rank() {
        for n in 1..=8 {
            for k in 0..=n {
                check(n, k);
            }
        }
    }

    #[test]
    fn a_few_of_many_have_their_place_too() {
        for (n, k) in [(12, 5), (16, 5), (25, 4), (36, 3), (64, 2)] {
            check(n, k);
        }
    }

    #[test]
    fn the_last_thing_of_arrangements_with_the_same_beginning_counts_up() {
        assert_eq!(rank(&[0, 1, 2], 5), 0);
        assert_eq!(rank(&[0, 1, 4], 5), 2);
        assert_eq!(rank(&[4, 3, 2], 5), 59);
        // The largest that a `Key` can ask for: eight tiles and the blank on 36 cells.
        assert_eq!(count(36, 9), 34_162_713_446_400);
    }
}
