//! What holds for every call: limits, formats, hints, conditions, and who may call.

use super::Found;
use crate::project::AutomaticParameter;
use crate::review::change::Kind;
use crate::review::sql::{canonical, named};
use crate::tool::{Annotations, Contract, ToolRule};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Compares what is said of all calls.
pub(super) fn compare(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    result_limit(before, after, found);
    default_limit(before, after, found);
    switch(before.count_total, after.count_total, [Kind::CountTotalEnabled, Kind::CountTotalDisabled], found);
    switch(before.strict, after.strict, [Kind::StrictEnabled, Kind::StrictDisabled], found);
    switch(before.ask, after.ask, [Kind::AskEnabled, Kind::AskDisabled], found);
    let kinds = [Kind::StructuredOutputEnabled, Kind::StructuredOutputDisabled];
    switch(before.structured_output, after.structured_output, kinds, found);
    if before.table_format != after.table_format {
        found.push(Kind::TableFormatChanged, None, texts(&before.table_format, &after.table_format));
    }
    if before.timeout != after.timeout {
        let is_less = after.timeout.0 < before.timeout.0;
        let kind = if is_less { Kind::TimeoutLowered } else { Kind::TimeoutRaised };
        found.push(kind, None, texts(&before.timeout, &after.timeout));
    }
    most("max_bytes", (before.max_bytes, after.max_bytes), found);
    most("calls_per_second", (before.calls_per_second, after.calls_per_second), found);
    if before.cache_ttl != after.cache_ttl {
        found.push(Kind::CacheChanged, None, texts(&before.cache_ttl, &after.cache_ttl));
    }
    automatic(before, after, found);
    scopes(before, after, found);
    annotations(before.annotations, after.annotations, found);
    rules(before, after, found);
    tables(before, after, found);
}

/// What calls may take of something. Where a tool says nothing of it, the server does, which is not compared: to say
/// something is to allow less, and to say nothing to allow more.
fn most<T: Serialize + PartialOrd + Copy>(what: &str, (before, after): (Option<T>, Option<T>), found: &mut Found<'_>) {
    if before == after {
        return;
    }
    let is_less = match (before, after) {
        (Some(before), Some(after)) => after < before,
        (_, after) => after.is_some(),
    };
    let kind = if is_less { Kind::LimitLowered } else { Kind::LimitRaised };
    found.push(kind, Some(what), texts(&before, &after));
}

fn result_limit(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    if before.result_limit == after.result_limit {
        return;
    }
    let rows = |tool: &Contract| tool.result_limit.rows().unwrap_or(u64::MAX);
    let kind = if rows(after) < rows(before) { Kind::ResultLimitLowered } else { Kind::ResultLimitRaised };
    found.push(kind, None, texts(&before.result_limit, &after.result_limit));
}

/// Only what the author says of it: where nothing is said, it follows the result limit.
fn default_limit(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    if before.default_limit == after.default_limit {
        return;
    }
    let most = |tool: &Contract| tool.result_limit.rows().unwrap_or(u64::MAX);
    // The new limits of all results are told by themselves: what counts is what is asked for.
    let usual = |limit: Option<u64>| limit.unwrap_or(u64::MAX).min(most(before).max(most(after)));
    let (old, new) = (usual(before.default_limit), usual(after.default_limit));
    let kind = match new.cmp(&old) {
        std::cmp::Ordering::Less => Kind::DefaultLimitLowered,
        std::cmp::Ordering::Equal => Kind::SpellingChanged,
        std::cmp::Ordering::Greater => Kind::DefaultLimitRaised,
    };
    let shown = |tool: &Contract| {
        tool.default_limit.map_or_else(|| shown_value(&tool.result_limit), |limit| Some(limit.to_string()))
    };
    found.push(kind, (kind == Kind::SpellingChanged).then_some("default_limit"), (shown(before), shown(after)));
}

fn switch(before: bool, after: bool, [on, off]: [Kind; 2], found: &mut Found<'_>) {
    if before != after {
        found.push(if after { on } else { off }, None, texts(&before, &after));
    }
}

fn automatic(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    let name = |one: &AutomaticParameter| shown_value(one);
    for one in before.expose.iter().filter(|one| !after.expose.contains(one)) {
        found.push(Kind::AutomaticParameterRemoved, name(one).as_deref(), (None, None));
    }
    for one in after.expose.iter().filter(|one| !before.expose.contains(one)) {
        found.push(Kind::AutomaticParameterAdded, name(one).as_deref(), (None, None));
    }
    listed_otherwise("expose", &before.expose, &after.expose, found);
}

/// The same things in another order.
fn listed_otherwise<T: Serialize + PartialEq>(what: &str, before: &[T], after: &[T], found: &mut Found<'_>) {
    let is_same_set = before.iter().all(|one| after.contains(one)) && after.iter().all(|one| before.contains(one));
    if before != after && is_same_set {
        let list = |all: &[T]| Some(all.iter().filter_map(shown_value).collect::<Vec<_>>().join(", "));
        found.push(Kind::SpellingChanged, Some(what), (list(before), list(after)));
    }
}

fn scopes(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    for scope in before.scopes.iter().filter(|scope| !after.scopes.contains(scope)) {
        found.push(Kind::ScopeRemoved, Some(scope), (Some(scope.clone()), None));
    }
    for scope in after.scopes.iter().filter(|scope| !before.scopes.contains(scope)) {
        found.push(Kind::ScopeAdded, Some(scope), (None, Some(scope.clone())));
    }
    listed_otherwise("scopes", &before.scopes, &after.scopes, found);
}

/// Each hint with what promises more: MCP's `readOnlyHint` and `idempotentHint` where they are true, the others where
/// they are false.
fn annotations(before: Annotations, after: Annotations, found: &mut Found<'_>) {
    let hints = |of: Annotations| {
        let Annotations { read_only, destructive, idempotent, open_world } = of;
        [
            ("read_only", read_only, true),
            ("destructive", destructive, false),
            ("idempotent", idempotent, true),
            ("open_world", open_world, false),
        ]
    };
    for ((name, old, _), (_, new, best)) in hints(before).into_iter().zip(hints(after)) {
        if old != new {
            let kind = if new == best { Kind::AnnotationStrengthened } else { Kind::AnnotationWeakened };
            found.push(kind, Some(name), texts(&old, &new));
        }
    }
}

/// Conditions are known by what they check, else by what they say.
fn rules(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    if before.rules == after.rules && before.placeholders == after.placeholders {
        return;
    }
    let checks =
        |rule: &ToolRule, tool: &Contract| named(&canonical(&rule.statement), &tool.placeholders, &BTreeMap::new());
    let of = |tool: &Contract| -> Vec<(String, String)> {
        tool.rules.iter().map(|rule| (checks(rule, tool), rule.message.clone())).collect()
    };
    let (mut old, mut new) = (of(before), of(after));
    let order: Vec<_> = old.clone();
    let is_same_set = old.len() == new.len() && old.iter().all(|one| new.contains(one));
    if is_same_set {
        if order != new {
            let list = |rules: &[(String, String)]| {
                rules.iter().map(|(_, message)| message.as_str()).collect::<Vec<_>>().join("; ")
            };
            found.push_texts(Kind::SpellingChanged, Some("rules"), Some(&list(&old)), Some(&list(&new)));
        }
        return;
    }
    old.retain(|rule| match new.iter().position(|other| other == rule) {
        Some(at) => {
            new.remove(at);
            false
        }
        None => true,
    });
    for (check, message) in old {
        let words = condition(&check);
        if let Some(at) = new.iter().position(|(other, _)| *other == check) {
            let (_, told) = new.remove(at);
            found.push_texts(Kind::RuleMessageChanged, None, Some(&message), Some(&told));
        } else if let Some(at) = new.iter().position(|(_, told)| *told == message) {
            let (other, _) = new.remove(at);
            found.push_texts(Kind::RuleChanged, None, Some(&words), Some(&condition(&other)));
        } else {
            found.push_texts(Kind::RuleRemoved, None, Some(&words), None);
        }
    }
    for (check, _) in new {
        found.push_texts(Kind::RuleAdded, None, None, Some(&condition(&check)));
    }
}

/// `SELECT (a <= b) AS holds` → `a <= b`.
fn condition(statement: &str) -> String {
    let text = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let inner = text.strip_prefix("SELECT ").and_then(|text| text.strip_suffix(" AS holds"));
    let inner = inner.and_then(|text| text.strip_prefix('(')?.strip_suffix(')'));
    inner.map_or_else(|| text.clone(), str::to_owned)
}

fn tables(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    for table in before.tables.iter().filter(|table| !after.tables.contains(table)) {
        found.push(Kind::TableRemoved, Some(table), (Some(table.clone()), None));
    }
    for table in after.tables.iter().filter(|table| !before.tables.contains(table)) {
        found.push(Kind::TableAdded, Some(table), (None, Some(table.clone())));
    }
    listed_otherwise("tables", &before.tables, &after.tables, found);
}

fn texts<T: Serialize>(before: &T, after: &T) -> (Option<String>, Option<String>) {
    (shown_value(before), shown_value(after))
}

/// A setting as it is written in a header; nothing where it is absent.
fn shown_value<T: Serialize>(value: &T) -> Option<String> {
    match serde_json::to_value(value).ok()? {
        Value::Null => None,
        value => Some(super::plain_value(&value)),
    }
}
