//! What calls cost: the steps of one, the first one, starting, and whether a large catalogue makes calls slower.
//!
//! ```sh
//! cargo bench --bench calls                 # all of it
//! cargo bench --bench calls -- '^call'      # the benchmarks whose path matches
//! ```
//!
//! The tools are the five of `benches/project/`, over TPC-H at scale factor 0.05 and 10,000 sales, which are made anew in
//! a temporary folder. Before a clock runs, every call that is timed has given the same rows as from tables of which
//! nothing is kept. Arguments change from call to call, as an agent's do. Calls are polled on the thread that asks for
//! them, so that no figure has a hop between threads that `Engine::call` does not make itself.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use arrow::csv::ReaderBuilder;
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::properties::WriterProperties;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use qtool::catalog::Catalog;
use qtool::compile::compile;
use qtool::diagnostic::Diagnostics;
use qtool::diagnostic::render::{Format, render};
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::defaults::Defaults;
use qtool::engine::encode::Rows;
use qtool::engine::result::CallResult;
use qtool::engine::{Engine, STACK_SIZE, Tables};
use qtool::load;
use qtool::project::{Project, TableFormat};
use qtool::tool::Tool;
use serde_json::{Value, json};
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tpchgen::csv::{CustomerCsv, LineItemCsv, NationCsv, OrderCsv, RegionCsv, SupplierCsv};
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, RegionGenerator, SupplierGenerator,
};

/// As the program that is shipped has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The scale factor of TPC-H: 300,000 line items.
const SCALE: f64 = 0.05;
/// Rows of a Parquet row group, so that there are some to leave out.
const ROW_GROUP: usize = 20_000;
/// Rows of `sales.csv`.
const SALES: u64 = 10_000;
/// How many arguments the calls of a tool take turns in.
const VARIED: usize = 16;
/// Longer than files must have been left alone for their rows to be kept.
const SETTLED: Duration = Duration::from_millis(200);
/// The tools of a large catalogue.
const MANY_TOOLS: usize = 1_000;
/// The tables of a large catalogue.
const MANY_TABLES: usize = 200;

/// All data and projects; gone at the end.
static FOLDER: Mutex<Option<TempDir>> = Mutex::new(None);
static RUNTIME: LazyLock<Runtime> = LazyLock::new(runtime);
static FIVE: LazyLock<Five> = LazyLock::new(Five::make);

fn main() -> ExitCode {
    // A call runs on this thread, and plans are walked recursively.
    let benches = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(divan::main);
    let outcome = benches.expect("a thread for the benchmarks").join();
    drop(FOLDER.lock().ok().and_then(|mut folder| folder.take()));
    if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checking the arguments alone.
#[divan::bench(args = CASES)]
fn bind(bencher: Bencher, case: Case) {
    let tool = FIVE.engine.tool(case.name).expect("the tool is prepared");
    // None of the five has a default.
    let (caller, defaults) = (Caller::default(), Defaults::default());
    let mut turns = Turns::of(case);
    bencher.bench_local(|| {
        qtool::engine::bind::bind(&tool.contract, black_box(turns.next()), &caller, &defaults, Ok(None))
            .expect("they bind")
    });
}

/// A whole call when rows and plans are kept.
#[divan::bench(args = CASES)]
fn call(bencher: Bencher, case: Case) {
    FIVE.engine.bench(bencher, case);
}

/// The first call of an engine that keeps nothing yet. The files are in the memory of the operating system.
#[divan::bench(args = CASES, sample_count = 20, sample_size = 1)]
fn first_call(bencher: Bencher, case: Case) {
    let mut turns = Turns::of(case);
    bencher.with_inputs(|| Fresh::of(&FIVE.opened)).bench_local_refs(|fresh| {
        fresh.runtime.block_on(fresh.engine.call(case.name, turns.next())).expect("an answer")
    });
}

/// Writing rows that are there.
#[divan::bench_group]
mod encode {
    use super::*;

    #[divan::bench(args = CASES)]
    fn markdown(bencher: Bencher, case: Case) {
        write(bencher, case, TableFormat::Markdown);
    }

    #[divan::bench(args = CASES)]
    fn structured(bencher: Bencher, case: Case) {
        write(bencher, case, TableFormat::Structured);
    }

    fn write(bencher: Bencher, case: Case, format: TableFormat) {
        let rows: Rows = FIVE.engine.answer(case, &case.arguments(0)).rows;
        bencher.counter(ItemsCount::new(rows.len())).bench_local(|| black_box(&rows).write(format, usize::MAX));
    }
}

/// From files that are read to an engine that can be called.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod start {
    use super::*;

    #[divan::bench(name = "1000_tools")]
    fn thousand_tools(bencher: Bencher) {
        let opened = Opened::of(write_catalogue("thousand", MANY_TOOLS, 1));
        bencher.bench_local(|| {
            let tools = opened.compile();
            opened.prepare(&RUNTIME, tools)
        });
    }
}

/// The same call in a small project and in a large one: its cost grows with the answer, not with the catalogue.
#[divan::bench_group]
mod catalogue {
    use super::*;

    #[divan::bench]
    fn t4_alone(bencher: Bencher) {
        bench(bencher, write_catalogue("alone", 1, 1));
    }

    #[divan::bench]
    fn t4_among_1000_tools_and_200_tables(bencher: Bencher) {
        bench(bencher, write_catalogue("among", MANY_TOOLS, MANY_TABLES));
    }

    fn bench(bencher: Bencher, dir: PathBuf) {
        let opened = Opened::of(dir);
        std::thread::sleep(SETTLED);
        let engine = Warm::of(opened.prepare(&RUNTIME, opened.compile()), &[T4]);
        assert_eq!(engine.answer(T4, &T4.arguments(0)).rows.len(), T4.rows);
        engine.bench(bencher, T4);
    }
}

/// A tool and its calls.
#[derive(Clone, Copy)]
struct Case {
    id: &'static str,
    name: &'static str,
    /// How many rows every call gives.
    rows: usize,
    /// The arguments of the call of that number.
    arguments: fn(usize) -> Value,
}

const CASES: [Case; 5] = [
    Case {
        id: "T1",
        name: "get_order",
        rows: 1,
        // Of 32 keys in a row, TPC-H uses the first eight, and not the very first.
        arguments: |at| json!({"order_key": at * 1_171 % 9_375 * 32 + 1 + at % 7}),
    },
    Case {
        id: "T2",
        name: "list_lineitems",
        rows: 100,
        arguments: |at| {
            let (flag, year) = [("R", 1993), ("A", 1994), ("N", 1996), ("N", 1997)][at % 4];
            let month = 1 + at * 5 % 11;
            let day = |month: usize| format!("{year}-{month:02}-01");
            json!({"from_date": day(month), "to_date": day(month + 1), "return_flag": flag})
        },
    },
    Case {
        id: "T3",
        name: "revenue_by_nation",
        rows: 5,
        arguments: |at| {
            let region = ["ASIA", "EUROPE", "AMERICA", "AFRICA", "MIDDLE EAST"][at % 5];
            let year = 1993 + at % 4;
            json!({"region": region, "from_date": format!("{year}-01-01"), "to_date": format!("{}-01-01", year + 1)})
        },
    },
    T4,
    Case {
        id: "T5",
        name: "lineitems_wide",
        rows: 1_000,
        arguments: |at| json!({"from_key": 1 + at * 16_903 % 290_000}),
    },
];

const T4: Case = Case {
    id: "T4",
    name: "sales_by_region",
    rows: 10,
    arguments: |at| json!({"region": REGIONS[at % REGIONS.len()]}),
};

const REGIONS: [&str; 5] = ["north", "south", "east", "west", "central"];

impl Case {
    fn arguments(&self, at: usize) -> Arguments {
        (self.arguments)(at).as_object().cloned().expect("arguments are an object")
    }

    fn all_arguments(&self) -> Vec<Arguments> {
        (0..VARIED).map(|at| self.arguments(at)).collect()
    }
}

/// As the figures show it.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.name)
    }
}

/// The arguments of a tool, one after the other and from the start again.
struct Turns {
    arguments: Vec<Arguments>,
    at: usize,
}

impl Turns {
    fn of(case: Case) -> Turns {
        Turns { arguments: case.all_arguments(), at: 0 }
    }

    fn next(&mut self) -> &Arguments {
        self.at = (self.at + 1) % self.arguments.len();
        &self.arguments[self.at]
    }
}

/// The five tools over their data, checked.
struct Five {
    opened: Opened,
    engine: Warm,
}

impl Five {
    fn make() -> Five {
        let data = folder().join("data");
        write_tpch(&data.join("tpch")).expect("TPC-H can be written");
        write_sales(&data.join("sales.csv")).expect("sales can be written");
        let opened = Opened::of(write_project("five", &data, ""));
        let plain = Opened::of(write_project("plain", &data, ", cache: none"));
        std::thread::sleep(SETTLED);
        let engine = Warm::of(opened.prepare(&RUNTIME, opened.compile()), &CASES);
        let plain = Warm { engine: plain.prepare(&RUNTIME, plain.compile()) };
        for case in CASES {
            for arguments in case.all_arguments() {
                let (kept, read) = (engine.answer(case, &arguments).rows, plain.answer(case, &arguments).rows);
                assert_eq!(kept.values(), read.values(), "{case} {arguments:?}: what is kept gives other rows");
                assert_eq!(kept.len(), case.rows, "{case} {arguments:?}: the number of rows");
            }
        }
        Five { opened, engine }
    }
}

/// An engine that was called before.
struct Warm {
    engine: Engine,
}

impl Warm {
    fn of(engine: Engine, cases: &[Case]) -> Warm {
        let warm = Warm { engine };
        for case in cases {
            let first = case.arguments(0);
            warm.answer(*case, &first);
            // A server reads large tables behind its calls, and nothing tells when it has. This reads them now.
            let plan = RUNTIME.block_on(warm.engine.explain_as(case.name, &first, &Caller::default()));
            plan.unwrap_or_else(|error| panic!("{case}: {}", error.line()));
        }
        for case in cases {
            for arguments in case.all_arguments() {
                warm.answer(*case, &arguments);
            }
        }
        warm
    }

    fn answer(&self, case: Case, arguments: &Arguments) -> CallResult {
        let answer = RUNTIME.block_on(self.engine.call(case.name, arguments));
        answer.unwrap_or_else(|error| panic!("{case} {arguments:?}: {}", error.line()))
    }

    fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        self.engine.tool(name)
    }

    fn bench(&self, bencher: Bencher, case: Case) {
        let mut turns = Turns::of(case);
        let rows = ItemsCount::new(case.rows);
        bencher.counter(rows).bench_local(|| self.answer(case, turns.next()));
    }
}

/// An engine that was never called, and threads of its own: what its call leaves to be done behind it ends with them,
/// and does not slow down the next.
struct Fresh {
    engine: Engine,
    runtime: Runtime,
}

impl Fresh {
    fn of(opened: &Opened) -> Fresh {
        let runtime = runtime();
        let engine = opened.prepare(&runtime, opened.tools.clone());
        Fresh { engine, runtime }
    }
}

/// A project whose tables are locked in memory.
struct Opened {
    dir: PathBuf,
    project: Project,
    tools: Vec<Tool>,
}

impl Opened {
    fn of(dir: PathBuf) -> Opened {
        let mut project = match load::load(&load::Disk::new(&dir)) {
            Ok(loaded) => loaded.project,
            Err(failed) => {
                panic!("{}", render(&failed.diagnostics.into_sorted(), &failed.sources, Format::Text, false))
            }
        };
        let tables = RUNTIME.block_on(Tables::open(&dir, &project.file, &Catalog::default()));
        project.catalog = tables.unwrap_or_else(|errors| panic!("{errors:?}")).catalog();
        let mut opened = Opened { dir, project, tools: Vec::new() };
        opened.tools = opened.compile();
        opened
    }

    fn compile(&self) -> Vec<Tool> {
        let compilation = compile(&self.project, Diagnostics::default());
        if compilation.errors > 0 {
            panic!("{}", render(&compilation.diagnostics, &self.project.sources, Format::Text, false));
        }
        compilation.tools
    }

    fn prepare(&self, runtime: &Runtime, tools: Vec<Tool>) -> Engine {
        let tables = runtime.block_on(Tables::open(&self.dir, &self.project.file, &self.project.catalog));
        let tables = tables.unwrap_or_else(|errors| panic!("{errors:?}"));
        Engine::prepare(tables, tools)
    }
}

/// Threads as the program has them.
fn runtime() -> Runtime {
    Builder::new_multi_thread().enable_all().thread_stack_size(STACK_SIZE).build().expect("threads")
}

fn folder() -> PathBuf {
    let mut folder = FOLDER.lock().expect("no benchmark has panicked");
    folder.get_or_insert_with(|| tempfile::tempdir().expect("a temporary folder")).path().to_path_buf()
}

/// A copy of `benches/project/` over that data, with more options on every table.
fn write_project(name: &str, data: &Path, options: &str) -> PathBuf {
    let dir = folder().join(name);
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/project");
    let yaml = fs::read_to_string(shared.join(load::PROJECT_FILE)).expect("the project");
    // A table ends with its key.
    let yaml = yaml.replace("] }\n", &format!("]{options} }}\n")).replace("@DATA@", &data.to_string_lossy());
    write(&dir.join(load::PROJECT_FILE), &yaml);
    for entry in fs::read_dir(shared.join(load::QUERIES)).expect("the queries").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a query");
        write(&dir.join(load::QUERIES).join(entry.file_name()), &text);
    }
    dir
}

/// A project with `sales_by_region` and tools like it, over the sales and tables like them, but small.
fn write_catalogue(name: &str, tools: usize, tables: usize) -> PathBuf {
    let dir = folder().join(name);
    let others: Vec<String> = (1..tables).map(|at| format!("sales_{at:03}")).collect();
    let mut yaml = "name: catalogue\ndefaults: { structured_output: false }\ntables:\n".to_owned();
    for table in others.iter().map(String::as_str).chain(["sales"]) {
        yaml.push_str(&format!("  {table}: {{ path: {table}.csv, primary_key: [id] }}\n"));
    }
    write(&dir.join(load::PROJECT_FILE), &yaml);
    write_sales(&dir.join("sales.csv")).expect("sales can be written");
    for table in &others {
        write(&dir.join(format!("{table}.csv")), &sales(20));
    }
    let queries = dir.join(load::QUERIES);
    let t4 = include_str!("project/queries/sales_by_region.sql");
    write(&queries.join("sales_by_region.sql"), t4);
    for at in 1..tools {
        let table = others.get(at % tables.max(2) - 1).map_or("sales", String::as_str);
        let text =
            t4.replace("FROM sales", &format!("FROM {table}")).replace("\nORDER", &format!(" AND id <> {at}\nORDER"));
        write(&queries.join(format!("tool_{at:04}.sql")), &text);
    }
    dir
}

fn write(path: &Path, text: &str) {
    load::write_atomically(path, text.as_bytes()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn write_sales(path: &Path) -> std::io::Result<()> {
    load::write_atomically(path, sales(SALES).as_bytes())
}

/// Sales as `sales.csv` has them, the same in every run.
fn sales(rows: u64) -> String {
    let mut state = 42_u64;
    // Knuth's constants; the high bits are those that are random.
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut text = "id,sold_at,region,product,quantity,unit_price\n".to_owned();
    for id in 1..=rows {
        let sold_at = chrono::NaiveDate::from_ymd_opt(2024, 1, 1).unwrap() + chrono::Days::new(below(730));
        let region = REGIONS[usize::try_from(below(5)).unwrap()];
        let (product, quantity, cents) = (below(20), 1 + below(19), 100 + below(19_900));
        text.push_str(&format!(
            "{id},{sold_at},{region},product-{product:02},{quantity},{}.{:02}\n",
            cents / 100,
            cents % 100
        ));
    }
    text
}

/// Writes all rows of a table as Parquet, in the order of its key.
macro_rules! write_table {
    ($dir:expr, $name:literal, $generator:ident, $format:ident) => {{
        let generator = $generator::new(SCALE, 1, 1);
        let mut text = String::new();
        for row in generator.iter() {
            text.push_str(&format!("{}\n", $format::new(row)));
        }
        write_parquet(&$dir.join(concat!($name, ".parquet")), $format::header(), &text)
    }};
}

fn write_tpch(dir: &Path) -> Result<(), Box<dyn std::error::Error>> {
    fs::create_dir_all(dir)?;
    write_table!(dir, "region", RegionGenerator, RegionCsv)?;
    write_table!(dir, "nation", NationGenerator, NationCsv)?;
    write_table!(dir, "supplier", SupplierGenerator, SupplierCsv)?;
    write_table!(dir, "customer", CustomerGenerator, CustomerCsv)?;
    write_table!(dir, "orders", OrderGenerator, OrderCsv)?;
    write_table!(dir, "lineitem", LineItemGenerator, LineItemCsv)
}

/// Writes CSV as Parquet, with the types and the compression that tpchgen-cli chooses.
fn write_parquet(path: &Path, header: &str, text: &str) -> Result<(), Box<dyn std::error::Error>> {
    let fields: Vec<Field> = header.split(',').map(|name| Field::new(name, column_type(name), false)).collect();
    let schema = Arc::new(Schema::new(fields));
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_compression(Compression::SNAPPY)
        .build();
    let mut writer = ArrowWriter::try_new(File::create(path)?, Arc::clone(&schema), Some(properties))?;
    for batch in ReaderBuilder::new(schema).with_batch_size(ROW_GROUP).build(text.as_bytes())? {
        writer.write(&batch?)?;
    }
    writer.close()?;
    Ok(())
}

/// The type of a column of TPC-H, by the part of its name behind the table's letter.
fn column_type(name: &str) -> DataType {
    match name.split_once('_').map_or(name, |(_, column)| column) {
        "linenumber" | "shippriority" => DataType::Int32,
        "quantity" | "extendedprice" | "discount" | "tax" | "totalprice" | "acctbal" => DataType::Decimal128(15, 2),
        column if column.ends_with("key") => DataType::Int64,
        column if column.ends_with("date") => DataType::Date32,
        _ => DataType::Utf8View,
    }
}
