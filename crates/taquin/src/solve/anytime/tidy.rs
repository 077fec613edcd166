//! Moves without those that take each other back.

use crate::Move;

/// The moves, without those that are taken back at once. Of what is left, neighbours in one line
/// go in one direction, so they are one slide.
pub(crate) fn tidy(moves: Vec<Move>) -> Vec<Move> {
    let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
    for m in moves {
        if kept.last() == Some(&m.opposite()) {
            kept.pop();
        } else {
            kept.push(m);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moves;

    #[test]
    fn what_is_taken_back_is_gone() {
        let moves: Moves = "L R R U D D U R D".parse().unwrap();
        let tidied: Moves = tidy(moves.to_vec()).into();
        assert_eq!(tidied, "R2 D".parse().unwrap());
    }
}
