//! The order of a pattern's tiles, as a number.

/// The tiles of a pattern in the reading order of their cells: three bits for each, the first tile
/// in the lowest.
pub(crate) type Order = u32;

/// How many orders four tiles can have that are numbered with three bits each: more than there
/// are, but a lookup need not check its index.
pub(crate) const PART: usize = 1 << 12;

/// Numbers the k! orders of k ≤ 8 tiles.
///
/// The number falls into two parts. The last four tiles (or all, if there are fewer) count by their
/// order among themselves: 24 ways, which are the bits of one *lane* while a table is built. The
/// tiles before them choose the lane. Lanes lie so that those which differ in the last of these
/// tiles only are `stride` apart: `tables::kernel` can then exchange the last
/// tile before the cut with the first one after it for many lanes at a time.
#[derive(Clone, Debug)]
pub struct Ranks {
    tiles: usize,
    /// Tiles before the cut, and after it.
    head: usize,
    tail: usize,
    /// The first number of the lane, by the tiles before the cut.
    pub(crate) lane: Box<[u16; PART]>,
    /// The number in the lane, by the tiles after the cut.
    pub(crate) within: Box<[u8; PART]>,
}

impl Ranks {
    /// Tiles after the cut.
    const TAIL: usize = 4;

    /// For patterns of this many tiles, 1 to 8.
    ///
    /// # Panics
    /// If there are more.
    #[must_use]
    pub fn new(tiles: usize) -> Self {
        assert!(tiles <= 8, "three bits hold one of eight tiles");
        let tail = tiles.min(Self::TAIL);
        let head = tiles - tail;
        let mut ranks = Self {
            tiles,
            head,
            tail,
            lane: Box::new([0; PART]),
            within: Box::new([0; PART]),
        };
        let (stride, width) = (ranks.stride(), ranks.width());
        // Each order of the first tiles has as many followers as tiles are left; the last of
        // the head chooses the stride.
        let mut group = 0;
        each_order(tiles, head.saturating_sub(1), &mut |front| {
            if head == 0 {
                return;
            }
            let rest = (0..tiles as u32).filter(|tile| !front.contains(tile));
            for (j, last) in rest.enumerate() {
                let order = pack(front) | last << (3 * front.len());
                ranks.lane[order as usize] = ((j * stride + group) * width) as u16;
            }
            group += 1;
        });
        // After the cut only the order among themselves counts, whichever tiles they are.
        each_order(tiles, tail, &mut |back| {
            let smaller = |i: usize| back[i + 1..].iter().filter(|&&t| t < back[i]).count();
            let rank = (0..tail).fold(0, |rank, i| rank * (tail - i) + smaller(i));
            ranks.within[pack(back) as usize] = rank as u8;
        });
        ranks
    }

    /// How many tiles.
    #[must_use]
    pub const fn tiles(&self) -> usize {
        self.tiles
    }

    /// How many orders: k!.
    #[must_use]
    pub fn orders(&self) -> usize {
        (1..=self.tiles).product()
    }

    /// Tiles before the cut.
    pub(crate) const fn head(&self) -> usize {
        self.head
    }

    /// Orders of one lane: 24, or fewer for fewer than four tiles.
    pub(super) fn width(&self) -> usize {
        (1..=self.tail).product()
    }

    /// How many lanes there are.
    pub(super) fn lanes(&self) -> usize {
        self.orders() / self.width()
    }

    /// How far apart lanes are that differ in the last tile before the cut only.
    pub(super) fn stride(&self) -> usize {
        if self.head == 0 {
            1
        } else {
            self.lanes() / (self.tail + 1)
        }
    }

    /// The number of an order.
    #[inline(always)]
    pub(crate) fn rank(&self, order: Order) -> usize {
        let cut = 3 * self.head;
        let lane = self.lane[(order & ((1 << cut) - 1)) as usize % PART];
        let within = self.within[(order >> cut) as usize % PART];
        usize::from(lane) + usize::from(within)
    }

    /// Every order once, in lexicographic sequence.
    pub(crate) fn all(&self) -> Vec<Order> {
        let mut all = Vec::new();
        each_order(self.tiles, self.tiles, &mut |order| all.push(pack(order)));
        all
    }

    /// All orders of the tiles before the cut, with their lanes.
    pub(super) fn heads(&self) -> Vec<(Order, usize)> {
        let mut heads = Vec::new();
        each_order(self.tiles, self.head, &mut |front| {
            let order = pack(front);
            heads.push((order, usize::from(self.lane[order as usize]) / self.width()));
        });
        heads
    }
}

/// The order in which the tile at position `from` was taken out and put in so that it is at
/// position `to`.
#[inline(always)]
pub(crate) const fn moved(order: Order, from: u32, to: u32) -> Order {
    let tile = order >> (3 * from) & 7;
    let below = (1 << (3 * from)) - 1;
    let without = order & below | order >> 3 & !below;
    let below = (1 << (3 * to)) - 1;
    without & below | tile << (3 * to) | (without & !below) << 3
}

/// The tiles of a list as an order.
fn pack(tiles: &[u32]) -> Order {
    tiles.iter().rev().fold(0, |order, tile| order << 3 | tile)
}

/// All ordered choices of `count` out of `tiles`, in lexicographic sequence.
fn each_order(tiles: usize, count: usize, visit: &mut impl FnMut(&[u32])) {
    fn extend(tiles: u32, count: usize, chosen: &mut Vec<u32>, visit: &mut impl FnMut(&[u32])) {
        if chosen.len() == count {
            return visit(chosen);
        }
        for tile in 0..tiles {
            if !chosen.contains(&tile) {
                chosen.push(tile);
                extend(tiles, count, chosen, visit);
                chosen.pop();
            }
        }
    }
    extend(tiles as u32, count, &mut Vec::new(), visit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_belongs_to_exactly_one_order() {
        for tiles in 1..=8 {
            let ranks = Ranks::new(tiles);
            let mut seen = vec![false; ranks.orders()];
            for order in ranks.all() {
                let rank = ranks.rank(order);
                assert!(!seen[rank], "{order:o} of {tiles} tiles");
                seen[rank] = true;
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn a_moved_tile_is_where_it_was_put_and_the_others_keep_their_order() {
        for from in 0..6 {
            for to in 0..6 {
                let mut tiles = vec![3, 1, 4, 0, 5, 2];
                let order = pack(&tiles);
                let tile = tiles.remove(from);
                tiles.insert(to, tile);
                assert_eq!(moved(order, from as u32, to as u32), pack(&tiles));
            }
        }
    }

    #[test]
    fn tiles_that_keep_their_order_after_the_cut_keep_their_number_in_the_lane() {
        let ranks = Ranks::new(6);
        let number = |tiles: &[u32]| ranks.rank(pack(tiles));
        assert_eq!(
            number(&[0, 1, 2, 3, 4, 5]) % 24,
            number(&[5, 4, 0, 1, 2, 3]) % 24
        );
        assert_eq!(number(&[0, 1, 2, 3, 5, 4]), number(&[0, 1, 2, 3, 4, 5]) + 1);
    }
}
