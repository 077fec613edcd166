//! What the processor at hand can do beyond what every processor can.

/// Work that is compiled twice: for every processor, and for those with wide vectors and
/// bit-counting instructions. Implementations mark `run` and what it calls in its inner loops
/// `#[inline(always)]`: only what is inlined is compiled anew.
pub(crate) trait Work {
    /// What comes of it.
    type Result;

    /// Does it.
    fn run(self) -> Self::Result;
}

/// Does the work with the best instructions that this processor has.
#[inline]
pub(crate) fn run_fast<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt")
    {
        #[expect(
            unsafe_code,
            reason = "the compiler cannot know which processor it will be"
        )]
        // SAFETY: the processor has every feature that `run_wide` is compiled for; the lines above
        // have just asked it.
        return unsafe { run_wide(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_wide<W: Work>(work: W) -> W::Result {
    work.run()
}

/// The proof that the processor has AVX-512 with what goes beyond its first form, as processors
/// have it from Ice Lake and Zen 4 on.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideVectors(());

#[cfg(target_arch = "x86_64")]
impl WideVectors {
    /// Asks the processor.
    pub(crate) fn detect() -> Option<Self> {
        let has_them = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vpopcntdq")
            && std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        has_them.then_some(Self(()))
    }

    /// Does work that is compiled for such processors.
    #[inline]
    #[expect(clippy::unused_self, reason = "that there is one is the proof")]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Result {
        #[expect(
            unsafe_code,
            reason = "the compiler cannot know which processor it will be"
        )]
        // SAFETY: the processor has every feature that `run_widest` is compiled for: only
        // `detect` makes a value of this type.
        unsafe {
            run_widest(work)
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn run_widest<W: Work>(work: W) -> W::Result {
    work.run()
}

/// Asks for a byte to be brought near, to be read soon. No promise, and no harm.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(unsafe_code, reason = "there is no safe way to ask")]
        // SAFETY: a prefetch reads nothing and faults on no address; the pointer is only computed,
        // with wrapping arithmetic.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(index).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, index);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count(u64);

    impl Work for Count {
        type Result = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            self.0.count_ones()
        }
    }

    #[test]
    fn fast_work_gives_the_same_result() {
        for number in [0, 1, u64::MAX, 0x1234_5678_9ABC_DEF0] {
            assert_eq!(run_fast(Count(number)), Count(number).run());
            #[cfg(target_arch = "x86_64")]
            if let Some(vectors) = WideVectors::detect() {
                assert_eq!(vectors.run(Count(number)), Count(number).run());
            }
        }
    }

    #[test]
    fn a_prefetch_of_anything_does_no_harm() {
        prefetch(&[1, 2, 3], 1);
        prefetch(&[], usize::MAX);
    }
}
