//! What is different between two sets of tools, change by change, in the terms of [`super::change`].
//!
//! Tools are compared as they are published and executed. Two sets without a change between them have the same
//! snapshots: how a statement is laid out is no change.

mod behaviour;
mod changes;
mod columns;
mod constraints;
mod native;
mod offers;
mod parameters;
mod policies;
mod programs;
mod query;
mod records;
mod shown;
mod tables;
mod texts;
mod types;
mod upstreams;

use super::change::{Change, Kind, Of};
use super::on_large_stack;
use super::sql::ToolSql;
use crate::tool::{Offered, Tool};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a project offers: its tools, each name once, and what it passes on of other servers, each once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contract {
    /// The tools, in any order.
    pub tools: Vec<Tool>,
    /// What is passed on of other servers beside their tools, in any order.
    pub offered: Vec<Offered>,
}

impl Contract {
    fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.contract.name == name)
    }
}

/// All changes, by tool and there the heaviest first.
pub fn compare(before: &Contract, after: &Contract) -> Vec<Change> {
    on_large_stack(|| {
        let mut all = Vec::new();
        let mut removed: Vec<&Tool> =
            before.tools.iter().filter(|tool| after.get(&tool.contract.name).is_none()).collect();
        for tool in &after.tools {
            match before.get(&tool.contract.name).or_else(|| renamed(tool, &mut removed)) {
                Some(old) => all.extend(compare_tools(old, tool)),
                None => {
                    all.push(Change::new(Kind::ToolAdded, &tool.contract.name, Of::default()));
                    all.extend(texts::flagged(None, &tool.contract));
                    all.extend(shown::by_new_tool(tool));
                    all.extend(changes::by_new_tool(tool));
                    let mut found = Found { tool: &tool.contract.name, changes: Vec::new() };
                    programs::by_new_tool(tool, &mut found);
                    all.extend(found.changes);
                }
            }
        }
        all.extend(offers::compare(&before.offered, &after.offered));
        all.extend(removed.iter().map(|tool| Change::new(Kind::ToolRemoved, &tool.contract.name, Of::default())));
        all.sort_by(|a, b| (&a.tool, a.class, a.kind, &a.subject).cmp(&(&b.tool, b.class, b.kind, &b.subject)));
        all.dedup();
        all
    })
}

/// The tool that was removed and is there again under another name: it runs the same statements and returns the same
/// columns.
fn renamed<'a>(tool: &Tool, removed: &mut Vec<&'a Tool>) -> Option<&'a Tool> {
    if tool.contract.schema().is_some() {
        return None;
    }
    let none = BTreeMap::new();
    let sql = ToolSql::of(tool, &none);
    let is_same = |old: &&Tool| {
        let has_its_columns = old.contract.columns() == tool.contract.columns();
        has_its_columns
            && old.table_set() == tool.table_set()
            && old.record_set() == tool.record_set()
            && (!tool.is_foreign() || old.body == tool.body)
            && ToolSql::of(old, &none) == sql
    };
    let at = removed.iter().position(is_same)?;
    Some(removed.remove(at))
}

fn compare_tools(before: &Tool, after: &Tool) -> Vec<Change> {
    let mut found = Found { tool: &after.contract.name, changes: Vec::new() };
    if before.contract.name != after.contract.name {
        found.push(Kind::ToolRenamed, None, (Some(before.contract.name.clone()), Some(after.contract.name.clone())));
    }
    changes::compare(before, after, &mut found);
    let parameters = parameters::compare(before, after, &mut found);
    policies::compare(&before.contract, &after.contract, &mut found);
    shown::compare(before, after, &mut found);
    native::compare(&before.contract, &after.contract, &mut found);
    let columns = columns::compare(before, after, &mut found);
    query::compare(before, after, &query::Known { parameters: &parameters, columns: &columns }, &mut found);
    tables::compare(before, after, &mut found);
    records::compare(before, after, &mut found);
    programs::compare(before, after, &mut found);
    upstreams::compare(before, after, &mut found);
    behaviour::compare(&before.contract, &after.contract, &mut found);
    texts::compare(&before.contract, &after.contract, &mut found);
    found.changes.extend(texts::flagged(Some(&before.contract), &after.contract));
    found.changes
}

/// What was found of one tool.
struct Found<'a> {
    tool: &'a str,
    changes: Vec<Change>,
}

impl Found<'_> {
    fn push(&mut self, kind: Kind, subject: Option<&str>, (before, after): (Option<String>, Option<String>)) {
        let of = Of { subject: subject.map(str::to_owned), before, after };
        self.changes.push(Change::new(kind, self.tool, of));
    }

    /// A change of a text: both shortened to where they differ.
    fn push_texts(&mut self, kind: Kind, subject: Option<&str>, before: Option<&str>, after: Option<&str>) {
        self.push(kind, subject, differing(before, after));
    }

    /// A change of anything that prints.
    fn push_values<T: ToString>(&mut self, kind: Kind, subject: Option<&str>, before: &T, after: &T) {
        self.push_texts(kind, subject, Some(&before.to_string()), Some(&after.to_string()));
    }
}

/// The most characters of what was, and of what is.
const MAX_SHOWN: usize = 100;

/// Two texts on one line each, cut to where they differ.
fn differing(before: Option<&str>, after: Option<&str>) -> (Option<String>, Option<String>) {
    let lines = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, after) = (before.map(lines), after.map(lines));
    let long = |text: &Option<String>| text.as_ref().is_some_and(|text| text.chars().count() > MAX_SHOWN);
    let same = match (&before, &after) {
        (Some(before), Some(after)) if long(&Some(before.clone())) || long(&Some(after.clone())) => {
            before.chars().zip(after.chars()).take_while(|(before, after)| before == after).count()
        }
        _ => 0,
    };
    // A few words before the difference say where it is.
    let skipped = same.saturating_sub(MAX_SHOWN / 3);
    let cut = |text: String| {
        let kept: String = text.chars().skip(skipped).take(MAX_SHOWN).collect();
        let (head, tail) = (skipped > 0, text.chars().count() > skipped + MAX_SHOWN);
        format!("{}{kept}{}", if head { "…" } else { "" }, if tail { "…" } else { "" })
    };
    (before.map(cut), after.map(cut))
}

/// A value as a change shows it: texts without quotes.
fn plain_value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Equality of values as JSON Schema has it: 1.0 is 1.
fn is_same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests;
