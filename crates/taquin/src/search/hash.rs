//! A fast hash for states.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds a [`MixHasher`] for the standard maps.
pub(super) type Mix = BuildHasherDefault<MixHasher>;

/// Multiplies each word by an odd constant and folds the two halves of the product together.
///
/// One multiplication for a packed board, where the standard hasher takes some thirty steps to be
/// safe against chosen keys. Nobody attacks a search with its own states.
#[derive(Clone, Debug)]
pub(super) struct MixHasher(u64);

/// Not zero, so that a first word of zero does not erase the words after it.
impl Default for MixHasher {
    fn default() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }
}

impl Hasher for MixHasher {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        // The golden ratio in 64 bits: odd, with ones and zeros well spread.
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    #[test]
    fn words_that_differ_in_one_place_rarely_share_the_bits_that_tables_use() {
        let hash = |word: u64| Mix::default().hash_one(word);
        // Four bits moved to every one of sixteen cells, as a slide does.
        let words: Vec<u64> = (0..16)
            .flat_map(|cell| (1..16).map(move |tile| tile << (4 * cell)))
            .collect();
        for shift in [0, 32, 48] {
            let distinct: HashSet<u16> = words.iter().map(|&w| (hash(w) >> shift) as u16).collect();
            assert!(distinct.len() > 230, "{} of 240", distinct.len());
        }
    }

    #[test]
    fn the_order_of_words_matters() {
        let hash = |words: [u16; 3]| Mix::default().hash_one(words);
        assert_ne!(hash([1, 2, 0]), hash([2, 1, 0]));
        assert_ne!(hash([0, 0, 1]), hash([0, 1, 0]));
    }
}
