//! Tables in Markdown, padded so that they can be read as they are.

use super::{Align, Column};

pub(super) fn text(notes: &[String], columns: &[Column], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for note in notes {
        text.extend(["- ", note, "\n"]);
    }
    if rows.is_empty() {
        return text;
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| cell.replace('|', "\\|")).collect())
        .collect();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let cells = rows.iter().filter_map(|row| row.get(index));
            let longest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
            // Three is what the line below the titles takes at least.
            longest.max(column.title.chars().count()).max(3)
        })
        .collect();
    let line = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let padded = |cell: &str, index: usize| {
        let width = widths[index];
        match columns[index].align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        }
    };
    let titles = columns.iter().map(|column| column.title.as_str());
    text += &line(&mut titles.enumerate().map(|(i, title)| padded(title, i)));
    text += &line(&mut columns.iter().zip(&widths).map(|(column, width)| {
        let dashes = "-".repeat(width - 1);
        match column.align {
            Align::Left => format!("{dashes}-"),
            Align::Right => format!("{dashes}:"),
        }
    }));
    for row in &rows {
        let cells = row.iter().enumerate();
        text += &line(&mut cells.map(|(i, cell)| padded(cell, i)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_padded_and_bars_escaped() {
        let columns = [Column::text("who"), Column::number("n")];
        let rows = [
            vec!["a|b".to_owned(), "1".to_owned()],
            vec!["c".to_owned(), "12345".to_owned()],
        ];
        let expected = "\
- a note

| who  |     n |
| ---- | ----: |
| a\\|b |     1 |
| c    | 12345 |
";
        assert_eq!(text(&["a note".to_owned()], &columns, &rows), expected);
    }
}
