//! What a tool over records holds to: who may write which field, who a caller without a token is, what tells records apart.
//!
//! Types and allowed values are those of its parameters, and are compared there.

use super::Found;
use crate::project::{Property, RecordContract, RecordToolKind};
use crate::review::change::Kind;
use crate::tool::{DerivedQuery, RecordSet, Tool};
use std::collections::BTreeMap;

/// Compares what is done with records, and by which contract.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let (old, new) = (before.record_set(), after.record_set());
    if old == new {
        return;
    }
    let what = |set: Option<&RecordSet>| set.map_or("does nothing with records".to_owned(), of_what);
    let (Some(old), Some(new)) = (old, new) else {
        found.push_values(Kind::QueryChanged, None, &what(old), &what(new));
        return;
    };
    let told = found.changes.len();
    if of_what(old) != of_what(new) {
        found.push_values(Kind::QueryChanged, None, &of_what(old), &of_what(new));
    }
    if old.actor != new.actor && new.acts.writes() {
        let who = |set: &RecordSet| set.actor.clone().unwrap_or_else(|| "nobody".to_owned());
        found.push_values(Kind::ActorChanged, None, &who(old), &who(new));
    }
    let (was, is) = (&old.contract, &new.contract);
    match new.acts {
        RecordToolKind::Upsert => {
            compare_key(was, is, found);
            compare_fields(was, is, found);
        }
        RecordToolKind::Delete | RecordToolKind::List | RecordToolKind::History => compare_key(was, is, found),
        RecordToolKind::Get | RecordToolKind::GetContract | RecordToolKind::Query => {
            compare_key(was, is, found);
            compare_forms(was, is, found);
        }
        RecordToolKind::Materialize | RecordToolKind::Status => {
            compare_key(was, is, found);
            compare_makers(old, new, found);
        }
    }
    if found.changes.len() == told {
        // The rest changes nothing of what this tool does: names, versions, descriptions, what others may write.
        let text = |set: &RecordSet| serde_json::to_string(set).unwrap_or_default();
        found.push_texts(Kind::DescriptionChanged, None, Some(&text(old)), Some(&text(new)));
    }
}

fn of_what(set: &RecordSet) -> String {
    format!("{} of {}", set.acts.as_str(), set.folder)
}

fn compare_key(old: &RecordContract, new: &RecordContract, found: &mut Found<'_>) {
    let key = |contract: &RecordContract| contract.key().map_or("nothing", |key| key.name.as_str()).to_owned();
    if key(old) != key(new) {
        found.push_values(Kind::RecordKeyChanged, None, &key(old), &key(new));
    }
}

/// What must be written, and by whom it may be.
fn compare_fields(old: &RecordContract, new: &RecordContract, found: &mut Found<'_>) {
    for property in new.properties() {
        let was = old.property(&property.name);
        let is_needed = |property: &Property| property.required && !property.derived;
        match (was.is_some_and(is_needed), is_needed(property)) {
            (false, true) => found.push(Kind::FieldRequired, Some(&property.name), (None, None)),
            (true, false) => found.push(Kind::FieldOptional, Some(&property.name), (None, None)),
            _ => {}
        }
        let Some(was) = was else { continue };
        if writers(was) != writers(property) {
            found.push_values(Kind::WritersChanged, Some(&property.name), &writers(was), &writers(property));
        }
    }
}

/// The fields that there are, and what their values are.
fn compare_forms(old: &RecordContract, new: &RecordContract, found: &mut Found<'_>) {
    for property in new.properties() {
        let Some(was) = old.property(&property.name) else { continue };
        let form = |property: &Property| {
            let allowed = property.allowed.as_ref().map(|texts| format!(", one of {}", texts.join(", ")));
            let made =
                if property.derived { format!(", made of {}", property.inputs.join(", ")) } else { String::new() };
            let ty = serde_json::to_value(property.logical_type).unwrap_or_default();
            format!("{}{}{made}", ty.as_str().unwrap_or_default(), allowed.unwrap_or_default())
        };
        if form(was) != form(property) {
            let told = |property: &Property| format!("{} {}", property.name, form(property));
            found.push_values(Kind::QueryChanged, Some(&property.name), &told(was), &told(property));
        }
    }
    let names = |contract: &RecordContract| -> String {
        contract.properties().iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if names(old) != names(new) {
        found.push_texts(Kind::QueryChanged, None, Some(&names(old)), Some(&names(new)));
    }
}

/// How derived fields are made.
fn compare_makers(old: &RecordSet, new: &RecordSet, found: &mut Found<'_>) {
    let makers = |set: &RecordSet| -> BTreeMap<String, String> {
        let each = set.derivations.iter().flat_map(|one| {
            let statement = one.query.as_ref().map(|query| format!(": {}", what_runs(query)));
            let of = one.derivation.inputs.join(", ");
            let told = format!("{} of ({of}){}", one.derivation.kind.as_str(), statement.unwrap_or_default());
            // What a file says beside that is in its hash.
            let is_other = (told, one.derivation.digest.clone());
            one.derivation
                .targets
                .iter()
                .map(move |target| (target.clone(), format!("{} [{:.12}]", is_other.0, is_other.1)))
        });
        each.collect()
    };
    let (was, is) = (makers(old), makers(new));
    for target in was.keys().chain(is.keys().filter(|target| !was.contains_key(*target))) {
        let (was, is) = (was.get(target), is.get(target));
        if was != is {
            found.push_texts(Kind::QueryChanged, Some(target), was.map(String::as_str), is.map(String::as_str));
        }
    }
}

/// What gives a value: the statement, what a manifest runs, or what a model is asked.
fn what_runs(query: &DerivedQuery) -> String {
    let text = |value: serde_json::Result<String>| value.unwrap_or_default();
    match (&query.model, query.tool.statement().trim()) {
        (Some(model), _) => text(serde_json::to_string(model)),
        (None, "") => format!("{} {}", query.tool.contract.name, text(serde_json::to_string(&query.tool.body))),
        (None, statement) => statement.to_owned(),
    }
}

/// Who may write a field, in words.
fn writers(property: &Property) -> String {
    match &property.editable_by {
        Some(patterns) if !patterns.is_empty() => patterns.join(", "),
        Some(_) => "nobody".to_owned(),
        None if property.derived => "nobody".to_owned(),
        None => "everybody".to_owned(),
    }
}
