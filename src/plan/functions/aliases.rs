//! What functions are called elsewhere, where they take the same arguments and give the same answers.
//!
//! What takes other arguments is rewritten in the tree, before it gets here.

/// Functions of one row: what they are called elsewhere, and here.
const SCALAR: &[(&str, &str)] = &[
    ("lcase", "lower"),
    ("ucase", "upper"),
    ("prefix", "starts_with"),
    ("suffix", "ends_with"),
    ("regexp_matches", "regexp_like"),
    ("mid", "substr"),
    ("replicate", "repeat"),
    ("ceiling", "ceil"),
    ("split", "string_split"),
    ("str_split", "string_split"),
    ("list_min", "array_min"),
    ("list_value", "make_array"),
    ("list_pack", "make_array"),
    ("datediff", "date_diff"),
    ("nvl", "coalesce"),
    ("ifnull", "coalesce"),
];

/// Functions of many rows.
const AGGREGATE: &[(&str, &str)] = &[
    ("list", "array_agg"),
    ("every", "bool_and"),
    ("logical_and", "bool_and"),
    ("logical_or", "bool_or"),
    ("approx_count_distinct", "approx_distinct"),
    ("first", "first_value"),
    ("last", "last_value"),
    ("variance", "var_samp"),
];

/// The aliases of functions of one row, and the functions that they stand for.
pub(super) fn scalar_aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCALAR.iter().copied()
}

/// The same of functions of many rows.
pub(super) fn aggregate_aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    AGGREGATE.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::functions;
    use crate::syntax::synonyms::synonym_names;
    use std::collections::BTreeSet;

    #[test]
    fn every_alias_stands_for_a_function() {
        let known = functions::all();
        for (alias, name) in scalar_aliases() {
            assert_eq!(known.scalar.get(alias).map(|one| one.name()), known.scalar.get(name).map(|one| one.name()));
            assert!(known.scalar.contains_key(alias), "{alias}");
        }
        for (alias, name) in aggregate_aliases() {
            let [alias_of, of] = [alias, name].map(|name| known.aggregate.get(name).map(|one| one.name()));
            assert!(alias_of.is_some() && alias_of == of, "{alias}");
        }
    }

    #[test]
    fn the_book_lists_what_is_called_otherwise() {
        let page = include_str!("../../../book/src/inference/other-databases.md");
        let words: BTreeSet<&str> = page.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
        let aliases = scalar_aliases().chain(aggregate_aliases()).map(|(alias, _)| alias);
        for name in aliases.chain(synonym_names()) {
            assert!(words.contains(name), "{name}");
        }
    }
}
