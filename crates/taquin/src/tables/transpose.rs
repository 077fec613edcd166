//! From the layout in which a table is built to that in which it is searched.

use super::build::{BlockRows, Plan};
use super::ranks::Ranks;
use super::table::Layout;
use super::{Bytes, BytesMut, OutOfMemoryError};
use crate::cpu::{Work, run_fast};
use crate::threads::share;

/// Turns rows of orders, one for each block, into rows of blocks, one for each order.
pub(super) fn transpose(
    planes: &[BlockRows; 2],
    plan: &Plan,
    ranks: &Ranks,
    layout: &Layout,
    threads: usize,
) -> Result<Bytes, OutOfMemoryError> {
    let planes = [planes[0].as_slice(), planes[1].as_slice()];
    let mut bytes = BytesMut::zeroed(layout.bytes())?;
    let lanes = ranks.lanes();
    let lane_bytes = ranks.width() * layout.row_bytes();
    // So many lanes at a time that what is read at once fills cache lines.
    let together = 16.min(lanes);
    let pieces = bytes.chunks_mut(lane_bytes * together).enumerate();
    share(pieces, threads, |(piece, rows)| {
        let first_lane = piece * together;
        run_fast(Transposing {
            planes,
            places: &plan.places,
            lanes,
            first_lane,
            width: ranks.width(),
            row_bytes: layout.row_bytes(),
            rows,
        })
    });
    Ok(bytes.into())
}

/// Turns some lanes of all blocks.
struct Transposing<'a> {
    planes: [&'a [u32]; 2],
    places: &'a [u32],
    lanes: usize,
    first_lane: usize,
    width: usize,
    row_bytes: usize,
    rows: &'a mut [u8],
}

impl Work for Transposing<'_> {
    type Result = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        // As many blocks at a time as make a cache line of each row.
        const LINE: usize = 512;
        let together = self.rows.len() / (self.width * self.row_bytes);
        let mut lines = vec![[0_u32; LINE]; together];
        for (column, places) in self.places.chunks(LINE).enumerate() {
            for (i, place) in places.iter().enumerate() {
                let start = (place / 2) as usize * self.lanes + self.first_lane;
                let lanes = &self.planes[(place % 2) as usize][start..start + together];
                for (line, lane) in lines.iter_mut().zip(lanes) {
                    line[i] = *lane;
                }
            }
            for (line, rows) in lines
                .iter_mut()
                .zip(self.rows.chunks_exact_mut(self.width * self.row_bytes))
            {
                line[places.len()..].fill(0);
                for (word, square) in line.chunks_exact_mut(32).enumerate() {
                    let start = column * LINE / 8 + word * 4;
                    if start >= self.row_bytes {
                        break;
                    }
                    transpose_square(square);
                    for (bits, row) in square.iter().zip(rows.chunks_exact_mut(self.row_bytes)) {
                        row[start..start + 4].copy_from_slice(&bits.to_le_bytes());
                    }
                }
            }
        }
        0
    }
}

/// Exchanges row `i`, bit `j` with row `j`, bit `i`.
#[inline(always)]
fn transpose_square(square: &mut [u32]) {
    let square = &mut square[..32];
    let mut mask = 0x0000_FFFF_u32;
    let mut distance = 16;
    while distance > 0 {
        let mut i = 0;
        while i < 32 {
            for row in i..i + distance {
                // The upper half of the bits above, against the lower half of those below.
                let exchanged = (square[row] >> distance ^ square[row + distance]) & mask;
                square[row] ^= exchanged << distance;
                square[row + distance] ^= exchanged;
            }
            i += 2 * distance;
        }
        distance /= 2;
        mask ^= mask << distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_square_has_rows_for_columns() {
        let mut square: Vec<u32> = (0..32_u32)
            .map(|i| (i + 7).wrapping_mul(0x9E37_79B9))
            .collect();
        let before = square.clone();
        transpose_square(&mut square);
        for (i, row) in square.iter().enumerate() {
            for (j, column) in before.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }
}
