//! What compiling costs, in time and memory, by the number of queries and by the number of placeholders of one query.
//!
//! ```sh
//! cargo bench --bench compile               # prints two tables
//! cargo bench --bench compile -- --assert   # and fails where 1,000 queries take more than they may
//! ```
//!
//! The queries are those of TPC-H in `tests/tpch/`; every copy has names of its own for itself and its parameters. The
//! project is put together in memory: no file is read while the clock runs. `compile` works on one thread, so that the
//! figures are those of one core.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used
)]

use qtool::catalog::{Catalog, Column, Table};
use qtool::compile::compile;
use qtool::diagnostic::Diagnostics;
use qtool::diagnostic::render::{Format, render};
use qtool::project::{Project, ProjectFile, QueryFile, TableSource};
use qtool::source::{Sources, Span};
use qtool::syntax;
use qtool::ty::Type;
use qtool::yaml::{Document, Shape};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The numbers of queries, growing: the allocator keeps memory, so that a peak is that of the largest project so far.
const QUERIES: [usize; 5] = [125, 250, 500, 1_000, 2_000];
/// The numbers of placeholders of one query.
const PLACEHOLDERS: [usize; 4] = [1, 10, 100, 1_000];
/// The number of queries that the limits are for.
const ASSERTED: usize = 1_000;
/// The most time that they may take.
const MAX_TIME: Duration = Duration::from_secs(1);
/// The most memory that the process may take for them, in MB.
const MAX_MEMORY: u64 = 300;
/// Each project is compiled so often, and the fastest run counts: what else the machine does only adds time.
const RUNS: usize = 3;
/// Conditions in one `WHERE`, which `syntax::depth` bounds.
const CHUNK: usize = 25;

fn main() -> ExitCode {
    let asserted = std::env::args().any(|argument| argument == "--assert");
    let bench = Bench::read();
    println!("first query: {:.1} ms", millis(bench.measure(vec![bench.templates[0].copy(0)]).time));
    let broken = bench.by_queries();
    bench.by_placeholders();
    if asserted && !broken.is_empty() {
        for what in broken {
            eprintln!("error: {what}");
        }
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The stem and the text of a query file.
type Query = (String, String);

/// The TPC-H project and its queries.
struct Bench {
    yaml: String,
    file: ProjectFile,
    document: Document,
    catalog: Catalog,
    templates: Vec<Template>,
}

/// What compiling a project took.
struct Run {
    time: Duration,
    /// In MB; absent where the system does not tell.
    memory: Option<u64>,
}

impl Bench {
    fn read() -> Bench {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tpch");
        let yaml = read(&dir.join("qtool.yaml"));
        let mut sources = Sources::default();
        let id = sources.add("qtool.yaml", yaml.as_str());
        let source = sources.get(id).unwrap();
        let mut sink = Diagnostics::default();
        let document = Document::parse(source, source.whole(), &mut sink).expect("tests/tpch/qtool.yaml is YAML");
        let file: ProjectFile = document.read(&Shape::of::<ProjectFile>(), &mut sink).expect("it is a project");
        let tables = file.tables.iter().map(|(name, source)| (name.clone(), table(source))).collect();
        let templates: Vec<Template> =
            (1..=22).map(|number| Template::read(&dir.join(format!("q{number:02}.sql")))).collect();
        Bench { yaml, file, document, catalog: Catalog { tables }, templates }
    }

    fn by_queries(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let kinds = self.templates.len();
        print_head(["queries", "ms", "µs a query", "peak MB"]);
        for count in QUERIES {
            let copies = (0..count).map(|at| self.templates[at % kinds].copy(at / kinds)).collect();
            let run = self.measure(copies);
            print_row(count, &run);
            if count == ASSERTED && run.time > MAX_TIME {
                broken.push(format!(
                    "{count} queries took {:.0} ms; they may take {:.0} ms",
                    millis(run.time),
                    millis(MAX_TIME)
                ));
            }
            if let Some(memory) = run.memory.filter(|memory| count == ASSERTED && *memory > MAX_MEMORY) {
                broken.push(format!("{count} queries took {memory} MB; they may take {MAX_MEMORY} MB"));
            }
        }
        broken
    }

    fn by_placeholders(&self) {
        /// A query with that many placeholders.
        type Form = fn(usize) -> String;
        let forms: [(&str, Form); 2] = [("conditions", conditions), ("items of IN", items)];
        for (form, query) in forms {
            print_head([form, "ms", "µs each", "peak MB"]);
            for count in PLACEHOLDERS {
                let run = self.measure(vec![("placeholders".to_owned(), query(count))]);
                print_row(count, &run);
            }
        }
    }

    fn measure(&self, queries: Vec<Query>) -> Run {
        let project = self.project(queries);
        let mut fastest = Duration::MAX;
        forget_peak();
        for _ in 0..RUNS {
            let start = Instant::now();
            let compilation = compile(&project, Diagnostics::default());
            fastest = fastest.min(start.elapsed());
            if compilation.errors > 0 {
                let errors = render(&compilation.diagnostics, &project.sources, Format::Short, false);
                panic!("the queries do not compile:\n{errors}");
            }
            assert_eq!(compilation.tools.len(), project.queries.len());
        }
        Run { time: fastest, memory: peak() }
    }

    fn project(&self, queries: Vec<Query>) -> Project {
        let mut sources = Sources::default();
        // The first file, as it was when the document was read: its places stay valid.
        sources.add("qtool.yaml", self.yaml.as_str());
        let mut files: Vec<QueryFile> = Vec::with_capacity(queries.len());
        for (stem, text) in queries {
            files.push(QueryFile {
                file: sources.add(format!("queries/{stem}.sql"), text),
                sidecar: None,
                stem,
                is_refused: false,
                form: Default::default(),
                relatives: Default::default(),
            });
        }
        Project {
            sources,
            file: self.file.clone(),
            document: self.document.clone(),
            queries: files,
            prompts: Vec::new(),
            catalog: self.catalog.clone(),
            allowed_values: Default::default(),
            statements: Default::default(),
            records: Default::default(),
            upstreams: Default::default(),
        }
    }
}

/// A query of TPC-H and where the names of its parameters end.
struct Template {
    stem: String,
    text: String,
    ends: Vec<usize>,
}

impl Template {
    fn read(path: &Path) -> Template {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = read(path);
        let mut sources = Sources::default();
        let file = sources.add(format!("queries/{stem}.sql"), text.as_str());
        let mut sink = Diagnostics::default();
        let query = QueryFile {
            file,
            sidecar: None,
            stem: stem.clone(),
            is_refused: false,
            form: Default::default(),
            relatives: Default::default(),
        };
        let (parsed, _) = syntax::parse(
            &query,
            &qtool::yaml::Document::empty(sources.iter().next().expect("a file was added").whole()),
            &sources,
            &mut sink,
        )
        .expect("a query of TPC-H parses");
        assert!(parsed.header.name.is_none(), "{stem} gives its name; its copies would collide");
        let keys = parsed.header.params.keys().map(|name| parsed.document.key_span(&["params", name]));
        let uses = parsed.placeholders.iter().map(|placeholder| placeholder.name.span);
        let mut ends: Vec<usize> = keys.chain(uses).map(|span: Span| span.end).collect();
        ends.sort_unstable();
        Template { stem, text, ends }
    }

    /// The query with a number behind its name and the names of its parameters.
    fn copy(&self, number: usize) -> Query {
        let suffix = format!("_{number}");
        let mut text = String::with_capacity(self.text.len() + self.ends.len() * suffix.len());
        let mut from = 0;
        for end in &self.ends {
            text.push_str(&self.text[from..*end]);
            text.push_str(&suffix);
            from = *end;
        }
        text.push_str(&self.text[from..]);
        (format!("{}{suffix}", self.stem), text)
    }
}

/// One query with so many conditions, each with a placeholder: as many branches of a union as keep it flat.
fn conditions(count: usize) -> String {
    let compared = ["l_quantity <", "l_shipdate >=", "l_shipmode =", "l_comment LIKE", "l_orderkey <>"];
    let condition = |at: usize| format!("{} << p{at} >>", compared[at % compared.len()]);
    let branch = |first: usize| {
        let last = count.min(first + CHUNK);
        let conditions: Vec<String> = (first..last).map(condition).collect();
        format!("SELECT l_orderkey FROM lineitem WHERE {}", conditions.join(" AND "))
    };
    let branches: Vec<String> = (0..count).step_by(CHUNK).map(branch).collect();
    format!("SELECT count(*) AS n FROM ({}) AS every", branches.join("\nUNION ALL\n"))
}

/// One query with so many placeholders in the list behind `IN`.
fn items(count: usize) -> String {
    let items: Vec<String> = (0..count).map(|at| format!("<< p{at} >>")).collect();
    format!("SELECT count(*) AS n FROM lineitem WHERE l_orderkey IN ({})", items.join(", "))
}

/// A table whose columns are all declared.
fn table(source: &TableSource) -> Table {
    let columns = source.columns().iter().map(|(name, declared)| {
        let ty = Type::parse(declared.ty().expect("a column has a type")).expect("a type that exists");
        Column { name: name.clone(), arrow: ty.to_arrow(), nullable: true }
    });
    Table::of_columns(columns.collect())
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn print_head([what, time, each, memory]: [&str; 4]) {
    println!("\n{what:>12} {time:>10} {each:>14} {memory:>9}");
}

fn print_row(count: usize, run: &Run) {
    let each = run.time.as_secs_f64() * 1e6 / count as f64;
    let memory = run.memory.map_or("?".to_owned(), |memory| memory.to_string());
    println!("{count:>12} {:>10.1} {each:>14.1} {memory:>9}", millis(run.time));
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Starts measuring the peak anew (Linux); elsewhere nothing is measured.
fn forget_peak() {
    // An older kernel refuses: then the peak is that of the process so far, which grows with the projects anyway.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that the process had since then, in MB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}
