//! Which sheet of a workbook is a table, where its header is, and which of its columns hold cells of several kinds.

use super::super::rewrite::{Cell, Record, Value, Workbook, numbered_names};
use super::super::whole::Flaw;
use super::column::{Column, Kind, null_word};
use super::{ColumnGuess, Guess, Seen, csv};
use std::collections::{BTreeMap, BTreeSet};

/// The most rows that may stand before the names of the columns.
const MOST_SKIPPED: usize = 30;

/// Whole numbers that name columns: years.
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2100.0;

type Row = Vec<Cell>;

/// What a workbook says of itself.
///
/// Errors: it cannot be read.
pub(super) fn look(bytes: &[u8], seen: Seen) -> Result<Guess, Flaw> {
    let mut guess = Guess::default();
    let mut workbook = Workbook::open(bytes)?;
    let filled = workbook.filled()?;
    let Some((sheet, others)) = filled.split_first() else { return Ok(guess) };
    if !others.is_empty() {
        let count = filled.len();
        guess.set("sheet", sheet.as_str(), format!("the first of {count} sheets that hold something"));
        let others = others.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        guess.remarks.push(format!("other sheets can be tables of their own, each with its `sheet`: {others}"));
    }
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for cell in workbook.cells(sheet)? {
        rows.entry(cell.row).or_default().push(cell);
    }
    let rows: Vec<(u32, Row)> = rows.into_iter().collect();
    let first = beginning(&rows);
    let Some(((line, head), _)) = rows.get(first..).and_then(<[_]>::split_first) else { return Ok(guess) };
    if first > 0 {
        guess.set("skip_lines", *line, "before the names of the columns there is other text");
    }
    let has_header = is_header(head);
    let body = rows.get(first + usize::from(has_header)..).unwrap_or_default();
    let names = names(head, body, has_header);
    if !has_header {
        guess.set("header", false, "the first row holds values, as those behind it");
    }
    settle(&names, body, &mut guess);
    if seen == Seen::Whole {
        guess.key = key(&names, body);
    }
    guess.header = has_header.then(|| names.into_values().collect());
    Ok(guess)
}

/// The row that names the columns, or is the first of values: the first that holds a text in each column, or else the first
/// that holds something in most.
fn beginning(rows: &[(u32, Row)]) -> usize {
    let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let is_text = |cell: &Cell| matches!(cell.value, Value::Text(_));
    let position = |is: &dyn Fn(&Row) -> bool| rows.iter().take(MOST_SKIPPED).position(|(_, row)| is(row));
    let names_all = position(&|row| row.len() == width && row.iter().all(is_text));
    let first = position(&|row| row.len() * 2 > width).unwrap_or(0);
    // Where values stand before it, it is one of them.
    match names_all {
        Some(at) if rows.get(first..at).is_none_or(|rows| rows.iter().all(|(_, row)| row.iter().all(is_text))) => at,
        _ => first,
    }
}

/// Whether a row names the columns: it holds texts alone, or years beside them.
fn is_header(row: &Row) -> bool {
    let is_year = |number: f64| number.fract() == 0.0 && YEARS.contains(&number);
    let names = |cell: &Cell| match &cell.value {
        Value::Text(_) => true,
        Value::Number(number) => is_year(*number),
        _ => false,
    };
    row.iter().all(names) && row.iter().any(|cell| matches!(cell.value, Value::Text(_)))
}

/// The names of the columns, by where they stand.
fn names(head: &Row, body: &[(u32, Row)], has_header: bool) -> BTreeMap<u32, String> {
    let held = body.iter().flat_map(|(_, row)| row.iter());
    let places: BTreeSet<u32> = held.chain(head).map(|cell| cell.column).collect();
    if !has_header {
        let all = places.first().copied().unwrap_or(0)..=places.last().copied().unwrap_or(0);
        return all.zip(1_u32..).map(|(at, number)| (at, format!("column_{number}"))).collect();
    }
    let written = |at: &u32| head.iter().find(|cell| cell.column == *at).map(|cell| cell.value.shown());
    let written: Vec<String> = places.iter().map(|at| written(at).unwrap_or_default()).collect();
    places.into_iter().zip(numbered_names(&written)).collect()
}

/// What is to be compared: days are days also with a time of day.
fn kind(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::Boolean(_) => 1,
        Value::Day(_) | Value::At(_) => 2,
        Value::Clock(_) => 3,
        Value::Text(_) => 4,
        Value::Duration(_) | Value::Broken(_) => 5,
    }
}

/// Says what the cells of the columns ask for.
fn settle(names: &BTreeMap<u32, String>, body: &[(u32, Row)], guess: &mut Guess) {
    let mut nulls: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut broken: Vec<&Cell> = Vec::new();
    for (at, name) in names {
        let cells: Vec<&Cell> = body.iter().flat_map(|(_, row)| row.iter()).filter(|cell| cell.column == *at).collect();
        broken.extend(cells.iter().filter(|cell| matches!(cell.value, Value::Broken(_))));
        if let Some(span) = cells.iter().find(|cell| matches!(cell.value, Value::Duration(_))) {
            let why = format!("{} in `{}`, for which there is no other type", span.value.phrase(), span.place());
            guess.columns.push(ColumnGuess { name: name.clone(), ty: Some("text".to_owned()), why });
            continue;
        }
        let word = |cell: &Cell| if let Value::Text(text) = &cell.value { null_word(text) } else { None };
        let plain = |cell: &&&Cell| word(cell).is_none() && !matches!(cell.value, Value::Broken(_));
        let Some(usual) = cells.iter().find(plain) else { continue };
        match cells.iter().filter(plain).find(|cell| kind(&cell.value) != kind(&usual.value)) {
            Some(other) => {
                let phrase = |cell: &Cell| format!("{} in `{}`", cell.value.phrase(), cell.place());
                let why = format!("{}, {}", phrase(usual), phrase(other));
                guess.columns.push(ColumnGuess { name: name.clone(), ty: Some("text".to_owned()), why });
            }
            None if kind(&usual.value) != 4 => {
                for cell in &cells {
                    if let Some(word) = word(cell) {
                        nulls.entry(word).or_insert_with(|| format!("`{word}` in `{}`", cell.place()));
                    }
                }
            }
            None => {}
        }
    }
    set_nulls(&nulls, guess);
    if let Some(first) = broken.first() {
        let (count, what, place) = (broken.len(), first.value.phrase(), first.place());
        let cells = if count == 1 { "1 cell holds".to_owned() } else { format!("{count} cells hold") };
        let how = "`on_error: null` makes them null, and counts them";
        guess.remarks.push(format!("{cells} no value, the first {what} in `{place}`: {how}"));
    }
}

fn set_nulls(nulls: &BTreeMap<&'static str, String>, guess: &mut Guess) {
    let why = nulls.values().cloned().collect::<Vec<_>>().join(", ");
    let words: Vec<&str> = nulls.keys().copied().collect();
    match words.as_slice() {
        [] => {}
        [only] => guess.set("null_value", *only, why),
        several => guess.set("null_value", several.to_vec(), why),
    }
}

/// The column that tells rows apart, as in a text.
fn key(names: &BTreeMap<u32, String>, body: &[(u32, Row)]) -> Option<(String, String)> {
    let columns = names.values().map(|name| (name.clone(), Column { kind: Kind::Plain, nulls: Vec::new() }));
    let columns: Vec<(String, Column)> = columns.collect();
    let record = |(line, row): &(u32, Row)| {
        let value = |at: &u32| row.iter().find(|cell| cell.column == *at).map(|cell| cell.value.shown());
        let values = names.keys().map(|at| value(at).unwrap_or_default()).collect();
        Record { values, line: *line as usize, ends: 1 }
    };
    let records: Vec<Record> = body.iter().map(record).collect();
    csv::key(&columns, &records.iter().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[Option<&str>]]) -> Vec<(u32, Row)> {
        let value = |text: &str| text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Number);
        let row = |(row, cells): (u32, &&[Option<&str>])| {
            let cell = |(column, text): (u32, &Option<&str>)| Some(Cell { row, column, value: value((*text)?) });
            (row, (0..).zip(cells.iter()).filter_map(cell).collect::<Row>())
        };
        (0..).zip(rows).map(row).filter(|(_, row)| !row.is_empty()).collect()
    }

    #[test]
    fn a_header_stands_below_titles() {
        let report = rows(&[
            &[Some("Sales")],
            &[],
            &[Some("Region"), Some("2023"), Some("n")],
            &[Some("N"), Some("3"), Some("4")],
        ]);
        assert_eq!(beginning(&report), 1);
        let (_, head) = report.get(1).unwrap();
        assert!(is_header(head));
        let plain = rows(&[&[Some("id"), Some("name")], &[Some("1"), Some("x")]]);
        assert_eq!(beginning(&plain), 0);
        let values = rows(&[&[Some("1"), Some("x")], &[Some("a"), Some("b")]]);
        assert_eq!(beginning(&values), 0);
        assert!(!is_header(&values.first().unwrap().1));
    }

    #[test]
    fn columns_of_several_kinds_are_declared() {
        let body = rows(&[&[Some("1"), Some("n/a"), Some("7")], &[Some("2"), Some("3"), Some("x")]]);
        let names = names(&Vec::new(), &body, false);
        let mut guess = Guess::default();
        settle(&names, &body, &mut guess);
        let (set, column) = (guess.settings.first().unwrap(), guess.columns.first().unwrap());
        assert_eq!((set.key, set.why.as_str()), ("null_value", "`n/a` in `B1`"));
        assert_eq!(
            (column.name.as_str(), column.why.as_str()),
            ("column_3", "the number 7 in `C1`, the text `x` in `C2`")
        );
        assert_eq!(key(&names, &body).unwrap().0, "column_1");
    }
}
