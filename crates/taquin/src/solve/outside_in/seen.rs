//! The boards that a search need not look at again.

/// Which boards were met lately: those of this ply, and those that were in the beam.
#[derive(Debug)]
pub(super) struct Seen {
    table: Vec<u64>,
    shift: u32,
}

impl Seen {
    /// The last bits of an entry are those of the ply; all of them stand for the beam.
    const PLY: u64 = (1 << 12) - 1;

    pub(super) fn new(width: usize) -> Self {
        let bits = (width * 32).next_power_of_two().trailing_zeros().max(12);
        Self {
            table: vec![0; 1 << bits],
            shift: 64 - bits,
        }
    }

    #[inline]
    pub(super) fn is_new(&mut self, hash: u64, ply: u32) -> bool {
        let entry = &mut self.table[(hash >> self.shift) as usize];
        let ply = u64::from(ply) % Self::PLY;
        let mark = *entry & Self::PLY;
        if (*entry ^ hash) & !Self::PLY == 0 && (mark == ply || mark == Self::PLY) {
            return false;
        }
        *entry = hash & !Self::PLY | ply;
        true
    }

    pub(super) fn keep(&mut self, hash: u64) {
        self.table[(hash >> self.shift) as usize] = hash | Self::PLY;
    }

    pub(super) fn forget(&mut self) {
        self.table.fill(0);
    }
}
