//! What cannot be shown with SQL alone: a panic inside the engine, and a call that is given up.
#![allow(clippy::panic)]

use super::*;
use crate::compile;
use crate::engine::core::Core;
use crate::engine::cursor::Key;
use crate::engine::defaults::Defaults;
use crate::engine::executor::Local;
use crate::engine::gate::Gate;
use crate::engine::limits::Limits;
use crate::engine::planned::Planned;
use crate::engine::prepared::Plans;
use crate::engine::program_place::ProgramPlace;
use crate::engine::runners::{QueryRunner, Runner};
use crate::engine::threads::Threads;
use crate::plan::session_sql::select;
use crate::project::{ResultLimit, TableFormat, Timeout};
use crate::tool::{Annotations, Body, Clauses, Contract, Input, Output, OutputColumn, Query, Tool};
use crate::ty::Type;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf, lit};
use datafusion::prelude::{SessionContext, col};
use futures::FutureExt;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static BATCHES: AtomicUsize = AtomicUsize::new(0);

fn tool(name: &str, timeout: Duration) -> Tool {
    let contract = Contract {
        name: name.to_owned(),
        alias_of: None,
        title: name.to_owned(),
        description: None,
        tags: Vec::new(),
        version: None,
        icons: Vec::new(),
        scopes: Vec::new(),
        meta: None,
        input: Input::Parameters(Vec::new()),
        output: Output::Columns(vec![OutputColumn::new("n", Type::Bigint)]),
        clauses: Clauses::default(),
        placeholders: Vec::new(),
        rules: Vec::new(),
        tables: Vec::new(),
        policies: Vec::new(),
        shows: Vec::new(),
        result_limit: ResultLimit::Rows(10),
        default_limit: None,
        table_format: TableFormat::Markdown,
        changes: None,
        expose: Vec::new(),
        timeout: Timeout(timeout),
        max_bytes: None,
        calls_per_second: None,
        count_total: false,
        cache_ttl: None,
        strict: false,
        ask: false,
        parameters_in_description: false,
        structured_output: true,
        definition: Default::default(),
        annotations: Annotations { read_only: true, destructive: false, idempotent: true, open_world: false },
    };
    let query = Query { views: Vec::new(), statement: String::new(), programs: Vec::new() };
    Tool { contract, body: Body::Query(query) }
}

/// An engine with tools over functions of our own: `panics`, `counts` (endless for this purpose), `blocks` (its thread,
/// for three seconds) and `fine`.
async fn engine(timeout: Duration) -> Engine {
    let ctx = SessionContext::new();
    let panics = create_udf(
        "panics",
        vec![DataType::Int64],
        DataType::Int64,
        Volatility::Volatile,
        Arc::new(|_| panic!("on purpose")),
    );
    let counts = create_udf(
        "counts",
        vec![DataType::Int64],
        DataType::Int64,
        Volatility::Volatile,
        Arc::new(|arguments: &[ColumnarValue]| {
            BATCHES.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(2));
            Ok(arguments[0].clone())
        }),
    );
    let blocks = create_udf(
        "blocks",
        vec![DataType::Int64],
        DataType::Int64,
        Volatility::Volatile,
        Arc::new(|arguments: &[ColumnarValue]| {
            std::thread::sleep(Duration::from_secs(3));
            Ok(arguments[0].clone())
        }),
    );
    let limits = Limits::default();
    let threads = Threads::new(&limits);
    let core = Arc::new(Core {
        files: ctx.clone(),
        session: OnceLock::new(),
        tables: HashMap::new(),
        policied: Default::default(),
        records: HashMap::new(),
        programs: ProgramPlace::new(
            std::path::Path::new("."),
            &serde_json::from_value(serde_json::json!({"name": "t"})).unwrap(),
        ),
        upstreams: Default::default(),
        roots: None,
        time_zone: Default::default(),
        limits,
        key: Key::new(),
        opened: HashMap::new(),
        databases: Arc::default(),
        threads: threads.clone(),
    });
    let mut tools = HashMap::new();
    let endless = select(&ctx, "SELECT value AS n FROM generate_series(1, 100000000000)").await.unwrap();
    let few = select(&ctx, "SELECT value AS n FROM generate_series(1, 3)").await.unwrap();
    let plans = [
        ("panics", few.clone().select(vec![panics.call(vec![col("n")]).alias("n")]).unwrap()),
        ("counts", endless.filter(counts.call(vec![col("n")]).lt(lit(0_i64))).unwrap()),
        ("blocks", few.clone().select(vec![blocks.call(vec![col("n")]).alias("n")]).unwrap()),
        ("fine", few),
    ];
    for (name, frame) in plans {
        let plans = vec![Planned::Once(frame.into_unoptimized_plan())];
        let runner = Runner::Query(QueryRunner::new(plans, Local::new(&core)));
        let plans = Plans { runner, rules: Vec::new(), schema: None, defaults: Defaults::default() };
        tools.insert(name.to_owned(), Arc::new(Prepared::with(tool(name, timeout), plans)));
    }
    let results = Arc::new(Results::new(&limits));
    let awaited = Gate::awaiting(&limits, threads.clone());
    Engine { core, tools, gate: Gate::new(&limits, threads), awaited, results }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_an_error_of_its_own_call() {
    let engine = engine(compile::DEFAULT_TIMEOUT).await;
    let error = engine.call("panics", &Arguments::new()).await.unwrap_err();
    assert_eq!(error.code, CallCode::InternalError);
    assert!(!error.message.contains("on purpose"));
    let result = engine.call("fine", &Arguments::new()).await.unwrap();
    assert_eq!(result.rows.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_past_its_time_or_given_up_stops_its_query() {
    let engine = engine(Duration::from_millis(100)).await;
    let error = engine.call("counts", &Arguments::new()).await.unwrap_err();
    assert_eq!(error.code, CallCode::Timeout);
    assert_has_stopped().await;

    let engine = self::engine(compile::DEFAULT_TIMEOUT).await;
    let slow = tokio::time::timeout(Duration::from_millis(50), engine.call("counts", &Arguments::new())).await;
    assert!(slow.is_err(), "the call was dropped before it ended");
    assert_has_stopped().await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_query_that_keeps_its_thread_keeps_no_deadline_from_passing() {
    let engine = engine(Duration::from_millis(100)).await;
    let before = std::time::Instant::now();
    let arguments = Arguments::new();
    let calls = (0..8).map(|_| engine.call("blocks", &arguments).map(|result| result.unwrap_err().code).boxed());
    let codes = futures::future::join_all(calls).await;
    // Those that had a turn, and those that waited for one all the time.
    assert!(codes.iter().all(|code| [CallCode::Timeout, CallCode::Busy].contains(code)), "{codes:?}");
    assert!(codes.contains(&CallCode::Timeout), "{codes:?}");
    assert!(before.elapsed() < Duration::from_millis(2_500), "answered while the threads are still taken");
}

/// Batches go on for a moment after the drop (those under way), then no more.
async fn assert_has_stopped() {
    for _ in 0..100 {
        let before = BATCHES.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(50)).await;
        if BATCHES.load(Ordering::SeqCst) == before {
            return;
        }
    }
    panic!("the query goes on");
}

#[test]
fn calls_count_for_the_tool_behind_a_name() {
    let mut newest = tool("totals", Duration::from_secs(1));
    newest.contract.version = Some("2".to_owned());
    let mut older = tool("totals_v1_9", Duration::from_secs(1));
    older.contract.version = Some("1.9".to_owned());
    let mut alias = newest.clone();
    alias.contract.name = "sums".to_owned();
    alias.contract.alias_of = Some("totals".to_owned());
    let mut other = tool("other_v2", Duration::from_secs(1));
    other.contract.version = Some("2".to_owned());
    let all = Prepared::all(vec![alias, newest, older, other]);
    let counted = ["sums", "totals", "totals_v1_9", "other_v2"].map(|name| all[name].counted.to_string());
    assert_eq!(counted, ["totals", "totals", "totals", "other_v2"]);
    // What is kept of one is an answer of the other.
    assert_eq!(all["sums"].meant, all["totals"].contract);
    assert_ne!(all["sums"].contract, all["totals"].contract);
    assert_ne!(all["totals_v1_9"].meant, all["totals"].meant);
}
