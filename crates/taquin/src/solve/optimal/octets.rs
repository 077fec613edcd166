//! What the vector form keeps of slots, eight side by side.

use super::engine::{Engine, PADDED};
use super::lookup::Lookup;

/// Slots that are treated side by side.
pub(super) const OCTET: usize = 8;

/// What eight slots of a tile need, side by side.
#[derive(Debug)]
pub(super) struct Octet<'a> {
    /// The numbers of the slots.
    pub(super) ids: [u64; OCTET],
    /// Their tables, and where these begin in memory.
    pub(super) tables: [&'a [u8]; OCTET],
    pub(super) addresses: [u64; OCTET],
    /// For each cell, where the symmetry of each slot takes it.
    pub(super) images: [[u8; OCTET]; PADDED],
}

/// What the wide form needs beside the lookups.
#[derive(Debug)]
pub(super) struct Octets<'a> {
    /// For each tile, as many as its row needs at most.
    pub(super) octets: Vec<[Octet<'a>; Engine::MAX_ROW / OCTET]>,
    pub(super) uniform: Option<Uniform<'a>>,
}

/// The numbering of the states of all slots, where they are numbered alike, as all patterns have the
/// same number of tiles; so their tables have the same length too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uniform<'a> {
    pub(super) lookup: &'a Lookup<'a>,
    /// The number of a table's last bit.
    pub(super) last_bit: u64,
}

impl<'a> Uniform<'a> {
    fn of(lookups: &'a [Lookup<'a>]) -> Option<Self> {
        let lookup = lookups.first()?;
        let bytes = lookup.bytes.len();
        let is_like = |other: &Lookup<'_>| other.numbers_like(lookup) && other.bytes.len() == bytes;
        // Four bytes are read at a time, and rows of a table are multiplied as numbers of 32 bits.
        let is_fit = bytes > 0
            && bytes.is_multiple_of(4)
            && lookup.shapes.len().is_multiple_of(4)
            && lookup.shape_shift >= 2
            && u32::try_from(lookup.row_bits).is_ok();
        (is_fit && lookups.iter().all(is_like)).then(|| Self {
            lookup,
            last_bit: bytes as u64 * 8 - 1,
        })
    }
}

impl<'a> Octets<'a> {
    pub(super) fn new(engine: &Engine, lookups: &'a [Lookup<'a>]) -> Self {
        let octet = |tile: usize, number: usize| {
            let slots = &engine.row(tile as u8).padded[number * OCTET..];
            Octet {
                ids: std::array::from_fn(|lane| u64::from(slots[lane])),
                tables: std::array::from_fn(|lane| lookups[usize::from(slots[lane])].bytes),
                addresses: std::array::from_fn(|lane| {
                    let bytes = lookups[usize::from(slots[lane])].bytes;
                    bytes.as_ptr().expose_provenance() as u64
                }),
                images: std::array::from_fn(|cell| {
                    std::array::from_fn(|lane| lookups[usize::from(slots[lane])].cells[cell])
                }),
            }
        };
        Self {
            octets: (0..PADDED)
                .map(|tile| std::array::from_fn(|number| octet(tile, number)))
                .collect(),
            uniform: Uniform::of(lookups),
        }
    }
}
