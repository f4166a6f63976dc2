//! Extents of what is written with brackets, keywords and names that look like them.
#![allow(clippy::string_slice)]

use super::{Shape, Shapes};
use crate::diagnostic::Diagnostics;
use crate::project::QueryFile;
use crate::source::{Sources, Span};
use crate::syntax::parse;
use crate::yaml::Document;
use std::sync::Arc;

/// What is made of the shape of a statement.
#[track_caller]
fn read<T>(text: &str, look: impl Fn(&Shape) -> T) -> T {
    let mut sources = Sources::default();
    let file = sources.add("queries/query.sql", text);
    let mut sink = Diagnostics::default();
    let query = QueryFile::alone(file, "query");
    let whole = sources.get(file).unwrap().whole();
    let (query, _) = parse(&query, &Document::empty(whole), &sources, &mut sink).unwrap_or_else(|| panic!("{sink:?}"));
    let query = Arc::new(query);
    look(Shapes::of(std::slice::from_ref(&query), &sources).get(&query).unwrap())
}

/// The conditions that a missing parameter empties, and whether an edit is given.
#[track_caller]
fn comparisons(text: &str) -> Vec<(String, bool)> {
    let written = |span: Span| text[span.start..span.end].to_owned();
    read(text, |shape| shape.comparisons.iter().map(|one| (written(one.span), one.clause.is_some())).collect())
}

#[track_caller]
fn one(text: &str, wanted: &str) {
    assert_eq!(comparisons(text), [(wanted.to_owned(), true)], "{text}");
}

#[test]
fn conditions_reach_as_far_as_they_are_written() {
    one("SELECT a FROM t WHERE (a = << x? >>)", "(a = << x? >>)");
    one("SELECT a FROM t WHERE lower(a) = upper(<< x? >>) ORDER BY a", "lower(a) = upper(<< x? >>)");
    one("SELECT a FROM t WHERE b IS NOT DISTINCT FROM c AND NOT (a = << x? >>);", "NOT (a = << x? >>)");
    one(
        "SELECT a FROM t WHERE CASE WHEN b AND c THEN 1 END = << x? >> AND d",
        "CASE WHEN b AND c THEN 1 END = << x? >>",
    );
    one("SELECT a FROM t JOIN u USING (a) WHERE a = << x? >>::int GROUP BY a", "a = << x? >>::int");
    one("SELECT a FROM t JOIN u ON t.a = u.a AND u.b = << x? >> LEFT JOIN v ON v.a = u.a", "u.b = << x? >>");
    one("SELECT a FROM t QUALIFY a > 1 AND a = << x? >>", "a = << x? >>");
    one(
        "SELECT a FROM t WHERE b > sum(c) OVER (ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) \
         AND a BETWEEN 1 AND << x? >>",
        "a BETWEEN 1 AND << x? >>",
    );
}

#[test]
fn edits_are_given_where_more_rows_of_a_query_are_more_rows_of_the_result() {
    one("SELECT t.a FROM t, (SELECT a FROM u WHERE b = << x? >>) AS d", "b = << x? >>");
    one("WITH c AS (SELECT a FROM u WHERE b = << x? >>) SELECT a FROM c", "b = << x? >>");
    one("SELECT a FROM t WHERE a IN (SELECT a FROM u WHERE b = << x? >>)", "b = << x? >>");
    let withheld = [("b = << x? >>".to_owned(), false)];
    assert_eq!(comparisons("SELECT t.a FROM t LEFT JOIN u ON t.a = u.a AND b = << x? >>"), withheld);
    assert_eq!(comparisons("SELECT a FROM t WHERE a > (SELECT max(a) FROM u WHERE b = << x? >>)"), withheld);
    assert_eq!(comparisons("SELECT a FROM t WHERE a NOT IN (SELECT a FROM u WHERE b = << x? >>)"), []);
    assert_eq!(comparisons("SELECT a FROM t WHERE a = << x? >> OR << x >> IS NULL"), []);
}

#[test]
fn what_leaves_rows_all_the_same_is_not_told() {
    for text in [
        "SELECT 1 AS n UNION ALL (SELECT a FROM u WHERE b = << x? >>)",
        "SELECT a FROM t EXCEPT SELECT a FROM u WHERE b = << x? >>",
        "SELECT (SELECT max(a) FROM u WHERE b = << x? >>) AS m",
        "WITH c AS (SELECT a FROM u WHERE b = << x? >>) SELECT a FROM t EXCEPT SELECT a FROM c",
        "WITH c AS (SELECT a FROM u WHERE b = << x? >>), d AS (SELECT a FROM c) SELECT a FROM t UNION SELECT a FROM d",
        "WITH c AS (SELECT a FROM u WHERE b = << x? >>) SELECT EXISTS (SELECT a FROM c) AS e",
    ] {
        assert_eq!(comparisons(text), [], "{text}");
    }
    one("SELECT a FROM t WHERE b = << x? >> EXCEPT SELECT a FROM u", "b = << x? >>");
    one("SELECT a FROM t INTERSECT SELECT a FROM u WHERE b = << x? >>", "b = << x? >>");
    one("WITH RECURSIVE c AS (SELECT a FROM u WHERE b = << x? >>) SELECT a FROM c JOIN t USING (a)", "b = << x? >>");
}

#[test]
fn items_reach_as_far_as_they_are_written() {
    let unnamed = |text: &str| -> Vec<String> {
        read(text, |shape| shape.unnamed.iter().map(|one| text[one.span.start..one.span.end].to_owned()).collect())
    };
    assert_eq!(
        unnamed("SELECT DISTINCT ON (a, b) count(*), a IS DISTINCT FROM b FROM t"),
        ["count(*)", "a IS DISTINCT FROM b"]
    );
    assert_eq!(unnamed("SELECT left(a, 1), b AS full, (c + 1) * 2 FROM t WHERE a"), ["left(a, 1)", "(c + 1) * 2"]);
    let star = "SELECT a, t.* EXCEPT (b) FROM t";
    read(star, |shape| assert_eq!(&star[shape.stars[0].span.start..shape.stars[0].span.end], "t.* EXCEPT (b)"));
}

#[test]
fn brackets_go_around_the_alternatives_alone() {
    let text = "SELECT a FROM t WHERE (b OR c) AND (a [[ OR b = << x >> ]] [[ AND c = << y >> ]] AND d)";
    read(text, |shape| {
        let [one] = shape.swallowed.as_slice() else { panic!("{:?}", shape.swallowed) };
        assert_eq!(&text[one.open.start..one.close.start], "a [[ OR b = << x >> ]]");
        assert_eq!(&text[one.clause.start..one.clause.end], "[[ OR b = << x >> ]]");
        assert_eq!(&text[one.and.start..one.and.end], "AND");
    });
}

/// A statement with the edits of the one clause that is written out in it.
#[track_caller]
fn clause(text: &str, wanted: &str) {
    read(text, |shape| {
        let [one] = shape.hand_written.as_slice() else { panic!("{text}: {:?}", shape.hand_written) };
        let (mut mended, mut at) = (String::new(), 0);
        for (span, new) in &one.edits {
            mended += &text[at..span.start];
            mended += new;
            at = span.end;
        }
        assert_eq!(mended + &text[at..], wanted, "{text}");
    });
}

#[test]
fn clauses_written_out_become_clauses() {
    let of = |condition: &str| format!("SELECT a FROM t WHERE {condition} ORDER BY a");
    let one = |condition: &str, wanted: &str| clause(&of(condition), &of(wanted));
    one("<< x >> IS NULL OR a = << x >>", "true [[ AND a = << x >> ]]");
    one("b AND (<< x? >> IS NULL OR a = << x >>) AND c", "b [[ AND a = << x? >> ]] AND c");
    one("b AND (a = << x >> OR << x? >> IS NULL)", "b [[ AND a = << x? >> ]]");
    one("b AND (a = << x: int >> OR << x? >> IS NULL)", "b [[ AND a = << x: int >> ]]");
    one("(<< x >> IS NULL OR << x >> = a)", "true [[ AND << x >> = a ]]");
    one("b AND (<< x >> IS NULL OR a = << x >> OR c = << x >>)", "b [[ AND (a = << x >> OR c = << x >>) ]]");
    one("b AND ((<< x >> IS NULL) OR (a IN << x >>))", "b [[ AND (a IN << x >>) ]]");
    one("b AND (c AND (<< x >> IS NULL OR a = << x >>))", "b AND (c [[ AND a = << x >> ]])");
    one("a = coalesce(<< x? >>, a)", "true [[ AND a = << x? >> ]]");
    one("b AND t.a >= COALESCE(<< x? >>, t.a) AND c", "b [[ AND t.a >= << x? >> ]] AND c");
    one("b AND (ifnull(<< x >>, a) = a)", "b [[ AND << x >> = a ]]");
    one("coalesce(<< x >>, t.a) = t.a AND b", "true [[ AND << x >> = t.a ]] AND b");
}

#[test]
fn what_no_clause_says_is_left_alone() {
    for condition in [
        "<< x >> IS NULL OR a = << x >> AND b = << y >>",
        "<< x >> IS NULL OR a = 1",
        "<< x >> IS NULL OR << x >> IS NOT NULL AND a = << x >>",
        "<< x >> IS NOT NULL OR a = << x >>",
        "NOT (<< x >> IS NULL OR a = << x >>)",
        "NOT << x >> IS NULL OR a = << x >>",
        "a = coalesce(<< x >>, b)",
        "a > coalesce(<< x >>, a)",
        "t.a = coalesce(<< x >>, a)",
        "a = coalesce(<< x >>, a, b)",
        "a = coalesce(<< x >>, a) OR b",
        "b [[ AND (<< x >> IS NULL OR a = << x >>) ]]",
    ] {
        read(&format!("SELECT a FROM t WHERE {condition}"), |shape| {
            assert_eq!(shape.hand_written, [], "{condition}");
        });
    }
    let text = "SELECT a FROM t WHERE b AND (<< x >> IS NULL /* of all */ OR a = << x >>)";
    read(text, |shape| assert!(shape.hand_written.iter().all(|one| one.edits.is_empty())));
}
