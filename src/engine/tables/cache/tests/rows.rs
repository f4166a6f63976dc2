//! What is read of a snapshot.

use super::super::prune::{comparisons, remaining};
use super::super::scan::{SnapshotScan, Wanted};
use super::*;
use arrow::array::{
    ArrayRef, AsArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int32Array, Int64Array,
    LargeStringArray, StringArray, StringViewArray, TimestampMillisecondArray, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::datasource::{MemTable, ViewTable};
use datafusion::logical_expr::{ColumnarValue, Operator, Volatility, binary_expr, col, create_udf, lit};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::displayable;
use futures::StreamExt;
use std::ops::Range;
use std::sync::atomic::AtomicI64;

const OPERATORS: [Operator; 5] = [Operator::Eq, Operator::Lt, Operator::LtEq, Operator::Gt, Operator::GtEq];

fn physical(expr: Expr, schema: &SchemaRef) -> Arc<dyn PhysicalExpr> {
    let columns = DFSchema::try_from(Arc::clone(schema)).unwrap();
    SessionContext::new().create_physical_expr(expr, &columns).unwrap()
}

fn left(snapshot: &Snapshot, expr: Expr) -> Vec<usize> {
    let comparisons = comparisons(&[physical(expr, snapshot.schema())]);
    remaining(snapshot, &comparisons, 0..snapshot.batches().len())
}

fn of(array: ArrayRef) -> Arc<Snapshot> {
    snapshot(vec![batch(vec![("x", array)])], Vec::new(), 3)
}

/// Columns of three batches and more, of every type, with nulls inside and batches of nothing else.
fn columns() -> Vec<ArrayRef> {
    let numbers = [Some(-7), Some(-3), None, None, None, None, Some(0), Some(2), Some(2), Some(5), None, Some(9)];
    let texts = [Some("b"), Some(""), None, None, None, None, Some("bb"), Some("é"), Some("c"), Some("a"), None, None];
    let floats = numbers.map(|number| number.map(f64::from));
    let mut odd = floats;
    odd[0] = Some(f64::NAN);
    odd[6] = Some(-0.0);
    odd[9] = Some(f64::NEG_INFINITY);
    odd[11] = Some(-f64::NAN);
    let decimals = Decimal128Array::from_iter(numbers.map(|number| number.map(i128::from)));
    vec![
        Arc::new(Int32Array::from_iter(numbers)),
        Arc::new(Int64Array::from_iter(numbers.map(|number| number.map(i64::from)))),
        Arc::new(UInt64Array::from_iter(numbers.map(|number| number.map(|n| u64::from(n.unsigned_abs()))))),
        Arc::new(Float64Array::from_iter(floats)),
        Arc::new(Float64Array::from_iter(odd)),
        Arc::new(decimals.with_precision_and_scale(12, 2).unwrap()),
        Arc::new(Date32Array::from_iter(numbers)),
        Arc::new(TimestampMillisecondArray::from_iter(numbers.map(|n| n.map(i64::from))).with_timezone("UTC")),
        Arc::new(BooleanArray::from_iter(numbers.map(|number| number.map(|n| n > 0)))),
        Arc::new(StringArray::from_iter(texts)),
        Arc::new(LargeStringArray::from_iter(texts)),
        Arc::new(StringViewArray::from_iter(texts)),
    ]
}

#[test]
fn no_batch_with_a_row_is_left_out_and_no_other_one_stays() {
    for array in columns() {
        let snapshot = of(Arc::clone(&array));
        let exact = *array.data_type() != DataType::Float64;
        let mut values: Vec<ScalarValue> =
            (0..array.len()).map(|at| ScalarValue::try_from_array(&array, at).unwrap()).collect();
        if !exact {
            values.extend([0.0, -0.0, f64::NAN, f64::INFINITY, 4.5].map(|value| ScalarValue::Float64(Some(value))));
        }
        for value in values {
            for operator in OPERATORS {
                let ways = [
                    binary_expr(col("x"), operator, lit(value.clone())),
                    binary_expr(lit(value.clone()), operator.swap().unwrap(), col("x")),
                ];
                let filter = physical(ways[0].clone(), snapshot.schema());
                let matches = |batch: &RecordBatch| {
                    let mask = filter.evaluate(batch).unwrap().into_array(batch.num_rows()).unwrap();
                    mask.as_boolean().true_count() > 0
                };
                let with_rows: Vec<usize> =
                    (0..snapshot.batches().len()).filter(|at| matches(&snapshot.batches()[*at])).collect();
                for way in ways {
                    let left = left(&snapshot, way.clone());
                    assert!(with_rows.iter().all(|at| left.contains(at)), "{way} on {array:?}: {left:?}");
                    if exact && !value.is_null() && operator != Operator::Eq {
                        assert_eq!(left, with_rows, "{way} on {array:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_key_is_in_one_batch() {
    let snapshot = of(Arc::new(Int64Array::from_iter_values(0..300)));
    assert_eq!(left(&snapshot, col("x").eq(lit(100_i64))), [33]);
    assert_eq!(left(&snapshot, col("x").between(lit(8_i64), lit(10_i64))), [2, 3]);
    assert_eq!(left(&snapshot, col("x").gt(lit(10_i64)).and(lit(12_i64).gt(col("x")))), [3]);
    assert!(left(&snapshot, col("x").eq(lit(1_000_i64))).is_empty());
    let all: Vec<usize> = (0..100).collect();
    assert_eq!(left(&snapshot, col("x").eq(lit(ScalarValue::Int64(None)))), all);
    assert_eq!(left(&snapshot, (col("x") + lit(0_i64)).eq(lit(1_i64))), all);
    assert_eq!(left(&snapshot, col("x").not_eq(lit(1_i64))), all);
    assert_eq!(left(&snapshot, col("x").eq(lit(1_i64)).or(col("x").eq(lit(9_i64)))), all);
    assert_eq!(left(&snapshot, col("x").eq(lit(1_i64) / lit(0_i64))), all);
}

#[test]
fn minus_zero_equals_zero() {
    let snapshot = of(Arc::new(Float64Array::from(vec![0.0, 1.0, 2.0, -1.0, -0.5, -0.0])));
    assert_eq!(left(&snapshot, col("x").eq(lit(-0.0))), [0, 1]);
    assert_eq!(left(&snapshot, col("x").gt_eq(lit(0.0))), [0, 1]);
}

/// Which of `a`, `b`, `c` and the key (`a`, `b`) are known to ascend.
fn orders(a: Vec<Option<i64>>, b: Vec<&str>) -> Vec<Vec<usize>> {
    let c = Int64Array::from_iter_values(std::iter::repeat_n(7, a.len()));
    let rows = batch(vec![
        ("a", Arc::new(Int64Array::from(a)) as ArrayRef),
        ("b", Arc::new(StringViewArray::from(b))),
        ("c", Arc::new(c)),
    ]);
    snapshot(vec![rows], vec![0, 1], 3).orders().to_vec()
}

#[test]
fn orders_are_found_and_one_inversion_ends_them() {
    let some = |values: &[i64]| values.iter().copied().map(Some).collect::<Vec<_>>();
    let b = || vec!["a", "b", "a", "b", "b", "a"];
    assert_eq!(orders(some(&[1, 1, 2, 2, 2, 3]), b()), [vec![0, 1], vec![0], vec![2]]);
    assert_eq!(orders(some(&[1, 1, 1, 2, 2, 3]), b()), [vec![0], vec![2]]);
    // Only from the last row of a batch to the first of the next.
    assert_eq!(orders(some(&[1, 2, 3, 2, 3, 4]), b()), [vec![2]]);
    assert_eq!(orders(some(&[1, 2, 3, 3, 4, 4]), vec!["a", "a", "b", "a", "a", "b"]), [vec![0], vec![2]]);
    assert_eq!(orders(some(&[1, 2, 3, 3, 5, 4]), b()), [vec![2]]);
    assert_eq!(orders(vec![Some(1), Some(2), None, Some(3), Some(4), Some(5)], b()), [vec![2]]);
    assert_eq!(
        orders(some(&[1, 2, 3, 4, 5, 6]), vec!["a", "b", "c", "d", "e", "f"]),
        [vec![0, 1], vec![0], vec![1], vec![2]]
    );
}

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn random_rows(rows: usize) -> Vec<RecordBatch> {
    let mut random = Random(7);
    let mut batches = Vec::new();
    let mut id = 0_i64;
    while usize::try_from(id).unwrap() < rows {
        let count = i64::try_from(random.below(5_000) + 1).unwrap();
        let ids = Int64Array::from_iter_values(id..id + count);
        let mut some = |limit| (random.below(10) > 0).then(|| i64::try_from(random.below(limit)).unwrap());
        let n: Vec<Option<i64>> = (0..count).map(|_| some(1_000)).collect();
        let d: Vec<Option<i128>> = (0..count).map(|_| some(9_000).map(|n| i128::from(n) - 4_500)).collect();
        let s: Vec<Option<String>> = (0..count).map(|_| some(50).map(|n| format!("a rather long text {n}"))).collect();
        let f: Vec<Option<f64>> =
            (0..count).map(|_| some(99).map(|n| if n == 0 { f64::NAN } else { n as f64 })).collect();
        batches.push(batch(vec![
            ("id", Arc::new(ids) as ArrayRef),
            ("n", Arc::new(Int64Array::from(n))),
            ("d", Arc::new(Decimal128Array::from(d).with_precision_and_scale(10, 2).unwrap())),
            ("s", Arc::new(StringViewArray::from_iter(s))),
            ("f", Arc::new(Float64Array::from(f))),
        ]));
        id += count;
    }
    batches
}

fn memory(batches: Vec<RecordBatch>) -> Arc<dyn TableProvider> {
    Arc::new(MemTable::try_new(batches[0].schema(), vec![batches]).unwrap())
}

/// `m` is a table in memory, `t` the same one loaded: the file says only when it changes.
async fn twins(files: &Files, inner: Arc<dyn TableProvider>) -> Arc<CachedTable> {
    let caching = Caching {
        mode: CacheMode::Auto,
        budget: Budget::new(1 << 28),
        primary_key: vec!["id".to_owned()],
        ordered: None,
        notes: None,
    };
    let table = Arc::new(CachedTable::new("t", Arc::clone(&inner), Some(files.local()), caching));
    files.load(&table).await;
    assert!(table.kept().is_some());
    files.ctx.register_table("m", inner).unwrap();
    files.ctx.register_table("t", Arc::clone(&table) as Arc<dyn TableProvider>).unwrap();
    table
}

#[tokio::test]
async fn a_snapshot_answers_like_the_table_itself() {
    let files = Files::new("x");
    let rows = random_rows(100_000);
    let inner = memory(rows.clone());
    twins(&files, Arc::clone(&inner)).await;
    let queries = [
        "SELECT * FROM # WHERE id = 31415",
        "SELECT s, id FROM # WHERE id BETWEEN 8100 AND 8300 ORDER BY id",
        "SELECT count(*), count(n), min(n), max(s), min(f), max(f), min(d) FROM #",
        "SELECT * FROM # WHERE n > 990 AND d < -12.5 ORDER BY id",
        "SELECT * FROM # WHERE 'a rather long text 7' = s AND f IS NULL ORDER BY id",
        "SELECT n, count(*), sum(d) FROM # GROUP BY n ORDER BY n",
        "SELECT id FROM # ORDER BY id LIMIT 5 OFFSET 9000",
        "SELECT id, n FROM # ORDER BY id DESC LIMIT 5",
        "SELECT count(*) FROM # WHERE f > 90.0",
        "SELECT id FROM # WHERE id < 10 OR id > 99990 ORDER BY id",
        "SELECT a.id, b.n FROM # a JOIN # b ON a.n = b.id WHERE a.id >= 50000 AND b.id < 4 ORDER BY a.id, b.n",
        "SELECT count(*) FROM (SELECT 1 FROM # LIMIT 70001)",
        "SELECT id FROM # WHERE id > (SELECT max(id) - 3 FROM #) ORDER BY id",
        "SELECT id, row_number() OVER (PARTITION BY n ORDER BY id) FROM # WHERE n < 3 ORDER BY id",
    ];
    for text in queries {
        let expected = query(&files.ctx, &text.replace('#', "m")).await;
        assert!(!expected.is_empty(), "{text}");
        assert_eq!(query(&files.ctx, &text.replace('#', "t")).await, expected, "{text}");
    }
}

#[tokio::test]
async fn a_view_is_kept_as_what_it_shows() {
    let files = Files::new("x");
    let ctx = &files.ctx;
    ctx.register_table("raw", memory(random_rows(20_000))).unwrap();
    let view = select(ctx, "SELECT id, nullif(n, 5) AS n, CAST(d AS DOUBLE) AS d FROM raw").await.unwrap();
    let view: Arc<dyn TableProvider> = Arc::new(ViewTable::new(view.into_unoptimized_plan(), None));
    let table = twins(&files, view).await;
    for text in ["SELECT * FROM # WHERE n = 4 ORDER BY id", "SELECT sum(n), min(d) FROM # WHERE id > 9000"] {
        assert_eq!(query(ctx, &text.replace('#', "t")).await, query(ctx, &text.replace('#', "m")).await);
    }
    files.write("changed");
    assert!(matches!(table.source(), Source::Files(_)));
    assert_eq!(query(ctx, "SELECT n FROM t WHERE id = 77").await, query(ctx, "SELECT n FROM m WHERE id = 77").await);
}

async fn plan(ctx: &SessionContext, sql: &str) -> Arc<dyn ExecutionPlan> {
    select(ctx, sql).await.unwrap().create_physical_plan().await.unwrap()
}

fn shown(plan: &Arc<dyn ExecutionPlan>) -> String {
    displayable(plan.as_ref()).indent(false).to_string()
}

#[tokio::test]
async fn the_order_of_the_rows_needs_no_sort() {
    let files = Files::new("x");
    twins(&files, memory(random_rows(200_000))).await;
    let text = shown(&plan(&files.ctx, "SELECT n, id FROM t WHERE id > 7 ORDER BY id LIMIT 3").await);
    assert!(!text.contains("SortExec") && text.contains("SnapshotScan: t, rows=20"), "{text}");
    assert!(text.contains("filters=id@0 > 7"), "{text}");
    let text = shown(&plan(&files.ctx, "SELECT n FROM t ORDER BY n LIMIT 3").await);
    assert!(text.contains("SortExec"), "{text}");
    let text = shown(&plan(&files.ctx, "SELECT * FROM t LIMIT 3").await);
    assert!(text.contains("fetch=3") && !text.contains("Limit"), "{text}");
}

#[tokio::test]
async fn batches_are_left_out_by_the_value_of_the_moment() {
    let value = Arc::new(AtomicI64::new(0));
    let read = Arc::clone(&value);
    let value_of =
        move |_: &[ColumnarValue]| Ok(ColumnarValue::Scalar(ScalarValue::Int64(Some(read.load(Ordering::Relaxed)))));
    let argument = create_udf("argument", Vec::new(), DataType::Int64, Volatility::Stable, Arc::new(value_of));
    let snapshot = numbers(0..30_000);
    let filters = vec![physical(col("x").gt_eq(argument.call(Vec::new())), snapshot.schema())];
    let wanted = Wanted { projection: None, filters, fetch: None, partitions: 1 };
    let scan = SnapshotScan::new("t".into(), snapshot, wanted).unwrap();
    for (from, expected) in [(25_000, 5_424), (8_192, 21_808), (30_000, 0), (0, 30_000), (25_000, 5_424)] {
        let late = scan.execute(0, session().task_ctx()).unwrap();
        value.store(from, Ordering::Relaxed);
        assert_eq!(sizes(&scan, 0).await.iter().sum::<usize>(), expected);
        // What counts is the value when the rows are asked for, as for the filter above.
        assert_eq!(
            late.map(|batch| batch.unwrap().num_rows()).collect::<Vec<_>>().await.iter().sum::<usize>(),
            expected
        );
    }
}

fn scan(snapshot: &Arc<Snapshot>, fetch: Option<usize>, partitions: usize) -> SnapshotScan {
    let wanted = Wanted { projection: Some(&[0]), filters: Vec::new(), fetch, partitions };
    SnapshotScan::new("t".into(), Arc::clone(snapshot), wanted).unwrap()
}

fn numbers(rows: Range<i64>) -> Arc<Snapshot> {
    snapshot(vec![batch(vec![("x", Arc::new(Int64Array::from_iter_values(rows)) as ArrayRef)])], Vec::new(), 8192)
}

async fn sizes(scan: &SnapshotScan, partition: usize) -> Vec<usize> {
    let stream = scan.execute(partition, session().task_ctx()).unwrap();
    stream.map(|batch| batch.unwrap().num_rows()).collect().await
}

#[tokio::test]
async fn reading_stops_at_fetch() {
    let snapshot = numbers(0..30_000);
    assert_eq!(sizes(&scan(&snapshot, Some(10), 4), 0).await, [10]);
    // A batch is handed out in growing pieces.
    assert_eq!(sizes(&scan(&snapshot, Some(8_200), 4), 0).await, [512, 1024, 2048, 4096, 512, 8]);
    assert!(sizes(&scan(&snapshot, Some(0), 4), 0).await.is_empty());
    let all = [512, 1024, 2048, 4096, 512, 8_192, 8_192, 5_424];
    assert_eq!(sizes(&scan(&snapshot, None, 4), 0).await, all);
    assert!(scan(&snapshot, None, 4).execute(1, session().task_ctx()).is_err());
}

#[tokio::test]
async fn partitions_are_all_rows_once() {
    for (rows, most, expected) in [(65_535, 4, 1), (65_536, 4, 4), (70_000, 3, 3), (70_000, 50, 9), (0, 4, 1)] {
        let snapshot = numbers(0..rows);
        let scan = scan(&snapshot, None, most);
        let count = scan.properties().partitioning.partition_count();
        assert_eq!(count, expected);
        let mut seen = Vec::new();
        for partition in 0..count {
            let stream = scan.execute(partition, session().task_ctx()).unwrap();
            let batches: Vec<RecordBatch> = stream.map(std::result::Result::unwrap).collect().await;
            seen.extend(batches.iter().flat_map(|b| b.column(0).as_primitive::<Int64Type>().values().to_vec()));
        }
        assert_eq!(seen, (0..rows).collect::<Vec<_>>());
    }
}

#[test]
fn statistics_are_exact_where_they_can_be() {
    let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Int64, true)]));
    let snapshot = of(Arc::new(Int64Array::from(vec![Some(4), None, Some(-1), None, None, None])));
    assert_eq!(snapshot.schema(), &schema);
    let column = &snapshot.statistics().column_statistics[0];
    assert_eq!(column.min_value.get_value(), Some(&ScalarValue::Int64(Some(-1))));
    assert_eq!(column.max_value.get_value(), Some(&ScalarValue::Int64(Some(4))));
    assert_eq!(column.null_count.get_value(), Some(&4));
    assert!(column.max_value.is_exact() == Some(true) && snapshot.rows() == 6);
    let odd = of(Arc::new(Float64Array::from(vec![1.0, f64::NAN])));
    assert!(odd.statistics().column_statistics[0].max_value.get_value().is_none());
}

#[test]
fn texts_do_not_keep_the_buffers_they_were_read_from() {
    let long: Vec<String> = (0..50_000).map(|at| format!("a text that is too long to lie inline {at}")).collect();
    let whole = StringViewArray::from_iter_values(&long);
    let part = batch(vec![("x", Arc::new(whole.slice(100, 50)) as ArrayRef)]);
    let snapshot = snapshot(vec![part], Vec::new(), 8192);
    assert!(snapshot.bytes() < 32_768, "{}", snapshot.bytes());
}
