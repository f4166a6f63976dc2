//! Cells below each other.

/// Lines whose columns stand below each other.
pub(super) fn aligned(rows: Vec<Vec<String>>, indent: &str) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|at| width(at).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("{}\n", format!("{indent}{}", cells.join("  ")).trim_end())
    };
    rows.iter().map(line).collect()
}
