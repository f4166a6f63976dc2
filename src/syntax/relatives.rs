//! What a query file takes from others by its header: the header that it `extends`, and the name that is left where another
//! version of the same tool is newer.

use super::header;
use crate::diagnostic::Diagnostics;
use crate::name::version::{compared_versions, version_numbers, versioned_name};
use crate::name::{nearest, snake_case};
use crate::project::{BaseQuery, QueryFile, QueryForm};
use crate::source::Sources;
use crate::yaml::Document;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::HashMap;

/// What a header says of its relatives.
struct Said {
    name: String,
    version: Option<String>,
    extends: Option<String>,
}

/// Finds the relatives of all query files.
pub fn find_relatives(queries: &mut [QueryFile], sources: &Sources) {
    let said: Vec<Said> = queries.iter().map(|query| said(query, sources)).collect();
    for (at, name) in older_versions(&said) {
        queries.get_mut(at).into_iter().for_each(|query| query.relatives.name = Some(name.clone()));
    }
    if said.iter().all(|one| one.extends.is_none()) {
        return;
    }
    let plain: Vec<QueryFile> = queries.to_vec();
    for (at, query) in queries.iter_mut().enumerate() {
        if said.get(at).is_some_and(|one| one.extends.is_some()) {
            query.relatives.base = Some(base_of(at, &plain, &said));
        }
    }
}

/// The query that one extends, with those that it extends itself.
fn base_of(at: usize, queries: &[QueryFile], said: &[Said]) -> BaseQuery {
    let (mut chain, mut last) = (Vec::new(), at);
    while let Some(wanted) = said.get(last).and_then(|one| one.extends.as_deref()) {
        let wanted = snake_case(wanted);
        // The newest of several versions has the plain name.
        let name = |place: usize| queries.get(place).and_then(|query| query.relatives.name.as_ref());
        // A manifest has no header that another could take over.
        let is_sql = |place: usize| queries.get(place).is_some_and(|query| query.form == QueryForm::Sql);
        let is_it = |(place, one): &(usize, &Said)| is_sql(*place) && name(*place).unwrap_or(&one.name) == &wanted;
        let Some((place, _)) = said.iter().enumerate().find(is_it) else {
            let names = said.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, one)| one.name.as_str());
            return BaseQuery::Missing(nearest(&wanted, names).map(str::to_owned));
        };
        if place == at || chain.contains(&place) {
            return BaseQuery::Circular;
        }
        chain.push(place);
        last = place;
    }
    BaseQuery::Found(chain.into_iter().filter_map(|place| queries.get(place)).cloned().collect())
}

/// The queries that have the name of a newer one, with the names that are left for them. Versions that cannot be told
/// apart are left to be reported.
fn older_versions(said: &[Said]) -> Vec<(usize, String)> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, one) in said.iter().enumerate() {
        by_name.entry(&one.name).or_default().push(at);
    }
    let mut older = Vec::new();
    for (name, places) in by_name.iter().filter(|(_, places)| places.len() > 1) {
        let version = |at: &usize| said.get(*at).and_then(|one| Some((one.version.clone()?, *at)));
        let Some(mut versions) = places.iter().map(version).collect::<Option<Vec<_>>>() else { continue };
        if versions.iter().any(|(version, _)| version_numbers(version).is_none()) {
            continue;
        }
        versions.sort_by(|(one, _), (other, _)| compared_versions(one, other));
        let is_equal = |pair: &[(String, usize)]| matches!(pair, [(one, _), (other, _)] if compared_versions(one, other) == Ordering::Equal);
        if versions.windows(2).any(is_equal) {
            continue;
        }
        versions.pop();
        older.extend(versions.into_iter().map(|(version, at)| (at, versioned_name(name, &version))));
    }
    older
}

/// What a header and the sidecar say; as far as that can be told of a file with errors.
fn said(query: &QueryFile, sources: &Sources) -> Said {
    let text = |document: &Option<Document>, key: &str| match document.as_ref()?.value.get(key)? {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    let document = document_of(query, sources);
    let name = text(&document, "name").unwrap_or_else(|| query.stem.clone());
    Said { name: snake_case(&name), version: text(&document, "version"), extends: text(&document, "extends") }
}

/// The document of a query whose header is of interest here.
fn document_of(query: &QueryFile, sources: &Sources) -> Option<Document> {
    let mut unheard = Diagnostics::default();
    let file = sources.get(query.file)?;
    let yaml = header::yaml_of(query, file, &mut unheard)?;
    let beside = query.sidecar.and_then(|id| sources.get(id));
    // Most say none of it, and this is asked of every file.
    let texts = [Some(file.slice(yaml)), beside.map(|beside| beside.text.as_ref())];
    let is_of_interest = |text: &&str| ["name", "version", "extends"].iter().any(|key| text.contains(key));
    if !texts.iter().flatten().any(is_of_interest) {
        return None;
    }
    header::document(query, yaml, sources, &mut unheard)
}
