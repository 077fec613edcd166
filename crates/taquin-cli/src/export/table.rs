//! Tables for people at a terminal.

use comfy_table::{CellAlignment, Table, presets};

use super::{Align, Column};

pub(super) fn text(notes: &[String], columns: &[Column], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for note in notes {
        text.extend([note, "\n"]);
    }
    if rows.is_empty() {
        return text;
    }
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(columns.iter().map(|column| &column.title));
    table.add_rows(rows);
    for (column, shown) in columns.iter().zip(table.column_iter_mut()) {
        shown.set_cell_alignment(match column.align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
    }
    text.push_str(&table.to_string());
    text.push('\n');
    text
}
