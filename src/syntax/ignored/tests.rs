//! Statements, and the places at which they are refused.
#![allow(clippy::string_slice)]

use crate::diagnostic::{Code, Diagnostics};
use crate::project::QueryFile;
use crate::source::Sources;
use crate::syntax::{Clause, ParsedQuery, parse};
use crate::yaml::Document;

fn parsed(text: &str) -> (Option<ParsedQuery>, Vec<String>) {
    let mut sources = Sources::default();
    let file = sources.add("queries/query.sql", text);
    let mut sink = Diagnostics::default();
    let query = QueryFile::alone(file, "query");
    let source = sources.get(file).unwrap();
    let parsed = parse(&query, &Document::empty(source.whole()), &sources, &mut sink);
    let errors = sink.into_sorted().into_iter().filter(|one| one.severity == crate::diagnostic::Severity::Error);
    let places = errors.map(|one| {
        assert!(matches!(one.code, Code::InvalidQuery | Code::NotAQuery), "{text}: {}", one.message);
        let span = one.primary.as_ref().unwrap().span;
        text[span.start..span.end].to_owned()
    });
    (parsed.map(|(query, _)| query), places.collect())
}

/// Refused at these places.
#[track_caller]
fn refused(text: &str, places: &[&str]) {
    let (query, found) = parsed(text);
    assert_eq!(found, places, "{text}");
    assert!(query.is_none(), "{text}");
}

#[test]
fn what_the_planner_passes_over_is_refused_where_it_stands() {
    refused("SELECT id FROM o PREWHERE id > 1", &["PREWHERE"]);
    refused("SELECT id FROM o PREWHERE id > 1 WHERE id < 9", &["PREWHERE"]);
    refused("SELECT id FROM o TABLESAMPLE BERNOULLI (10)", &["TABLESAMPLE"]);
    refused("SELECT id FROM o SAMPLE 0.1", &["SAMPLE"]);
    refused("SELECT x.id FROM (SELECT id FROM o) AS x TABLESAMPLE SYSTEM (10)", &["TABLESAMPLE"]);
    refused("SELECT c FROM o GROUP BY lower(c) WITH ROLLUP", &["WITH ROLLUP"]);
    refused("SELECT c FROM o GROUP BY c WITH CUBE", &["WITH CUBE"]);
    refused("SELECT c FROM o GROUP BY c WITH TOTALS", &["WITH TOTALS"]);
    refused("SELECT c FROM o GROUP BY ALL WITH ROLLUP", &["WITH ROLLUP"]);
    refused("SELECT id FROM o START WITH id = 1 CONNECT BY id = 2", &["START", "CONNECT"]);
    refused("SELECT * ILIKE '%n%' FROM o", &["ILIKE"]);
    refused("SELECT x.* ILIKE '%n%' FROM o AS x", &["ILIKE"]);
    refused("SELECT id FROM o PARTITION (p0)", &["PARTITION"]);
    refused("SELECT id FROM o FINAL", &["FINAL"]);
    refused("SELECT id FROM o WITH (NOLOCK)", &["WITH"]);
    refused("SELECT id FROM o SETTINGS x = 1", &["SETTINGS"]);
    refused("SELECT id FROM o FOR JSON AUTO", &["FOR JSON"]);
    refused("SELECT id FROM o FOR XML RAW", &["FOR XML"]);
    refused("SELECT id FROM o FOR BROWSE", &["FOR BROWSE"]);
    refused("SELECT id FROM o FORMAT JSON", &["FORMAT"]);
    refused("FROM o", &["FROM"]);
    refused("SELECT id FROM (FROM o)", &["FROM"]);
    refused("SELECT i FROM generate_series(1, 3) WITH ORDINALITY AS t(i, n)", &["WITH ORDINALITY"]);
    refused("SELECT i FROM o AS t (i int)", &["i"]);
    refused("SELECT id FROM (SELECT id FROM o PREWHERE id > 1) AS x WHERE id < 2", &["PREWHERE"]);
}

#[test]
fn lengths_in_casts_are_refused() {
    refused("SELECT CAST('abcdef' AS varchar(3)) AS c", &["varchar"]);
    refused("SELECT c::char(3) AS c FROM o", &["char"]);
    refused("SELECT TRY_CAST(upper(c) AS varchar(3)) AS c FROM o", &["varchar"]);
    refused("SELECT CAST(x AS float(53)) AS x FROM o", &["float"]);
}

#[test]
fn what_has_an_effect_is_left_alone() {
    for text in [
        "SELECT c, count(*) AS n FROM o GROUP BY ROLLUP (c)",
        "SELECT * EXCLUDE (id) FROM o",
        "FROM o SELECT id",
        "SELECT id FROM o AS final",
        "SELECT id FROM o AS x (id)",
        "SELECT CAST(x AS decimal(10, 2)) AS x, CAST(y AS varchar) AS y, CAST(z AS timestamp(3)) AS z FROM o",
        "SELECT DISTINCT ON (c) c FROM o ORDER BY c LIMIT 3 OFFSET 1",
    ] {
        let (query, found) = parsed(text);
        assert!(found.is_empty() && query.is_some(), "{text}: {found:?}");
    }
}

#[test]
fn clauses_of_functions_are_found_where_they_stand() {
    let text = "SELECT abs(filter) FILTER (WHERE n > 1), upper(DISTINCT c), lower(trim(c) ORDER BY id), \
                abs(n) OVER (PARTITION BY c), lag(n, 1) IGNORE NULLS OVER (ORDER BY id), \
                percentile_cont(0.5) WITHIN GROUP (ORDER BY n), first_value(n IGNORE NULLS) OVER w, count(*) \
                FROM o WINDOW w AS (ORDER BY id)";
    let (query, found) = parsed(text);
    assert_eq!(found, Vec::<String>::new());
    let clauses = query.unwrap().function_clauses;
    let shown: Vec<_> = clauses
        .iter()
        .map(|one| (one.function.value.as_str(), one.clause, &text[one.span.start..one.span.end]))
        .collect();
    assert_eq!(
        shown,
        [
            ("abs", Clause::Filter, "FILTER"),
            ("upper", Clause::Distinct, "DISTINCT"),
            ("lower", Clause::OrderBy, "ORDER BY"),
            ("abs", Clause::Over, "OVER"),
            ("lag", Clause::Nulls, "IGNORE NULLS"),
            ("lag", Clause::Over, "OVER"),
            ("percentile_cont", Clause::WithinGroup, "WITHIN GROUP"),
            ("first_value", Clause::Nulls, "IGNORE NULLS"),
            ("first_value", Clause::Over, "OVER"),
        ]
    );
}
