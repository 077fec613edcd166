//! Whether a search gets on.

/// Whether the front gets on, and how much that matters.
#[derive(Debug)]
pub(super) struct Pace {
    least: f64,
    current: f64,
    /// What a move to the end of a stage is worth.
    pub(super) stage_weight: i64,
    /// The best so far: the stage and the moves to its end.
    pub(super) stage: u32,
    moves: i32,
    /// The best of this ply.
    front: (u32, i32),
    /// Plies since the front got on, and how many it takes to get impatient.
    pub(super) waited: u32,
    patience: u32,
}

impl Pace {
    pub(super) fn new(stage_weight: f64) -> Self {
        Self {
            least: stage_weight,
            current: stage_weight,
            stage_weight: stage_weight as i64,
            stage: 0,
            moves: i32::MAX,
            front: (0, i32::MAX),
            waited: 0,
            patience: 1,
        }
    }

    /// Begins a ply of a beam of this width: a narrow one finds no way out by waiting.
    pub(super) fn begin(&mut self, width: usize) {
        self.front = (0, i32::MAX);
        self.patience = 3 + ((width as f64).sqrt() / 2.0).min(12.0) as u32;
    }

    #[inline]
    pub(super) fn meet(&mut self, stage: u32, moves: i32) {
        if stage > self.front.0 || stage == self.front.0 && moves < self.front.1 {
            self.front = (stage, moves);
        }
    }

    pub(super) const fn front(&self) -> u32 {
        self.front.0
    }

    /// A front that waits gets impatient.
    pub(super) fn end(&mut self) {
        let (stage, moves) = self.front;
        self.waited += 1;
        if stage > self.stage {
            self.current = (self.current * 0.6).max(self.least);
            (self.stage, self.moves, self.waited) = (stage, moves, 0);
        } else if stage == self.stage && moves < self.moves {
            (self.moves, self.waited) = (moves, 0);
        } else if self.waited.is_multiple_of(self.patience) {
            self.current = (self.current * 1.3).min(1e9);
        }
        self.stage_weight = self.current as i64;
    }
}
