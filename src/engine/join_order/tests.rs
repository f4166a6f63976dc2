#![allow(clippy::panic)]

use super::search::{Class, Condition, Graph, Tree};
use super::*;
use crate::plan::session_sql::select;
use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::util::pretty::pretty_format_batches;
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, Statistics};
use datafusion::physical_plan::collect;
use datafusion::prelude::SessionContext;
use sizes::TableSize;

/// The tables of the tests: name, rows, columns. The first column is the key, and all are whole numbers.
const TABLES: [(&str, usize, &[&str]); 6] = [
    ("region", 5, &["r_id", "r_code"]),
    ("nation", 25, &["n_id", "n_region"]),
    ("supplier", 50, &["s_id", "s_nation"]),
    ("customer", 100, &["c_id", "c_nation"]),
    ("orders", 400, &["o_id", "o_customer", "o_day"]),
    ("lineitem", 1200, &["l_id", "l_orders", "l_supplier", "l_price"]),
];

/// How many times larger the statistics say the large tables are, so that orders matter.
const SCALE: usize = 1000;

fn values(column: &str, row: usize) -> usize {
    match column.split_once('_').unwrap().1 {
        "id" | "code" => row,
        "region" => row % 5,
        "nation" => row * 7 % 25,
        "supplier" => (row * 11 + row / 25) % 50,
        "customer" => row * 7 % 100,
        "orders" => row * 7 % 400,
        "day" => row % 365,
        _ => row * 31 % 97,
    }
}

async fn session() -> SessionContext {
    let ctx = SessionContext::new();
    for (table, rows, columns) in TABLES {
        let columns = columns.iter().map(|name| {
            let values: Int64Array = (0..rows).map(|row| values(name, row) as i64).collect();
            (*name, Arc::new(values) as ArrayRef)
        });
        ctx.register_batch(table, RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    }
    ctx
}

fn sizes() -> Sizes {
    let mut sizes = Sizes::default();
    for (table, rows, columns) in TABLES {
        let scale = if rows >= 100 { SCALE } else { 1 };
        let column = |column: &&str| ColumnStatistics {
            min_value: Precision::Exact(0_i64.into()),
            max_value: Precision::Exact(match *column {
                "o_day" => 364_i64.into(),
                "c_nation" | "s_nation" => 24_i64.into(),
                "n_region" => 4_i64.into(),
                "o_customer" => (100 * SCALE as i64).into(),
                "l_supplier" => 49_i64.into(),
                _ => ((rows * scale) as i64).into(),
            }),
            ..ColumnStatistics::new_unknown()
        };
        let statistics = Statistics {
            num_rows: Precision::Inexact(rows * scale),
            total_byte_size: Precision::Absent,
            column_statistics: columns.iter().map(column).collect(),
        };
        sizes.insert(table.to_owned(), TableSize { statistics, primary_key: vec![columns[0].to_owned()] });
    }
    sizes
}

async fn optimized(ctx: &SessionContext, query: &str) -> LogicalPlan {
    let state = ctx.state();
    state.optimize(&select(ctx, query).await.unwrap().into_unoptimized_plan()).unwrap()
}

async fn rows(ctx: &SessionContext, plan: &LogicalPlan) -> Vec<String> {
    let state = ctx.state();
    let physical = state.query_planner().create_physical_plan(plan, &state).await.unwrap();
    let batches = collect(physical, ctx.task_ctx()).await.unwrap();
    let mut rows: Vec<String> =
        pretty_format_batches(&batches).unwrap().to_string().lines().map(str::to_owned).collect();
    rows.sort();
    rows
}

/// The tables in the order in which they stand in the reordered plan; `None` where it is as it was. The rows and the
/// schema are the same in any case.
async fn order(query: &str) -> Option<Vec<String>> {
    let ctx = session().await;
    let plan = optimized(&ctx, query).await;
    let reordered = reorder(plan.clone(), &sizes(), &ctx.state()).unwrap();
    assert_same(&plan, &reordered);
    let before = rows(&ctx, &plan).await;
    assert!(before.len() > 4, "a test without rows shows nothing: {query}");
    assert_eq!(before, rows(&ctx, &reordered).await, "{}", reordered.display_indent());
    (plan != reordered).then(|| scans(&reordered))
}

fn assert_same(plan: &LogicalPlan, reordered: &LogicalPlan) {
    assert_eq!(plan.schema().columns(), reordered.schema().columns());
    assert_eq!(plan.schema().as_arrow(), reordered.schema().as_arrow());
}

fn scans(plan: &LogicalPlan) -> Vec<String> {
    let mut scans = Vec::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            scans.push(scan.table_name.table().to_owned());
        }
        Ok(TreeNodeRecursion::Continue)
    })
    .unwrap();
    scans
}

const FIVE: &str = "FROM customer, orders, lineitem, supplier, nation, region
    WHERE c_id = o_customer AND l_orders = o_id AND l_supplier = s_id AND c_nation = s_nation AND s_nation = n_id
      AND n_region = r_id AND r_code = 2 AND o_day < 200";

#[tokio::test]
async fn filtered_tables_come_first_by_equalities_that_follow() {
    let order = order(&format!("SELECT n_id, sum(l_price) AS total {FIVE} GROUP BY n_id")).await.unwrap();
    assert_eq!(order, ["region", "nation", "supplier", "customer", "orders", "lineitem"]);
}

#[tokio::test]
async fn columns_keep_their_order_and_names() {
    assert!(order(&format!("SELECT * {FIVE}")).await.is_some());
    assert!(order(&format!("SELECT l_price, r_code AS c, c_id + o_id, n_id {FIVE}")).await.is_some());
}

#[tokio::test]
async fn a_star_starts_at_the_filtered_dimension() {
    let query = "SELECT l_id, s_nation, o_day FROM lineitem JOIN supplier ON l_supplier = s_id
        JOIN orders ON l_orders = o_id JOIN customer ON o_customer = c_id WHERE c_id = 7";
    let order = order(query).await.unwrap();
    assert!(order.iter().position(|table| table == "customer") < order.iter().position(|table| table == "lineitem"));
}

#[tokio::test]
async fn a_condition_that_is_no_equality_is_kept() {
    let query = format!("SELECT l_id, c_id {FIVE} AND l_price + 500 > o_day - c_id AND s_id + c_id > 5");
    assert!(order(&query).await.is_some());
}

#[tokio::test]
async fn equalities_of_expressions_join() {
    let query = "SELECT l_id, n_id FROM lineitem, orders, customer, nation
        WHERE l_orders = o_id AND o_customer = c_id AND c_nation + 1 = n_id + 1 AND n_id = 3";
    assert!(order(query).await.is_some());
}

#[tokio::test]
async fn two_columns_of_a_relation_that_must_be_equal_are_compared() {
    let query = "SELECT l_id, c_id FROM lineitem, orders, customer, nation
        WHERE l_orders = o_id AND o_customer = c_id AND c_nation = n_id AND n_region = c_nation";
    order(query).await;
}

#[tokio::test]
async fn tables_that_nothing_connects_are_multiplied_last() {
    let query = "SELECT l_id, r_id FROM region, lineitem, orders, customer
        WHERE l_orders = o_id AND o_customer = c_id AND c_id < 4";
    order(query).await;
}

#[tokio::test]
async fn a_table_joins_itself() {
    let query = "SELECT l_id, a.n_id, b.n_id AS other FROM orders, lineitem, supplier, nation a, nation b, customer
        WHERE l_orders = o_id AND o_customer = c_id AND l_supplier = s_id AND s_nation = a.n_id AND c_nation = b.n_id
          AND (a.n_id = 1 AND b.n_id = 2 OR a.n_id = 7 AND b.n_id = 14 OR b.n_region < 3 AND a.n_id < 8)";
    order(query).await;
}

#[tokio::test]
async fn regions_in_subqueries_are_reordered() {
    let inner = format!("SELECT avg(l_price) {FIVE}");
    assert!(order(&format!("SELECT l_id FROM lineitem WHERE l_price > ({inner})")).await.is_some());
    order(&format!("SELECT c_id FROM customer WHERE c_id IN (SELECT c_id {FIVE})")).await;
}

#[tokio::test]
async fn regions_below_an_outer_join_are_reordered_and_it_stays() {
    let query = format!(
        "SELECT r.r_id, f.total FROM region r LEFT JOIN
        (SELECT r_id, count(*) AS total {FIVE} GROUP BY r_id) f ON f.r_id = r.r_id"
    );
    assert!(order(&query).await.is_some());
    let query = "SELECT c_id, o_id, l_id, n_id FROM customer LEFT JOIN orders ON o_customer = c_id AND o_day < 9
        JOIN lineitem ON l_id = c_id JOIN nation ON c_nation = n_id JOIN region ON n_region = r_id WHERE r_code = 1";
    order(query).await;
}

#[tokio::test]
async fn keys_where_null_equals_null_stay() {
    let query = "SELECT l_id FROM orders JOIN lineitem ON l_orders IS NOT DISTINCT FROM o_id
        JOIN customer ON o_customer = c_id JOIN nation ON c_nation = n_id JOIN region ON n_region = r_id
        WHERE r_code = 1";
    order(query).await;
}

#[tokio::test]
async fn volatile_conditions_stay() {
    assert_eq!(order(&format!("SELECT l_id {FIVE} AND l_id + c_id > random() - 1")).await, None);
}

#[tokio::test]
async fn a_good_order_stays() {
    let query = "SELECT l_id FROM region JOIN nation ON n_region = r_id JOIN customer ON c_nation = n_id
        JOIN orders ON o_customer = c_id JOIN lineitem ON l_orders = o_id WHERE r_code = 2";
    assert_eq!(order(query).await, None);
}

#[tokio::test]
async fn without_sizes_nothing_changes() {
    let ctx = session().await;
    let plan = optimized(&ctx, &format!("SELECT l_id {FIVE}")).await;
    assert!(has_choice(&plan));
    assert_eq!(reorder(plan.clone(), &Sizes::default(), &ctx.state()).unwrap(), plan);
    let unknown = Statistics::new_unknown(&Schema::new(vec![Field::new("r_id", DataType::Int64, true)]));
    let mut sizes = sizes();
    sizes.insert("region".to_owned(), TableSize { statistics: unknown, primary_key: Vec::new() });
    assert_eq!(reorder(plan.clone(), &sizes, &ctx.state()).unwrap(), plan);
}

#[tokio::test]
async fn two_tables_have_no_choice() {
    let ctx = session().await;
    assert!(!has_choice(&optimized(&ctx, "SELECT * FROM nation JOIN region ON n_region = r_id").await));
}

#[tokio::test]
async fn sizes_are_read_from_the_tables() {
    let ctx = session().await;
    let plan = optimized(&ctx, &format!("SELECT l_id {FIVE}")).await;
    let keys = |table: &str| if table == "region" { vec!["r_id".to_owned()] } else { Vec::new() };
    let sizes = Sizes::read(&plan, &ctx.state(), &keys).await.unwrap();
    assert_eq!(sizes.table("lineitem").unwrap().statistics.num_rows.get_value(), Some(&1200));
    assert_eq!(sizes.table("region").unwrap().primary_key, ["r_id"]);
}

#[test]
fn a_cycle_is_cut_where_it_is_cheapest() {
    let edge = |one: usize, other: usize, selectivity| Condition {
        relations: 1 << one | 1 << other,
        sides: Some((1 << one, 1 << other)),
        selectivity,
    };
    let conditions = vec![edge(0, 1, 0.1), edge(1, 2, 0.001), edge(2, 0, 0.1)];
    let graph = Graph { rows: vec![1000.0, 1000.0, 1000.0], conditions, ..Graph::default() };
    let Tree::Join(one, other) = graph.best().unwrap().tree else { panic!("no join") };
    assert!([*one, *other].contains(&Tree::Relation(0)));
}

#[test]
fn more_relations_than_can_be_searched_are_joined_all_the_same() {
    let rows: Vec<f64> = (1..=20).map(|at| f64::from(at) * 100.0).collect();
    let classes = (0..19).map(|at| Class { members: 3 << at, distinct: 100.0 }).collect();
    let graph = Graph { rows, classes, ..Graph::default() };
    assert_eq!(graph.best().unwrap().set, (1 << 20) - 1);
}
