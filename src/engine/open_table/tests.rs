//! A kind of table that lies in no file is served by what it tells through the trait, and needs nothing else.

use super::*;
use crate::compile;
use crate::diagnostic::Diagnostics;
use crate::engine::bind::Arguments;
use crate::engine::{Engine, Tables};
use crate::project::{Project, ProjectFile, QueryFile};
use crate::source::Sources;
use crate::yaml::Document;
use arrow::array::{Int64Array, RecordBatch};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::datasource::{MemTable, TableType};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const QUERIES: [(&str, &str); 2] = [
    ("above", "/*--- { description: Numbers. } ---*/\nSELECT n FROM ledger WHERE n > << least >>\n"),
    ("kept", "/*--- { description: Numbers., cache_ttl: 1h } ---*/\nSELECT n FROM ledger WHERE n > << least >>\n"),
];

/// Numbers in memory that can be replaced.
#[derive(Debug)]
struct Ledger {
    rows: Mutex<Arc<MemTable>>,
    scans: AtomicUsize,
    /// What plans depend on; none at 0.
    plan: AtomicU64,
    /// Which numbers there are; it cannot be told at 0.
    data: AtomicU64,
    primary_key: Vec<String>,
}

impl Ledger {
    fn of(numbers: &[i64]) -> Arc<Ledger> {
        let (scans, plan, data) = (AtomicUsize::new(0), AtomicU64::new(1), AtomicU64::new(1));
        let primary_key = vec!["n".to_owned()];
        Arc::new(Ledger { rows: Mutex::new(rows(numbers)), scans, plan, data, primary_key })
    }

    /// Other numbers: plans hold rows, so both versions are others.
    fn replace(&self, numbers: &[i64]) {
        *self.rows.lock().unwrap() = rows(numbers);
        self.plan.fetch_add(1, Ordering::SeqCst);
        self.data.fetch_add(1, Ordering::SeqCst);
    }

    fn rows(&self) -> Arc<MemTable> {
        Arc::clone(&self.rows.lock().unwrap())
    }

    fn scans(&self) -> usize {
        self.scans.load(Ordering::SeqCst)
    }
}

fn rows(numbers: &[i64]) -> Arc<MemTable> {
    let column = Arc::new(Int64Array::from(numbers.to_vec()));
    let batch = RecordBatch::try_from_iter_with_nullable([("n", column as _, false)]).unwrap();
    Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]]).unwrap())
}

#[async_trait]
impl TableProvider for Ledger {
    fn schema(&self) -> SchemaRef {
        self.rows().schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.scans.fetch_add(1, Ordering::SeqCst);
        self.rows().scan(state, projection, filters, limit).await
    }
}

impl OpenTable for Ledger {
    fn provider(self: Arc<Self>) -> Arc<dyn TableProvider> {
        self
    }

    fn primary_key(&self) -> &[String] {
        &self.primary_key
    }

    fn plan_version(&self) -> Option<PlanVersion> {
        Some(self.plan.load(Ordering::SeqCst)).filter(|number| *number > 0).map(PlanVersion::of)
    }

    fn data_version(&self) -> DataVersion {
        match self.data.load(Ordering::SeqCst) {
            0 => DataVersion::Unsettled,
            number => DataVersion::Of(number),
        }
    }
}

/// The tools of the queries over a table of that name.
fn engine(table: Arc<dyn OpenTable>) -> Engine {
    let mut sources = Sources::default();
    let yaml = sources.add("qtool.yaml".to_owned(), "name: ledger\n".to_owned());
    let queries =
        QUERIES.map(|(name, text)| QueryFile::alone(sources.add(format!("queries/{name}.sql"), text.to_owned()), name));
    let declared = json!({"name": "ledger", "tables": {"ledger": {"path": "elsewhere"}}});
    let file: ProjectFile = serde_json::from_value(declared).unwrap();
    let mut tables = Tables::none(std::path::Path::new("."), &file);
    tables.add("ledger", table);
    let yaml = sources.get(yaml).unwrap();
    let document = Document::parse(yaml, yaml.whole(), &mut Diagnostics::default()).unwrap();
    let (prompts, allowed_values, catalog) = (Vec::new(), HashMap::new(), tables.catalog());
    let (queries, statements) = (queries.to_vec(), HashMap::new());
    let project = Project {
        sources,
        file,
        document,
        queries,
        prompts,
        catalog,
        allowed_values,
        statements,
        records: Default::default(),
        upstreams: Default::default(),
    };
    let compilation = compile::compile(&project, Diagnostics::default());
    assert_eq!(compilation.tools.len(), QUERIES.len(), "{:?}", compilation.diagnostics);
    Engine::prepare(tables, compilation.tools)
}

async fn numbers(engine: &Engine, tool: &str, least: i64) -> Value {
    let arguments: Arguments = json!({ "least": least }).as_object().unwrap().clone().into_iter().collect();
    json!(engine.call(tool, &arguments).await.unwrap().rows.values())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_kept_while_its_version_is_the_same() {
    let ledger = Ledger::of(&[1, 2, 3]);
    let engine = engine(Arc::clone(&ledger) as _);
    assert_eq!(numbers(&engine, "above", 1).await, json!([[2], [3]]));
    let scans = ledger.scans();
    assert_eq!(numbers(&engine, "above", 2).await, json!([[3]]));
    assert_eq!(ledger.scans(), scans, "the plan of the first call runs again");
    ledger.replace(&[4, 5]);
    assert_eq!(numbers(&engine, "above", 4).await, json!([[5]]));
    ledger.plan.store(0, Ordering::SeqCst);
    let scans = ledger.scans();
    for _ in 0..2 {
        assert_eq!(numbers(&engine, "above", 4).await, json!([[5]]));
    }
    assert_eq!(ledger.scans(), scans + 2, "without a version there is a plan for each call");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_is_kept_while_the_data_is_the_same_however_it_is_read() {
    let ledger = Ledger::of(&[1, 2, 3]);
    let engine = engine(Arc::clone(&ledger) as _);
    assert_eq!(numbers(&engine, "kept", 1).await, json!([[2], [3]]));
    let scans = ledger.scans();
    ledger.plan.fetch_add(1, Ordering::SeqCst);
    assert_eq!(numbers(&engine, "kept", 1).await, json!([[2], [3]]));
    assert_eq!(ledger.scans(), scans, "the result of the first call is given again");
    ledger.replace(&[4]);
    assert_eq!(numbers(&engine, "kept", 1).await, json!([[4]]));
    ledger.replace(&[5]);
    ledger.data.store(0, Ordering::SeqCst);
    ledger.plan.store(0, Ordering::SeqCst);
    assert_eq!(numbers(&engine, "kept", 1).await, json!([[5]]));
    let scans = ledger.scans();
    assert_eq!(numbers(&engine, "kept", 1).await, json!([[5]]));
    assert_eq!(ledger.scans(), scans + 1, "nothing is kept of data that cannot be told apart");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_of_which_nothing_is_known_is_read_at_every_call() {
    let table = Arc::new(PlainTable { provider: rows(&[1, 2]), primary_key: Vec::new(), notes: None });
    let engine = engine(table);
    for tool in ["above", "kept", "above"] {
        assert_eq!(numbers(&engine, tool, 1).await, json!([[2]]));
    }
}
