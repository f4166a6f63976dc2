//! What is wrong with SQL of an agent, in words for it: the message and the place of each mistake, what was probably meant,
//! and the columns of the tables that it reads.

use super::project::NAME;
use crate::diagnostic::{Code, Diagnostic, Help};
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::project::Project;
use crate::source::Sources;
use crate::syntax::ParsedQuery;
use crate::tool::{DescribedTable, TableSet};

/// The parameter with the SQL.
const SQL: &str = "sql";
/// More mistakes than that are not told one by one.
const MOST_TOLD: usize = 3;
/// More columns than that are not told of a table.
const MOST_COLUMNS: usize = 60;
/// The longest text that is suggested in the place of another.
const LONGEST_EDIT: usize = 80;

/// A refusal of the whole text.
pub(super) fn refused(why: impl Into<String>) -> CallError {
    CallError::about(CallCode::InvalidArgument, SQL, format!("the argument `sql`: {}", why.into()))
}

/// All that is wrong with a text. `query` is what was read of it.
pub(super) fn told_diagnostics(
    errors: &[&Diagnostic],
    project: &Project,
    (set, query): (&TableSet, Option<&ParsedQuery>),
) -> CallError {
    let told: Vec<String> = errors.iter().take(MOST_TOLD).map(|one| told_diagnostic(one, &project.sources)).collect();
    let more = errors.len().saturating_sub(MOST_TOLD);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let error = refused(format!("{}{more}", told.join("; ")));
    let mut hints: Vec<String> = errors.iter().take(MOST_TOLD).filter_map(|one| meant(one)).collect();
    let has = |code: Code| errors.iter().any(|one| one.code == code);
    if has(Code::UnknownTable) {
        let names: Vec<&str> = set.described.iter().map(|table| table.name.as_str()).collect();
        hints.push(format!("the tables are {}", names.join(", ")));
    }
    if has(Code::UnknownColumn) || has(Code::AmbiguousColumn) {
        hints.extend(read_tables(set, query).map(columns_of_table));
    }
    hints.dedup();
    if hints.is_empty() { error } else { error.hint(hints.join("; ")) }
}

/// The message and its place, with facts that are none of a project's files.
fn told_diagnostic(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.primary.as_ref().and_then(|label| {
        let location = sources.get(label.span.file)?.location(label.span.start);
        Some(format!(" (line {}, column {})", location.line, location.column))
    });
    let notes = diagnostic.notes.iter().filter(|note| !is_of_files(note)).map(|note| format!(", {note}"));
    format!("{}{}{}", diagnostic.message, place.unwrap_or_default(), notes.collect::<String>())
}

/// What was probably meant. Suggestions without an edit are for authors, who have files to write into.
fn meant(diagnostic: &Diagnostic) -> Option<String> {
    let edit = |help: &Help| match help.edits.as_slice() {
        [edit] if !edit.replacement.trim().is_empty() && edit.replacement.chars().count() <= LONGEST_EDIT => {
            Some(edit.replacement.trim().to_owned())
        }
        _ => None,
    };
    let replacement = diagnostic.helps.iter().filter(|help| !is_of_files(&help.text)).find_map(edit)?;
    (!is_of_files(&replacement)).then(|| format!("did you mean `{replacement}`?"))
}

/// Whether words are about the files of a project, which an agent has not, or about its placeholders.
fn is_of_files(words: &str) -> bool {
    ["qtool", "header", ".sql", ".yaml", "<<", NAME].iter().any(|word| words.contains(word))
}

/// The tables of the set that a text reads; all of them where that is not known.
fn read_tables<'a>(set: &'a TableSet, query: Option<&ParsedQuery>) -> impl Iterator<Item = &'a DescribedTable> {
    let named: Vec<String> =
        query.iter().flat_map(|query| &query.references).map(|reference| reference.query.clone()).collect();
    set.described.iter().filter(move |table| named.is_empty() || named.contains(&table.name))
}

fn columns_of_table(table: &DescribedTable) -> String {
    let names: Vec<&str> = table.column_names().take(MOST_COLUMNS).collect();
    let more = if table.columns.len() > MOST_COLUMNS { ", …" } else { "" };
    format!("table `{}` has {}{more}", table.name, names.join(", "))
}
