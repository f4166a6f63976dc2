//! `out <- t.a t.b`: what a column of a result carries.

use super::of_plan;
use crate::catalog::{Catalog, Column, Table};
use crate::infer::planner;
use arrow::datatypes::{DataType, Field};
use sqlparser::ast::Statement;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use std::collections::BTreeMap;
use std::sync::Arc;

fn catalog() -> Catalog {
    let list = DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));
    let table = |columns: &[(&str, DataType)]| {
        let column = |(name, arrow): &(&str, DataType)| Column {
            name: (*name).to_owned(),
            arrow: arrow.clone(),
            nullable: true,
        };
        Table::of_columns(columns.iter().map(column).collect())
    };
    let t = table(&[("k", DataType::Int64), ("s", DataType::Utf8), ("b", DataType::Utf8), ("l", list)]);
    let u = table(&[("k", DataType::Int64), ("s", DataType::Utf8)]);
    Catalog { tables: [("t".to_owned(), t), ("u".to_owned(), u)].into_iter().collect() }
}

fn parsed(sql: &str) -> Statement {
    Parser::parse_sql(&GenericDialect {}, sql).unwrap().remove(0)
}

/// What the columns of the last of some queries carry, where each may select from those before it.
fn carried_by(queries: &[(&str, &str)]) -> String {
    let named: Vec<planner::Named<'_>> = queries.iter().map(|(name, sql)| (*name, parsed(sql))).collect();
    let catalog = catalog();
    let plan = planner::plan(named, &[], &catalog).and_then(planner::analyze);
    let plan = plan.unwrap_or_else(|error| panic!("{queries:?}: {error}"));
    let mut by_output: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ((table, column), outputs) in of_plan(&plan, &catalog) {
        for output in outputs {
            by_output.entry(output).or_default().push(format!("{table}.{column}"));
        }
    }
    let lines: Vec<String> = by_output.iter().map(|(name, from)| format!("{name} <- {}", from.join(" "))).collect();
    lines.join("; ")
}

#[test]
fn a_column_carries_what_its_values_are_made_of() {
    for (sql, expected) in [
        ("SELECT s FROM t", "s <- t.s"),
        ("SELECT s AS x, upper(b) AS y, 1 AS one FROM t", "x <- t.s; y <- t.b"),
        ("SELECT * FROM u", "k <- u.k; s <- u.s"),
        ("SELECT t.s || u.s AS x FROM t JOIN u ON t.k = u.k", "x <- t.s u.s"),
        ("SELECT CASE WHEN b = 'x' THEN s END AS x FROM t", "x <- t.b t.s"),
        ("SELECT max(s) AS x FROM t GROUP BY b", "x <- t.s"),
        ("SELECT b, string_agg(s, ',' ORDER BY k) AS x FROM t GROUP BY b", "b <- t.b; x <- t.s"),
        ("SELECT x FROM (SELECT s AS x, b FROM t) AS q", "x <- t.s"),
        ("SELECT s FROM t UNION ALL SELECT b FROM t", "s <- t.b t.s"),
        ("SELECT s FROM t EXCEPT SELECT s FROM u", "s <- t.s"),
        ("WITH q AS (SELECT s AS x FROM t) SELECT x AS y FROM q", "y <- t.s"),
        ("SELECT (SELECT max(s) FROM u) AS x FROM t", "x <- u.s"),
        ("SELECT (SELECT max(t.s) FROM u WHERE u.k = t.k) AS x FROM t", "x <- t.s"),
        ("SELECT unnest(l) AS x, b FROM t", "b <- t.b; x <- t.l"),
        ("SELECT DISTINCT ON (b) s FROM t ORDER BY b", "s <- t.s"),
        ("SELECT lag(s) OVER (PARTITION BY b ORDER BY k) AS x FROM t", "x <- t.s"),
        ("SELECT s, b FROM t GROUP BY ROLLUP (s, b)", "b <- t.b; s <- t.s"),
        ("SELECT grouping(s) AS g, s FROM t GROUP BY CUBE (s, b)", "s <- t.s"),
        ("SELECT x.s FROM t x CROSS JOIN u y", "s <- t.s"),
        ("SELECT s = 'a' AS x FROM t", "x <- t.s"),
        ("SELECT s IN (SELECT s FROM u) AS x FROM t", "x <- t.s u.s"),
        ("SELECT u.k, x.a FROM t CROSS JOIN UNNEST(make_array(t.s)) AS x(a) JOIN u ON u.k = t.k", "a <- t.s; k <- u.k"),
        ("SELECT x.a FROM t CROSS JOIN UNNEST(t.l) AS x(a)", "a <- t.l"),
        ("SELECT x.y FROM t, LATERAL (SELECT t.s AS y) AS x", "y <- t.s"),
        (
            "SELECT x.y FROM t LEFT JOIN LATERAL (SELECT u.s || t.b AS y FROM u WHERE u.k = t.k) AS x ON true",
            "y <- t.b u.s",
        ),
    ] {
        let found = carried_by(&[("query", sql)]);
        // Which of the sets a row is of is told by nothing but their number.
        assert_eq!(found, expected, "{sql}");
    }
}

#[test]
fn what_decides_which_rows_there_are_is_not_carried() {
    for (sql, expected) in [
        ("SELECT k FROM t WHERE s = 'a' ORDER BY b", "k <- t.k"),
        ("SELECT count(s) AS n, count(DISTINCT b) AS m FROM t", ""),
        ("SELECT count(*) AS n FROM t GROUP BY s HAVING max(b) > 'a'", ""),
        ("SELECT s IS NULL AS x, b IS NOT NULL AS y FROM t", ""),
        ("SELECT k FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.s = t.s)", "k <- t.k"),
        ("SELECT row_number() OVER (ORDER BY s) AS n FROM t", ""),
        ("SELECT u.k FROM t JOIN u ON t.s = u.s", "k <- u.k"),
        ("SELECT k FROM u WHERE s IN (SELECT s FROM t)", "k <- u.k"),
        ("SELECT sum(k) FILTER (WHERE s = 'a') AS x FROM t", "x <- t.k"),
    ] {
        assert_eq!(carried_by(&[("query", sql)]), expected, "{sql}");
    }
}

#[test]
fn views_and_recursive_queries_hand_on_what_they_carry() {
    let through = [("v", "SELECT s AS x, k FROM t"), ("w", "SELECT x AS y FROM v"), ("query", "SELECT y FROM w")];
    assert_eq!(carried_by(&through), "y <- t.s");
    let chain = "WITH RECURSIVE r AS (SELECT k, s, b FROM t UNION ALL SELECT r.k + 1, r.b, u.s FROM r JOIN u ON u.k = r.k) \
                 SELECT s FROM r";
    assert_eq!(carried_by(&[("query", chain)]), "s <- t.b t.s u.s");
    // Each joins the one before twice: found once, not 2^40 times.
    let mut queries = vec![("v0".to_owned(), "SELECT s AS x FROM t".to_owned())];
    for at in 1..12 {
        let sql = format!("SELECT a.x AS x FROM v{0} a JOIN v{0} b ON a.x = b.x", at - 1);
        queries.push((format!("v{at}"), sql));
    }
    let queries: Vec<(&str, &str)> = queries.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).collect();
    assert_eq!(carried_by(&queries), "x <- t.s");
}
