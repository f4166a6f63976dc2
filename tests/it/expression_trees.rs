//! A literal replaced by a placeholder: for random queries over a table with a column of each type, the type that is
//! inferred for the placeholder takes the literal's value without loss, and the answer is unchanged.
//!
//! Many queries are one project, so that loading it is paid for once. A query that fails is shrunk alone.

mod grammar;
mod literal;

use crate::cases::{Outcome, block_on};
use literal::{Literal, Piece, Sql};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use qtool::diagnostic::render::{Format, render};
use qtool::diagnostic::{Diagnostic, Severity};
use qtool::engine::bind::Arguments;
use qtool::engine::result::CallResult;
use qtool::engine::{Engine, Tables};
use qtool::tool::Tool;
use qtool::ty::Type;
use qtool::ty::coerce::{Coercion, Strictness, TimeZoneName};
use serde_json::Value;
use std::path::Path;

/// Queries that are tried where `QTOOL_PROPTEST_CASES` does not say how many.
const CASES: usize = 240;
/// Queries of one project, each with its literal and with the placeholder.
const BATCH: usize = 40;
/// Most steps of making a failing query simpler.
const MAX_SHRINK: u32 = 400;
/// How far the numbers of two answers may be apart, relative to their size.
const TOLERANCE: f64 = 1e-9;

const PROJECT: &str = "\
name: expression-trees
tables:
  t:
    path: data/t.csv
    columns:
      id: int
      amount: decimal(12,2)
      small: smallint
      medium: int
      big: bigint
      single: real
      dbl: double
      flag: boolean
      day: date
      clock: time
      moment: timestamp
      instant: timestamptz
      label: text
";

/// Small values: no product of four of them overflows the narrowest type.
const DATA: &str = "\
id,amount,small,medium,big,single,dbl,flag,day,clock,moment,instant,label
1,0.25,1,2,3,0.5,1.25,true,2024-01-01,00:00:00,2024-01-01T00:00:00,2024-01-01T00:00:00Z,apple
2,-3.50,-4,0,12,2.75,-0.25,false,2024-02-29,12:30:00,2024-02-29T12:30:00,2024-02-29T12:30:00Z,Pear
3,,,,,,,,,,,,
4,10.00,5,7,-9,-6.25,4.00,true,2023-12-31,23:59:59,2023-12-31T23:59:59,2023-12-31T23:59:59Z,a_b%
5,7.75,12,-12,0,11.5,-11.75,false,2024-03-31,06:15:30,2024-03-31T06:15:30,2024-03-31T06:15:30+02:00,Ünï
6,-11.25,-1,3,7,0.0,0.75,,2024-01-31,,2024-01-31T18:00:00,,it's
7,0.00,0,1,-1,-0.75,,true,2024-02-01,18:00:00,,2024-02-01T00:00:00Z,p
8,1.25,,5,,1.25,2.5,false,,09:00:00,2024-02-29T00:00:00,2024-03-01T12:00:00Z,
9,2.50,3,,5,,1.25,true,2024-02-29,12:30:00,2024-02-29T12:30:00,,pear
10,,8,-3,2,3.0,-6.0,,2024-03-01,21:45:00,2024-03-01T12:00:00,2023-12-01T00:00:00Z,banana
11,12.00,-7,9,-6,-12.0,9.5,false,2023-12-01,,2023-12-01T00:00:00,2024-02-29T12:30:00Z,apple
12,-0.75,2,2,2,0.25,0.25,true,2024-01-01,00:00:00,2024-01-01T00:00:00,2024-01-01T00:00:00Z,Zebra
";

/// A query and which of its literals becomes the placeholder.
#[derive(Debug, Clone)]
struct Case {
    sql: Sql,
    picked: usize,
}

impl Case {
    fn new((sql, index): (Sql, Index)) -> Case {
        let literals: Vec<usize> =
            (0..sql.len()).filter(|at| matches!(sql.get(*at), Some(Piece::Literal(_)))).collect();
        let picked = *index.get(&literals);
        Case { sql, picked }
    }

    fn literal(&self) -> &Literal {
        match &self.sql[self.picked] {
            Piece::Literal(literal) => literal,
            Piece::Text(text) => panic!("`{text}` is no literal"),
        }
    }

    /// The query as it is.
    fn with_literal(&self) -> String {
        self.with(&self.literal().sql)
    }

    /// The query with the placeholder.
    fn with_placeholder(&self) -> String {
        self.with("<< p >>")
    }

    fn with(&self, picked: &str) -> String {
        let pieces = self.sql.iter().enumerate().map(|(at, piece)| match piece {
            Piece::Literal(_) if at == self.picked => picked,
            Piece::Literal(literal) => literal.sql.as_str(),
            Piece::Text(text) => *text,
        });
        pieces.collect()
    }

    fn arguments(&self) -> Arguments {
        Arguments::from_iter([("p".to_owned(), self.literal().json.clone())])
    }

    /// What is wrong, with the queries.
    fn problem(&self, what: &str) -> String {
        let (literal, placeholder) = (self.with_literal(), self.with_placeholder());
        format!("{what}\nwith the literal:\n  {literal}\nwith p = {}:\n  {placeholder}\n", self.literal().json)
    }
}

/// Tries the property on random queries, the same in every run.
pub(crate) fn run() -> crate::Outcome {
    let wanted = std::env::var("QTOOL_PROPTEST_CASES").ok();
    let mut left = wanted.map_or(Ok(CASES), |wanted| wanted.parse())?;
    let mut runner = runner();
    let cases = (grammar::queries(), any::<Index>()).prop_map(Case::new).boxed();
    while left > 0 {
        let count = left.min(BATCH);
        left -= count;
        let mut trees = Vec::with_capacity(count);
        for _ in 0..count {
            trees.push(cases.new_tree(&mut runner).map_err(|reason| reason.to_string())?);
        }
        let batch: Vec<Case> = trees.iter().map(ValueTree::current).collect();
        let failed = trees.into_iter().zip(check(&batch)?).find_map(|(tree, problem)| Some((tree, problem?)));
        if let Some((tree, problem)) = failed {
            return Err(shrunk(&mut runner, tree, problem).into());
        }
    }
    Ok(())
}

fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, max_shrink_iters: MAX_SHRINK, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// The problem of the simplest query that still fails.
fn shrunk(runner: &mut TestRunner, tree: impl ValueTree<Value = Case>, problem: String) -> String {
    let alone = |case: Case| match check(&[case]) {
        Ok(problems) => problems.into_iter().flatten().next().map_or(Ok(()), |found| Err(TestCaseError::fail(found))),
        Err(error) => Err(TestCaseError::fail(error.to_string())),
    };
    match runner.run_one(tree, alone) {
        Err(TestError::Fail(simplest, _)) => simplest.to_string(),
        _ => format!("among other queries only: {problem}"),
    }
}

/// Compiles and calls both forms of every query; what is wrong with each.
fn check(cases: &[Case]) -> Result<Vec<Option<String>>, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    lay_out(folder.path(), cases)?;
    let outcome = Outcome::of(folder.path());
    let mut problems = Vec::with_capacity(cases.len());
    let mut pairs = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        match Pair::of(at, case, &outcome) {
            Ok(pair) => {
                pairs.push(pair);
                problems.push(None);
            }
            Err(what) => problems.push(Some(case.problem(&what))),
        }
    }
    for (at, what) in answer(folder.path(), &outcome, pairs)? {
        problems[at] = Some(cases[at].problem(&what));
    }
    Ok(problems)
}

fn lay_out(dir: &Path, cases: &[Case]) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("data"))?;
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("data/t.csv"), DATA)?;
    for (at, case) in cases.iter().enumerate() {
        std::fs::write(dir.join(format!("queries/literal_{at}.sql")), case.with_literal())?;
        std::fs::write(dir.join(format!("queries/placeholder_{at}.sql")), case.with_placeholder())?;
    }
    Ok(())
}

/// Both forms of a query, compiled.
struct Pair {
    at: usize,
    literal: Tool,
    placeholder: Tool,
    arguments: Arguments,
}

impl Pair {
    fn of(at: usize, case: &Case, outcome: &Outcome) -> Result<Pair, String> {
        let literal = tool(outcome, &format!("literal_{at}"))?;
        let placeholder = tool(outcome, &format!("placeholder_{at}"))?;
        let inferred = &placeholder.contract.parameter("p").ok_or("there is no parameter p")?.ty;
        takes(inferred, case.literal()).map_err(|why| format!("inferred is {inferred}, but {why}"))?;
        Ok(Pair { at, literal, placeholder, arguments: case.arguments() })
    }
}

/// The tool that a query became, else its diagnostics.
fn tool(outcome: &Outcome, name: &str) -> Result<Tool, String> {
    let compiled =
        outcome.compilation.as_ref().and_then(|made| made.tools.iter().find(|tool| tool.contract.name == name));
    compiled.cloned().ok_or_else(|| {
        let path = format!("queries/{name}.sql");
        // Without a place it may be about any query.
        let about = |found: &&Diagnostic| {
            let file = found.primary.as_ref().and_then(|label| outcome.sources.get(label.span.file));
            file.is_none_or(|file| file.path == path)
        };
        let errors = outcome.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let errors: Vec<Diagnostic> = errors.filter(about).cloned().collect();
        format!("{path} does not compile:\n{}", render(&errors, &outcome.sources, Format::Text, false))
    })
}

/// Whether a type takes a literal's value as it is: leniently as the literal writes it, and strictly in the form that the
/// published schema shows.
fn takes(inferred: &Type, literal: &Literal) -> Result<(), String> {
    let coercion = |strictness| Coercion { strictness, time_zone: TimeZoneName::default() };
    let meant = literal.ty.coerce(&literal.json, &coercion(Strictness::Lax)).map_err(|wrong| wrong.to_string())?;
    let forms = [(literal.json.clone(), Strictness::Lax), (inferred.canonical(&literal.json), Strictness::Strict)];
    for (sent, strictness) in forms {
        let read = inferred.coerce(&sent, &coercion(strictness)).map_err(|wrong| format!("{strictness:?}: {wrong}"))?;
        let back = read.cast_to(&literal.ty.to_arrow()).map_err(|error| error.strip_backtrace())?;
        if back != meant {
            return Err(format!("{strictness:?}: {sent} becomes {read:?}, which is {back:?} and not {meant:?}"));
        }
    }
    Ok(())
}

/// Calls both forms; those whose answers differ, and those that fail.
fn answer(dir: &Path, outcome: &Outcome, pairs: Vec<Pair>) -> Result<Vec<(usize, String)>, Box<dyn std::error::Error>> {
    let project = outcome.project.as_ref().ok_or("the project does not load")?;
    let (dir, file, catalog) = (dir.to_path_buf(), project.file.clone(), project.catalog.clone());
    let found = block_on(async move {
        let tables = Tables::open(&dir, &file, &catalog).await.map_err(|errors| format!("{errors:?}"))?;
        let tools = pairs.iter().flat_map(|pair| [pair.literal.clone(), pair.placeholder.clone()]).collect();
        let engine = Engine::prepare(tables, tools);
        if let Err(errors) = engine.plan_all() {
            // Those that plan are not to blame.
            let blamed = |pair: &Pair| {
                let names = [&pair.literal.contract.name, &pair.placeholder.contract.name];
                let error = errors.iter().find(|error| names.contains(&&error.tool))?;
                Some((pair.at, format!("`{}` does not plan: {}", error.tool, error.why)))
            };
            return Ok(pairs.iter().filter_map(blamed).collect());
        }
        let mut found = Vec::new();
        for pair in &pairs {
            if let Err(what) = compare(&engine, pair).await {
                found.push((pair.at, what));
            }
        }
        Ok::<_, String>(found)
    });
    Ok(found?)
}

async fn compare(engine: &Engine, pair: &Pair) -> Result<(), String> {
    let literal = call(engine, &pair.literal, &Arguments::new()).await?;
    let placeholder = call(engine, &pair.placeholder, &pair.arguments).await?;
    if same_rows(&literal, &placeholder) {
        return Ok(());
    }
    let ty = pair.placeholder.contract.parameter("p").map(|parameter| parameter.ty.to_string()).unwrap_or_default();
    let (literal, placeholder) = (literal.text(), placeholder.text());
    Err(format!("the answers differ (p is inferred as {ty}):\n{literal}\nand with the placeholder:\n{placeholder}"))
}

async fn call(engine: &Engine, tool: &Tool, arguments: &Arguments) -> Result<CallResult, String> {
    let result = engine.call(&tool.contract.name, arguments).await;
    result.map_err(|error| format!("`{}` fails: {} {:?}", tool.contract.name, error.line(), error.detail))
}

fn same_rows(one: &CallResult, other: &CallResult) -> bool {
    let (one, other) = (&one.rows, &other.rows);
    let types: Vec<(&Type, &Type)> = one.columns.iter().zip(&other.columns).map(|((_, a), (_, b))| (a, b)).collect();
    let same_row = |(a, b): (&Vec<Value>, &Vec<Value>)| {
        let mut cells = a.iter().zip(b).zip(types.iter().copied());
        a.len() == b.len() && cells.all(|((a, b), (ty, other))| same_value((ty, a), (other, b)))
    };
    let (one, other) = (one.values(), other.values());
    one.len() == other.len() && one.iter().zip(&other).all(same_row)
}

/// Numbers may be of two types: decimals are texts in JSON, and other numbers numbers.
fn same_value((one_type, one): (&Type, &Value), (other_type, other): (&Type, &Value)) -> bool {
    if !one_type.is_numeric() || !other_type.is_numeric() {
        return one == other;
    }
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse::<f64>().ok());
    match (number(one), number(other)) {
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0),
        // Null, or not finite, which is null too.
        _ => one == other,
    }
}
