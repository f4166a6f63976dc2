//! The files below `queries/`: queries, sidecars and tests, and those that look like one and are not. A sidecar that is
//! not read would take scopes and limits with it; the query that it seems to be meant for becomes no tool.

use super::files::Files;
use super::listing::{Found, list};
use super::misnamed::{self, Form};
use super::{QUERIES, TESTS, read};
use crate::diagnostic::{Diagnostics, codes};
use crate::name::near;
use crate::project::{QueryFile, QueryForm, Relatives};
use crate::source::{FileId, Sources};
use std::collections::{HashMap, HashSet};

const QUERY: &str = ".sql";
const SIDECAR: &str = ".yaml";

/// What is made of the files' names.
const FORMS: [Form; 3] = [
    Form { ending: TESTS, what: "a file of tests", like: &[".test.yml", ".tests.yaml", ".tests.yml"] },
    Form { ending: SIDECAR, what: "a sidecar", like: &[".sql.yaml", ".sql.yml", ".yaml.yaml", ".yml"] },
    Form { ending: QUERY, what: "a query file", like: &[] },
];

/// The query files, sorted by path; what cannot be read is reported and left out.
pub(super) fn queries(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<QueryFile> {
    let found = list(files, QUERIES, sink);
    let shown = found.iter().filter(|one| !one.is_hidden());
    let stems: Vec<&str> = shown.clone().filter_map(|one| one.stem(QUERY)).collect();
    let known: HashSet<&str> = stems.iter().copied().collect();
    let sidecars: HashMap<&str, &Found> = shown.clone().filter_map(|one| Some((one.stem(SIDECAR)?, one))).collect();
    let mut refused = HashSet::new();
    for one in found.iter().filter(|one| one.is_hidden() || !one.stem(SIDECAR).is_some_and(|stem| known.contains(stem)))
    {
        if let Some(misnamed) = misnamed(one, &stems, &|stem| sidecars.contains_key(stem)) {
            sink.push(codes::misnamed_file(&one.shown, &misnamed.why, misnamed.rename.as_deref()));
            refused.extend(misnamed.query);
        }
    }
    let mut queries = Vec::new();
    for one in shown {
        let Some(stem) = one.stem(QUERY) else { continue };
        let Some(file) = read(files, &one.path, sources, sink) else { continue };
        let beside = sidecars.get(stem);
        let sidecar = beside.and_then(|beside| read(files, &beside.path, sources, sink));
        // A sidecar that cannot be read may say anything.
        let is_refused = beside.is_some() && sidecar.is_none() || refused.contains(stem);
        queries.push(QueryFile {
            file,
            sidecar,
            is_refused,
            form: QueryForm::Sql,
            stem: stem.to_owned(),
            relatives: Relatives::default(),
        });
    }
    queries
}

/// The files of tests, sorted by path. What is wrong with folders is said where queries are read.
pub(super) fn tests_beside(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<FileId> {
    let found = list(files, QUERIES, &mut Diagnostics::default());
    let tests = found.iter().filter(|one| !one.is_hidden() && one.stem(TESTS).is_some());
    tests.filter_map(|one| read(files, &one.path, sources, sink)).collect()
}

/// A file that is not read.
struct Misnamed<'s> {
    why: String,
    rename: Option<String>,
    /// The query that it seems to hold settings of.
    query: Option<&'s str>,
}

/// What is wrong with a file's name, where it is nearly that of one that is read. `has_sidecar` is asked of a query.
fn misnamed<'s>(file: &Found, queries: &[&'s str], has_sidecar: &dyn Fn(&str) -> bool) -> Option<Misnamed<'s>> {
    if file.is_hidden() {
        // Nearly all that is hidden are files of editors.
        let cut = file.below.rfind('/').map_or(0, |slash| slash + 1);
        let (folder, name) = file.below.split_at_checked(cut)?;
        let bare = format!("{folder}{}", name.trim_start_matches('.'));
        let stem = bare.strip_suffix(SIDECAR).or_else(|| bare.strip_suffix(".yml"))?;
        let query = queries.iter().copied().find(|query| *query == stem)?;
        let rename = Some(file.renamed(&format!("{stem}{SIDECAR}")));
        return Some(Misnamed { why: "hidden files are not".to_owned(), rename, query: Some(query) });
    }
    if file.stem(TESTS).is_some() || file.stem(QUERY).is_some() {
        return None;
    }
    let Some((form, stem)) = misnamed::nearly(&file.below, &FORMS) else {
        // Of endings that may mean anything, only what lies beside its query is told.
        let stem = misnamed::settings(&file.below, has_sidecar)?;
        let query = stem.strip_suffix(".test").unwrap_or(&stem).to_lowercase();
        let query = queries.iter().copied().find(|one| one.to_lowercase() == query)?;
        return if stem.ends_with(".test") { tests(file, query) } else { sidecar(file, &stem, queries) };
    };
    if form.ending == SIDECAR {
        return sidecar(file, &stem, queries);
    }
    let why = format!("{} ends in `{}`", form.what, form.ending);
    Some(Misnamed { why, rename: Some(file.renamed(&format!("{stem}{}", form.ending))), query: None })
}

/// What is wrong with a file of tests in another ending. Without it the query is no other.
fn tests<'s>(file: &Found, query: &str) -> Option<Misnamed<'s>> {
    let form = FORMS.iter().find(|form| form.ending == TESTS)?;
    let why = format!("{} ends in `{TESTS}`", form.what);
    Some(Misnamed { why, rename: Some(file.renamed(&format!("{query}{TESTS}"))), query: None })
}

/// What is wrong with a file that is a sidecar, or nearly one. `stem` is the query that it names.
fn sidecar<'s>(file: &Found, stem: &str, queries: &[&'s str]) -> Option<Misnamed<'s>> {
    let query = meant(stem, queries);
    let rename = query.map(|query| file.renamed(&format!("{query}{SIDECAR}")));
    let why = match query {
        Some(query) if file.below == format!("{query}{SIDECAR}") => return None,
        Some(query) if query == stem => format!("a sidecar is called as its query and ends in `{SIDECAR}`"),
        _ => format!("it would be a sidecar, and there is no query `{}`", file.renamed(&format!("{stem}{QUERY}"))),
    };
    Some(Misnamed { why, rename, query })
}

/// The query that a name speaks of: in another letter case, in another folder, or with a slip.
fn meant<'s>(stem: &str, queries: &[&'s str]) -> Option<&'s str> {
    let base = |stem: &str| stem.rsplit('/').next().unwrap_or_default().to_lowercase();
    let find = |is_it: &dyn Fn(&str) -> bool| queries.iter().copied().find(|query| is_it(query));
    find(&|query| query == stem)
        .or_else(|| find(&|query| query.to_lowercase() == stem.trim().to_lowercase()))
        .or_else(|| find(&|query| base(query) == base(stem.trim())))
        .or_else(|| near(stem, queries.iter().copied()).map(|near| near.name))
}
