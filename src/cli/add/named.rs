//! What a table is called that is made of a path.

use crate::name::snake_case;
use regex::Regex;

/// The name of a table of that path or address: that of its file without endings, or of its folder.
pub(super) fn table_name(path: &str) -> String {
    let path = path.split(['?', '#']).next().filter(|_| path.contains("://")).unwrap_or(path);
    let mut segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty() && *segment != ".").collect();
    // A pattern is named by the folder that it is in.
    while segments.len() > 1 && segments.last().is_some_and(|last| is_bare_pattern(last)) {
        segments.pop();
    }
    let last = segments.last().copied().unwrap_or_default();
    let stem = last.split(['*', '?', '[', '{']).next().filter(|stem| !stem.is_empty()).unwrap_or(last);
    let stem = without_endings(stem);
    let name: String = snake_case(&without_part(stem)).chars().take(64).collect();
    match name.chars().next() {
        None => "data".to_owned(),
        Some(first) if first.is_numeric() => format!("t_{name}").chars().take(64).collect(),
        Some(_) => plain_name(&name),
    }
}

/// Words that SQL takes for its own where a table may stand, or before the point of its columns.
const WORDS: [&str; 13] = [
    "all", "case", "distinct", "exists", "false", "from", "interval", "lateral", "not", "null", "table", "true",
    "unnest",
];

/// The name of a table that needs no quotes in SQL: its own where that is one. Capitals are small letters without quotes.
pub(in crate::cli) fn plain_name(name: &str) -> String {
    let name = if name.chars().any(char::is_uppercase) { snake_case(name) } else { name.to_owned() };
    if WORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

fn is_bare_pattern(segment: &str) -> bool {
    segment.starts_with(['*', '?', '[', '{'])
}

fn without_endings(name: &str) -> &str {
    let name = name.trim_end_matches(['.', '-', '_']);
    match name.split_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Without the number of a part: `train-00000-of-00005`.
fn without_part(name: &str) -> String {
    let part = Regex::new(r"[-_]\d{3,}(-of-\d{3,})?$");
    part.map_or_else(|_| name.to_owned(), |part| part.replace(name, "").into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_named_by_its_file() {
        for (path, name) in [
            ("data/Order Items.csv.gz", "order_items"),
            ("data/2024-*.csv", "t_2024"),
            ("events/*.parquet", "events"),
            ("s3://bucket/events/**/*.parquet", "events"),
            ("https://example.com/a/late-flights.csv?token=1", "late_flights"),
            ("data/hf/train-00000-of-00005.parquet", "train"),
            ("./data/", "data"),
            ("7.csv", "t_7"),
            ("data/order.csv", "order"),
            ("data/all.csv", "all_"),
            ("Table.csv", "table_"),
        ] {
            assert_eq!(table_name(path), name, "{path}");
        }
    }
}
