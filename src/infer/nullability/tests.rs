//! `!` is a column that is never null, `?` one that may be.

use super::of_columns;
use crate::catalog::{Catalog, Column, Table};
use crate::infer::planner;
use arrow::datatypes::{DataType, Field, TimeUnit};
use sqlparser::ast::Statement;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use std::sync::Arc;

/// Of `t`, the columns k, z, day and at are never null; of `u`, k.
fn catalog() -> Catalog {
    let table = |columns: &[(&str, DataType, bool)]| {
        Table::of_columns(
            columns
                .iter()
                .map(|(name, arrow, nullable)| Column {
                    name: (*name).to_owned(),
                    arrow: arrow.clone(),
                    nullable: *nullable,
                })
                .collect(),
        )
    };
    let t = table(&[
        ("k", DataType::Int64, false),
        ("n", DataType::Int64, true),
        ("s", DataType::Utf8, true),
        ("z", DataType::Utf8, false),
        ("b", DataType::Boolean, true),
        ("l", DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true))), false),
        ("r", DataType::Struct(vec![Field::new("f", DataType::Int64, false)].into()), true),
        ("day", DataType::Date32, false),
        ("at", DataType::Timestamp(TimeUnit::Nanosecond, None), false),
    ]);
    let u = table(&[("k", DataType::Int64, false), ("n", DataType::Int64, true)]);
    Catalog { tables: [("t".to_owned(), t), ("u".to_owned(), u)].into_iter().collect() }
}

fn parsed(sql: &str) -> Statement {
    Parser::parse_sql(&GenericDialect {}, sql).unwrap().remove(0)
}

/// The columns of the last of some queries, where each may select from those before it. `$1` is required, `$2`
/// optional; both are numbers.
fn columns_of(queries: &[(&str, &str)]) -> String {
    let named: Vec<planner::Named<'_>> = queries.iter().map(|(name, sql)| (*name, parsed(sql))).collect();
    let types = [Some(DataType::Int64), Some(DataType::Int64)];
    let plan = planner::plan(named, &types, &catalog()).and_then(planner::analyze);
    let plan = plan.unwrap_or_else(|error| panic!("{queries:?}: {error}"));
    of_columns(&plan, &|id: &str| id != "$1").into_iter().map(|nullable| if nullable { '?' } else { '!' }).collect()
}

fn columns(sql: &str) -> String {
    columns_of(&[("query", sql)])
}

/// `n` of the rows of `t` that a condition holds of.
fn n_where(condition: &str) -> String {
    columns(&format!("SELECT n FROM t WHERE {condition}"))
}

/// An expression over the rows of `t`.
fn of(expr: &str) -> String {
    columns(&format!("SELECT {expr} AS x FROM t"))
}

#[track_caller]
fn all(what: fn(&str) -> String, expected: &str, texts: &str) {
    for text in texts.split(';') {
        assert_eq!(what(text), expected, "{text}");
    }
}

#[test]
fn columns_of_a_table_are_as_declared() {
    assert_eq!(columns("SELECT k, n FROM t"), "!?");
    assert_eq!(columns("SELECT * FROM u"), "!?");
}

#[test]
fn comparisons_reject_null() {
    let conditions = "n = 1; n <> 1; n < 1; n <= 1; n > 1; n >= 1; n = k; n = $1; n = $2; n + 1 > 2; 1 < -n; \
         n % 2 = 0; CAST(n AS double) > 1; abs(n) > 1; CAST(n AS varchar) LIKE 'a%'; n BETWEEN 1 AND 2; \
         k BETWEEN n AND 5; n NOT BETWEEN 1 AND 2; n IN (1, 2); n NOT IN (1, 2); n IN ($1); \
         n IN (SELECT k FROM u); nullif(n, 3) = 1";
    all(n_where, "!", conditions);
}

#[test]
fn tests_for_null_reject_it() {
    let conditions = "n IS NOT NULL; NOT (n IS NULL); (n IS NULL) IS FALSE; (n IS NOT NULL) IS TRUE; \
         n + k IS NOT NULL; (n = 1) IS NOT NULL; (n > 1) IS NOT UNKNOWN; n IS DISTINCT FROM NULL; \
         n IS NOT DISTINCT FROM 1; n IS NOT DISTINCT FROM k; n IS NOT DISTINCT FROM $1";
    all(n_where, "!", conditions);
}

#[test]
fn connected_conditions_reject_what_their_parts_do() {
    let conditions = "n = 1 AND k = 1; k = 1 AND n = 1; NOT (n = 1); n = 1 OR n = 2; n = 1 OR (n > 5 AND k = 1); \
         NOT (n = 1 OR k = 1); (n = 1) IS TRUE; (n = 1) IS FALSE; NOT ((n = 1) IS NOT TRUE)";
    all(n_where, "!", conditions);
    assert_eq!(columns("SELECT b FROM t WHERE b"), "!");
    assert_eq!(columns("SELECT b FROM t WHERE NOT b"), "!");
}

#[test]
fn what_lets_null_through_says_nothing() {
    let conditions = "true; k = 1; n IS NULL; n = 1 OR k = 1; n = 1 OR n IS NULL; NOT (n = 1 AND k = 1); \
         (n = 1) IS NOT TRUE; (n = 1) IS NOT FALSE; (n = 1) IS NULL; n IS DISTINCT FROM 1; n IS NOT DISTINCT FROM $2; \
         n IS NOT DISTINCT FROM nullif(k, 1); coalesce(n, 1) = 1; greatest(n, 1) = 1; \
         concat(CAST(n AS varchar), 'x') = 'x'; n NOT IN (SELECT n FROM u); EXISTS (SELECT 1 FROM u); \
         CASE WHEN n = 1 THEN false ELSE true END";
    all(n_where, "?", conditions);
}

#[test]
fn nothing_is_in_an_empty_list_and_null_is_not_either() {
    // Behind the placeholder there may be a whole list, and that may be empty.
    all(n_where, "?", "n NOT IN ($1); NOT (n IN ($1)); (n IN ($1)) IS NOT NULL; (n IN ($1)) IS FALSE");
}

#[test]
fn a_clause_that_may_be_left_out_says_nothing() {
    let conditions = "qtool_optional_and(n = 1, '$2'); k = 1 AND qtool_optional_and(n = $2, '$2'); \
         n = 1 OR qtool_optional_or(k = 2, '$2'); k = 1 OR qtool_optional_or(n = 2, '$2'); \
         NOT qtool_optional_or(n = 1, '$2'); qtool_optional_and(n = 1, '$2') IS NOT NULL";
    all(n_where, "?", conditions);
}

#[test]
fn a_clause_says_what_holds_whether_it_is_left_out_or_not() {
    let conditions = "n > 0 AND qtool_optional_and(k = $2, '$2'); n = 1 OR qtool_optional_or(n = $2, '$2'); \
         qtool_optional_or(n = 1, '$2'); qtool_optional_or(n IS NOT DISTINCT FROM $2, '$2'); \
         NOT qtool_optional_and(n IS NULL, '$2')";
    all(n_where, "!", conditions);
    // Not every placeholder in the condition is the clause's: it may be that of a column with an alias.
    all(n_where, "?", "qtool_optional_or(n IS NOT DISTINCT FROM $2, '$1')");
}

#[test]
fn expressions_of_values_are_values() {
    let exprs = "1; 'x'; k + 1; k / 2; k % 2; -k; CAST(k AS double) / 0; z || 'x'; k = 1; NOT (k = 1); \
         k = 1 AND k = 2; k IN (1, 2); k BETWEEN 1 AND 2; z LIKE 'a%'; CAST(k AS varchar); $1; k + $1; \
         k IN (SELECT k FROM u); \
         lower(z); round(k, 1); date_trunc('month', at); date_part('year', at); now(); current_date; \
         make_array(n); {'a': n}; concat(s, s)";
    all(of, "!", exprs);
}

#[test]
fn expressions_of_null_may_be_null() {
    let exprs = "n + 1; -n; n = 1; NOT (n = 1); k = 1 AND n = 1; k IN (1, NULL); k IN (SELECT n FROM u); z || s; \
         lower(s); $2; k + $2; coalesce(n, n + 1); nullif(k, 1); CAST(NULL AS bigint) + k";
    all(of, "?", exprs);
}

#[test]
fn tests_for_null_are_never_null_themselves() {
    let exprs = "n IS NULL; n IS NOT NULL; b IS TRUE; b IS NOT FALSE; n IS DISTINCT FROM 1; \
         n IS NOT DISTINCT FROM NULL; EXISTS (SELECT 1 FROM u)";
    all(of, "!", exprs);
}

#[test]
fn a_coalesce_is_its_first_value() {
    all(of, "!", "coalesce(n, 0); coalesce(n, k); coalesce($2, 0); greatest(n, 0); least(n, k)");
}

#[test]
fn functions_that_are_null_of_their_own_accord() {
    // A failed cast, an element that is not there, a day that the calendar does not reach.
    all(of, "?", "TRY_CAST(z AS bigint); array_element(l, 1); date_part('year', day); r['f']");
}

#[test]
fn a_branch_knows_its_condition() {
    let exprs = "CASE WHEN n IS NOT NULL THEN n ELSE 0 END; CASE WHEN n IS NULL THEN 0 ELSE n END; \
         CASE WHEN n > 5 THEN n + 1 ELSE 0 END; CASE n WHEN 1 THEN n ELSE 0 END; \
         CASE WHEN n IS NULL OR s IS NULL THEN 0 ELSE n + length(s) END; \
         CASE WHEN k = 1 THEN 1 WHEN n IS NULL THEN 2 ELSE n END";
    all(of, "!", exprs);
}

#[test]
fn a_branch_knows_no_more_than_its_condition() {
    let exprs = "CASE WHEN k = 1 THEN 1 END; CASE WHEN k = 1 THEN n ELSE 0 END; CASE WHEN k = 1 THEN 0 ELSE n END; \
         CASE WHEN n > 5 THEN 0 ELSE n END; CASE WHEN n IS NULL AND s IS NULL THEN 0 ELSE n END; \
         CASE n WHEN 1 THEN 0 ELSE n END";
    all(of, "?", exprs);
}

#[test]
fn an_expression_is_known_by_itself() {
    let of_rows = "SELECT nullif(k, 1) AS x FROM t WHERE nullif(k, 1) IS NOT NULL";
    assert_eq!(columns(of_rows), "!");
    assert_eq!(columns("SELECT TRY_CAST(s AS bigint) AS x, s FROM t WHERE TRY_CAST(s AS bigint) > 1"), "!!");
    // Evaluated twice, with two values.
    assert_eq!(columns("SELECT nullif(random(), 0.5) AS x FROM t WHERE nullif(random(), 0.5) IS NOT NULL"), "?");
}

#[test]
fn an_aggregate_without_groups_has_a_row_for_no_rows() {
    assert_eq!(columns("SELECT count(*), count(n), sum(k), min(z), array_agg(k) FROM t"), "!!???");
    assert_eq!(columns("SELECT coalesce(sum(n), 0) FROM t"), "!");
}

#[test]
fn a_group_has_a_row() {
    assert_eq!(columns("SELECT k, n, sum(k), avg(k), min(z), array_agg(k), max(n) FROM t GROUP BY k, n"), "!?!!!!?");
    assert_eq!(columns("SELECT sum(k) FROM t GROUP BY 'x'"), "!");
    assert_eq!(columns("SELECT n, max(n) FROM t WHERE n > 0 GROUP BY n"), "!!");
}

#[test]
fn a_filtered_aggregate_may_be_of_no_row() {
    assert_eq!(columns("SELECT sum(k) FILTER (WHERE k > 1), count(*) FILTER (WHERE k > 1) FROM t GROUP BY z"), "?!");
}

#[test]
fn a_deviation_of_one_row_is_null() {
    assert_eq!(columns("SELECT stddev(k), var_samp(k) FROM t GROUP BY z"), "??");
}

#[test]
fn having_rejects_null() {
    assert_eq!(columns("SELECT s, sum(n) AS x FROM t GROUP BY s HAVING sum(n) > 1"), "?!");
    assert_eq!(columns("SELECT sum(n) AS x FROM t HAVING sum(n) > 1"), "!");
}

#[test]
fn a_column_outside_of_its_grouping_set_is_null() {
    assert_eq!(columns("SELECT k, count(*), sum(k) FROM t GROUP BY ROLLUP (k)"), "?!?");
    assert_eq!(columns("SELECT k, z, sum(k) FROM t GROUP BY CUBE (k, z)"), "???");
    assert_eq!(columns("SELECT k, z, sum(k) FROM t GROUP BY GROUPING SETS ((k, z), (k))"), "!?!");
    assert_eq!(columns("SELECT k, sum(k) FROM t GROUP BY GROUPING SETS ((k), ())"), "??");
    assert_eq!(columns("SELECT k, grouping(k) FROM t GROUP BY ROLLUP (k)"), "?!");
}

#[test]
fn windows_number_all_rows_and_may_hold_none() {
    let number = "row_number() OVER (ORDER BY k), rank() OVER (ORDER BY k), ntile(2) OVER (ORDER BY k)";
    assert_eq!(columns(&format!("SELECT {number}, count(n) OVER () FROM t")), "!!!!");
    let neighbours = "lag(k) OVER (ORDER BY k), lead(k) OVER (ORDER BY k), nth_value(k, 2) OVER (ORDER BY k)";
    assert_eq!(columns(&format!("SELECT {neighbours} FROM t")), "???");
    let here = "sum(k) OVER (ORDER BY k), first_value(k) OVER (ORDER BY k), max(n) OVER (ORDER BY k)";
    assert_eq!(columns(&format!("SELECT {here} FROM t")), "!!?");
    let elsewhere = "sum(k) OVER (ORDER BY k ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)";
    let around = "sum(k) OVER (ORDER BY k ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)";
    assert_eq!(columns(&format!("SELECT {elsewhere}, {around} FROM t")), "?!");
}

#[test]
fn qualify_rejects_null() {
    assert_eq!(columns("SELECT lag(k) OVER (ORDER BY k) AS x FROM t QUALIFY lag(k) OVER (ORDER BY k) > 1"), "!");
}

#[test]
fn what_matches_is_not_null() {
    assert_eq!(columns("SELECT t.n, u.n FROM t JOIN u ON t.n = u.n"), "!!");
    assert_eq!(columns("SELECT t.n, u.n FROM t JOIN u ON t.k = u.k AND t.n > u.n"), "!!");
    assert_eq!(columns("SELECT t.n, u.n FROM t JOIN u USING (n)"), "!!");
    assert_eq!(columns("SELECT t.n, u.n FROM t CROSS JOIN u"), "??");
    assert_eq!(columns("SELECT t.n FROM t JOIN u ON t.n IS NOT DISTINCT FROM u.n"), "?");
}

#[test]
fn what_finds_no_match_is_null() {
    assert_eq!(columns("SELECT t.k, u.k FROM t LEFT JOIN u ON t.k = u.k"), "!?");
    assert_eq!(columns("SELECT t.k, u.k FROM t RIGHT JOIN u ON t.k = u.k"), "?!");
    assert_eq!(columns("SELECT t.k, u.k FROM t FULL JOIN u ON t.k = u.k"), "??");
    // The condition of an outer join leaves out no row of its outer side.
    assert_eq!(columns("SELECT t.n FROM t LEFT JOIN u ON t.n = u.n"), "?");
    assert_eq!(columns("SELECT t.k, u.k FROM t LEFT JOIN u ON t.k = u.k WHERE u.k > 0"), "!!");
}

#[test]
fn a_semi_join_rejects_null_in_the_side_it_returns() {
    assert_eq!(columns("SELECT t.n, t.s FROM t LEFT SEMI JOIN u ON t.n = u.n"), "!?");
    assert_eq!(columns("SELECT t.n FROM t LEFT ANTI JOIN u ON t.n = u.n"), "?");
}

#[test]
fn sets_of_rows() {
    assert_eq!(columns("SELECT k FROM t UNION ALL SELECT n FROM u"), "?");
    assert_eq!(columns("SELECT k FROM t UNION SELECT k FROM u"), "!");
    assert_eq!(columns("SELECT n FROM t INTERSECT SELECT k FROM u"), "!");
    assert_eq!(columns("SELECT n FROM t INTERSECT SELECT n FROM u"), "?");
    assert_eq!(columns("SELECT n FROM t EXCEPT SELECT k FROM u"), "?");
    assert_eq!(columns("SELECT a, b FROM (VALUES (1, 2), (3, NULL)) AS v (a, b)"), "!?");
}

#[test]
fn facts_go_up() {
    let nested = "SELECT DISTINCT m FROM (SELECT n AS m FROM t WHERE n > 0) AS c ORDER BY m LIMIT 3";
    assert_eq!(columns(nested), "!");
    assert_eq!(columns("WITH c AS (SELECT k FROM t) SELECT a.k, b.k FROM c AS a LEFT JOIN c AS b ON a.k = b.k"), "!?");
    assert_eq!(columns_of(&[("v", "SELECT n, s FROM t WHERE n > 0"), ("query", "SELECT n, s FROM v")]), "!?");
    assert_eq!(columns("SELECT DISTINCT ON (k) k, n FROM t ORDER BY k"), "!?");
}

#[test]
fn what_is_taken_apart_may_be_null() {
    assert_eq!(columns("SELECT k, unnest(l) AS x FROM t"), "!?");
    // The field is declared as never null, and is where the struct is.
    assert_eq!(columns("SELECT k, unnest(r) FROM t"), "!?");
}

#[test]
fn a_scalar_subquery_without_a_row_is_null() {
    all(of, "!", "(SELECT count(*) FROM u); (SELECT 1); (SELECT count(*) FROM u LIMIT 1)");
    let exprs = "(SELECT max(k) FROM u); (SELECT k FROM u LIMIT 1); (SELECT count(*) FROM u GROUP BY n LIMIT 1); \
         (SELECT count(*) FROM u HAVING count(*) > 1); (SELECT count(*) FROM u OFFSET 1)";
    all(of, "?", exprs);
}

#[test]
fn a_correlated_aggregate_of_no_row_has_a_value() {
    all(of, "!", "(SELECT count(*) FROM u WHERE u.k = t.k); (SELECT count(*) FROM u WHERE t.k = u.k AND u.n > 1)");
    // What is computed from it may be folded before the engine makes up for the missing row.
    all(of, "?", "(SELECT coalesce(sum(u.n), 0) FROM u WHERE t.k = u.k AND u.n > 1)");
    // The engine does not make up for rows that no column of the subquery is compared with.
    all(of, "?", "(SELECT sum(u.k) FROM u WHERE u.k = t.k); (SELECT count(*) FROM u WHERE t.b)");
}

#[test]
fn a_recursion_is_null_where_any_step_is() {
    let rows = |next: &str| {
        columns(&format!(
            "WITH RECURSIVE r AS (SELECT 1 AS a, 0 AS b UNION ALL SELECT {next} FROM r WHERE a < 5) SELECT a, b FROM r"
        ))
    };
    assert_eq!(rows("a + 1, b"), "!!");
    assert_eq!(rows("a + 1, nullif(b, 0)"), "!?");
    assert_eq!(rows("a + 1, CAST(NULL AS bigint)"), "!?");
    // It takes a second step for null to get from one column into the other.
    let swapped = "WITH RECURSIVE r AS (SELECT 1 AS a, 2 AS b, 0 AS n UNION ALL SELECT nullif(a, 1), a, n + 1 FROM r \
                   WHERE n < 5) SELECT a, b, n FROM r";
    assert_eq!(columns(swapped), "??!");
}
