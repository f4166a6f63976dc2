//! How a CSV text is taken to pieces, and what its columns are.

use super::super::rewrite::{Dialect, Record, numbered_names, records};
use super::super::separator_line::separator_of;
use super::super::whole::exact::{has_more_signs, quoted};
use super::column::{Column, Kind};
use super::dates::Written;
use super::names::names_key;
use super::numbers::{is_integer, is_number};
use super::{ColumnGuess, Guess, Seen};
use crate::project::FileFormat;
use indexmap::IndexMap;
use std::collections::HashSet;

/// How many records are looked at to find out where values end.
const LOOKED_AT: usize = 500;

/// The most lines that may stand before the names of the columns.
const MOST_SKIPPED: usize = 30;

/// A way to take a text to pieces.
#[derive(Debug)]
struct Layout {
    dialect: Dialect,
    /// How many values most records have.
    width: usize,
    /// How many of a hundred records have so many.
    agreed: usize,
}

/// Looks at the texts of a table's files: how they are taken to pieces, and which names they have, is that of the first.
pub(super) fn look(texts: &[String], format: FileFormat, seen: Seen, guess: &mut Guess) {
    let Some(text) = texts.first() else { return };
    let separator = separator_of(text.as_bytes());
    let layout = match separator {
        Some(delimiter) => layout_of(text, Dialect { delimiter, quote: Some(b'"') }, 1),
        None => layout(text),
    };
    let Some(layout) = layout else { return };
    let (layout, broken) = without_quotes(text, layout, usize::from(separator.is_some()));
    let default = if format == FileFormat::Tsv { b'\t' } else { b',' };
    if layout.dialect.delimiter != default && (layout.width > 1 || separator.is_some()) {
        let why = match separator {
            Some(_) => "the first line says so, for Excel".to_owned(),
            None => format!("gives {} values in {} % of the lines", layout.width, layout.agreed),
        };
        guess.set("delimiter", char::from(layout.dialect.delimiter).to_string(), why);
    }
    if layout.dialect.quote == Some(b'\'') {
        guess.set("quote", "'", "values that hold a delimiter stand between these");
    }
    if let Some(why) = broken {
        guess.set("quote", "", why);
    }
    let skipped = usize::from(separator.is_some());
    let all: Vec<Record> = records(text, layout.dialect, skipped).map_while(Result::ok).collect();
    let filled: Vec<&Record> = all.iter().filter(|record| !record.values.is_empty()).collect();
    let first = beginning(&filled, layout.width);
    let Some(head) = filled.get(first) else { return };
    if first > 0 || separator.is_some() {
        let lines = head.line - 1;
        let why =
            if first > 0 { "before the names of the columns there is other text" } else { "it says the delimiter" };
        guess.set("skip_lines", lines as u64, why);
    }
    let rows: Vec<&Record> = filled.iter().skip(first).copied().collect();
    let has_header = is_header(&rows);
    let names: Vec<String> = if has_header {
        numbered_names(&head.values)
    } else {
        guess.set("header", false, "the first line holds values, as those behind it");
        (1..=head.values.len()).map(|number| format!("column_{number}")).collect()
    };
    let rows = rows.get(usize::from(has_header)..).unwrap_or_default();
    match blank_before_quote(rows, layout.dialect) {
        // Rows that are taken apart at the wrong places are not to be left out.
        Some(remark) => guess.remarks.push(remark),
        None => remark_lengths(rows, names.len(), guess),
    }
    let header = has_header.then_some(&head.values);
    let rest = texts.iter().skip(1);
    let others: Vec<Record> = rest.flat_map(|text| rows_of(text, layout.dialect, skipped, header)).collect();
    let rows: Vec<&Record> =
        rows.iter().copied().chain(&others).filter(|row| row.values.len() == names.len()).collect();
    let columns = columns(&names, &rows);
    settle(&columns, &rows, layout.dialect, guess);
    remark_other_values(&columns, &rows, guess);
    if seen == Seen::Whole {
        guess.key = key(&columns, &rows);
    }
    guess.header = has_header.then_some(names);
}

/// The rows of another file of the table: those behind the names of its columns.
fn rows_of(text: &str, dialect: Dialect, skipped: usize, header: Option<&Vec<String>>) -> Vec<Record> {
    let read = records(text, dialect, skipped).map_while(Result::ok).filter(|record| !record.values.is_empty());
    match header {
        Some(names) => read.skip_while(|record| record.values != *names).skip(1).collect(),
        None => read.collect(),
    }
}

/// The layout without quotes and why, where a quote is a sign as any other: one ends within its value, or never, and
/// without them all lines have as many values.
fn without_quotes(text: &str, layout: Layout, skipped: usize) -> (Layout, Option<String>) {
    let Some(flaw) = records(text, layout.dialect, skipped).find_map(Result::err) else { return (layout, None) };
    let plain = Dialect { quote: None, ..layout.dialect };
    let is_quoted = |value: &String| value.len() > 1 && value.starts_with('"') && value.ends_with('"');
    let has_quoted = records(text, plain, skipped).map_while(Result::ok).any(|row| row.values.iter().any(is_quoted));
    let plain = layout_of(text, plain, skipped).filter(|plain| plain.width > 1 && plain.agreed == 100);
    match plain.filter(|_| !has_quoted) {
        Some(plain) => {
            let flaw = flaw.to_string();
            let why = flaw.split(';').next().unwrap_or_default();
            (plain, Some(format!("quotes are signs as any other: {why}")))
        }
        None => (layout, None),
    }
}

/// The way in which most records have as many values as others; the more values, the better.
fn layout(text: &str) -> Option<Layout> {
    let tried = |delimiter: u8, quote: u8| layout_of(text, Dialect { delimiter, quote: Some(quote) }, 0);
    let quotes: &[u8] = if text.contains(",'") || text.contains(";'") { b"\"'" } else { b"\"" };
    let mut best: Option<Layout> = None;
    for quote in quotes {
        for delimiter in b",;\t|" {
            let Some(layout) = tried(*delimiter, *quote).filter(|layout| layout.width > 1) else { continue };
            let score = |layout: &Layout| (layout.agreed / 10, layout.width);
            if best.as_ref().is_none_or(|best| score(&layout) > score(best)) {
                best = Some(layout);
            }
        }
    }
    let best = best.filter(|best| best.agreed >= 50);
    // Blanks are between values only where nothing else is, and in every line.
    let blanks = || tried(b' ', b'"').filter(|layout| layout.width > 1 && layout.agreed == 100);
    best.or_else(blanks).or_else(|| tried(b',', b'"'))
}

/// How many values the records of a text have that is taken to pieces so, behind lines that are skipped.
fn layout_of(text: &str, dialect: Dialect, skipped: usize) -> Option<Layout> {
    let mut widths: IndexMap<usize, usize> = IndexMap::new();
    let read = records(text, dialect, skipped).map_while(Result::ok).filter(|record| !record.values.is_empty());
    let mut count = 0;
    for record in read.take(LOOKED_AT) {
        *widths.entry(record.values.len()).or_default() += 1;
        count += 1;
    }
    let (width, most) = widths.into_iter().max_by_key(|(_, count)| *count)?;
    Some(Layout { dialect, width, agreed: most * 100 / count })
}

/// The record that names the columns, or is the first row: the first that has all its values.
fn beginning(records: &[&Record], width: usize) -> usize {
    let filled = |record: &Record| record.values.iter().filter(|value| !value.trim().is_empty()).count();
    let is_whole = |record: &&&Record| record.values.len() == width && (width < 3 || filled(record) * 2 > width);
    let first = records.iter().take(MOST_SKIPPED).position(|record| is_whole(&record)).unwrap_or(0);
    let before = first.checked_sub(1).filter(|before| {
        let pair = records.get(*before).zip(records.get(first));
        pair.is_some_and(|(names, row)| names_others(&names.values, &row.values))
    });
    before.unwrap_or(first)
}

/// Whether there are names above a row, more of them than values, or one less: whose they are, its author has to say.
fn names_others(names: &[String], row: &[String]) -> bool {
    let is_name = |name: &String| !name.trim().is_empty() && !is_number(name);
    let are_many = names.len() > 1 && (names.len() > row.len() || names.len() + 1 == row.len());
    are_many && names.iter().all(is_name) && row.iter().any(|value| is_number(value))
}

/// Whether the first record names the columns: it holds no number, or none where the records behind it hold nothing else.
fn is_header(rows: &[&Record]) -> bool {
    let Some((head, rest)) = rows.split_first() else { return true };
    if !head.values.iter().any(|value| is_number(value)) {
        return true;
    }
    let is_year = |value: &str| value.len() == 4 && value.starts_with(['1', '2']);
    let named_by_years = head.values.iter().filter(|value| is_number(value)).all(|value| is_year(value))
        && head.values.iter().any(|value| !is_number(value));
    // Years name columns where rows behind hold other numbers.
    named_by_years && rest.iter().any(|row| row.values.iter().any(|value| is_number(value) && !is_year(value)))
}

/// Says that a quote behind a blank is none.
fn blank_before_quote(rows: &[&Record], dialect: Dialect) -> Option<String> {
    let quote = char::from(dialect.quote?);
    let is_quoted = |value: &String| value.starts_with(' ') && value.trim_start().starts_with(quote);
    let first = rows.iter().find(|row| row.values.iter().any(is_quoted))?;
    let (line, delimiter) = (first.line, char::from(dialect.delimiter));
    Some(format!(
        "in line {line} a blank stands before a quote: quotes count only right behind `{delimiter}`, so this one is a part of \
         its value, and each `{delimiter}` up to the next quote ends one; write the file without such blanks"
    ))
}

fn remark_lengths(rows: &[&Record], width: usize, guess: &mut Guess) {
    let others: Vec<&&Record> = rows.iter().filter(|row| row.values.len() != width).collect();
    let Some(first) = others.first() else { return };
    let (count, line) = (others.len(), first.line);
    let rows = if count == 1 { "1 row has".to_owned() } else { format!("{count} rows have") };
    let filled = match others.iter().all(|row| row.values.len() < width) {
        true => "`on_error: null` takes the missing ones for null, and ",
        false => "",
    };
    guess.remarks.push(format!(
        "{rows} other than {width} values, the first in line {line}: {filled}`on_error: skip` leaves such rows out, and \
         counts them"
    ));
}

/// Says which columns would be of numbers but for a few values, at most a tenth.
fn remark_other_values(columns: &[(String, Column)], rows: &[&Record], guess: &mut Guess) {
    for (at, (name, _)) in columns.iter().enumerate().filter(|(_, (_, column))| column.kind == Kind::Text) {
        let values = || rows.iter().filter_map(|row| row.values.get(at)).filter(|value| !value.is_empty());
        let (count, others) = (values().count(), values().filter(|value| !is_number(value)).count());
        let Some(other) = values().find(|value| !is_number(value)).filter(|_| count >= 10 && others * 10 <= count)
        else {
            continue;
        };
        let has_fraction = values().any(|value| is_number(value) && value.parse::<i64>().is_err());
        let ty = if has_fraction { "double" } else { "bigint" };
        guess.remarks.push(format!(
            "`{name}` is text: {others} of its {count} values are no numbers, such as `{other}`; with its type declared as \
             `{ty}` and `on_error: null`, such values are null"
        ));
    }
}

fn columns(names: &[String], rows: &[&Record]) -> Vec<(String, Column)> {
    let column = |(at, name): (usize, &String)| {
        let values: Vec<&str> = rows.iter().filter_map(|row| row.values.get(at).map(String::as_str)).collect();
        (name.clone(), Column::of(name, &values))
    };
    names.iter().enumerate().map(column).collect()
}

/// Says what all columns together ask for.
fn settle(columns: &[(String, Column)], rows: &[&Record], dialect: Dialect, guess: &mut Guess) {
    settle_nulls(columns, rows, guess);
    let separators = settle_separators(columns, dialect, guess);
    let (days, times) = settle_times(columns, guess);
    for (at, (name, Column { kind, .. })) in columns.iter().enumerate() {
        let (ty, why) = match kind {
            Kind::Plain => continue,
            Kind::Text => match but_for(at, rows) {
                Some(why) => (None, format!("text: {why}")),
                None => continue,
            },
            Kind::Untyped(why) => (None, format!("text: {why}")),
            Kind::Days { example, impossible } => {
                guess.remarks.push(format!(
                    "`{name}` holds `{impossible}`, which is no day: `--on-error null` takes such values for null, and \
                     `--on-error skip` leaves their rows out; results say how many there are"
                ));
                (Some("date".to_owned()), format!("days as `{example}`, but for `{impossible}`"))
            }
            Kind::Codes(code) => {
                (Some("text".to_owned()), format!("a number would lose the signs in front of `{code}`"))
            }
            Kind::Large(digits) => {
                (Some(format!("decimal({digits},0)")), format!("integers of {digits} digits, too large for a bigint"))
            }
            Kind::Json => (Some("json".to_owned()), "every value is a list or an object of JSON".to_owned()),
            Kind::Numbers { decimal, thousands, unclear, example } => match separators {
                Some((of, groups)) if *unclear || takes((of, groups), (*decimal, *thousands)) => {
                    let ty = if example.contains(of) { "double" } else { number_type(columns, rows, name, of) };
                    (Some(ty.to_owned()), format!("numbers as `{example}`"))
                }
                _ => (None, format!("text: numbers as `{example}`, unlike those of other columns")),
            },
            Kind::Times(Written::Days(format)) if Some(format) == days.as_ref() => {
                (Some("date".to_owned()), format!("days as `{format}`"))
            }
            Kind::Times(Written::Times(format)) if Some(format) == times.as_ref() => {
                let ty = if format.ends_with("%z") { "timestamptz" } else { "timestamp(0)" };
                let ty = if format.contains("%.f") { "timestamp" } else { ty };
                (Some(ty.to_owned()), format!("times as `{format}`"))
            }
            Kind::Times(Written::Days(format) | Written::Times(format)) => {
                (None, format!("text: written as `{format}`, unlike those of other columns"))
            }
            Kind::Times(Written::Unclear(a, b)) => {
                let what = match a.contains(['H', 'I']) {
                    true => "text: declare `timestamp` and `timestamp_format` if they are times",
                    false => "text: declare `date` and `date_format` if they are days",
                };
                (None, format!("{what}; `{a}` and `{b}` both fit"))
            }
        };
        guess.columns.push(ColumnGuess { name: name.clone(), ty, why });
    }
}

/// Why a column is of texts whose values are numbers, but for fewer than half of them.
fn but_for(at: usize, rows: &[&Record]) -> Option<String> {
    let values = || rows.iter().filter_map(|row| row.values.get(at)).filter(|value| !value.is_empty());
    let others: HashSet<&String> = values().filter(|value| !is_number(value)).collect();
    let other = values().find(|value| !is_number(value))?;
    let (count, numbers) = (values().count(), values().filter(|value| is_number(value)).count());
    let are_codes = values().any(|value| is_number(value) && has_more_signs(value));
    if are_codes || numbers * 2 <= count {
        return None;
    }
    let (shown, option) = (quoted(other), if others.len() == 1 { "null_value" } else { "on_error: null" });
    let what = if others.len() == 1 { "takes it" } else { "and a declared type take such values" };
    Some(format!("{shown} is no number, as {numbers} of its {count} values are; `{option}` {what} for null"))
}

/// Whether numbers that are written in one way are read in another: groups may be there or not.
fn takes((decimal, groups): (char, Option<char>), (of, between): (char, Option<char>)) -> bool {
    decimal == of && (between.is_none() || between == groups)
}

/// `bigint` where no value has a fraction.
fn number_type(columns: &[(String, Column)], rows: &[&Record], name: &str, decimal: char) -> &'static str {
    let at = columns.iter().position(|(column, _)| column == name).unwrap_or(0);
    let has_fraction = rows.iter().filter_map(|row| row.values.get(at)).any(|value| value.contains(decimal));
    if has_fraction { "double" } else { "bigint" }
}

fn settle_nulls(columns: &[(String, Column)], rows: &[&Record], guess: &mut Guess) {
    let mut found: IndexMap<&'static str, Vec<&str>> = IndexMap::new();
    for (name, column) in columns {
        for null in &column.nulls {
            found.entry(null).or_default().push(name);
        }
    }
    if found.is_empty() {
        return;
    }
    let in_columns = |names: &Vec<&str>| match names.as_slice() {
        [.., last] if names.len() > 3 => format!("{} columns up to `{last}`", names.len()),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    let why = found.iter().map(|(null, names)| format!("`{null}` among the values of {}", in_columns(names)));
    let why = why.collect::<Vec<_>>().join("; ");
    let words: Vec<&str> = found.keys().copied().collect();
    match words.as_slice() {
        [only] => guess.set("null_value", *only, why),
        several => guess.set("null_value", several.to_vec(), why),
    }
    let is_text = |column: &Column| matches!(column.kind, Kind::Text | Kind::Untyped(_) | Kind::Codes(_));
    for (at, (name, _)) in columns.iter().enumerate().filter(|(_, (_, column))| is_text(column)) {
        let values = || rows.iter().filter_map(|row| row.values.get(at));
        if let Some(word) = words.iter().find(|word| values().any(|value| value == *word)) {
            let count = values().filter(|value| words.contains(&value.as_str())).count();
            guess
                .remarks
                .push(format!("`{word}` is null in the texts of `{name}` too, {count} times: see `null_value`"));
        }
    }
}

/// The separators of all numbers that have some.
fn settle_separators(
    columns: &[(String, Column)],
    dialect: Dialect,
    guess: &mut Guess,
) -> Option<(char, Option<char>)> {
    let numbers = columns.iter().filter_map(|(name, column)| match &column.kind {
        Kind::Numbers { decimal, thousands, unclear, example } => Some((name, *decimal, *thousands, *unclear, example)),
        _ => None,
    });
    let numbers: Vec<_> = numbers.collect();
    let certain = numbers.iter().find(|(.., unclear, _)| !unclear);
    let (name, mut decimal, mut thousands, unclear, example) = certain.or(numbers.first()).copied()?;
    if unclear && dialect.delimiter == b',' {
        // Who writes commas before fractions, writes other signs between values.
        (decimal, thousands) = if example.contains(',') { ('.', Some(',')) } else { (decimal, thousands) };
    }
    let groups = numbers.iter().filter(|(_, of, ..)| *of == decimal).find_map(|(_, _, between, ..)| *between);
    thousands = thousands.or(groups);
    let doubt = if unclear { "; a guess: it could be the other sign" } else { "" };
    if decimal == ',' {
        guess.set("decimal_separator", ",", format!("`{example}` in `{name}`{doubt}"));
    }
    if let Some(sign) = thousands {
        guess.set("thousands_separator", sign.to_string(), format!("`{example}` in `{name}`{doubt}"));
    }
    Some((decimal, thousands))
}

/// The format that most columns of days are written in, and that of most columns of times.
fn settle_times(columns: &[(String, Column)], guess: &mut Guess) -> (Option<String>, Option<String>) {
    let most = |formats: Vec<&String>| {
        let count = |format: &&String| formats.iter().filter(|other| *other == format).count();
        formats.iter().copied().rev().max_by_key(count).cloned()
    };
    let kinds = || columns.iter().map(|(_, column)| &column.kind);
    let days =
        kinds().filter_map(|kind| if let Kind::Times(Written::Days(format)) = kind { Some(format) } else { None });
    let days = most(days.collect());
    let times =
        kinds().filter_map(|kind| if let Kind::Times(Written::Times(format)) = kind { Some(format) } else { None });
    let times = most(times.collect());
    if let Some(format) = &days {
        let century = if format.contains("%y") { "; years from 70 on are of the century before" } else { "" };
        guess.set("date_format", format.as_str(), format!("the only format that all values have{century}"));
    }
    if let Some(format) = &times {
        guess.set("timestamp_format", format.as_str(), "the only format that all values have");
    }
    (days, times)
}

/// A column whose values are all there and all different: one that is named as keys are, or else the first, of integers.
pub(super) fn key(columns: &[(String, Column)], rows: &[&Record]) -> Option<(String, String)> {
    let is_unique = |at: usize| {
        let mut met = HashSet::new();
        rows.iter().all(|row| row.values.get(at).is_some_and(|value| !value.is_empty() && met.insert(value.as_str())))
    };
    // Texts, names of people say, are all different by chance.
    let is_whole = |at: usize| rows.iter().filter_map(|row| row.values.get(at)).all(|value| is_integer(value));
    let is_key = |at: &usize| columns.get(*at).is_some_and(|(_, column)| column.nulls.is_empty()) && is_unique(*at);
    let named = (0..columns.len()).filter(|at| columns.get(*at).is_some_and(|(name, _)| names_key(name)));
    let has_numbers = |(_, column): &(String, Column)| matches!(column.kind, Kind::Plain | Kind::Large(_));
    let first = || Some(0).filter(|at| is_key(at) && is_whole(*at) && columns.first().is_some_and(has_numbers));
    let at = named.into_iter().find(is_key).or_else(first)?;
    let (name, _) = columns.get(at).filter(|_| rows.len() > 1)?;
    Some((name.clone(), format!("different in each of the {} rows", rows.len())))
}
