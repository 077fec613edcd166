//! What one line can hold.

use std::collections::HashMap;

/// The contents that a line can have: how many tiles of each group, with up to `length` tiles in
/// all. They are numbered, those with fewer tiles first.
#[derive(Debug)]
pub(super) struct Contents {
    groups: usize,
    /// For each content and group, the content with one more tile and with one fewer, or `NONE`.
    more: Vec<u32>,
    fewer: Vec<u32>,
    /// How many tiles of each group, content after content.
    counts: Vec<u8>,
    /// The first content with one tile less than the line can hold, and the first full one.
    short: u32,
    full: u32,
}

impl Contents {
    /// No such content.
    pub(super) const NONE: u32 = u32::MAX;
    /// The number of the content without tiles.
    pub(super) const EMPTY: u32 = 0;

    pub(super) fn new(groups: usize, length: usize) -> Self {
        // Contents are found in the order of their tiles, by adding one tile to those before.
        let empty = vec![0_u8; groups];
        let mut numbers = HashMap::from([(empty.clone(), Self::EMPTY)]);
        let mut found = vec![(empty, 0)];
        let mut more = Vec::new();
        let (mut short, mut full) = (0, 0);
        let mut next = 0;
        while let Some((counts, tiles)) = found.get(next).cloned() {
            if tiles + 1 < length {
                short = next as u32 + 1;
            }
            if tiles < length {
                full = next as u32 + 1;
            }
            for group in 0..groups {
                if tiles == length {
                    more.push(Self::NONE);
                    continue;
                }
                let mut counts = counts.clone();
                counts[group] += 1;
                let number = *numbers.entry(counts).or_insert_with_key(|counts| {
                    found.push((counts.clone(), tiles + 1));
                    found.len() as u32 - 1
                });
                more.push(number);
            }
            next += 1;
        }
        let mut fewer = vec![Self::NONE; more.len()];
        for (index, &number) in more.iter().enumerate() {
            if number != Self::NONE {
                fewer[number as usize * groups + index % groups] = (index / groups) as u32;
            }
        }
        Self {
            groups,
            more,
            fewer,
            counts: found.into_iter().flat_map(|(counts, _)| counts).collect(),
            short,
            full,
        }
    }

    /// The content with one more tile of a group.
    #[inline]
    pub(super) fn with(&self, content: u32, group: usize) -> u32 {
        self.more[content as usize * self.groups + group]
    }

    /// The content with one tile of a group less, or [`NONE`](Self::NONE).
    #[inline]
    pub(super) fn without(&self, content: u32, group: usize) -> u32 {
        self.fewer[content as usize * self.groups + group]
    }

    /// How many tiles of each group.
    pub(super) fn counts(&self, content: u32) -> &[u8] {
        let first = content as usize * self.groups;
        &self.counts[first..first + self.groups]
    }

    /// Whether the line has room for one more tile, so that the blank is in it.
    pub(super) const fn is_short(&self, content: u32) -> bool {
        content < self.full
    }

    /// The contents that a line of the puzzle can have: full, or with the blank in it.
    pub(super) fn of_lines(&self) -> std::ops::Range<u32> {
        self.short..(self.counts.len() / self.groups) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_contents_as_multisets() {
        for (groups, length, short, full) in
            [(4, 4, 20, 35), (5, 5, 70, 126), (2, 3, 3, 4), (7, 2, 7, 28)]
        {
            let contents = Contents::new(groups, length);
            let of_lines = contents.of_lines();
            assert_eq!(
                of_lines.clone().filter(|&c| contents.is_short(c)).count(),
                short
            );
            assert_eq!(
                of_lines.clone().filter(|&c| !contents.is_short(c)).count(),
                full
            );
            for content in of_lines {
                let tiles = length - usize::from(contents.is_short(content));
                assert_eq!(
                    contents
                        .counts(content)
                        .iter()
                        .map(|&n| usize::from(n))
                        .sum::<usize>(),
                    tiles
                );
                for group in 0..groups {
                    let fewer = contents.without(content, group);
                    if fewer == Contents::NONE {
                        assert_eq!(contents.counts(content)[group], 0);
                    } else {
                        assert_eq!(contents.with(fewer, group), content);
                    }
                }
            }
        }
    }
}
