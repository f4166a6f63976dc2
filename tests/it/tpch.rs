//! The TPC-H proof: every literal of the 22 queries that a user could vary is a placeholder, and none of them says its
//! type. Each type is found as `<query>.json` has it, and a call with the literals gives the rows of the query as it
//! was: `original/<query>.sql`, a tool without parameters of the same project.

use crate::cases::block_on;
use qtool::catalog::{Column, Table};
use qtool::compile::{Compilation, compile};
use qtool::diagnostic::render::{Format, render};
use qtool::diagnostic::{Diagnostic, Diagnostics, Severity};
use qtool::emit;
use qtool::engine::bind::Arguments;
use qtool::engine::encode::Rows;
use qtool::engine::{Engine, Tables};
use qtool::load::{self, Disk, Loaded};
use qtool::project::{ColumnSource, ParamConfig, Project, TableSource};
use qtool::syntax;
use qtool::tool::Tool;
use qtool::ty::Type;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tpchgen::csv::{CustomerCsv, LineItemCsv, NationCsv, OrderCsv, PartCsv, PartSuppCsv, RegionCsv, SupplierCsv};
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator, PartSuppGenerator,
    RegionGenerator, SupplierGenerator,
};

/// 10 MB of data. The numbers of rows in the `.json` files are those at this scale.
const SCALE: f64 = 0.01;

/// Made by the first test that needs it.
static PROOF: LazyLock<Result<Proof, String>> = LazyLock::new(|| Proof::make().map_err(|error| error.to_string()));

/// What is known of one query.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// The literals of the original.
    pub(crate) arguments: Arguments,
    /// The type of every parameter.
    types: BTreeMap<String, String>,
    /// Rows returned.
    rows: usize,
}

/// Checks the query that `<query>.json` belongs to.
pub(crate) fn run(path: &Path) -> crate::Outcome {
    let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("a query has a name")?.to_owned();
    let expected: Expected = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let proof = proof()?;
    block_on(async move { proof.check(&name, &expected).await })?;
    Ok(())
}

fn proof() -> Result<&'static Proof, &'static str> {
    PROOF.as_ref().map_err(String::as_str)
}

/// The folder of the data, in files of the names of their tables.
pub(crate) fn files() -> Result<&'static Path, &'static str> {
    Ok(&proof()?.dir)
}

/// The project over the files.
pub(crate) fn project() -> Result<&'static Project, &'static str> {
    Ok(&proof()?.project)
}

/// A query's name, its text and what is known of it.
type Query = (String, String, Expected);

/// All queries of the benchmark.
pub(crate) fn queries() -> Result<Vec<Query>, Box<dyn std::error::Error>> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tpch");
    let query = |name: String| {
        let text = std::fs::read_to_string(shared.join(format!("{name}.sql")))?;
        let expected = serde_json::from_str(&std::fs::read_to_string(shared.join(format!("{name}.json")))?)?;
        Ok((name, text, expected))
    };
    (1..=22).map(|number| query(format!("q{number:02}"))).collect()
}

/// The rows of a query over the files.
pub(crate) async fn rows_of_files(name: String) -> Result<Rows, String> {
    let Proof { dir, project, .. } = proof()?;
    let tool = proof()?.tool(&format!("original_{name}"))?;
    let names: Vec<&str> = tool.contract.tables.iter().map(String::as_str).collect();
    let tables = Tables::open_some(dir, &project.file, &project.catalog, &names).await;
    let engine = Engine::prepare(tables.map_err(|errors| format!("{errors:?}"))?, vec![tool.clone()]);
    rows(&engine, tool, &Arguments::new()).await
}

/// The queries as one project, compiled, with the data beside them.
struct Proof {
    dir: PathBuf,
    project: Project,
    compilation: Compilation,
}

impl Proof {
    /// In the build's folder and not in one of its own: nothing is told when the last test is over.
    fn make() -> Result<Proof, Box<dyn std::error::Error>> {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tpch");
        write_data(&dir)?;
        write_queries(&dir)?;
        let Loaded { mut project, diagnostics, .. } = load::load(&Disk::new(&dir))
            .map_err(|failed| render(&failed.diagnostics.into_sorted(), &failed.sources, Format::Text, false))?;
        project.catalog.tables = project
            .file
            .tables
            .iter()
            .map(|(name, source)| Ok((name.clone(), declared_table(source)?)))
            .collect::<Result<_, String>>()?;
        let compilation = compile(&project, diagnostics);
        Ok(Proof { dir, project, compilation })
    }

    async fn check(&self, name: &str, expected: &Expected) -> Result<(), String> {
        self.check_undeclared(name)?;
        let tool = self.tool(name)?;
        let original = self.tool(&format!("original_{name}"))?;
        check_parameters(tool, expected)?;
        let Proof { dir, project, .. } = self;
        let names: Vec<&str> = tool.contract.tables.iter().map(String::as_str).collect();
        let tables = Tables::open_some(dir, &project.file, &project.catalog, &names)
            .await
            .map_err(|errors| format!("{errors:?}"))?;
        if let Some((table, change)) = tables.changes(&project.catalog).first() {
            return Err(format!("`{table}` is not as qtool.yaml declares it: {change}"));
        }
        let engine = Engine::prepare(tables, vec![tool.clone(), original.clone()]);
        let found = rows(&engine, tool, &expected.arguments).await?;
        let wanted = rows(&engine, original, &Arguments::new()).await?;
        if wanted.len() != expected.rows {
            return Err(format!("the original has {} rows, not {}", wanted.len(), expected.rows));
        }
        compare(&found, &wanted)
    }

    /// Nothing but the places of the placeholders tells the types.
    fn check_undeclared(&self, name: &str) -> Result<(), String> {
        let query = self.project.queries.iter().find(|query| query.stem == name).ok_or("there is no such query")?;
        let (parsed, _) =
            syntax::parse(query, &self.project.document, &self.project.sources, &mut Diagnostics::default())
                .ok_or_else(|| self.errors_of(name))?;
        let is_told =
            |config: &ParamConfig| config.ty.is_some() || config.default.is_some() || config.allowed_values.is_some();
        let in_header = parsed.header.params.iter().find(|(_, config)| is_told(config)).map(|(name, _)| name.as_str());
        let in_text = parsed
            .placeholders
            .iter()
            .find(|placeholder| placeholder.declared.is_some() || placeholder.default.is_some())
            .map(|placeholder| placeholder.name.value.as_str());
        match in_header.or(in_text) {
            Some(parameter) => Err(format!("the type of `{parameter}` is given away")),
            None => Ok(()),
        }
    }

    fn tool(&self, name: &str) -> Result<&Tool, String> {
        self.compilation.tools.iter().find(|tool| tool.contract.name == name).ok_or_else(|| self.errors_of(name))
    }

    /// What is wrong with a query, or with the project.
    fn errors_of(&self, name: &str) -> String {
        let file = format!("queries/{name}.sql");
        let sources = &self.project.sources;
        let is_about = |diagnostic: &&Diagnostic| {
            let source = diagnostic.primary.as_ref().and_then(|label| sources.get(label.span.file));
            diagnostic.severity == Severity::Error
                && source.is_none_or(|source| source.path == file || source.path == load::PROJECT_FILE)
        };
        let errors: Vec<Diagnostic> = self.compilation.diagnostics.iter().filter(is_about).cloned().collect();
        format!("`{name}` does not compile\n{}", render(&errors, sources, Format::Text, false))
    }
}

/// The types are those expected, and the arguments are what the tool publishes.
fn check_parameters(tool: &Tool, expected: &Expected) -> Result<(), String> {
    let found: BTreeMap<String, String> =
        tool.contract.parameters().iter().map(|parameter| (parameter.name.clone(), parameter.ty.to_string())).collect();
    if found != expected.types {
        return Err(format!("the types are {found:?}, not {:?}", expected.types));
    }
    let schema = emit::mcp::input_schema(&tool.contract);
    let sent = Value::Object(expected.arguments.clone());
    jsonschema::validate(&schema, &sent).map_err(|error| format!("the call breaks the published schema: {error}"))
}

async fn rows(engine: &Engine, tool: &Tool, arguments: &Arguments) -> Result<Rows, String> {
    let result = engine.call(&tool.contract.name, arguments).await.map_err(|error| {
        format!(
            "`{}` fails: {}\n{}",
            tool.contract.name,
            error.line(),
            error.detail.as_ref().map_or("", |detail| detail.text())
        )
    })?;
    if result.truncated { Err(format!("the rows of `{}` were cut", tool.contract.name)) } else { Ok(result.rows) }
}

/// The same columns and the same rows; in any order, as not every query orders its rows to the last.
pub(crate) fn compare(found: &Rows, wanted: &Rows) -> Result<(), String> {
    if found.columns != wanted.columns {
        return Err(format!("the columns are {:?}, not {:?}", found.columns, wanted.columns));
    }
    let (found, wanted) = (sorted(found), sorted(wanted));
    if found == wanted {
        return Ok(());
    }
    let only = |these: &[String], those: &[String]| {
        let rows: Vec<&str> = these.iter().filter(|row| !those.contains(row)).take(5).map(String::as_str).collect();
        rows.join("\n")
    };
    Err(format!(
        "{} rows, not the {} of the original; too many are\n{}\nand missing\n{}",
        found.len(),
        wanted.len(),
        only(&found, &wanted),
        only(&wanted, &found)
    ))
}

fn sorted(rows: &Rows) -> Vec<String> {
    let mut texts: Vec<String> = rows.values().iter().map(|row| json!(row).to_string()).collect();
    texts.sort();
    texts
}

/// The schema that `qtool.yaml` declares: it names every column, so that no data has to be looked at to compile.
fn declared_table(source: &TableSource) -> Result<Table, String> {
    let columns = source.columns().iter().map(|(name, column)| declared_column(name, column));
    Ok(Table::of_columns(columns.collect::<Result<_, String>>()?))
}

fn declared_column(name: &str, column: &ColumnSource) -> Result<Column, String> {
    let written = column.ty().ok_or_else(|| format!("the column `{name}` has no type"))?;
    let ty = Type::parse(written).map_err(|unknown| format!("`{}` is no type", unknown.written))?;
    Ok(Column { name: name.to_owned(), arrow: ty.to_arrow(), nullable: true })
}

/// Lays the queries out as a project: `q01` and `original_q01`, and so on.
fn write_queries(dir: &Path) -> std::io::Result<()> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tpch");
    load::write_atomically(&dir.join(load::PROJECT_FILE), &std::fs::read(shared.join(load::PROJECT_FILE))?)?;
    for (folder, prefix) in [(shared.clone(), ""), (shared.join("original"), "original_")] {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".sql") {
                let target = dir.join(load::QUERIES).join(format!("{prefix}{name}"));
                load::write_atomically(&target, &std::fs::read(entry.path())?)?;
            }
        }
    }
    Ok(())
}

/// Writes all rows of a table as CSV with a header.
macro_rules! write_table {
    ($dir:expr, $name:literal, $generator:ident, $format:ident) => {{
        let generator = $generator::new(SCALE, 1, 1);
        let mut text = format!("{}\n", $format::header());
        for row in generator.iter() {
            text.push_str(&format!("{}\n", $format::new(row)));
        }
        load::write_atomically(&$dir.join("data").join(concat!($name, ".csv")), text.as_bytes())
    }};
}

fn write_data(dir: &Path) -> std::io::Result<()> {
    write_table!(dir, "region", RegionGenerator, RegionCsv)?;
    write_table!(dir, "nation", NationGenerator, NationCsv)?;
    write_table!(dir, "supplier", SupplierGenerator, SupplierCsv)?;
    write_table!(dir, "customer", CustomerGenerator, CustomerCsv)?;
    write_table!(dir, "part", PartGenerator, PartCsv)?;
    write_table!(dir, "partsupp", PartSuppGenerator, PartSuppCsv)?;
    write_table!(dir, "orders", OrderGenerator, OrderCsv)?;
    write_table!(dir, "lineitem", LineItemGenerator, LineItemCsv)
}
