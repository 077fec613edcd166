//! Where the estimate of pattern databases comes from.

use super::{PatternChoice, PatternDatabase, SlotMemo};
use crate::Tile;
use crate::domain::{Sliding, TileState};

/// What pattern databases say of a board, pattern by pattern.
///
/// Where there is no number, tiles cannot get home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternBreakdown {
    /// Which pattern databases.
    pub choice: PatternChoice,
    /// The estimate: the largest of the sums.
    pub value: Option<u32>,
    /// The sums: one for each partition, and one for each of its mirror images if the choice is
    /// [reflected](PatternChoice::is_reflected) and they say anything else.
    pub sums: Vec<PatternSum>,
}

/// The values of disjoint patterns, added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternSum {
    /// Whether the board was looked at in a mirror.
    pub reflected: bool,
    /// The sum.
    pub value: Option<u32>,
    /// What is added up, in the order of the smallest tiles.
    pub parts: Vec<PatternPart>,
}

/// The value of one pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternPart {
    /// Its tiles, as they are called on the board.
    pub tiles: Vec<Tile>,
    /// The moves of these tiles, at least.
    pub value: Option<u32>,
}

impl PatternDatabase {
    /// Where the estimate of a state comes from.
    pub fn breakdown<S: TileState>(&self, puzzle: &Sliding<S>, state: &S) -> PatternBreakdown {
        let mut memo = vec![SlotMemo::default(); self.slots.len()];
        self.look(puzzle, state, &mut memo);
        let part = |&slot: &u8| {
            let slot = usize::from(slot);
            let tiles = self.slots[slot].tiles();
            PatternPart {
                tiles: tiles.map(|tile| tile as Tile).collect(),
                value: memo[slot].value(),
            }
        };
        let mut sums: Vec<PatternSum> = Vec::with_capacity(self.views.len());
        for view in &*self.views {
            let mut parts: Vec<PatternPart> = view.slots.iter().map(part).collect();
            parts.sort_unstable_by(|a, b| a.tiles.cmp(&b.tiles));
            // Where patterns are one another's mirror images, two tables say the same.
            if sums.iter().all(|known| known.parts != parts) {
                sums.push(PatternSum {
                    reflected: view.reflected,
                    value: parts.iter().map(|part| part.value).sum(),
                    parts,
                });
            }
        }
        let value = self.largest_sum(&memo);
        PatternBreakdown {
            choice: self.choice,
            value: (value < u32::MAX).then_some(value),
            sums,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Cost;
    use crate::heuristic::HeuristicKind;
    use crate::search::Laboratory;
    use crate::{Board, Goal, Rng, random_walk, uniform};

    fn laboratory(goal: &Board, name: &str) -> Laboratory {
        let kind = HeuristicKind::from_name(name).unwrap();
        Laboratory::new(goal, Cost::Unit, kind).unwrap()
    }

    /// Every sum has each tile once, and the largest one is the estimate.
    fn check(laboratory: &Laboratory, board: &Board) -> PatternBreakdown {
        let parts = laboratory.patterns(board).unwrap().unwrap();
        for sum in &parts.sums {
            let mut tiles: Vec<Tile> = sum.parts.iter().flat_map(|p| p.tiles.clone()).collect();
            tiles.sort_unstable();
            let all = 1..board.size().cells() as Tile;
            assert!(tiles.into_iter().eq(all), "{sum:?}");
            let values = sum.parts.iter().map(|part| part.value.unwrap());
            assert_eq!(sum.value, Some(values.sum()));
        }
        for (i, sum) in parts.sums.iter().enumerate() {
            assert!(parts.sums[..i].iter().all(|known| known.parts != sum.parts));
        }
        let largest = parts.sums.iter().map(|sum| sum.value.unwrap()).max();
        assert_eq!(parts.value, largest);
        assert_eq!(largest, Some(laboratory.estimate(board).unwrap()));
        parts
    }

    #[test]
    fn the_parts_add_up_to_the_estimate_and_only_their_own_tiles_change_them() {
        for (size, names) in [
            (
                "3x3",
                &["pdb:4-4", "pdb:5-3", "pdb:quick", "pdb:4-4+reflected"][..],
            ),
            ("4x4", &["pdb:5-5-5", "pdb:5-5-5+reflected"]),
        ] {
            for goal in [Goal::Classic, Goal::Snail] {
                let goal = goal.board(size.parse().unwrap()).unwrap();
                for name in names {
                    let laboratory = laboratory(&goal, name);
                    let mut rng = Rng::from_seed(7);
                    let mut board = uniform(&goal, &mut rng);
                    let mut before = check(&laboratory, &board);
                    for &m in &random_walk(&board, 60, &mut rng) {
                        let moved = board.slide(m).unwrap();
                        let after = check(&laboratory, &board);
                        for (before, after) in before.sums.iter().zip(&after.sums) {
                            for (before, after) in before.parts.iter().zip(&after.parts) {
                                assert_eq!(before.tiles, after.tiles);
                                let change = before.value.unwrap().abs_diff(after.value.unwrap());
                                let own = u32::from(before.tiles.contains(&moved));
                                assert_eq!(change, own, "{name} {board}");
                            }
                        }
                        before = after;
                    }
                }
            }
        }
    }

    #[test]
    fn every_pattern_of_the_goal_is_worth_nothing() {
        for goal in [Goal::Classic, Goal::Snail] {
            let goal = goal.board("3x3".parse().unwrap()).unwrap();
            let parts = check(&laboratory(&goal, "pdb:5-3+reflected"), &goal);
            let parts = parts.sums.iter().flat_map(|sum| &sum.parts);
            assert!(parts.map(|part| part.value).all(|value| value == Some(0)));
        }
    }

    #[test]
    fn mirror_images_are_told_from_the_board_itself() {
        let board: Board = "8 1 3/4 0 2/7 6 5".parse().unwrap();
        let goal = Goal::Classic.board(board.size()).unwrap();
        let parts = check(&laboratory(&goal, "pdb:5-3+reflected"), &board);
        let reflected: Vec<bool> = parts.sums.iter().map(|sum| sum.reflected).collect();
        assert_eq!(reflected, [false, true]);
        let plain = check(&laboratory(&goal, "pdb:5-3"), &board);
        assert_eq!(plain.sums, parts.sums[..1]);
    }

    #[test]
    fn other_heuristics_have_no_patterns() {
        let goal = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
        assert_eq!(laboratory(&goal, "max").patterns(&goal), Ok(None));
    }
}
