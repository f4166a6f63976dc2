//! `extends`: another query's header holds for this one too, where this one says nothing else.

use super::replaced::{self, Replaced};
use super::{SHAPE, document, extent, names, with_groups};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{BaseQuery, Header, QueryFile};
use crate::source::{FileId, Sources, Span};
use crate::yaml::Document;
use serde_json::Value;

/// What is of one query alone.
const OWN: [&str; 10] =
    ["name", "title", "version", "aliases", "kind", "source", "enabled", "columns", "tests", "extends"];
/// What a parameter has no use for whose value is said otherwise.
pub(super) const REPLACED: [(&str, &[&str]); 4] = [
    ("fixed", &["default", "required", "hidden"]),
    ("hidden", &["required"]),
    ("default", &["required"]),
    ("required", &["default"]),
];

/// The document with what the queries say that it extends, their files, and what it replaces of what guards them.
pub(super) fn extended(
    own: Document,
    query: &QueryFile,
    (project, sources): (&Document, &Sources),
    sink: &mut Diagnostics,
) -> Option<(Document, Vec<FileId>, Vec<Replaced>)> {
    let Some(name) = own.value.get("extends").and_then(Value::as_str) else {
        return Some((own, Vec::new(), Vec::new()));
    };
    let place = own.value_span(&["extends"]);
    let chain = match &query.relatives.base {
        Some(BaseQuery::Found(chain)) => chain,
        Some(BaseQuery::Circular) => {
            sink.push(codes::invalid_setting(place, &format!("the header extends itself, by `{name}`")));
            return None;
        }
        Some(BaseQuery::Missing(near)) => {
            let diagnostic = codes::invalid_setting(place, &format!("there is no query `{name}` to extend"));
            sink.push(codes::did_you_mean(diagnostic, Some(name), near.as_deref()));
            return None;
        }
        None => {
            sink.push(codes::invalid_setting(place, &format!("there is no query `{name}` to extend")));
            return None;
        }
    };
    let mut merged: Option<Document> = None;
    // From the farthest to the nearest.
    for base in chain.iter().rev() {
        let Some(document) = of_base(base, (project, sources)) else {
            sink.push(codes::invalid_setting(place, &format!("the header of `{}` has errors", base.stem)));
            return None;
        };
        merged = Some(match merged {
            Some(below) => laid_over(below, document),
            None => document,
        });
    }
    let replaced = merged.iter().flat_map(|below| replaced::found(&own, below, name)).collect();
    let files = chain.iter().map(|base| base.file).collect();
    Some((merged.map_or(own.clone(), |below| laid_over(below, own)), files, replaced))
}

/// What the header of another query says; `None` where it may say something that cannot be read.
fn of_base(base: &QueryFile, (project, sources): (&Document, &Sources)) -> Option<Document> {
    let mut found = Diagnostics::default();
    let yaml: Span = extent(sources.get(base.file)?, &mut found)?.yaml;
    let document = document(base, yaml, sources, &mut found)?;
    let document = with_groups(document, project, &mut found)?;
    let _ = document.read::<Header>(&SHAPE, &mut found);
    (found.errors() == 0 && !base.is_refused).then_some(document)
}

/// A header over the one that it extends.
fn laid_over(mut below: Document, own: Document) -> Document {
    for key in OWN {
        below.remove(&[key]);
    }
    // Groups are taken in already.
    below.remove(&["params_from"]);
    for name in names(&own, "/params") {
        for (key, replaced) in REPLACED {
            if own.has(&["params", &name, key]) {
                replaced.iter().for_each(|other| below.remove(&["params", &name, other]));
            }
        }
    }
    below.overlaid(own)
}
