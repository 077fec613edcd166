//! The results as a table of `docs/benchmarks.md`.

use std::fmt::Write as _;
use std::path::Path;

use crate::Result;
use crate::boards::Known;
use crate::journal::{Entry, Setup};

const BEGIN: &str = "<!-- korf24 -->";
const END: &str = "<!-- /korf24 -->";

/// The table of what is there, in the order of these boards.
pub(crate) fn table(boards: &[Known], entries: &[Entry], setup: &Setup) -> String {
    let mut text = format!(
        "At most {} a board, {} threads; taquin {}, tables {}. {} of {} boards were run.\n\n",
        setup.until(),
        setup.threads,
        setup.version,
        setup.tables,
        entries.len(),
        boards.len()
    );
    text += "| no. | published length | length | solved | bound | nodes expanded | seconds | \
             million nodes a second |\n\
             |---:|---:|---:|---|---:|---:|---:|---:|\n";
    let mut all = (0, 0, 0.0);
    for known in boards {
        let Some(entry) = entries.iter().find(|entry| entry.id == known.id) else {
            continue;
        };
        let length = entry
            .length
            .map_or("–".to_owned(), |length| length.to_string());
        let solved = if entry.solved { "yes" } else { "no" };
        let rest = figures(entry.nodes, entry.seconds);
        let (id, bound, optimal) = (known.id, entry.bound, known.optimal);
        // Nothing can go wrong when a text is written to.
        let _ = writeln!(
            text,
            "| {id} | {optimal} | {length} | {solved} | {bound} | {rest} |"
        );
        all.0 += u32::from(entry.solved);
        all.1 += entry.nodes;
        all.2 += entry.seconds;
    }
    let (solved, run) = (all.0, entries.len());
    let rest = figures(all.1, all.2);
    text + &format!("| all | | | {solved} of {run} | | {rest} |\n")
}

/// Nodes, seconds and the rate.
#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
fn figures(nodes: u64, seconds: f64) -> String {
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{} | {seconds:.1} | {rate:.2}", grouped(nodes))
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| std::str::from_utf8(group).ok())
        .collect();
    groups.join(",")
}

/// Writes the table between the markers of a file. It is there whole or not at all.
pub(crate) fn write(path: &Path, table: &str) -> Result<()> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| fail(&error))?;
    let text = between(&text, table).map_err(|error| fail(&error))?;
    let new = path.with_extension("new");
    std::fs::write(&new, text).map_err(|error| fail(&error))?;
    Ok(std::fs::rename(&new, path).map_err(|error| fail(&error))?)
}

/// The text with the table between its markers.
fn between(text: &str, table: &str) -> Result<String> {
    let parts = text
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or(format!("there is no {BEGIN} … {END}"))?;
    Ok(format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards;
    use crate::journal::tests::{entry, setup};

    #[test]
    fn a_table_has_what_is_there_in_the_order_of_difficulty() {
        let boards = boards::by_difficulty().unwrap();
        let stopped = Entry {
            length: None,
            bound: 78,
            solved: false,
            proven: false,
            nodes: 1_000_000_000,
            seconds: 300.04,
            ..entry(40)
        };
        let text = table(&boards, &[stopped, entry(38)], &setup(2));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].contains("At most 5m a board, 2 threads"), "{text}");
        assert!(lines[0].contains("2 of 50 boards were run"), "{text}");
        assert_eq!(
            lines[4..],
            [
                "| 38 | 96 | 96 | yes | 96 | 7,000,000 | 2.5 | 2.80 |",
                "| 40 | 82 | – | no | 78 | 1,000,000,000 | 300.0 | 3.33 |",
                "| all | | | 1 of 2 | | 1,007,000,000 | 302.5 | 3.33 |",
            ]
        );
        let columns = |line: &&str| line.matches('|').count();
        assert!(lines[2..].iter().map(columns).all(|columns| columns == 9));
    }

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let text = "# A\n<!-- korf24 -->\nold\n<!-- /korf24 -->\nB\n";
        let new = between(text, "| 1 |\n").unwrap();
        assert_eq!(
            new,
            "# A\n<!-- korf24 -->\n\n| 1 |\n\n<!-- /korf24 -->\nB\n"
        );
        assert_eq!(between(&new, "| 1 |\n").unwrap(), new);
        assert!(between("no markers", "| 1 |\n").is_err());
    }

    #[test]
    fn numbers_have_groups_of_three_digits() {
        let texts = [0, 999, 1000, 12_345_678].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,345,678"]);
    }
}
