//! What is written of a table, with the reason of each line.

use super::{Renames, Told, Wanted, columns};
use crate::engine::tables::sniff::{ColumnGuess, Guess, usable_names};
use crate::project::OnError;
use crate::workspace::Added;
use serde_json::{Value, json};

/// How many columns a summary shows.
const SHOWN: usize = 30;

/// How many names a summary shows.
const RENAMES: usize = 6;

/// A table of `qtool.yaml` that is to be written.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    name: String,
    path: String,
    settings: Vec<Line>,
    renames: Vec<Line>,
    columns: Vec<ColumnGuess>,
    key: Option<(String, String)>,
    remarks: Vec<String>,
}

/// A key, its value and the reason.
#[derive(Debug, Clone)]
struct Line {
    key: String,
    value: Value,
    why: String,
}

impl Entry {
    pub(super) fn new(wanted: &Wanted, guess: &Guess, on_error: Option<OnError>) -> Entry {
        let line = |key: &str, value: Value, why: &str| Line { key: key.to_owned(), value, why: why.to_owned() };
        let mut settings = Vec::new();
        if let Some((format, why)) = &wanted.format {
            settings.push(line("format", json!(format), why));
        }
        settings.extend(guess.settings.iter().map(|setting| line(setting.key, setting.value.clone(), &setting.why)));
        if let Some(on_error) = on_error {
            settings.push(line("on_error", json!(on_error), "asked for; results say how many there are"));
        }
        Entry {
            name: wanted.name.clone(),
            path: wanted.path.clone(),
            settings,
            renames: Vec::new(),
            columns: guess.columns.clone(),
            key: guess.key.clone(),
            remarks: guess.remarks.clone(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The column that tells rows apart.
    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|(column, _)| self.renamed(column))
    }

    /// Takes the column that all rows of the table were found to differ in, where none is known; whether it does.
    pub(super) fn take_key(&mut self, added: &Added) -> bool {
        let Some((column, rows)) = added.key.as_ref().filter(|_| self.key.is_none()) else { return false };
        let in_data = self.renames.iter().find(|line| line.value.as_str() == Some(column));
        let in_data = in_data.map_or(column, |line| &line.key);
        self.key = Some((in_data.clone(), format!("different in each of the {rows} rows")));
        true
    }

    /// What was noticed of the data.
    pub(super) fn remarks(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().map(String::as_str)
    }

    /// Gives columns of the data other names; whether any gets one.
    pub(super) fn rename(&mut self, names: &[String], renames: Renames) -> bool {
        for (old, new) in names.iter().zip(usable_names(names)) {
            let numbered = old.rsplit_once('#').filter(|(_, number)| number.parse::<u32>().is_ok());
            let why = match numbered {
                Some(("", _)) => "it has no name in the data",
                Some((twice, _)) if names.iter().any(|name| name == twice) => "another column has its name",
                _ if *old == new || renames == Renames::Needed => continue,
                _ => "its name would need quotes in SQL",
            };
            self.renames.push(Line { key: old.clone(), value: json!(new), why: why.to_owned() });
        }
        !self.renames.is_empty()
    }

    /// The name in the table of a column of the data.
    fn renamed<'a>(&'a self, column: &'a str) -> &'a str {
        let renamed = self.renames.iter().find(|line| line.key == column).and_then(|line| line.value.as_str());
        renamed.unwrap_or(column)
    }

    /// The lines of `qtool.yaml`.
    pub(super) fn block(&self) -> String {
        // What was typed is a path, and none with variables in it.
        let path = self.path.replace("${", "$${");
        let mut out = format!("{}:\n  path: {}\n", yaml(&json!(self.name)), yaml(&json!(path)));
        for line in &self.settings {
            out.push_str(&format!("  {}: {}  # {}\n", line.key, yaml(&line.value), comment(&line.why)));
        }
        if !self.renames.is_empty() {
            out.push_str("  rename:\n");
        }
        for line in &self.renames {
            let key = yaml(&json!(line.key));
            out.push_str(&format!("    {key}: {}  # {}\n", yaml(&line.value), comment(&line.why)));
        }
        for column in self.columns.iter().filter(|column| column.ty.is_none()) {
            out.push_str(&format!("  # {}: {}\n", comment(self.renamed(&column.name)), comment(&column.why)));
        }
        let mut typed = self.columns.iter().filter_map(|column| Some((column, column.ty.as_ref()?))).peekable();
        if typed.peek().is_some() {
            out.push_str("  columns:\n");
        }
        for (column, ty) in typed {
            let name = yaml(&json!(self.renamed(&column.name)));
            out.push_str(&format!("    {name}: {}  # {}\n", yaml(&json!(ty)), comment(&column.why)));
        }
        if let Some((column, why)) = &self.key {
            out.push_str(&format!("  primary_key: [{}]  # {}\n", yaml(&json!(self.renamed(column))), comment(why)));
        }
        out
    }

    /// What is told of a table that was added, in lines of that width.
    pub(super) fn summary(&self, added: &Added, width: Option<usize>, told: Told) -> String {
        let what = if told == Told::WouldBe { "would add" } else { "added" };
        let mut out = format!("{what} table {}, of {}: {}\n", self.name, self.path, columns(added));
        if told == Told::WouldBe {
            out.push('\n');
            out.push_str(&self.block());
        }
        for (what, why) in self.decisions().iter().filter(|_| told == Told::Was) {
            out.push_str(&wrapped(&format!("- {what}: {why}"), width));
        }
        for remark in self.remarks().map(str::to_owned).chain(added.note.clone()) {
            out.push_str(&wrapped(&format!("- note: {remark}"), width));
        }
        out.push('\n');
        let shown = added.table.columns.iter().take(SHOWN);
        let longest = shown.clone().map(|column| column.name.chars().count()).max().unwrap_or(0);
        for column in shown {
            let ty = column.ty().map_or_else(|| column.arrow.to_string(), |ty| ty.to_string());
            out.push_str(&format!("  {:longest$}  {ty}\n", column.name));
        }
        if added.table.columns.len() > SHOWN {
            out.push_str(&format!("  and {} more\n", added.table.columns.len() - SHOWN));
        }
        out
    }

    /// Every decision as it is said, with its reason.
    fn decisions(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        for line in &self.settings {
            all.push((format!("{} {}", line.key, yaml(&line.value)), line.why.clone()));
        }
        for line in self.renames.iter().take(RENAMES) {
            all.push((format!("rename {} to {}", yaml(&json!(line.key)), yaml(&line.value)), line.why.clone()));
        }
        if let Some(more) = self.renames.len().checked_sub(RENAMES).filter(|more| *more > 0) {
            all.push((format!("rename {more} more"), "see `rename` in qtool.yaml".to_owned()));
        }
        for column in &self.columns {
            let ty = column.ty.as_ref().map(|ty| format!(" {ty}")).unwrap_or_default();
            all.push((format!("column {}{ty}", self.renamed(&column.name)), column.why.clone()));
        }
        if let Some((column, why)) = &self.key {
            all.push((format!("primary_key {}", self.renamed(column)), why.clone()));
        }
        all
    }
}

/// A text, a list of texts or anything else as YAML has it on one line.
pub(in crate::cli) fn yaml(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        other => other.to_string().chars().map(escaped).collect(),
    }
}

/// A sign of a text in quotes: what YAML does not take as it is, and blanks that nobody tells from others, by their number.
fn escaped(sign: char) -> String {
    let is_hidden = sign != ' ' && (sign.is_whitespace() || sign.is_control() || is_mark(sign));
    if is_hidden { format!("\\u{:04x}", u32::from(sign)) } else { sign.to_string() }
}

/// Whether a sign is none to be seen that is neither a blank nor a control character.
fn is_mark(sign: char) -> bool {
    matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether YAML takes a text without quotes for that text.
fn is_plain(text: &str) -> bool {
    const OTHERS: [&str; 12] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"];
    let is_plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.' | '/');
    text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
        && text.chars().all(is_plain)
        && !OTHERS.contains(&text.to_ascii_lowercase().as_str())
}

/// A reason on one line.
pub(in crate::cli) fn comment(why: &str) -> String {
    why.chars().map(|sign| if sign.is_control() || is_mark(sign) { ' ' } else { sign }).collect()
}

/// A line, cut at blanks where it is longer than the terminal is wide.
fn wrapped(line: &str, width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX).max(40);
    let (mut out, mut length) = (String::new(), 0);
    for word in comment(line).split(' ') {
        let next = word.chars().count() + 1;
        if length > 0 && length + next > width {
            out.push_str("\n ");
            length = 1;
        }
        if length > 0 {
            out.push(' ');
        }
        out.push_str(word);
        length += next;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_of_yaml() {
        let plain = [json!("data/a-b.csv"), json!("NA"), json!("größe")];
        assert!(plain.iter().all(|value| !yaml(value).contains('"')));
        let quoted =
            [json!(";"), json!("%d.%m.%Y"), json!("-"), json!("null"), json!("No"), json!("decimal(10,2)"), json!("7")];
        assert!(quoted.iter().all(|value| yaml(value).starts_with('"')));
        assert_eq!(yaml(&json!(["NA", "-"])), "[NA, \"-\"]");
        assert_eq!(yaml(&json!("\t")), "\"\\t\"");
        assert_eq!(yaml(&json!("\u{8d}a")), "\"\\u008da\"");
        assert_eq!(yaml(&json!("\u{202f}")), "\"\\u202f\"");
    }

    #[test]
    fn a_long_line_is_cut_at_blanks() {
        let line = "- a reason that is a good deal longer than forty signs are";
        assert_eq!(wrapped(line, Some(40)), "- a reason that is a good deal longer\n  than forty signs are\n");
        assert_eq!(wrapped(line, None), format!("{line}\n"));
    }
}
