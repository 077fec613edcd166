//! What guides the search: how far the first line is from being in place, and how far all tiles
//! are from home.

use super::SIZE;
use super::region::Region;

/// The patterns whose values add up, by the homes of their tiles; the blank fills the last one.
const PARTS: [[u8; 4]; 4] = [[0, 1, 4, 5], [2, 3, 6, 7], [10, 11, 13, 14], [8, 9, 12, 15]];

/// Where the cell of each tile is among those of all tiles, part by part, four bits each.
pub(super) const SHIFT: [u8; 16] = {
    let mut shift = [0; 16];
    let mut i = 0;
    while i < 16 {
        shift[PARTS[i / 4][i % 4] as usize] = 4 * i as u8;
        i += 1;
    }
    shift
};

/// How many moves bring a line into place, by five cells of four bits each. Half of the entries are
/// never used, which costs memory and saves computing a dense number.
pub(super) type Line = Box<[u8; 1 << 20]>;

/// How many moves bring a part home, by the cells of its four tiles.
pub(super) type Part = Box<[u8; 1 << 16]>;

#[expect(
    clippy::unnecessary_box_returns,
    reason = "a table is too large for the stack"
)]
fn table<const N: usize>() -> Box<[u8; N]> {
    vec![u8::MAX; N]
        .try_into()
        .unwrap_or_else(|_| unreachable!("as many entries as were asked for"))
}

/// How many moves, of any tiles, bring the first row into place; by the cells of the blank and of
/// the row's four tiles.
pub(super) fn line() -> Line {
    let mut table = table();
    Region::ROW.explore(|places, _, distance, _| table[places.0 as usize] = distance);
    table
}

/// For each part, how many moves of its own tiles bring them home, if all others gave way.
pub(super) fn parts() -> [Part; 4] {
    PARTS.map(|homes| {
        let mut table: Part = table();
        let start = (0..).zip(homes).fold(0, |index, (tile, home)| {
            index | u16::from(home) << (4 * tile)
        });
        table[usize::from(start)] = 0;
        let mut reached = vec![start];
        for distance in 1.. {
            let mut next = Vec::new();
            for &index in &reached {
                // The blank keeps its home, as if it were nowhere.
                let tiles = (0..).zip(homes).filter(|&(_, home)| home != 15);
                let cells = tiles.map(|(tile, _)| (tile, (index >> (4 * tile) & 15) as u8));
                let taken = cells
                    .clone()
                    .fold(0_u16, |taken, (_, cell)| taken | 1 << cell);
                for (tile, cell) in cells {
                    let beside = SIZE.neighbours(cell.into()).map(|to| to as u8);
                    for to in beside.filter(|to| taken >> to & 1 == 0) {
                        let moved = index ^ u16::from(cell ^ to) << (4 * tile);
                        let entry = &mut table[usize::from(moved)];
                        if *entry == u8::MAX {
                            *entry = distance;
                            next.push(moved);
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            reached = next;
        }
        table
    })
}
