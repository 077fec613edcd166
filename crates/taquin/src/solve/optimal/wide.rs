//! Tiles moved in eight slots at a time, for processors with AVX-512.
//!
//! Where a move takes eight slots is computed side by side, up to which bits of the tables are wanted
//! and back from these bits to the values. Slots whose patterns differ in their number of tiles are
//! numbered in different ways: then the bits are found one by one, as in the plain form.

#![expect(unsafe_code, reason = "vectors are read and written through pointers")]
#![expect(
    clippy::cast_possible_wrap,
    reason = "vectors hold bits, whose sign is of no interest"
)]

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _MM_HINT_T0, _mm_cvtsi32_si128, _mm_loadu_si64, _mm_loadu_si128,
    _mm_movemask_epi8, _mm_prefetch, _mm_shuffle_epi8, _mm_storeu_si128, _mm_sub_epi8,
    _mm256_add_epi32, _mm256_and_si256, _mm256_i32gather_epi32, _mm256_min_epu32, _mm256_or_si256,
    _mm256_set1_epi32, _mm256_sll_epi32, _mm256_slli_epi32, _mm256_srl_epi32, _mm256_srli_epi32,
    _mm256_srlv_epi32, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_cvtepi64_epi8, _mm512_cvtepi64_epi32, _mm512_cvtepu8_epi64, _mm512_cvtepu32_epi64,
    _mm512_i64gather_epi32, _mm512_i64gather_epi64, _mm512_loadu_si512, _mm512_maskz_mov_epi64,
    _mm512_min_epu64, _mm512_mul_epu32, _mm512_or_si512, _mm512_popcnt_epi64, _mm512_set1_epi64,
    _mm512_slli_epi64, _mm512_sllv_epi64, _mm512_srl_epi64, _mm512_srli_epi64, _mm512_srlv_epi64,
    _mm512_storeu_si512, _mm512_sub_epi64, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask,
};

use crate::cpu::{self, WideVectors};
use crate::tables::{GROUP, Order, PART, SetRecord, ZONE};

use super::engine::{Engine, PADDED};
use super::lookup::{Lookup, Word};
use super::octets::{OCTET, Octets, Uniform};
use super::step::{Form, Rises, RowBits, RowWords, TileMove};

/// For a ternary operation: the bits of the second where the first has ones, else of the third.
const CHOOSE: i32 = 0xCA;
/// For a ternary operation: the bits of all three.
const UNITE: i32 = 0xFE;

/// Eight slots at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide<'a> {
    pub(super) engine: &'a Engine,
    pub(super) lookups: &'a [Lookup<'a>],
    pub(super) octets: &'a Octets<'a>,
    /// The proof that the processor can do this.
    #[expect(dead_code, reason = "to have it is enough")]
    pub(super) vectors: WideVectors,
}

/// What becomes of eight slots, but for their values.
struct Moved {
    words: [Word; OCTET],
    sets: __m512i,
    orders: __m512i,
}

impl Form for Wide<'_> {
    #[inline(always)]
    fn advance<const SLOTS: usize, const WIDTH: usize>(
        self,
        TileMove { tile, from, to }: TileMove,
        words: &[Word; SLOTS],
        after: &mut RowWords<WIDTH>,
        bits: &mut RowBits<WIDTH>,
    ) {
        let row = self.engine.row(tile);
        let octets = &self.octets.octets[usize::from(tile) % PADDED];
        let count = if WIDTH > OCTET && row.slots().len() > OCTET {
            2
        } else {
            1
        };
        let (after, _) = after.0.as_chunks_mut();
        let (bits, _) = bits.0.as_chunks_mut::<OCTET>();
        let slots = row.padded.as_chunks::<OCTET>().0;
        let lanes = after.iter_mut().zip(bits).zip(octets.iter().zip(slots));
        for ((after, bits), (octet, slots)) in lanes.take(count) {
            let from = &octet.images[usize::from(from) % PADDED];
            let to = &octet.images[usize::from(to) % PADDED];
            // SAFETY: the processor has the instructions; `vectors` proves it.
            let moved = unsafe { advance(&octet.ids, words, from, to) };
            *after = moved.words;
            if let Some(uniform) = &self.octets.uniform {
                // SAFETY: the processor has the instructions; `vectors` proves it.
                *bits = unsafe { number(uniform, &octet.addresses, &moved, from) };
                continue;
            }
            // SAFETY: the processor has the instructions; `vectors` proves it.
            let (sets, orders) = unsafe { (write(moved.sets), write(moved.orders)) };
            *bits = std::array::from_fn(|lane| {
                let lookup = &self.lookups[usize::from(slots[lane])];
                let bit = lookup.index(sets[lane], orders[lane] as Order, from[lane]);
                cpu::prefetch(octet.tables[lane], bit / 8);
                bit as u64
            });
        }
    }

    #[inline(always)]
    fn land<const WIDTH: usize>(
        self,
        tile: u8,
        after: &mut RowWords<WIDTH>,
        bits: &RowBits<WIDTH>,
    ) -> Rises {
        let row = self.engine.row(tile);
        let count = if WIDTH > OCTET && row.slots().len() > OCTET {
            2
        } else {
            1
        };
        let (after, _) = after.0.as_chunks_mut::<OCTET>();
        let (bits, _) = bits.0.as_chunks::<OCTET>();
        let octets = &self.octets.octets[usize::from(tile) % PADDED];
        let mut rises = Rises::default();
        let lanes = after.iter_mut().zip(bits).zip(octets);
        for (((after, bits), octet), rises) in lanes.zip(rises.as_chunks_mut().0).take(count) {
            let mask = if let Some(uniform) = &self.octets.uniform {
                // SAFETY: the processor has the instructions; `vectors` proves it. The tables are
                // those of the octets.
                unsafe { read_bits(uniform, &octet.addresses, bits) }
            } else {
                let bit = |lane: usize| {
                    let bit = bits[lane] as usize;
                    (octet.tables[lane][bit / 8] >> (bit % 8) & 1) << lane
                };
                (0..OCTET).fold(0, |mask, lane| mask | bit(lane))
            };
            // SAFETY: the processor has the instructions; `vectors` proves it.
            *rises = unsafe { land(after, mask) };
        }
        rises
    }

    #[inline(always)]
    fn slacken<const VIEWS: usize>(
        self,
        tile: u8,
        slack: &[u8; VIEWS],
        rises: &Rises,
        after: &mut [u8; VIEWS],
    ) -> bool {
        let lanes = self.engine.row(tile).of_view.as_chunks().0;
        let views = slack.as_chunks().0.iter().zip(after.as_chunks_mut().0);
        let mut is_within = true;
        for ((slack, after), lanes) in views.zip(lanes) {
            // SAFETY: the processor has the instructions; `vectors` proves it.
            is_within &= unsafe { slacken(lanes, slack, rises, after) };
        }
        is_within
    }
}

/// What [`Lookup::advance`] does, for eight slots of a board, but for the numbers of their bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
#[inline]
fn advance<const SLOTS: usize>(
    ids: &[u64; OCTET],
    words: &[Word; SLOTS],
    from: &[u8; OCTET],
    to: &[u8; OCTET],
) -> Moved {
    const { assert!(SLOTS.is_power_of_two(), "a mask makes any number valid") };
    let one = _mm512_set1_epi64(1);
    let ids = _mm512_and_si512(read(ids), _mm512_set1_epi64(SLOTS as i64 - 1));
    // SAFETY: every number is below the length of `words`, whose elements are eight bytes each.
    let word = unsafe { _mm512_i64gather_epi64::<8>(ids, words.as_ptr().cast()) };
    let set = _mm512_and_si512(word, _mm512_set1_epi64(Word::SET as i64));
    let order = _mm512_srli_epi64::<{ Word::ORDER }>(word);
    let from = _mm512_sllv_epi64(one, widen(from));
    let to = _mm512_sllv_epi64(one, widen(to));
    // The positions of the tile in the order, before and after, three bits each.
    let others = _mm512_andnot_si512(from, set);
    let shift = |cell: __m512i| {
        let before = _mm512_and_si512(others, _mm512_sub_epi64(cell, one));
        let count = _mm512_popcnt_epi64(before);
        _mm512_add_epi64(_mm512_add_epi64(count, count), count)
    };
    let (out, back) = (shift(from), shift(to));
    // The tile is taken out of the order, and put in again.
    let tile = _mm512_and_si512(_mm512_srlv_epi64(order, out), _mm512_set1_epi64(7));
    let below = _mm512_sub_epi64(_mm512_sllv_epi64(one, out), one);
    let above = _mm512_srli_epi64::<3>(order);
    let without = _mm512_ternarylogic_epi64::<CHOOSE>(below, order, above);
    let below = _mm512_sub_epi64(_mm512_sllv_epi64(one, back), one);
    let above = _mm512_slli_epi64::<3>(_mm512_andnot_si512(below, without));
    let above = _mm512_or_si512(above, _mm512_sllv_epi64(tile, back));
    let order = _mm512_ternarylogic_epi64::<CHOOSE>(below, without, above);
    let set = _mm512_or_si512(others, to);
    let value = _mm512_and_si512(word, _mm512_set1_epi64(3 << Word::VALUE));
    let high = _mm512_slli_epi64::<{ Word::ORDER }>(order);
    let word = _mm512_ternarylogic_epi64::<UNITE>(set, value, high);
    Moved {
        words: write(word).map(Word),
        sets: set,
        orders: order,
    }
}

/// What [`Lookup::index`] does, for eight slots. Asks for the memory of the bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2")]
#[inline]
fn number(
    uniform: &Uniform<'_>,
    addresses: &[u64; OCTET],
    moved: &Moved,
    blank: &[u8; OCTET],
) -> [u64; OCTET] {
    let numbers = uniform.lookup;
    let all = |number: usize| _mm256_set1_epi32(number as i32);
    let by = |bits: u32| _mm_cvtsi32_si128(bits as i32);
    // The set's rank, and its record.
    let low = _mm512_and_si512(moved.sets, _mm512_set1_epi64(numbers.low_mask as i64));
    let high = _mm512_srl_epi64(moved.sets, by(numbers.half));
    let high = _mm512_and_si512(high, _mm512_set1_epi64(numbers.high_mask as i64));
    let (low, high) = (_mm512_cvtepi64_epi32(low), _mm512_cvtepi64_epi32(high));
    // SAFETY: each half has as many entries as its mask allows, which `Lookup::new` has checked.
    let rank = unsafe { _mm256_add_epi32(gather(numbers.low, low), gather(numbers.high, high)) };
    let rank = _mm256_min_epu32(rank, all(numbers.last_set));
    // SAFETY: there is a record for every set, and a group for every set. A record is a number of
    // 32 bits.
    let (record, group) = unsafe {
        let group = _mm256_srli_epi32::<{ GROUP.trailing_zeros() as i32 }>(rank);
        (gather(numbers.records, rank), gather(numbers.groups, group))
    };
    let shape = _mm256_srli_epi32::<{ SetRecord::BLOCK_BITS as i32 }>(record);
    let block = _mm256_and_si256(record, all((1 << SetRecord::BLOCK_BITS) - 1));
    // The zone, half a byte, is read together with those of seven other cells.
    let cell = _mm512_cvtepi64_epi32(widen(blank));
    let cell = _mm256_and_si256(cell, all(usize::from(numbers.cell_mask)));
    let shape = _mm256_sll_epi32(shape, by(numbers.shape_shift - 2));
    let eight = _mm256_or_si256(shape, _mm256_srli_epi32::<3>(cell));
    // SAFETY: a geometry has a shape for every record, with room for every cell; a shape is whole
    // fours of bytes, as `Uniform::of` has checked.
    let zones = unsafe { gather(numbers.shapes, eight) };
    let within = _mm256_slli_epi32::<2>(_mm256_and_si256(cell, all(7)));
    let zone = _mm256_and_si256(_mm256_srlv_epi32(zones, within), all(usize::from(ZONE)));
    let block = _mm256_add_epi32(_mm256_add_epi32(group, block), zone);
    // The order's rank: two parts, which are read with their neighbours.
    let order = _mm512_cvtepi64_epi32(moved.orders);
    let head = _mm256_and_si256(order, all((1 << numbers.cut) - 1));
    let head = _mm256_and_si256(head, all(PART - 1));
    let tail = _mm256_and_si256(_mm256_srl_epi32(order, by(numbers.cut)), all(PART - 1));
    // SAFETY: `PART` is a multiple of four; so what is read, two or four at a time, ends within.
    let (lanes, withins) = unsafe {
        let lanes = gather(numbers.lane, _mm256_srli_epi32::<1>(head));
        (lanes, gather(numbers.within, _mm256_srli_epi32::<2>(tail)))
    };
    let place = _mm256_slli_epi32::<4>(_mm256_and_si256(head, all(1)));
    let lane = _mm256_and_si256(_mm256_srlv_epi32(lanes, place), all(0xFFFF));
    let place = _mm256_slli_epi32::<3>(_mm256_and_si256(tail, all(3)));
    let within = _mm256_and_si256(_mm256_srlv_epi32(withins, place), all(0xFF));
    let rank = _mm512_cvtepu32_epi64(_mm256_add_epi32(lane, within));
    let row = _mm512_mul_epu32(rank, _mm512_set1_epi64(numbers.row_bits as i64));
    let bit = _mm512_add_epi64(row, _mm512_cvtepu32_epi64(block));
    let near = _mm512_add_epi64(read(addresses), _mm512_srli_epi64::<3>(bit));
    for address in write(near) {
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::without_provenance(address as usize));
    }
    write(bit)
}

/// Reads numbers of 32 bits at eight places, counted in such numbers.
///
/// # Safety
/// All of them must be within `values`, as bytes.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn gather<T>(values: &[T], places: __m256i) -> __m256i {
    // SAFETY: the caller vouches for the places.
    unsafe { _mm256_i32gather_epi32::<4>(values.as_ptr().cast(), places) }
}

/// The bits with these numbers, each of its own table.
///
/// # Safety
/// The addresses must be those of tables as `uniform` has them.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2")]
#[inline]
unsafe fn read_bits(uniform: &Uniform<'_>, addresses: &[u64; OCTET], bits: &[u64; OCTET]) -> u8 {
    let bit = _mm512_min_epu64(read(bits), _mm512_set1_epi64(uniform.last_bit as i64));
    let four = _mm512_slli_epi64::<2>(_mm512_srli_epi64::<5>(bit));
    let place = _mm512_add_epi64(read(addresses), four);
    let everywhere = std::ptr::null::<i32>();
    // SAFETY: a table's bytes are whole fours, as `Uniform::of` has checked, so the four that hold
    // one of its bits are within. The addresses are exposed, so no base is needed.
    let words = unsafe { _mm512_i64gather_epi32::<1>(place, everywhere) };
    let words = _mm512_cvtepu32_epi64(words);
    let bit = _mm512_and_si512(bit, _mm512_set1_epi64(31));
    let mask = _mm512_sllv_epi64(_mm512_set1_epi64(1), bit);
    _mm512_test_epi64_mask(words, mask)
}

/// What [`Word::landed`] does, for eight slots and the bits of their tables: which of them rose.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
#[inline]
fn land(words: &mut [Word; OCTET], bits: u8) -> [u8; OCTET] {
    let one = _mm512_set1_epi64(1);
    let word = read(&words.map(|word| word.0));
    let mask = _mm512_set1_epi64(3 << Word::VALUE);
    let value = _mm512_srli_epi64::<{ Word::VALUE }>(_mm512_and_si512(word, mask));
    // It rose if bit 1 of the value plus one is what the table has.
    let risen = _mm512_test_epi64_mask(_mm512_add_epi64(value, one), _mm512_set1_epi64(2));
    let rose = _mm512_maskz_mov_epi64(!(risen ^ bits), one);
    let value = _mm512_sub_epi64(_mm512_add_epi64(value, _mm512_add_epi64(rose, rose)), one);
    let value = _mm512_slli_epi64::<{ Word::VALUE }>(value);
    let word = _mm512_ternarylogic_epi64::<CHOOSE>(mask, value, word);
    *words = write(word).map(Word);
    let rose: [u8; 16] = bytemuck::cast(write_short(_mm512_cvtepi64_epi8(rose)));
    rose.as_chunks().0[0]
}

/// The slack of sixteen views after a move, and whether none of them wrapped around.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
#[inline]
fn slacken(lanes: &[u8; 16], slack: &[u8; 16], rises: &Rises, after: &mut [u8; 16]) -> bool {
    let rises = _mm_shuffle_epi8(read_short(rises), read_short(lanes));
    let new = _mm_sub_epi8(read_short(slack), rises);
    *after = write_short(new);
    _mm_movemask_epi8(new) == 0
}

#[target_feature(enable = "avx512f")]
#[inline]
fn read(values: &[u64; OCTET]) -> __m512i {
    // SAFETY: a reference to 64 bytes, which need not be aligned.
    unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn write(vector: __m512i) -> [u64; OCTET] {
    let mut values = [0; OCTET];
    // SAFETY: a reference to 64 bytes, which need not be aligned.
    unsafe { _mm512_storeu_si512(values.as_mut_ptr().cast(), vector) };
    values
}

#[target_feature(enable = "sse2")]
#[inline]
fn read_short(values: &[u8; 16]) -> __m128i {
    // SAFETY: a reference to sixteen bytes, which need not be aligned.
    unsafe { _mm_loadu_si128(values.as_ptr().cast()) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn write_short(vector: __m128i) -> [u8; 16] {
    let mut values = [0; 16];
    // SAFETY: a reference to sixteen bytes, which need not be aligned.
    unsafe { _mm_storeu_si128(values.as_mut_ptr().cast(), vector) };
    values
}

/// Eight bytes as eight numbers of 64 bits.
#[target_feature(enable = "avx512f")]
#[inline]
fn widen(bytes: &[u8; OCTET]) -> __m512i {
    // SAFETY: a reference to eight bytes, which need not be aligned.
    _mm512_cvtepu8_epi64(unsafe { _mm_loadu_si64(bytes.as_ptr()) })
}
