//! What guards a query, and is replaced by a header that extends its own: the scopes that callers need, what parameters are
//! bound to, the rules of calls. Keys are replaced whole, which is easily taken for an addition.

use super::names;
use crate::source::Span;
use crate::yaml::Document;
use serde_json::Value;

/// A key that asks for less than that of the header which is extended, or for something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// Where it stands.
    pub place: Span,
    /// The key.
    pub key: &'static str,
    /// What the other query is called.
    pub base: String,
    /// What no longer holds, where that has a name.
    pub gone: Vec<String>,
}

/// The keys of `own` that replace a guard of `base`, which is called `name`.
pub(super) fn found(own: &Document, base: &Document, name: &str) -> Vec<Replaced> {
    let lists = ["scopes", "rules"].into_iter().filter_map(|key| {
        let (own_value, base_value) = (own.value.get(key)?, base.value.get(key)?);
        let gone: Vec<&Value> = items(base_value).filter(|item| !items(own_value).any(|one| one == *item)).collect();
        let is_less = !gone.is_empty();
        let gone = gone.into_iter().filter_map(|item| Some(item.as_str()?.to_owned())).collect();
        is_less.then(|| Replaced { place: own.key_span(&[key]), key, base: name.to_owned(), gone })
    });
    let bound = names(own, "/params").into_iter().filter_map(|parameter| {
        let from = |document: &Document| {
            Some(document.value.get("params")?.get(&parameter)?.get("from")?.as_str()?.to_owned())
        };
        let (own_from, base_from) = (from(own)?, from(base)?);
        let place = own.key_span(&["params", &parameter, "from"]);
        let replaced = Replaced { place, key: "from", base: name.to_owned(), gone: vec![base_from.clone()] };
        (own_from != base_from).then_some(replaced)
    });
    lists.chain(bound).collect()
}

/// The items of a list.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
