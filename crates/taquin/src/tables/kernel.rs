//! What a vertical move does to a whole block: a fixed permutation of its orders.
//!
//! While a table is built, a block is a row of *lanes*, `u32`s of which 24 bits are used: one bit
//! for each order of the pattern's tiles, numbered by [`Ranks`]. A tile that moves up or down
//! passes over some other tiles of the pattern and so changes its place in the order, from position
//! `from` to position `to`. Where `from` and `to` lie decides what happens to the bits:
//!
//! * both before the cut: lanes change places, the bits in them stay;
//! * both after the cut: lanes stay, and the same permutation of 24 bits happens in each;
//! * on both sides: one of these brings the tile to the cut, an *exchange* over the cut follows,
//!   and the other brings it home.

use super::ranks::{Ranks, moved};

/// All that can happen to a block of one number of tiles.
#[derive(Debug)]
pub(super) struct Kernels {
    lanes: usize,
    stride: usize,
    /// By `from` and `to`.
    by_positions: [[Kernel; 8]; 8],
}

/// The permutation of a block's orders when a tile goes from one position to another.
#[derive(Clone, Debug, Default)]
struct Kernel {
    /// Which lane each lane comes from.
    lanes: Option<Box<[u16]>>,
    /// Whether the tiles at the cut change places.
    exchange: bool,
    /// Masks of the bits that move, and how far up they move.
    bits: Vec<(u32, i8)>,
    /// Whether the lanes come before the exchange and the bits after it, or the other way round.
    lanes_first: bool,
}

/// Room for what lies between the steps of a kernel.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    first: Vec<u32>,
    second: Vec<u32>,
}

impl Kernels {
    pub(super) fn new(ranks: &Ranks) -> Self {
        let tiles = ranks.tiles();
        let cut = ranks.head();
        let kernel = |from: usize, to: usize| {
            let mut kernel = Kernel::default();
            if from == to || from >= tiles || to >= tiles {
                return kernel;
            }
            let (before, after) = match (from < cut, to < cut) {
                (true, true) => (Some((from, to)), None),
                (false, false) => (None, Some((from, to))),
                (true, false) => (Some((from, cut - 1)), Some((cut, to))),
                (false, true) => (Some((cut - 1, to)), Some((from, cut))),
            };
            kernel.exchange = before.is_some() && after.is_some();
            kernel.lanes_first = from < to;
            kernel.lanes = before
                .filter(|(from, to)| from != to)
                .map(|(from, to)| lane_sources(ranks, from as u32, to as u32));
            kernel.bits = after
                .filter(|(from, to)| from != to)
                .map(|(from, to)| bit_moves(ranks, from as u32, to as u32))
                .unwrap_or_default();
            kernel
        };
        Self {
            lanes: ranks.lanes(),
            stride: ranks.stride(),
            by_positions: std::array::from_fn(|from| std::array::from_fn(|to| kernel(from, to))),
        }
    }

    /// Adds to `target` the orders of `source` in which the tile at position `from` went to `to`.
    #[inline(always)]
    pub(super) fn pull(
        &self,
        (from, to): (usize, usize),
        source: &[u32],
        target: &mut [u32],
        scratch: &mut Scratch,
    ) {
        let source = &source[..self.lanes];
        let target = &mut target[..self.lanes];
        if from == to {
            for (target, source) in target.iter_mut().zip(source) {
                *target |= source;
            }
            return;
        }
        scratch.first.resize(self.lanes, 0);
        scratch.second.resize(self.lanes, 0);
        let first = &mut scratch.first[..self.lanes];
        let second = &mut scratch.second[..self.lanes];
        let kernel = &self.by_positions[from][to];
        match (&kernel.lanes, kernel.exchange, kernel.bits.is_empty()) {
            (Some(sources), false, true) => gather_or(sources, source, target),
            (None, false, false) => bits_or(&kernel.bits, source, target),
            (None, true, true) => exchange(source, first, self.stride, target),
            (Some(sources), true, _) if kernel.lanes_first => {
                for (lane, &from) in first.iter_mut().zip(sources) {
                    *lane = source[usize::from(from)];
                }
                if kernel.bits.is_empty() {
                    exchange(first, second, self.stride, target);
                } else {
                    exchanged(first, second, self.stride);
                    bits_or(&kernel.bits, second, target);
                }
            }
            (None, true, false) if kernel.lanes_first => {
                exchanged(source, second, self.stride);
                bits_or(&kernel.bits, second, target);
            }
            (lanes, true, no_bits) => {
                let changed = if no_bits {
                    source
                } else {
                    first.fill(0);
                    bits_or(&kernel.bits, source, first);
                    &*first
                };
                match lanes {
                    None => exchange(changed, second, self.stride, target),
                    Some(sources) => {
                        exchanged(changed, second, self.stride);
                        gather_or(sources, second, target);
                    }
                }
            }
            // Without an exchange only one of the two happens.
            (_, false, _) => unreachable!("positions on one side of the cut"),
        }
    }
}

#[inline(always)]
fn gather_or(sources: &[u16], source: &[u32], target: &mut [u32]) {
    for (target, &from) in target.iter_mut().zip(sources) {
        *target |= source[usize::from(from)];
    }
}

#[inline(always)]
fn bits_or(moves: &[(u32, i8)], source: &[u32], target: &mut [u32]) {
    // Short pieces stay in registers or the nearest cache while all moves pass over them.
    for (target, source) in target.chunks_mut(64).zip(source.chunks(64)) {
        for &(mask, up) in moves {
            if up >= 0 {
                for (target, source) in target.iter_mut().zip(source) {
                    *target |= (source & mask) << up;
                }
            } else {
                let down = -up;
                for (target, source) in target.iter_mut().zip(source) {
                    *target |= (source & mask) >> down;
                }
            }
        }
    }
}

#[inline(always)]
fn exchange(source: &[u32], scratch: &mut [u32], stride: usize, target: &mut [u32]) {
    exchanged(source, scratch, stride);
    for (target, source) in target.iter_mut().zip(scratch) {
        *target |= *source;
    }
}

/// The tile before the cut and the tile after it change places.
///
/// Of the five tiles that are not before these two, the one before the cut chooses a lane out of
/// five, the one after it a field of six bits in the lane; a tile that is itself before the cut has
/// no field. So the five lanes are a square matrix without its diagonal, to be transposed.
#[inline(always)]
fn exchanged(source: &[u32], target: &mut [u32], stride: usize) {
    const FIELD: u32 = 6;
    const MASK: u32 = (1 << FIELD) - 1;
    let (s0, rest) = source.split_at(stride);
    let (s1, rest) = rest.split_at(stride);
    let (s2, rest) = rest.split_at(stride);
    let (s3, s4) = rest.split_at(stride);
    let (t0, rest) = target.split_at_mut(stride);
    let (t1, rest) = rest.split_at_mut(stride);
    let (t2, rest) = rest.split_at_mut(stride);
    let (t3, t4) = rest.split_at_mut(stride);
    let s4 = &s4[..stride];
    let t4 = &mut t4[..stride];
    for g in 0..stride {
        let s = [s0[g], s1[g], s2[g], s3[g], s4[g]];
        // Row j of the matrix lacks column j, so later columns are one field further down.
        let field = |j: usize, l: usize| (s[j] >> (FIELD * (l - usize::from(l > j)) as u32)) & MASK;
        let row = |l: usize| {
            let mut row = 0;
            for j in 0..5 {
                if j != l {
                    row |= field(j, l) << (FIELD * (j - usize::from(j > l)) as u32);
                }
            }
            row
        };
        t0[g] = row(0);
        t1[g] = row(1);
        t2[g] = row(2);
        t3[g] = row(3);
        t4[g] = row(4);
    }
}

/// Which lane each lane comes from when a tile before the cut changes its position there.
fn lane_sources(ranks: &Ranks, from: u32, to: u32) -> Box<[u16]> {
    let heads = ranks.heads();
    let mut lane_of = vec![0; 1 << (3 * ranks.head())];
    for &(order, lane) in &heads {
        lane_of[order as usize] = lane as u16;
    }
    let mut sources = vec![0; ranks.lanes()].into_boxed_slice();
    for &(order, lane) in &heads {
        let target = lane_of[moved(order, from, to) as usize];
        sources[usize::from(target)] = lane as u16;
    }
    sources
}

/// Which bits of a lane move how far up when a tile after the cut changes its position there.
fn bit_moves(ranks: &Ranks, from: u32, to: u32) -> Vec<(u32, i8)> {
    let mut moves: Vec<(u32, i8)> = Vec::new();
    // The tiles before the cut are the first ones, in order: lane 0 and its neighbours.
    let head: u32 = (0..ranks.head() as u32).fold(0, |order, tile| order | tile << (3 * tile));
    let cut = 3 * ranks.head() as u32;
    let tail = ranks.tiles() - ranks.head();
    for order in Ranks::new(tail).all() {
        // The same tiles, after those of the head.
        let shifted = (0..tail as u32).fold(0, |all, i| {
            let tile = (order >> (3 * i) & 7) + ranks.head() as u32;
            all | tile << (3 * i)
        });
        let here = head | shifted << cut;
        let source = ranks.rank(here) % ranks.width();
        let target = ranks.rank(moved(here, from, to)) % ranks.width();
        let up = target as i8 - source as i8;
        match moves.iter_mut().find(|(_, by)| *by == up) {
            Some((mask, _)) => *mask |= 1 << source,
            None => moves.push((1 << source, up)),
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_moves_every_bit_where_its_order_goes() {
        for tiles in 1..=8 {
            let ranks = Ranks::new(tiles);
            let kernels = Kernels::new(&ranks);
            let width = ranks.width();
            let mut scratch = Scratch::default();
            let bit = |rank: usize| (rank / width, 1_u32 << (rank % width));
            // A third of all orders, without a pattern in it.
            let chosen: Vec<_> = ranks
                .all()
                .into_iter()
                .filter(|&order| order.wrapping_mul(0x9E37_79B9) >> 28 < 6)
                .collect();
            for from in 0..tiles {
                for to in 0..tiles {
                    let mut source = vec![0; ranks.lanes()];
                    let mut expected = vec![0; ranks.lanes()];
                    for &order in &chosen {
                        let (lane, mask) = bit(ranks.rank(order));
                        source[lane] |= mask;
                        let (lane, mask) = bit(ranks.rank(moved(order, from as u32, to as u32)));
                        expected[lane] |= mask;
                    }
                    let mut target = vec![0; ranks.lanes()];
                    kernels.pull((from, to), &source, &mut target, &mut scratch);
                    assert!(target == expected, "{from} to {to} of {tiles} tiles");
                }
            }
        }
    }
}
