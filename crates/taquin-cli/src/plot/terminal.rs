//! A bar chart as text, one line a bar.

use crate::figures;

/// Lines are never made to fit less than this.
const NARROWEST: usize = 20;
/// What a bar should have at least; figures give way to it.
const BAR: usize = 10;
/// One to eight eighths of a column.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A line for each bar: its place, the bar, its count and the share of all in percent. No line is
/// wider than asked for, if that is 20 or more: a narrow chart leaves out the share or the count.
pub(crate) fn chart(bars: &[(u32, u64)], width: usize) -> String {
    let width = width.max(NARROWEST);
    let total: u128 = bars.iter().map(|&(_, count)| u128::from(count)).sum();
    let max = bars.iter().map(|&(_, count)| count).max().unwrap_or(0);

    let places = column(bars.iter().map(|(place, _)| place.to_string()));
    let counts = column(bars.iter().map(|&(_, count)| figures::count(count)));
    let shares = column(bars.iter().map(|&(_, count)| share(count, total)));
    let room = |columns: &[&Column]| {
        let taken: usize = columns.iter().map(|column| column.width + 1).sum();
        width.saturating_sub(places.width + 1 + taken)
    };
    let [all, counts, shares]: [&[&Column]; 3] = [&[&counts, &shares], &[&counts], &[&shares]];
    let figures = [all, counts].into_iter().find(|some| room(some) >= BAR);
    // A share is never long.
    let figures = figures.unwrap_or(shares);
    let bar_width = room(figures);

    let mut text = String::new();
    for (line, &(_, count)) in bars.iter().enumerate() {
        let bar = bar(count, max, bar_width);
        text += &places.cell(line);
        text.extend([" ", &format!("{bar:<bar_width$}")]);
        for column in figures {
            text.push(' ');
            text += &column.cell(line);
        }
        text.push('\n');
    }
    text
}

/// Cells that are as wide as the widest.
struct Column {
    width: usize,
    cells: Vec<String>,
}

impl Column {
    /// The cell in a line, flush right.
    fn cell(&self, line: usize) -> String {
        let width = self.width;
        format!("{:>width$}", self.cells[line])
    }
}

/// A column of cells that are ASCII.
fn column(cells: impl Iterator<Item = String>) -> Column {
    let cells: Vec<String> = cells.collect();
    let width = cells.iter().map(String::len).max().unwrap_or(0);
    Column { width, cells }
}

/// A bar, rounded up so that what is there is seen.
fn bar(count: u64, max: u64, width: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let parts = EIGHTHS.len();
    let full = (width * parts) as u128;
    // No more than `full`, which is a length.
    let length = (u128::from(count) * full).div_ceil(max.into()) as usize;
    let mut bar = "█".repeat(length / parts);
    if !length.is_multiple_of(parts) {
        bar.push(EIGHTHS[length % parts - 1]);
    }
    bar
}

/// A share in at most six characters. Nothing and all are said only where they are true.
fn share(count: u64, total: u128) -> String {
    let count = u128::from(count);
    if count == 0 {
        return "0%".to_owned();
    }
    if count == total {
        return "100%".to_owned();
    }
    // The sum of 2^32 counts of 64 bits is still far from the limit.
    match (count * 10_000 + total / 2) / total {
        0 => "<0.01%".to_owned(),
        10_000.. => ">99.9%".to_owned(),
        hundredths => format!("{}.{:02}%", hundredths / 100, hundredths % 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_these_lines() {
        let bars = [(9, 1), (10, 500), (11, 1000), (12, 0)];
        let wide = "
 9 ▏               1  0.07%
10 █████▌        500 33.31%
11 ███████████ 1,000 66.62%
12                 0     0%
";
        assert_eq!(format!("\n{}", chart(&bars, 27)), wide);
        let narrow = "
 9 ▏               1
10 █████▌        500
11 ███████████ 1,000
12                 0
";
        assert_eq!(format!("\n{}", chart(&bars, 20)), narrow);
    }

    #[test]
    fn no_line_is_wider_than_asked_for() {
        let lists: [&[(u32, u64)]; 4] = [
            &[(0, 1), (31, 2)],
            &[(100, 100_000_000_000), (101, 1), (5, 0)],
            &[(u32::MAX, u64::MAX), (0, u64::MAX)],
            &[(u32::MAX, 99_999), (0, 1)],
        ];
        for bars in lists {
            for width in 20..150 {
                let text = chart(bars, width);
                assert_eq!(text.lines().count(), bars.len());
                for line in text.lines() {
                    assert_eq!(line.chars().count(), width, "{line:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_no_trouble() {
        assert_eq!(chart(&[], 80), "");
        let text = chart(&[(0, 0)], 20);
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>(),
            ["0", "0", "0%"]
        );
    }

    #[test]
    fn a_bar_ends_at_the_right_eighth() {
        for (count, expected) in [
            (0, ""),
            (1, "▏"),
            (125, "▏"),
            (500, "▌"),
            (1000, "█"),
            (1001, "█▏"),
            (1875, "█▉"),
            (2000, "██"),
        ] {
            assert_eq!(bar(count, 2000, 2), expected, "{count}");
        }
    }

    #[test]
    fn a_share_is_never_rounded_to_nothing_or_all() {
        for (count, total, expected) in [
            (0, 0, "0%"),
            (1, 1, "100%"),
            (1, 3, "33.33%"),
            (1, 100_000, "<0.01%"),
            (99_999, 100_000, ">99.9%"),
        ] {
            assert_eq!(share(count, total), expected);
        }
    }
}
