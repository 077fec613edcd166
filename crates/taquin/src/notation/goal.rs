//! Goals as text.

use std::str::FromStr;

use super::{ParseError, ReadOptions, read_board};
use crate::Goal;

/// Reads a goal's name, or a board in any form.
impl FromStr for Goal {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let name = text.trim();
        let named = Self::NAMED.into_iter().find(|goal| goal.name() == name);
        match named {
            Some(goal) => Ok(goal),
            None => read_board(text, ReadOptions::default()).map(Self::Board),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Goal;

    #[test]
    fn goals_are_names_or_boards() {
        for goal in Goal::NAMED {
            assert_eq!(goal.to_string(), goal.name());
            assert_eq!(goal.name().parse(), Ok(goal));
        }
        let board = "0 1/2 3".parse().unwrap();
        assert_eq!("0 1/2 3".parse(), Ok(Goal::Board(board)));
        assert!("spiral".parse::<Goal>().is_err());
    }
}
