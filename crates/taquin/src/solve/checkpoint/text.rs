//! Checkpoints as text: a line for each thing that is known.
//!
//! ```text
//! taquin checkpoint 1
//! board 1 2 3 4 5/6 7 …
//! goal 0 1 2 3 4/5 6 …
//! tables 14 views of 17 tables for 5x5, blank 24: 00c0ffee00c0ffee
//! seconds 812.055
//! iteration 84 24 51                   threshold, nodes expanded, generated
//! threshold 86
//! best LURD…                           if a solution is known
//! above 84 3 6                         bound, nodes above the tasks, their children
//! task LURD 86 17 160 332 0 41         moves, bound, family; in the last iteration: expanded,
//! task LURR 84 18 90 201 0 38 620 1300 0 44    generated, solutions, reached; and in this one, if
//!                                      it is done
//! end 9f86d081                         the checksum of all lines before
//! ```

use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::Checkpoint;
use crate::outcome::Iteration;
use crate::solve::optimal::{NodesAbove, SearchState, TaskCount, TaskState};
use crate::{Board, Moves};

/// The version of the format.
const VERSION: u32 = 1;

const TITLE: &str = "taquin checkpoint ";

/// What stands for no moves.
const NO_MOVES: &str = "-";

/// A text that is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckpointTextError {
    /// Something else.
    #[error("not a checkpoint of Taquin")]
    Foreign,
    /// A checkpoint in another version of the format.
    #[error("a checkpoint in format {found}, and this program reads format {VERSION}")]
    Version {
        /// The version.
        found: String,
    },
    /// The end is missing.
    #[error("damaged: it ends after line {lines}, without its checksum")]
    Incomplete {
        /// The lines that are there.
        lines: usize,
    },
    /// Something was changed.
    #[error("damaged: it does not have its checksum")]
    Checksum,
    /// A line says nothing that can be understood.
    #[error("damaged: line {line} is not what a checkpoint has there")]
    Line {
        /// Its number, from 1.
        line: usize,
    },
}

impl Checkpoint {
    /// The checkpoint as text.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a string takes everything")]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).expect("a string takes everything");
        let sum = crc32fast::hash(text.as_bytes());
        text + &format!("end {sum:08x}\n")
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let state = &self.state;
        writeln!(out, "{TITLE}{VERSION}")?;
        writeln!(out, "board {}", self.board)?;
        writeln!(out, "goal {}", self.goal)?;
        writeln!(out, "tables {}", self.tables)?;
        writeln!(out, "seconds {:.3}", state.time.as_secs_f64())?;
        for i in &state.iterations {
            let (threshold, expanded, generated) = (i.threshold, i.expanded, i.generated);
            writeln!(out, "iteration {threshold} {expanded} {generated}")?;
        }
        writeln!(out, "threshold {}", state.threshold)?;
        if let Some(best) = &state.best {
            writeln!(out, "best {}", written(best))?;
        }
        for nodes in &state.above {
            let (bound, expanded, generated) = (nodes.bound, nodes.expanded, nodes.generated);
            writeln!(out, "above {bound} {expanded} {generated}")?;
        }
        for task in &state.tasks {
            let (moves, bound, family) = (written(&task.moves), task.bound, task.family);
            write!(out, "task {moves} {bound} {family}")?;
            for count in std::iter::once(&task.last).chain(&task.done) {
                let (expanded, generated) = (count.expanded, count.generated);
                write!(
                    out,
                    " {expanded} {generated} {} {}",
                    count.solutions, count.reached
                )?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Reads a text that [`to_text`](Self::to_text) has written.
    pub fn from_text(text: &str) -> Result<Self, CheckpointTextError> {
        // Step 1: is it one, in this version, and whole?
        let title = text.lines().next().unwrap_or("");
        let version = title
            .strip_prefix(TITLE)
            .ok_or(CheckpointTextError::Foreign)?;
        if version != VERSION.to_string() {
            let found = version.chars().take(20).collect();
            return Err(CheckpointTextError::Version { found });
        }
        let lines = text.lines().count();
        let incomplete = CheckpointTextError::Incomplete { lines };
        let (body, end) = text
            .strip_suffix('\n')
            .and_then(|text| text.rsplit_once('\n'))
            .ok_or(incomplete.clone())?;
        let sum = end.strip_prefix("end ").ok_or(incomplete)?;
        let body = &text[..=body.len()];
        if u32::from_str_radix(sum, 16) != Ok(crc32fast::hash(body.as_bytes())) {
            return Err(CheckpointTextError::Checksum);
        }

        // Step 2: the lines.
        let mut parts = Parts::default();
        for (number, line) in (1..).zip(body.lines()).skip(1) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let read = parts.take(word, rest);
            read.ok_or(CheckpointTextError::Line { line: number })?;
        }
        parts
            .whole()
            .ok_or(CheckpointTextError::Line { line: lines })
    }
}

/// What was read by now.
#[derive(Default)]
struct Parts {
    board: Option<Board>,
    goal: Option<Board>,
    tables: Option<String>,
    threshold: Option<u32>,
    state: SearchState,
}

impl Parts {
    /// Takes a line: its first word, and the rest.
    fn take(&mut self, word: &str, rest: &str) -> Option<()> {
        let mut fields = rest.split(' ');
        let fields = &mut fields;
        let state = &mut self.state;
        match word {
            "board" => self.board = Some(rest.parse().ok()?),
            "goal" => self.goal = Some(rest.parse().ok()?),
            "tables" => self.tables = Some(rest.to_owned()),
            "seconds" => state.time = Duration::try_from_secs_f64(rest.parse().ok()?).ok()?,
            "threshold" => self.threshold = Some(rest.parse().ok()?),
            "best" => state.best = Some(moves(rest)?),
            "iteration" => state.iterations.push(Iteration {
                threshold: next(fields)?,
                expanded: next(fields)?,
                generated: next(fields)?,
            }),
            "above" => state.above.push(NodesAbove {
                bound: next(fields)?,
                expanded: next(fields)?,
                generated: next(fields)?,
            }),
            "task" => {
                let moves = moves(fields.next()?)?;
                let bound = next(fields)?;
                let family = next(fields)?;
                let last = count(fields)?;
                let mut fields = fields.peekable();
                let done = match fields.peek() {
                    Some(_) => Some(count(&mut fields)?),
                    None => None,
                };
                state.tasks.push(TaskState {
                    moves,
                    bound,
                    family,
                    last,
                    done,
                });
                return fields.next().is_none().then_some(());
            }
            _ => return None,
        }
        Some(())
    }

    fn whole(self) -> Option<Checkpoint> {
        Some(Checkpoint {
            board: self.board?,
            goal: self.goal?,
            tables: self.tables?,
            state: SearchState {
                threshold: self.threshold?,
                ..self.state
            },
        })
    }
}

fn next<'a, T: FromStr>(fields: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    fields.next()?.parse().ok()
}

fn count<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Option<TaskCount> {
    Some(TaskCount {
        expanded: next(fields)?,
        generated: next(fields)?,
        solutions: next(fields)?,
        reached: next(fields)?,
    })
}

fn written(moves: &Moves) -> String {
    if moves.is_empty() {
        return NO_MOVES.to_owned();
    }
    moves.to_string()
}

fn moves(text: &str) -> Option<Moves> {
    if text == NO_MOVES {
        return Some(Moves::new());
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let count = |expanded| TaskCount {
            expanded,
            generated: 2 * expanded + 1,
            solutions: 0,
            reached: 12,
        };
        let task = |moves: &str, done| TaskState {
            moves: moves.parse().unwrap_or_default(),
            bound: 14,
            family: 3,
            last: count(70),
            done,
        };
        Checkpoint {
            board: "8 1 3/4 0 2/7 6 5".parse().unwrap(),
            goal: "1 2 3/4 5 6/7 8 0".parse().unwrap(),
            tables: "some tables".to_owned(),
            state: SearchState {
                iterations: vec![Iteration {
                    threshold: 12,
                    expanded: 100,
                    generated: 210,
                }],
                threshold: 14,
                above: vec![NodesAbove {
                    bound: 12,
                    expanded: 1,
                    generated: 4,
                }],
                tasks: vec![task("", None), task("LURD", Some(count(123_456_789_012)))],
                best: Some("LURRDDLURULDLU".parse().unwrap()),
                time: Duration::from_millis(1_234_567),
            },
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let checkpoint = checkpoint();
        let text = checkpoint.to_text();
        assert_eq!(Checkpoint::from_text(&text), Ok(checkpoint));
    }

    #[test]
    fn no_text_that_was_cut_or_changed_is_read() {
        let text = checkpoint().to_text();
        for end in 0..text.len() {
            assert!(Checkpoint::from_text(&text[..end]).is_err(), "{end} bytes");
        }
        for place in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[place] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            assert!(Checkpoint::from_text(&changed).is_err(), "byte {place}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| Checkpoint::from_text(text).unwrap_err().to_string();
        assert_eq!(error("1 2 3/4 5 6/7 8 0\n"), "not a checkpoint of Taquin");
        assert_eq!(
            error("taquin checkpoint 9\nboard\n"),
            "a checkpoint in format 9, and this program reads format 1"
        );
        let text = checkpoint().to_text();
        let lines: Vec<&str> = text.lines().collect();
        let cut = lines[..5].join("\n") + "\n";
        assert_eq!(
            error(&cut),
            "damaged: it ends after line 5, without its checksum"
        );
        let swapped = text.replacen("threshold 14", "threshold 12", 1);
        assert_eq!(error(&swapped), "damaged: it does not have its checksum");
        // Somebody who repairs the checksum is told of the line.
        let body = lines[..lines.len() - 1]
            .join("\n")
            .replace("above 12", "above x")
            + "\n";
        let sum = crc32fast::hash(body.as_bytes());
        assert_eq!(
            error(&format!("{body}end {sum:08x}\n")),
            "damaged: line 9 is not what a checkpoint has there"
        );
    }
}
