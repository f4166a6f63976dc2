//! The query itself: another order of the rows, and other rows under the same contract.

use super::columns::Columns;
use super::parameters::Parameters;
use super::{Found, differing};
use crate::review::change::Kind;
use crate::review::sql::{Shape, ToolSql};
use crate::tool::Tool;
use std::collections::{BTreeMap, BTreeSet};

/// What explains differences of the statements.
pub(super) struct Known<'a> {
    pub(super) parameters: &'a Parameters,
    pub(super) columns: &'a Columns,
}

/// Compares the statements.
pub(super) fn compare(before: &Tool, after: &Tool, known: &Known<'_>, found: &mut Found<'_>) {
    // Most tools are as they were: nothing has to be read for that.
    let is_as_written = before.body == after.body;
    if is_as_written && before.contract.placeholders == after.contract.placeholders {
        return;
    }
    if before.source() != after.source() {
        let runs =
            |tool: &Tool| tool.source().map_or_else(|| "runs here".to_owned(), |source| format!("runs in {source}"));
        found.push_texts(Kind::QueryChanged, None, Some(&runs(before)), Some(&runs(after)));
        return;
    }
    let (old, new) = (ToolSql::of(before, &known.parameters.renamed), ToolSql::of(after, &BTreeMap::new()));
    if old.statement == new.statement && old.views == new.views {
        return;
    }
    let (mut was, is) =
        (Shape::of(&old.statement, before.contract.columns()), Shape::of(&new.statement, after.contract.columns()));
    for key in &mut was.order {
        rename(key, &known.columns.renamed);
    }
    order(&was.order, &is.order, found);
    let computed = computations(before, after, (&was, &is), known, found);
    rows((&old, &was), (&new, &is), known, computed, found);
}

/// A key of the order that is a column by its old name.
fn rename(key: &mut String, renamed: &BTreeMap<String, String>) {
    let (name, more) = key.split_once(' ').map_or((key.as_str(), None), |(name, more)| (name, Some(more)));
    let new = renamed.get(name.trim_matches('"'));
    *key = match (new, more) {
        (Some(new), Some(more)) => format!("{new} {more}"),
        (Some(new), None) => new.clone(),
        (None, _) => return,
    };
}

fn order(before: &[String], after: &[String], found: &mut Found<'_>) {
    if before == after {
        return;
    }
    // `ASC` is what nothing means.
    let plain = |keys: &[String]| -> Vec<String> {
        keys.iter().map(|key| key.strip_suffix(" ASC").unwrap_or(key).to_owned()).collect()
    };
    let (old, new) = (plain(before), plain(after));
    let kind = match (new.starts_with(&old), old.starts_with(&new)) {
        (true, true) => Kind::SpellingChanged,
        (true, false) => Kind::OrderRefined,
        (false, true) => Kind::OrderLoosened,
        (false, false) => Kind::OrderChanged,
    };
    let list = |keys: &[String]| (!keys.is_empty()).then(|| keys.join(", "));
    let subject = (kind == Kind::SpellingChanged).then_some("order");
    found.push_texts(kind, subject, list(before).as_deref(), list(after).as_deref());
}

/// Columns that are there before and after, of the same type, from something else. Whether the columns could be told
/// apart.
fn computations(
    before: &Tool,
    after: &Tool,
    (was, is): (&Shape, &Shape),
    known: &Known<'_>,
    found: &mut Found<'_>,
) -> bool {
    if was.computed.is_empty() || is.computed.is_empty() {
        return false;
    }
    let new_name = |name: &String| known.columns.renamed.get(name).unwrap_or(name).clone();
    let old: BTreeMap<String, _> = before
        .contract
        .columns()
        .iter()
        .zip(&was.computed)
        .map(|(column, from)| (new_name(&column.name), (column, from)))
        .collect();
    for (column, from) in after.contract.columns().iter().zip(&is.computed) {
        let Some((old, was)) = old.get(&column.name) else { continue };
        // Another type or nullability says it already.
        let is_told = old.ty != column.ty || old.nullable != column.nullable;
        if *was != from && !is_told {
            found.push_texts(Kind::ComputationChanged, Some(&column.name), Some(was.as_str()), Some(from.as_str()));
        }
    }
    true
}

/// Whether other rows are found, beside what new and old parameters say.
fn rows(
    (old, was): (&ToolSql, &Shape),
    (new, is): (&ToolSql, &Shape),
    known: &Known<'_>,
    computed: bool,
    found: &mut Found<'_>,
) {
    let others = &known.parameters.others;
    let conditions = |shape: &Shape| -> BTreeSet<String> {
        // `WHERE true` is what optional clauses hang on.
        let counts = |one: &&String| !mentions(one, others) && *one != "where true";
        shape.conditions.iter().filter(counts).cloned().collect()
    };
    let (asked, asks) = (conditions(was), conditions(is));
    if asked != asks {
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            let text = one.difference(other).cloned().collect::<Vec<_>>().join(" and ");
            (!text.is_empty()).then_some(text)
        };
        found.push_texts(Kind::QueryChanged, None, only(&asked, &asks).as_deref(), only(&asks, &asked).as_deref());
        return;
    }
    // Where columns cannot be told apart, new ones are part of the rest.
    let is_told = !computed && known.columns.differ;
    if was.rest != is.rest && !is_told {
        found.push(Kind::QueryChanged, None, differing(Some(&was.rest), Some(&is.rest)));
    } else if old.views != new.views {
        let view = |sql: &ToolSql, other: &ToolSql| {
            let view = sql.views.iter().find(|view| !other.views.contains(view));
            view.map(|(name, statement)| format!("{name}: {statement}"))
        };
        let (was, is) = (view(old, new), view(new, old));
        found.push_texts(Kind::QueryChanged, None, was.as_deref(), is.as_deref());
    } else if old.statement != new.statement && found.changes.is_empty() {
        // Nothing that has a name: the order of conditions, say.
        let (was, is) = differing(Some(&old.statement), Some(&new.statement));
        found.push(Kind::SpellingChanged, Some("query"), (was, is));
    }
}

fn mentions(condition: &str, parameters: &BTreeSet<String>) -> bool {
    let words = condition.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    words.filter_map(|word| word.strip_prefix('$')).any(|name| parameters.contains(name))
}
