//! What is added to an order, and where none can be told.
#![allow(clippy::panic)]

use super::*;
use crate::catalog::{Catalog, Table};
use crate::plan::planner;
use crate::syntax::link::parse_text;
use datafusion::arrow::datatypes::{DataType, Field, Schema};

/// `t` has the key `id`, `p` the key `(k1, k2)`, `u` has none.
fn ordered(sql: &str) -> Result<LogicalPlan, Obstacle> {
    let table = |columns: &[(&str, DataType)]| {
        let fields: Vec<Field> = columns.iter().map(|(name, ty)| Field::new(*name, ty.clone(), true)).collect();
        Table::from_arrow(&Schema::new(fields))
    };
    let (int, text) = (DataType::Int64, DataType::Utf8);
    let tables = [
        ("t", table(&[("id", int.clone()), ("a", int.clone()), ("s", text.clone()), ("x", DataType::Float64)])),
        ("u", table(&[("tid", int.clone()), ("b", int.clone()), ("s", text)])),
        ("p", table(&[("k1", int.clone()), ("k2", int.clone()), ("v", int)])),
    ];
    let catalog = Catalog { tables: tables.into_iter().map(|(name, table)| (name.to_owned(), table)).collect() };
    let statement = parse_text(sql, &|_| None).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let plan = planner::plan(vec![("query", statement)], &[], &catalog).and_then(planner::analyze);
    let plan = plan.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let keys = |table: &str| match table {
        "t" => vec!["id".to_owned()],
        "p" => vec!["k1".to_owned(), "k2".to_owned()],
        _ => Vec::new(),
    };
    let known = Known { keys: &keys, volatile: &|_| None };
    apply(plan, known).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The keys of the outermost Sort, without what SQL means by itself.
fn keys(sql: &str) -> String {
    let plan = match ordered(sql) {
        Ok(plan) => plan,
        Err(why) => return why.to_string(),
    };
    let mut found = &plan;
    loop {
        match found {
            LogicalPlan::Sort(sort) => {
                let keys: Vec<String> = sort.expr.iter().map(ToString::to_string).collect();
                return keys.join(", ").replace(" ASC NULLS LAST", "").replace(" DESC NULLS FIRST", " DESC");
            }
            other => match other.inputs().first() {
                Some(input) => found = input,
                None => return "no order".to_owned(),
            },
        }
    }
}

#[test]
fn an_order_ends_in_a_key_that_the_result_holds() {
    for (sql, expected) in [
        ("SELECT id, s FROM t ORDER BY id", "t.id"),
        ("SELECT id, s FROM t ORDER BY s", "t.s, t.id"),
        ("SELECT id, s FROM t ORDER BY s DESC", "t.s DESC, t.id DESC"),
        ("SELECT id, s FROM t ORDER BY 2", "t.s, t.id"),
        ("SELECT id AS i, s FROM t ORDER BY upper(s)", "upper(t.s), i"),
        ("SELECT s FROM t ORDER BY id", "t.id"),
        ("SELECT s FROM t WHERE id = 3 ORDER BY s", "t.s"),
        ("SELECT k1, v FROM p WHERE 4 = k2 ORDER BY v", "p.v, p.k1"),
        ("SELECT s, count(*) AS n FROM t GROUP BY s ORDER BY n", "n, t.s"),
        ("SELECT s, sum(x) AS n FROM t GROUP BY s ORDER BY n DESC", "n DESC, t.s DESC"),
        ("SELECT id, s FROM t GROUP BY id, s ORDER BY s", "t.s, t.id"),
        ("SELECT count(*) AS n FROM t ORDER BY n", "n"),
        ("SELECT DISTINCT s, a FROM t ORDER BY a", "t.a, t.s"),
        ("SELECT p.k1, p.k2, t.s FROM p JOIN t ON p.v = t.id ORDER BY t.s", "t.s, p.k1, p.k2"),
        ("SELECT p.k1, p.k2, t.s FROM p LEFT JOIN t ON p.v = t.id ORDER BY t.s", "t.s, p.k1, p.k2"),
        ("SELECT p.k1, p.k2, t.s FROM t RIGHT JOIN p ON p.v = t.id ORDER BY t.s", "t.s, p.k1, p.k2"),
        ("SELECT p.k1, p.k2, t.id FROM p, t ORDER BY t.s", "t.s, p.k1, p.k2, t.id"),
        ("SELECT p.k2, t.id FROM p, t WHERE t.a = p.k1 ORDER BY t.s", "t.s, p.k2, t.id"),
        ("SELECT u.tid, t.s FROM t JOIN u ON u.tid = t.id ORDER BY t.s", "t.s, u.tid"),
        ("SELECT id, s FROM t WHERE id IN (SELECT tid FROM u) ORDER BY s", "t.s, t.id"),
        ("SELECT id, random() AS r FROM t ORDER BY s", "t.s, t.id"),
        ("SELECT id, array_agg(s) AS l FROM t GROUP BY id ORDER BY id", "t.id"),
    ] {
        assert_eq!(keys(sql), expected, "{sql}");
    }
}

#[test]
fn without_a_key_all_columns_of_the_result_tell_rows_apart() {
    for (sql, expected) in [
        ("SELECT s, a FROM t ORDER BY s", "t.s, t.a"),
        ("SELECT s, a FROM t ORDER BY x DESC", "t.x DESC, t.s, t.a"),
        ("SELECT a, 7 AS seven, now() AS at, a AS again FROM t ORDER BY s", "t.s, t.a"),
        ("SELECT tid, b FROM u WHERE b = 2 ORDER BY s", "u.s, u.tid"),
        ("SELECT s FROM t UNION ALL SELECT s FROM u ORDER BY s", "s"),
        ("SELECT id, s FROM t UNION ALL SELECT id, s FROM t ORDER BY s", "s, id"),
        ("SELECT t.id, u.b FROM t JOIN u ON u.tid = t.id ORDER BY t.s", "t.s, t.id, u.b"),
        ("SELECT t.id, p.k1, p.k2 FROM t FULL JOIN p ON p.v = t.id ORDER BY t.s", "t.s, t.id, p.k1, p.k2"),
        ("SELECT count(*) AS n FROM t GROUP BY s ORDER BY n", "n"),
        ("SELECT s, a, count(*) AS n FROM t GROUP BY ROLLUP (s, a) ORDER BY n", "n, t.s, t.a"),
        ("SELECT id, unnest([1, 2]) AS i FROM t ORDER BY id", "t.id, i"),
    ] {
        assert_eq!(keys(sql), expected, "{sql}");
    }
}

#[test]
fn what_is_another_each_time_has_no_order() {
    let float = |name: &str| Obstacle::FloatSum(name.to_owned());
    let ties = |name: &str| Obstacle::Ties(name.to_owned());
    let volatile = || Obstacle::Volatile("random()".to_owned());
    for (sql, expected) in [
        ("SELECT sum(x) AS n FROM t GROUP BY s ORDER BY n", float("sum(x)")),
        ("SELECT a, avg(a) AS n FROM t GROUP BY s, a ORDER BY a", float("avg(a)")),
        ("SELECT count(*) AS n FROM t GROUP BY s ORDER BY sum(x)", float("sum(x)")),
        ("SELECT s, random() AS r FROM t ORDER BY s", volatile()),
        ("SELECT id FROM t ORDER BY random()", volatile()),
        ("SELECT id FROM t WHERE random() < 0.5 ORDER BY id", volatile()),
        ("SELECT id FROM t ORDER BY (SELECT random() FROM u LIMIT 1)", volatile()),
        ("SELECT s, array_agg(a) AS l FROM u AS v JOIN t ON t.id = v.b GROUP BY t.s ORDER BY l", ties("array_agg(a)")),
        ("SELECT a, array_agg(s) AS l FROM t GROUP BY s, a ORDER BY a", ties("array_agg(s)")),
        ("SELECT id, last_value(x) OVER (ORDER BY s) AS l FROM t ORDER BY l", ties("last_value(x)")),
    ] {
        let sql = sql.replace("SELECT s, array_agg(a) AS l FROM u AS v", "SELECT t.s, array_agg(t.a) AS l FROM u AS v");
        assert_eq!(ordered(&sql).err(), Some(expected), "{sql}");
    }
    let no_order = ordered("SELECT s, map(['a'], [a]) AS m FROM t ORDER BY s").err();
    assert!(matches!(&no_order, Some(Obstacle::NoOrder { column, .. }) if column == "m"), "{no_order:?}");
    assert!(ordered("SELECT id, map(['a'], [a]) AS m FROM t ORDER BY s").is_ok());
    let by_list = ordered("SELECT id FROM t ORDER BY make_array(s)").err();
    assert!(matches!(by_list, Some(Obstacle::NoOrder { ty, .. }) if ty == "text[]"));
}

#[test]
fn what_an_order_decides_inside_is_settled() {
    for (sql, expected) in [
        (
            "SELECT s FROM (SELECT s FROM t ORDER BY a LIMIT 3) AS q ORDER BY s",
            "Sort: t.a ASC NULLS LAST, t.s ASC NULLS LAST",
        ),
        ("SELECT s FROM (SELECT s, b FROM u LIMIT 3) AS q ORDER BY s", "Sort: u.s ASC NULLS LAST, u.b ASC NULLS LAST"),
        (
            "SELECT id, row_number() OVER (ORDER BY s) AS r FROM t ORDER BY r",
            "row_number() ORDER BY [t.s ASC NULLS LAST, t.id ASC NULLS LAST]",
        ),
        ("SELECT id, rank() OVER (ORDER BY s) AS r FROM t ORDER BY r", "rank() ORDER BY [t.s ASC NULLS LAST] RANGE"),
        ("SELECT DISTINCT ON (s) s, a FROM t ORDER BY s", "sort_expr=[[t.s ASC NULLS LAST, t.id ASC NULLS LAST]]"),
    ] {
        let plan = ordered(sql).map(|plan| plan.display_indent().to_string());
        assert!(plan.as_ref().is_ok_and(|plan| plan.contains(expected)), "{sql}: {plan:#?}");
    }
}
