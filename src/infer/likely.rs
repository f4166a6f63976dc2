//! Which types a parameter may have where no place tells one: the question that is asked offers them, the likeliest first.

use super::collect::Collected;
use super::constraint::{Constraint, Term};
use super::signature::Choice;
use crate::syntax::Placeholder;
use arrow::datatypes::DataType;
use sqlparser::ast::BinaryOperator;

/// Where anything would do.
pub(super) const ANY: &[&str] = &["text", "bigint", "double", "date"];
const LISTS: &[&str] = &["text[]", "bigint[]", "date[]"];
const NUMBERS: &[&str] = &["bigint", "double"];
const MOMENTS: &[&str] = &["timestamp", "date", "timestamptz"];
/// What a span may be added to, one itself among it.
const BESIDE_A_SPAN: &[&str] = &["timestamp", "date", "timestamptz", "interval"];

/// The last words of names that tell a type, or the first.
const BY_LAST_WORD: &[(&str, &str)] = &[
    ("at", "timestamp"),
    ("timestamp", "timestamp"),
    ("time", "timestamp"),
    ("instant", "timestamptz"),
    ("date", "date"),
    ("day", "date"),
    ("since", "date"),
    ("until", "date"),
    ("of", "date"),
    ("id", "bigint"),
    ("count", "bigint"),
    ("number", "bigint"),
    ("quantity", "bigint"),
    ("year", "bigint"),
    ("price", "double"),
    ("amount", "double"),
    ("rate", "double"),
    ("share", "double"),
    ("ratio", "double"),
    ("factor", "double"),
    ("percent", "double"),
];

/// The types that a parameter may have at its places, the likeliest first.
pub(super) fn types(
    name: &str,
    solved: &Collected,
    occurrences: &[&Placeholder],
    places: &[usize],
) -> Vec<&'static str> {
    let offered = by_place(solved, occurrences, places);
    let hint = by_name(name).filter(|hint| offered == ANY || offered.contains(hint));
    let rest = offered.iter().copied().filter(|ty| Some(*ty) != hint);
    hint.into_iter().chain(rest).take(offered.len()).collect()
}

/// What a name says: `shipped_at` is a point in time.
fn by_name(name: &str) -> Option<&'static str> {
    let (first, last) = (name.split('_').next()?, name.rsplit('_').next()?);
    if matches!(first, "is" | "has") && first != name {
        return Some("boolean");
    }
    BY_LAST_WORD.iter().find(|(word, _)| *word == last).map(|(_, ty)| *ty)
}

fn by_place(solved: &Collected, occurrences: &[&Placeholder], places: &[usize]) -> &'static [&'static str] {
    if places.iter().any(|at| occurrences.get(*at).is_some_and(|one| one.list)) {
        return LISTS;
    }
    if places.iter().any(|at| solved.series.contains(at)) {
        return MOMENTS;
    }
    let is_one = |term: &Term| matches!(term, Term::Open(cell) if places.contains(cell));
    if let Some(told) = solved.constraints.list.iter().find_map(|constraint| by_constraint(constraint, &is_one)) {
        return told;
    }
    if places.iter().any(|at| solved.arithmetic.contains(at)) { NUMBERS } else { ANY }
}

fn by_constraint(constraint: &Constraint, is_one: &dyn Fn(&Term) -> bool) -> Option<&'static [&'static str]> {
    let is_interval = |term: &Term| matches!(term.ground(), Some(DataType::Interval(_)));
    match constraint {
        Constraint::Element { list, .. } if is_one(list) => Some(LISTS),
        Constraint::Arithmetic { op, left, right, .. } if is_one(left) || is_one(right) => {
            let is_sum = matches!(op, BinaryOperator::Plus | BinaryOperator::Minus);
            Some(match is_interval(left) || is_interval(right) {
                true if is_sum => BESIDE_A_SPAN,
                _ => NUMBERS,
            })
        }
        Constraint::Call { callee, arguments, .. } => {
            let at = arguments.iter().position(|argument| is_one(&argument.term))?;
            let known: Vec<Option<DataType>> =
                arguments.iter().map(|argument| argument.term.ground().cloned()).collect();
            let Choice::Several(types) = callee.choice(&known, at, None) else { return None };
            types.iter().all(|ty| matches!(ty, crate::ty::Type::List(_))).then_some(LISTS)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_tell_a_type() {
        assert_eq!(by_name("shipped_at"), Some("timestamp"));
        assert_eq!(by_name("as_of"), Some("date"));
        assert_eq!(by_name("customer_id"), Some("bigint"));
        assert_eq!(by_name("is_open"), Some("boolean"));
        assert_eq!(by_name("is"), None);
        assert_eq!(by_name("label"), None);
    }
}
