//! Puts an entry into the text of a `qtool.yaml`: lines are added, and what its author wrote stays as it is, comments too.

use crate::in_words::in_words;

in_words! {
    /// Why nothing can be put into a text.
    pub struct NotInserted;
}

/// The text with a table behind the last one. `entry` is the table's block, its name first, indented by nothing.
///
/// Errors: the tables are written in brackets, where no line can be added.
pub fn with_table(text: &str, entry: &str) -> Result<String, NotInserted> {
    with_entry(text, "tables", entry)
}

/// The text with an entry behind the last one of a key, such as `records`. `entry` is its block, its name first, indented by nothing.
///
/// Errors: the key's entries are written in brackets, where no line can be added.
pub fn with_entry(text: &str, key: &str, entry: &str) -> Result<String, NotInserted> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = |indent: usize| -> String {
        let blank = " ".repeat(indent);
        entry.lines().map(|line| if line.is_empty() { end.to_owned() } else { format!("{blank}{line}{end}") }).collect()
    };
    if lines.iter().any(|line| line.starts_with(['{', '['])) {
        return Err("qtool.yaml is written in brackets".into());
    }
    let value = |line: &str| line.strip_prefix(key)?.strip_prefix(':').map(|value| plain_value(value).to_owned());
    let Some((at, written)) = lines.iter().enumerate().find_map(|(at, line)| Some((at, value(line)?))) else {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        return Ok(format!("{text}{gap}{key}:{end}{}", entry(2)));
    };
    if !matches!(written.as_str(), "" | "{}" | "~" | "null") {
        return Err(format!("the {key} of qtool.yaml are written in one line").into());
    }
    let block = lines.get(at + 1..).unwrap_or_default();
    let length = block_length(block);
    let first = block.iter().take(length).find(|line| !is_blank(line) && !is_comment(line));
    let indent = first.map_or(2, |line| indent_of(line));
    let mut new: String = lines.get(..at).unwrap_or_default().concat();
    let line = lines.get(at).copied().unwrap_or_default();
    // What says that there are none.
    new.push_str(&if written.is_empty() { line.to_owned() } else { line.replacen(&written, "", 1) });
    for line in block.iter().take(length) {
        new.push_str(line);
    }
    if !new.ends_with('\n') {
        new.push_str(end);
    }
    new.push_str(&entry(indent));
    new.push_str(&block.get(length..).unwrap_or_default().concat());
    Ok(new)
}

/// How many lines belong to a block: up to the last that is indented. Blank lines and comments in front of the next key
/// are that key's.
fn block_length(lines: &[&str]) -> usize {
    let mut length = 0;
    for (at, line) in lines.iter().enumerate() {
        if is_blank(line) {
            continue;
        }
        if indent_of(line) == 0 {
            // A comment at the margin may stand between two tables.
            if is_comment(line) {
                continue;
            }
            break;
        }
        length = at + 1;
    }
    length
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The value behind a key, without a comment.
fn plain_value(value: &str) -> &str {
    let value = value.trim();
    match value.find('#') {
        Some(0) => "",
        _ => value.split(" #").next().unwrap_or(value).trim(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "t:\n  path: t.csv  # why\n";

    #[test]
    fn a_table_stands_behind_the_last_one_and_nothing_else_changes() {
        let text = "# head\nname: x\ntables: # all\n    a: { path: a.csv } # one\n\n    # b is old\n    b:\n        path: b.csv\n\n# limits\nlimits: {}\n";
        let expected = "# head\nname: x\ntables: # all\n    a: { path: a.csv } # one\n\n    # b is old\n    b:\n        path: b.csv\n    t:\n      path: t.csv  # why\n\n# limits\nlimits: {}\n";
        assert_eq!(with_table(text, ENTRY).unwrap(), expected);
    }

    #[test]
    fn the_first_table_brings_the_key() {
        let expected = "name: x\ntables:\n  t:\n    path: t.csv  # why\n";
        assert_eq!(with_table("name: x\n", ENTRY).unwrap(), expected);
        assert_eq!(with_table("name: x", ENTRY).unwrap(), expected);
        assert_eq!(with_table("name: x\ntables:\n", ENTRY).unwrap(), expected);
        let none = with_table("tables: {} # none yet\nname: x\n", ENTRY).unwrap();
        assert_eq!(none, "tables:  # none yet\n  t:\n    path: t.csv  # why\nname: x\n");
        assert_eq!(with_table("a: 1\r\n", "t:\n").unwrap(), "a: 1\r\ntables:\r\n  t:\r\n");
    }

    #[test]
    fn other_keys_take_entries_too() {
        let text = "name: x\nrecords:\n  a: { path: a }\ntables: {}\n";
        let expected = "name: x\nrecords:\n  a: { path: a }\n  b:\n    path: b\n\n    actor: c\ntables: {}\n";
        assert_eq!(with_entry(text, "records", "b:\n  path: b\n\n  actor: c\n").unwrap(), expected);
        assert!(with_entry("records: { a: {} }\n", "records", "b: {}\n").is_err());
    }

    #[test]
    fn brackets_are_left_alone() {
        assert!(with_table("tables: { a: { path: a.csv } }\n", ENTRY).is_err());
        assert!(with_table("{ name: x }\n", ENTRY).is_err());
    }
}
