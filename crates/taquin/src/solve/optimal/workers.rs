//! Tasks on all threads, in the best form that the processor has.

#[cfg(target_arch = "x86_64")]
use crate::cpu::WideVectors;
use crate::cpu::run_fast;
use crate::threads::on_each;

use super::lanes::{Found, Iteration, Job, Lanes};
use super::lookup::Lookup;
use super::step::Plain;
#[cfg(target_arch = "x86_64")]
use super::{octets::Octets, wide::Wide};

/// Rows of this many slots are moved with vectors where the processor has them; shorter ones would
/// leave most of a vector empty.
#[cfg(target_arch = "x86_64")]
const WIDE_ROW: usize = 8;

/// Searches the tasks of a job with a thread for each set of lanes; what each of them found.
pub(super) fn on_all_threads<const SLOTS: usize, const VIEWS: usize, const WIDTH: usize>(
    job: &Job<'_>,
    lookups: &[Lookup<'_>],
    lanes: &mut [Lanes<SLOTS, VIEWS, WIDTH>],
) -> Vec<Found> {
    #[cfg(target_arch = "x86_64")]
    if let Some(vectors) =
        WideVectors::detect().filter(|_| WIDTH >= WIDE_ROW && !job.engine.is_plain)
    {
        let form = Wide {
            engine: job.engine,
            lookups,
            octets: &Octets::new(job.engine, lookups),
            vectors,
        };
        return on_each(lanes, |lanes| vectors.run(Iteration { job, form, lanes }));
    }
    let form = Plain {
        engine: job.engine,
        lookups,
    };
    on_each(lanes, |lanes| run_fast(Iteration { job, form, lanes }))
}
