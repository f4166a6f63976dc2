//! Rows that were expected beside those that came, as lines of a small table.

use crate::ty::Type;
use annotate_snippets::normalize_untrusted_str;
use serde_json::Value;
use similar::{Algorithm, DiffOp, TextDiff, capture_diff_slices};

/// Most characters of a cell.
const CELL: usize = 24;
/// Most characters of a line: it stands in a terminal of 80 columns, behind its sign.
const WIDTH: usize = 74;
/// Most lines.
const LINES: usize = 24;
/// Equal lines that are shown around a difference.
const CONTEXT: usize = 1;

/// Whether a line was expected, or came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Both, or neither: a heading.
    Same,
    /// It was expected and is not there.
    Expected,
    /// It is there and was not expected.
    Found,
}

impl Sign {
    /// The character in front of the line.
    pub fn mark(self) -> char {
        match self {
            Sign::Same => ' ',
            Sign::Expected => '-',
            Sign::Found => '+',
        }
    }
}

/// A line with its sign. What stands in it can be shown on a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub sign: Sign,
    /// Its text.
    pub text: String,
}

/// A row in a table of differences: its number from 1, and a value a column, absent where it says nothing of it.
#[derive(Debug, Clone)]
pub struct Numbered {
    /// Whether it was expected, or came.
    pub sign: Sign,
    /// Its number among its like.
    pub number: usize,
    /// Its values.
    pub values: Vec<Option<Value>>,
}

/// What must happen to the expected rows to become those found. Rows that are equal have the same number in `expected`
/// and in `found`.
pub fn steps(expected: &[usize], found: &[usize]) -> Vec<(Sign, usize)> {
    let mut steps = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, expected, found) {
        match op {
            DiffOp::Equal { new_index, len, .. } => {
                steps.extend((new_index..new_index + len).map(|at| (Sign::Same, at)))
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                steps.extend((old_index..old_index + old_len).map(|at| (Sign::Expected, at)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                steps.extend((new_index..new_index + new_len).map(|at| (Sign::Found, at)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                // One beside the other, so that they can be compared.
                for at in 0..old_len.max(new_len) {
                    steps.extend((at < old_len).then_some((Sign::Expected, old_index + at)));
                    steps.extend((at < new_len).then_some((Sign::Found, new_index + at)));
                }
            }
        }
    }
    steps
}

/// Rows as lines below the names of their columns: the differences with a line around them, and as many columns as fit.
pub fn table(columns: &[(String, Type)], rows: &[Numbered]) -> Vec<Line> {
    let kept = near_changes(rows);
    let shown: Vec<&Numbered> = kept.iter().flatten().take(LINES).copied().collect();
    let picked = columns_that_fit(columns, &shown);
    let mut cells: Vec<Vec<Cell>> = vec![heading(columns, &picked)];
    cells.extend(shown.iter().map(|row| row_cells(columns, row, &picked)));
    if picked.len() < columns.len() {
        cells.iter_mut().enumerate().for_each(|(at, row)| row.push(Cell::text(if at == 0 { "…" } else { "" })));
    }
    let mut texts = aligned(&cells).into_iter();
    let mut lines: Vec<Line> = texts.next().map(|text| Line { sign: Sign::Same, text }).into_iter().collect();
    let left = kept.iter().flatten().count() - shown.len();
    let mut rest = shown.len();
    for row in &kept {
        match row {
            Some(row) if rest > 0 => {
                rest -= 1;
                lines.extend(texts.next().map(|text| Line { sign: row.sign, text }));
            }
            None if rest > 0 || left == 0 => lines.push(Line { sign: Sign::Same, text: "…".to_owned() }),
            _ => {}
        }
    }
    if left > 0 {
        lines.push(Line { sign: Sign::Same, text: format!("… and {left} more") });
    }
    lines
}

/// The lines of two texts that differ, with some around them.
pub fn text(expected: &str, found: &str) -> Vec<Line> {
    let diff = TextDiff::from_lines(expected, found);
    let mut lines = Vec::new();
    for (at, hunk) in diff.unified_diff().context_radius(CONTEXT).iter_hunks().enumerate() {
        if at > 0 {
            lines.push(Line { sign: Sign::Same, text: "…".to_owned() });
        }
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                similar::ChangeTag::Equal => Sign::Same,
                similar::ChangeTag::Delete => Sign::Expected,
                similar::ChangeTag::Insert => Sign::Found,
            };
            let text = normalize_untrusted_str(change.value().trim_end_matches(['\r', '\n']));
            lines.push(Line { sign, text: cut(&text, WIDTH) });
        }
    }
    let left = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if left > 0 {
        lines.push(Line { sign: Sign::Same, text: format!("… and {left} more lines") });
    }
    lines
}

/// The rows that differ and those around them; `None` stands for what is left out.
fn near_changes(rows: &[Numbered]) -> Vec<Option<&Numbered>> {
    let is_near = |at: usize| {
        let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(rows.len());
        rows.get(around).is_some_and(|around| around.iter().any(|row| row.sign != Sign::Same))
    };
    // Rows that all stand alike are all there is to show.
    let all = rows.iter().all(|row| row.sign == Sign::Same);
    let mut kept: Vec<Option<&Numbered>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if all || is_near(at) {
            kept.push(Some(row));
        } else if kept.last().is_none_or(Option::is_some) {
            kept.push(None);
        }
    }
    kept
}

/// The columns to show: those that differ first, then the others, as far as there is room; in their order.
fn columns_that_fit(columns: &[(String, Type)], rows: &[&Numbered]) -> Vec<usize> {
    let text = |row: &Numbered, at: usize| cell(columns, row, at).text;
    let differs = |at: usize| {
        rows.windows(2).any(|pair| match pair {
            [one, other] => (one.sign, other.sign) == (Sign::Expected, Sign::Found) && text(one, at) != text(other, at),
            _ => false,
        })
    };
    let width = |at: usize| {
        let name = columns.get(at).map_or(0, |(name, _)| name.chars().count().min(CELL));
        rows.iter().map(|row| text(row, at).chars().count()).fold(name, usize::max)
    };
    let mut room = WIDTH.saturating_sub("row  ".len() + "  …".len());
    // The first column says which row it is.
    let first = (!columns.is_empty()).then_some(0);
    let rest = |wanted: bool| (1..columns.len()).filter(move |at| differs(*at) == wanted);
    let mut picked = Vec::new();
    for at in first.into_iter().chain(rest(true)).chain(rest(false)) {
        let taken = width(at) + 2;
        if taken > room && !picked.is_empty() {
            break;
        }
        room = room.saturating_sub(taken);
        picked.push(at);
    }
    picked.sort_unstable();
    picked
}

/// A cell as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    text: String,
    is_number: bool,
}

impl Cell {
    fn text(text: &str) -> Cell {
        Cell { text: text.to_owned(), is_number: false }
    }

    fn number(text: String) -> Cell {
        Cell { text, is_number: true }
    }
}

fn heading(columns: &[(String, Type)], picked: &[usize]) -> Vec<Cell> {
    let name = |at: &usize| columns.get(*at).map(|(name, _)| Cell::text(&cut(&normalize_untrusted_str(name), CELL)));
    std::iter::once(Cell::text("row")).chain(picked.iter().filter_map(name)).collect()
}

fn row_cells(columns: &[(String, Type)], row: &Numbered, picked: &[usize]) -> Vec<Cell> {
    let number = Cell::number(row.number.to_string());
    std::iter::once(number).chain(picked.iter().map(|at| cell(columns, row, *at))).collect()
}

fn cell(columns: &[(String, Type)], row: &Numbered, at: usize) -> Cell {
    match (row.values.get(at).and_then(Option::as_ref), columns.get(at)) {
        // An exact number is a text in JSON.
        (Some(Value::String(digits)), Some((_, Type::Decimal(..)))) if digits.parse::<f64>().is_ok() => {
            Cell::number(cut(digits, CELL))
        }
        (value, _) => shown_cell(value),
    }
}

/// A value as a person reads it: a text in quotes only where it could be taken for something else.
fn shown_cell(value: Option<&Value>) -> Cell {
    match value {
        None => Cell::text(""),
        Some(Value::Number(number)) => Cell::number(cut(&number.to_string(), CELL)),
        Some(Value::Null) => Cell::number("null".to_owned()),
        Some(Value::String(text)) => {
            let is_plain = !text.is_empty() && text.trim() == text && text.parse::<f64>().is_err();
            let is_plain = is_plain
                && !["true", "false", "null", "…"].contains(&text.as_str())
                && !text.starts_with(['[', '{', '"']);
            let text = if is_plain { text.clone() } else { Value::from(text.as_str()).to_string() };
            Cell::text(&cut(&normalize_untrusted_str(&text).replace('\n', "␤"), CELL))
        }
        Some(other) => Cell::text(&cut(&normalize_untrusted_str(&other.to_string()), CELL)),
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// The cells in columns, numbers to the right; the first row is the heading.
fn aligned(rows: &[Vec<Cell>]) -> Vec<String> {
    let count = rows.first().map_or(0, Vec::len);
    let column = |at: usize| rows.iter().filter_map(move |row| row.get(at));
    let layout: Vec<(usize, bool)> = (0..count)
        .map(|at| {
            let widest = column(at).map(|cell| cell.text.chars().count()).max().unwrap_or(0);
            (widest, rows.len() > 1 && column(at).skip(1).all(|cell| cell.is_number || cell.text.is_empty()))
        })
        .collect();
    let line = |row: &Vec<Cell>| {
        let mut line = String::new();
        for (cell, (width, right)) in row.iter().zip(&layout) {
            let pad = " ".repeat(width.saturating_sub(cell.text.chars().count()));
            line.push_str(if line.is_empty() { "" } else { "  " });
            let (before, after) = if *right { (pad.as_str(), "") } else { ("", pad.as_str()) };
            line.extend([before, cell.text.as_str(), after]);
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn numbered(sign: Sign, number: usize, values: Value) -> Numbered {
        let values = values.as_array().unwrap().iter().cloned().map(Some).collect();
        Numbered { sign, number, values }
    }

    fn named((name, ty): (&str, Type)) -> (String, Type) {
        (name.to_owned(), ty)
    }

    fn printed(lines: &[Line]) -> String {
        lines.iter().map(|line| format!("{} {}\n", line.sign.mark(), line.text)).collect()
    }

    #[test]
    fn a_changed_row_stands_beside_the_one_expected() {
        let rows = [
            numbered(Sign::Same, 1, json!([1, "a", null])),
            numbered(Sign::Same, 2, json!([2, "b", 7])),
            numbered(Sign::Expected, 3, json!([3, "1", 8])),
            numbered(Sign::Found, 3, json!([3, "\u{1b}[31m", 80.5])),
            numbered(Sign::Same, 4, json!([4, "d", 9])),
            numbered(Sign::Same, 5, json!([5, "e", 9])),
        ];
        let columns = [("id", Type::Int), ("name", Type::Text), ("delay", Type::Double)].map(named);
        assert_eq!(
            printed(&table(&columns, &rows)),
            "  row  id  name   delay\n  …\n    2   2  b          7\n-   3   3  \"1\"        8\n\
             +   3   3  ␛[31m   80.5\n    4   4  d          9\n  …\n"
        );
    }

    #[test]
    fn what_differs_is_shown_of_a_wide_table_and_lines_stay_short() {
        let columns: Vec<(String, Type)> = (0..30).map(|at| (format!("column_{at}"), Type::Text)).collect();
        let values = |last: i32| {
            let mut values: Vec<Value> = (0..29).map(|at| json!(format!("value {at} of the row"))).collect();
            values.push(json!(last));
            Value::Array(values)
        };
        let rows = [numbered(Sign::Expected, 1, values(1)), numbered(Sign::Found, 1, values(2))];
        let lines = table(&columns, &rows);
        assert!(lines.iter().all(|line| line.text.chars().count() <= WIDTH), "{}", printed(&lines));
        assert!(printed(&lines).lines().next().unwrap().ends_with("column_29  …"), "{}", printed(&lines));
    }

    #[test]
    fn replaced_rows_alternate_and_the_rest_follows() {
        assert_eq!(
            steps(&[1, 2, 3], &[1, 7, 8, 9, 3]),
            [
                (Sign::Same, 0),
                (Sign::Expected, 1),
                (Sign::Found, 1),
                (Sign::Found, 2),
                (Sign::Found, 3),
                (Sign::Same, 4)
            ]
        );
    }
}
