//! The random generator behind scrambles: small, named, and the same for ever.

/// xoshiro256++ (Blackman & Vigna 2019), seeded through `SplitMix64`.
///
/// `docs/formats.md` specifies it with test vectors, so that programs in other languages can
/// reproduce a scramble from its seed. Nothing here may change: published seeds depend on it.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator for a seed. Every seed is good, 0 included.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        let mut s = seed;
        let mut split_mix = || {
            s = s.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (s ^ (s >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Self {
            state: [split_mix(), split_mix(), split_mix(), split_mix()],
        }
    }

    /// The next sixty-four bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A uniform number below `bound`; 0 if that is 0.
    ///
    /// Takes as many of the top bits as `bound - 1` needs and draws again while the number is too
    /// large: no bias, and nothing that a language without wide multiplication lacks. A bound of 1
    /// draws nothing.
    pub fn below(&mut self, bound: usize) -> usize {
        let bits = usize::BITS - bound.saturating_sub(1).leading_zeros();
        if bits == 0 {
            return 0;
        }
        loop {
            let number = (self.next_u64() >> (64 - bits)) as usize;
            if number < bound {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

    use super::Rng;

    #[test]
    fn it_is_the_published_generator() {
        for seed in [0, 1, 7, 0xdead_beef, u64::MAX] {
            let mut ours = Rng::from_seed(seed);
            let mut theirs = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..1000 {
                assert_eq!(ours.next_u64(), theirs.next_u64(), "seed {seed}");
            }
        }
    }

    #[test]
    fn bounded_numbers_are_in_range_and_reach_every_value() {
        let mut rng = Rng::from_seed(3);
        for bound in [1, 2, 3, 9, 16, 17] {
            let mut counts = vec![0; bound];
            for _ in 0..bound * 1000 {
                counts[rng.below(bound)] += 1;
            }
            // Six standard deviations of a binomial around 1000.
            assert!(counts.iter().all(|c| (800..1200).contains(c)), "{counts:?}");
        }
    }

    #[test]
    fn a_bound_of_one_draws_nothing() {
        let mut rng = Rng::from_seed(5);
        let mut same = rng.clone();
        assert_eq!(rng.below(1), 0);
        assert_eq!(rng.next_u64(), same.next_u64());
    }
}
