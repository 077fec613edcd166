//! Picks the best of a level's children, each board once.

/// A child that may be kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub(super) hash: u64,
    /// The parent's number and the move, as in the history.
    pub(super) step: u32,
    pub(super) score: u32,
}

/// What one thread picks with.
#[derive(Debug)]
pub(super) struct Picker {
    counts: Vec<usize>,
    sorted: Vec<Candidate>,
    /// Hashes of boards that were kept before, each in the place its bits say, until another one
    /// takes it. To follow a board again would be in vain: whatever comes of it has come already,
    /// with fewer moves. Without this a beam goes round in circles before an obstacle.
    kept: Box<[u64]>,
    /// What was picked.
    pub(super) chosen: Vec<Candidate>,
}

impl Picker {
    /// Remembers about so many boards.
    pub(super) fn new(memory: usize) -> Self {
        Self {
            counts: Vec::new(),
            sorted: Vec::new(),
            kept: vec![0; memory.max(1 << 10).next_power_of_two()].into(),
            chosen: Vec::new(),
        }
    }

    /// Remembers a board, so that it will not be picked.
    pub(super) fn remember(&mut self, hash: u64) -> bool {
        // The upper bits choose the thread.
        let place = hash as usize & (self.kept.len() - 1);
        let is_new = self.kept[place] != hash;
        self.kept[place] = hash;
        is_new
    }

    /// Fills `chosen` with so many at most.
    pub(super) fn pick(&mut self, lists: &[&[Candidate]], quota: usize) {
        self.chosen.clear();
        let all = || lists.iter().copied().flatten();
        let scores = || all().map(|candidate| candidate.score);
        let (Some(low), Some(high)) = (scores().min(), scores().max()) else {
            return;
        };

        // Step 1: how many there are of each score, and the first place of each.
        self.counts.clear();
        self.counts.resize((high - low) as usize + 1, 0);
        for score in scores() {
            self.counts[(score - low) as usize] += 1;
        }
        let mut places = 0;
        for count in &mut self.counts {
            let first = places;
            places += *count;
            *count = first;
        }

        // Step 2: sort. Of three times as many as are wanted enough will be new; the rest can stay
        // where it is.
        let places = places.min(3 * quota);
        self.sorted.clear();
        self.sorted.resize(places, Candidate::default());
        for candidate in all() {
            let place = &mut self.counts[(candidate.score - low) as usize];
            if let Some(free) = self.sorted.get_mut(*place) {
                *free = *candidate;
            }
            *place += 1;
        }

        // Step 3: take the best that are new.
        let sorted = std::mem::take(&mut self.sorted);
        for candidate in &sorted {
            if self.chosen.len() == quota {
                break;
            }
            if self.remember(candidate.hash) {
                self.chosen.push(*candidate);
            }
        }
        self.sorted = sorted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(hash: u64, score: u32) -> Candidate {
        Candidate {
            hash,
            step: 0,
            score,
        }
    }

    fn scores(picker: &Picker) -> Vec<u32> {
        picker.chosen.iter().map(|c| c.score).collect()
    }

    #[test]
    fn the_best_are_picked_in_order_and_each_board_once() {
        let mut picker = Picker::new(100);
        let first = [candidate(1, 30), candidate(2, 10), candidate(3, 20)];
        let second = [candidate(2, 10), candidate(4, 5), candidate(5, 30)];
        picker.pick(&[&first, &second], 4);
        assert_eq!(scores(&picker), [5, 10, 20, 30]);
        picker.pick(&[&first, &second], 4);
        assert_eq!(scores(&picker), [30]);
        picker.pick(&[&[], &[]], 4);
        assert_eq!(scores(&picker), [0; 0]);
    }
}
