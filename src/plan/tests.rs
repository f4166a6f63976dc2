use super::*;
use crate::plan::session_sql::select;
use datafusion::arrow::array::{AsArray, Float64Array, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::datasource::MemTable;
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_plan::displayable;
use datafusion::prelude::{SessionConfig, SessionContext};

/// Tables `a` of 40 rows and `b` of 12, which the engine takes for large: it joins them in parts. And `f` of four rows
/// with both zeros.
fn session() -> SessionContext {
    let mut config = SessionConfig::new().with_target_partitions(2);
    configure(config.options_mut());
    config.options_mut().optimizer.hash_join_single_partition_threshold = 0;
    config.options_mut().optimizer.hash_join_single_partition_threshold_rows = 0;
    let state = SessionStateBuilder::new()
        .with_config(config)
        .with_default_features()
        .with_analyzer_rules(analyzer().rules)
        .with_optimizer_rules(optimizer().rules)
        .with_physical_optimizer_rules(physical_optimizer().rules)
        .build();
    let ctx = SessionContext::new_with_state(state);
    for (name, rows) in [("a", 40), ("b", 12)] {
        let fields = ["id", "k"].map(|column| Field::new(column, DataType::Int64, true));
        let schema = Arc::new(Schema::new(fields.to_vec()));
        let id = Int64Array::from_iter_values(0..rows);
        let k = Int64Array::from_iter_values((0..rows).map(|id| id * 7 % rows));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(id), Arc::new(k)]).unwrap();
        ctx.register_table(name, Arc::new(MemTable::try_new(schema, vec![vec![batch]]).unwrap())).unwrap();
    }
    let schema = Schema::new(vec![Field::new("id", DataType::Int64, true), Field::new("y", DataType::Float64, true)]);
    let y = Float64Array::from(vec![Some(0.0), Some(-0.0), Some(1.5), None]);
    let columns: Vec<Arc<dyn datafusion::arrow::array::Array>> =
        vec![Arc::new(Int64Array::from_iter_values(0..4)), Arc::new(y)];
    let batch = RecordBatch::try_new(Arc::new(schema.clone()), columns).unwrap();
    ctx.register_table("f", Arc::new(MemTable::try_new(Arc::new(schema), vec![vec![batch]]).unwrap())).unwrap();
    ctx
}

async fn ask(sql: &str) -> (Vec<Vec<Option<i64>>>, String) {
    let plan = select(&session(), sql).await.unwrap().create_physical_plan().await.unwrap();
    let shown = displayable(plan.as_ref()).indent(false).to_string();
    let batches = datafusion::physical_plan::collect(plan, session().task_ctx()).await.unwrap();
    let mut rows = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let value = |column: &Arc<dyn datafusion::arrow::array::Array>| {
                let column = column.as_primitive::<Int64Type>();
                datafusion::arrow::array::Array::is_valid(column, row).then(|| column.value(row))
            };
            rows.push(batch.columns().iter().map(value).collect());
        }
    }
    rows.sort();
    (rows, shown)
}

/// The ids of `a` and `b` that have the same `k`.
fn pairs() -> Vec<(i64, i64)> {
    let of_a = |id: i64| id * 7 % 40;
    let of_b = |id: i64| id * 7 % 12;
    (0..40).flat_map(|a| (0..12).map(move |b| (a, b))).filter(|(a, b)| of_a(*a) == of_b(*b)).collect()
}

#[tokio::test]
async fn keys_of_groups_that_are_called_alike_are_not_mistaken_for_each_other() {
    let sql = "SELECT x.first, x.second FROM (SELECT a.id AS first, b.id AS second FROM a JOIN b ON a.k = b.k \
               GROUP BY a.id, b.id) AS x JOIN (SELECT a.id AS first, b.id AS second FROM a JOIN b ON a.k = b.k) AS y \
               ON y.second = x.second AND y.first = x.first";
    let (rows, plan) = ask(sql).await;
    let expected: Vec<Vec<Option<i64>>> = pairs().into_iter().map(|(a, b)| vec![Some(a), Some(b)]).collect();
    assert_eq!(rows, expected, "{plan}");
    assert!(plan.contains("mode=Partitioned") && plan.contains("AggregateExec"), "{plan}");
}

#[tokio::test]
async fn a_filter_stays_above_a_join_whose_sides_are_swapped() {
    let sql = "SELECT b.id, a.id AS other FROM a RIGHT JOIN b ON a.id = b.id \
               WHERE (a.id IS NULL AND b.k <> 3) OR b.k < 5 AND a.id <> 7";
    let (rows, plan) = ask(sql).await;
    let holds = |id: &i64| id * 7 % 12 < 5 && *id != 7;
    let expected: Vec<Vec<Option<i64>>> = (0..12).filter(holds).map(|id| vec![Some(id), Some(id)]).collect();
    assert_eq!(rows, expected, "{plan}");
}

#[tokio::test]
async fn what_is_only_looked_for_is_grouped_by_its_keys() {
    let of = |k: i64, rows: i64| (0..rows).any(|id| id * 7 % rows == k);
    for (condition, wanted) in [
        ("k IN (SELECT k FROM b)", true),
        ("NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.k)", false),
        ("a.k NOT IN (SELECT b.k FROM b)", false),
        ("(EXISTS (SELECT 1 FROM b WHERE b.k = a.k) OR a.id < 0)", true),
    ] {
        let (rows, plan) = ask(&format!("SELECT id FROM a WHERE {condition}")).await;
        let expected: Vec<_> = (0..40).filter(|id| of(id * 7 % 40, 12) == wanted).map(|id| vec![Some(id)]).collect();
        assert_eq!(rows, expected, "{condition}");
        assert!(plan.contains("AggregateExec: mode=Partial, gby=["), "{plan}");
    }
    // With a condition beside the keys, every pair is looked at.
    let (_, plan) = ask("SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k = a.k AND b.id < a.id)").await;
    assert!(!plan.contains("AggregateExec"), "{plan}");
}

#[tokio::test]
async fn joins_on_numbers_tell_their_scans_of_one_zero() {
    let (rows, plan) = ask("SELECT x.id, z.id FROM f AS x JOIN f AS z ON x.y = z.y").await;
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)];
    assert_eq!(rows, pairs.map(|(x, z)| vec![Some(x), Some(z)]));
    // The filter that a join gives to a scan is made of its keys, and looks values up by their bits.
    assert!(plan.contains("qtool_float_key"), "{plan}");
}

#[tokio::test]
async fn a_column_of_two_sides_is_that_of_a_side_with_a_row() {
    for (join, expected) in [
        ("b RIGHT JOIN a USING (id)", [40, 40, 780]),
        ("a RIGHT JOIN b USING (id)", [12, 12, 66]),
        ("a FULL JOIN b USING (id)", [40, 40, 780]),
        ("b FULL JOIN a USING (id)", [40, 40, 780]),
        ("f FULL JOIN b USING (id) FULL JOIN a USING (id)", [40, 40, 780]),
        ("f JOIN b USING (id) JOIN a USING (id)", [4, 4, 6]),
        ("a LEFT JOIN b USING (id) LEFT JOIN f USING (id)", [40, 40, 780]),
        // 0 and 1 are alike in both columns.
        ("b NATURAL FULL JOIN a", [50, 50, 845]),
        ("b NATURAL RIGHT JOIN a", [40, 40, 780]),
    ] {
        let sql = format!("SELECT count(*) AS n, count(id) AS ids, sum(id) AS sum FROM {join} WHERE id >= 0");
        let (rows, plan) = ask(&sql).await;
        assert_eq!(rows, [expected.map(Some).to_vec()], "{join}: {plan}");
    }
}

#[tokio::test]
async fn a_column_that_a_plain_join_goes_by_is_known_in_where() {
    for join in ["a JOIN b USING (id)", "a LEFT JOIN b USING (id)", "a AS x JOIN b AS y USING (id)"] {
        let (rows, _) = ask(&format!("SELECT id FROM {join} WHERE id = 3 AND id IN (SELECT id FROM a)")).await;
        assert_eq!(rows, [[Some(3)]], "{join}");
    }
}

#[tokio::test]
async fn the_parts_of_a_union_are_sorted_by_the_whole_order() {
    let union = "SELECT 4 AS c0, id AS c1 FROM a UNION ALL SELECT 5, id FROM a";
    for (sql, sorted) in [
        (format!("{union} ORDER BY c1, c0 DESC LIMIT 1"), "TopK(fetch=1), expr=[c1@1 ASC NULLS LAST, c0@0 DESC]"),
        (
            format!("SELECT c1 + c0 AS n FROM ({union}) ORDER BY c1, c0 DESC LIMIT 1"),
            "TopK(fetch=1), expr=[c1@1 ASC NULLS LAST, c0@2 DESC]",
        ),
    ] {
        let (rows, plan) = ask(&sql).await;
        assert_eq!(rows.len(), 1);
        assert!(plan.contains(sorted), "{plan}");
    }
    let (rows, _) = ask(&format!("{union} ORDER BY c1, c0 DESC LIMIT 1")).await;
    assert_eq!(rows, [[Some(5), Some(0)]]);
}
