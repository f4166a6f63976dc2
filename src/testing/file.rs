//! Where tests are written: the headers of query files, and `queries/<name>.test.yaml` beside them.

use super::fixture::Fixture;
use super::golden;
use super::sees::Counting;
use crate::compile::STACK_SIZE;
use crate::diagnostic::{Diagnostics, codes};
use crate::engine::bind::Caller;
use crate::load::{self, Files, MANIFESTS, QUERIES, TESTS};
use crate::name::nearest;
use crate::project::{
    ExpectConfig, PrincipalConfig, Project, QueryFile, RecordsConfig, TableToolsConfig, TestConfig, TestFile,
};
use crate::source::{FileId, Span};
use crate::syntax;
use crate::yaml::{Document, Shape};
use chrono::{DateTime, Utc};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

/// What can be expected.
const KEYS: [&str; 10] = ["rows", "contains", "count", "changed", "columns", "all", "none", "any", "golden", "error"];

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<TestFile>);

/// The tests of a project.
#[derive(Debug, Default)]
pub struct Suite {
    /// Those that can be run, by tool and in the order they are written.
    pub cases: Vec<Case>,
    /// What is wrong with the files. A file with errors has no tests.
    pub diagnostics: Diagnostics,
    /// The tools that are there for tests alone: they count what callers see of tables.
    pub counting: BTreeSet<String>,
}

/// A test: a call, and what it must give.
#[derive(Debug, Clone)]
pub struct Case {
    /// The tool that is called.
    pub tool: String,
    /// What the file is called after that it is written in, of a test that is about a table.
    pub file: Option<String>,
    /// The table whose rows are counted, where that is all.
    pub counts: Option<String>,
    /// What is tested.
    pub name: String,
    /// Where that is written.
    pub place: Span,
    /// What an agent sends.
    pub arguments: Map<String, Value>,
    /// Who calls, and when.
    pub caller: Caller,
    /// The rows that stand in for tables, by table.
    pub fixtures: Vec<Fixture>,
    /// What the call must give.
    pub expect: ExpectConfig,
    written: Written,
}

/// A mapping of a document: where the parts of a test stand.
#[derive(Debug, Clone)]
pub(super) struct Written {
    document: Arc<Document>,
    path: Vec<String>,
}

impl Written {
    fn new(document: &Arc<Document>, path: &[&str]) -> Written {
        let path = path.iter().map(|step| (*step).to_owned()).collect();
        Written { document: Arc::clone(document), path }
    }

    /// The whole path to a place below.
    fn steps<'a>(&'a self, below: &[&'a str]) -> Vec<&'a str> {
        self.path.iter().map(String::as_str).chain(below.iter().copied()).collect()
    }

    /// Where a key stands (its value, where it has none).
    pub(super) fn key(&self, below: &[&str]) -> Span {
        self.document.key_span(&self.steps(below))
    }

    /// Where a value stands.
    pub(super) fn value(&self, below: &[&str]) -> Span {
        self.document.value_span(&self.steps(below))
    }

    fn has(&self, below: &[&str]) -> bool {
        self.document.has(&self.steps(below))
    }
}

impl Case {
    /// `tool/name`: what filters look at.
    pub fn path(&self) -> String {
        format!("{}/{}", self.tool, self.name)
    }

    /// Where a key below `expect` stands.
    pub fn key(&self, below: &[&str]) -> Span {
        self.written.key(&below_expect(below))
    }

    /// Where a value below `expect` stands.
    pub fn value(&self, below: &[&str]) -> Span {
        self.written.value(&below_expect(below))
    }
}

fn below_expect<'a>(below: &[&'a str]) -> Vec<&'a str> {
    std::iter::once("expect").chain(below.iter().copied()).collect()
}

/// Reads all tests of a project. The files of tests are added to its sources.
pub fn read(files: &dyn Files, project: &mut Project) -> Suite {
    let mut suite = Suite::default();
    let mut counting = Counting::default();
    read_headers(project, &mut suite);
    for id in load::test_files(files, &mut project.sources, &mut suite.diagnostics) {
        read_file(id, project, &mut counting, &mut suite);
    }
    suite.counting = counting.into_tools();
    suite.cases.sort_by(|a, b| (&a.tool, a.place).cmp(&(&b.tool, b.place)));
    let mut names: HashMap<(&str, &str), Span> = HashMap::new();
    // Several files may say what a caller sees of a table.
    for case in suite.cases.iter().filter(|case| !suite.counting.contains(&case.tool)) {
        if let Some(first) = names.insert((&case.tool, &case.name), case.place) {
            suite.diagnostics.push(codes::name_collision(case.place, &case.name, "another test", first));
        }
    }
    suite
}

/// Reads the tests of one file.
fn read_file(id: FileId, project: &mut Project, counting: &mut Counting, suite: &mut Suite) {
    let Some(file) = project.sources.get(id) else { return };
    let of_manifest = file.path.strip_prefix(MANIFESTS).and_then(|path| path.strip_prefix('/'));
    let below = file.path.strip_prefix(QUERIES).and_then(|path| path.strip_prefix('/')).or(of_manifest);
    let stem = below.and_then(|path| path.strip_suffix(TESTS));
    let is_of_manifest = of_manifest.is_some();
    let (stem, start) = (stem.unwrap_or_default().to_owned(), file.span(0, 0));
    let document = Document::parse(file, file.whole(), &mut suite.diagnostics);
    let read: Option<TestFile> = document.as_ref().and_then(|document| document.read(&SHAPE, &mut suite.diagnostics));
    let tool = tool_of(&stem, project);
    let has = |key: &str| document.as_ref().is_some_and(|document| document.has(&[key]));
    let is_of_tables = has("sees") && !has("tests");
    if tool.is_none() && !is_of_tables {
        let (path, help) = match is_of_manifest {
            true => (format!("{MANIFESTS}/{stem}.yaml"), ("manifest", ".yaml")),
            false => (format!("{QUERIES}/{stem}.sql"), ("query", ".sql")),
        };
        let help = format!("a file of tests is called as its {}: `<name>{TESTS}` beside `<name>{}`", help.0, help.1);
        let missing = codes::unreadable_file(Some(start), &path, "there is no such file");
        suite.diagnostics.push(missing.help(help));
        return;
    }
    let (Some(document), Some(read)) = (document.map(Arc::new), read) else { return };
    let whole = Written::new(&document, &[]);
    if document.has(&["sees"]) && read.sees.is_empty() {
        suite
            .diagnostics
            .push(codes::empty_value(whole.key(&["sees"]), "a table, with how many rows each caller sees of it"));
    } else if read.tests.is_empty() && read.sees.is_empty() {
        suite.diagnostics.push(codes::missing_key(whole.value(&[]), "tests"));
    }
    let shared = Shared {
        fixtures: Fixture::of(&read.fixtures, &document, &["fixtures"]),
        caller: Caller {
            scopes: read.scopes.iter().cloned().collect(),
            ..caller(&read.claims, &read.headers, instant(&read.now, &whole, &mut suite.diagnostics))
        },
        principals: read.principals,
    };
    add_sees(suite, (project, counting, &stem), &shared, read.sees, &document);
    if let Some(tool) = tool {
        add(suite, &tool, &shared, read.tests, &document);
    }
}

/// The tool that a file of tests is about: a query, or one that is made of tables.
fn tool_of(stem: &str, project: &Project) -> Option<String> {
    let query = project.queries.iter().find(|query| query.stem == stem);
    query.map(|query| syntax::declared_name(query, &project.sources)).or_else(|| {
        let of_set = |(prefix, config): (&String, &TableToolsConfig)| {
            config.kinds().into_iter().map(|kind| kind.tool_name(prefix)).find(|name| name == stem)
        };
        let of_records = |(name, config): (&String, &RecordsConfig)| config.tool_names(name).find(|name| name == stem);
        let of_sets = project.file.table_tools.iter().find_map(of_set);
        let of_upstreams = || project.upstream_tool_names().find(|name| name == stem);
        of_sets.or_else(|| project.file.records.iter().find_map(of_records)).or_else(of_upstreams)
    })
}

/// Takes in who sees how many rows of which table.
fn add_sees(
    suite: &mut Suite,
    (project, counting, stem): (&mut Project, &mut Counting, &str),
    shared: &Shared,
    sees: IndexMap<String, IndexMap<String, u64>>,
    document: &Arc<Document>,
) {
    for (table, by_principal) in sees {
        let place = Written::new(document, &["sees", &table]);
        if !project.file.tables.contains_key(&table) {
            let known = project.file.tables.keys().map(String::as_str);
            suite.diagnostics.push(codes::unknown_table(place.key(&[]), &table, known));
            continue;
        }
        if by_principal.is_empty() {
            let expected = "a number of rows for each caller";
            suite.diagnostics.push(codes::empty_value(place.key(&[]), expected));
        }
        for (principal, rows) in by_principal {
            let written = Written::new(document, &["sees", &table, &principal]);
            let Some(caller) = shared.as_principal(&principal, written.key(&[]), &mut suite.diagnostics) else {
                continue;
            };
            let mut fixtures = shared.fixtures.clone();
            fixtures.sort_by(|a, b| a.table.cmp(&b.table));
            let row = Map::from_iter([("rows".to_owned(), Value::from(rows))]);
            suite.cases.push(Case {
                tool: counting.tool(project, &table),
                file: Some(stem.to_owned()),
                counts: Some(table.clone()),
                place: written.key(&[]),
                name: principal,
                arguments: Map::new(),
                caller,
                fixtures,
                expect: ExpectConfig { rows: Some(vec![row]), ..ExpectConfig::default() },
                written,
            });
        }
    }
}

/// Reads the tests of the headers. Files that have none are not read again.
fn read_headers(project: &Project, suite: &mut Suite) {
    let text = |id: Option<FileId>| id.and_then(|id| project.sources.get(id)).map(|file| file.text.as_ref());
    let may_have = |query: &&QueryFile| {
        [text(Some(query.file)), text(query.sidecar)].into_iter().flatten().any(|text| text.contains("tests"))
    };
    let queries: Vec<&QueryFile> = project.queries.iter().filter(may_have).collect();
    // The compiler says what is wrong with a query.
    let parse =
        |query: &QueryFile| syntax::parse(query, &project.document, &project.sources, &mut Diagnostics::default());
    let parse_all = || queries.iter().filter_map(|query| parse(query)).collect::<Vec<_>>();
    let parsed = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("tests".to_owned()).stack_size(STACK_SIZE);
        thread.spawn_scoped(scope, parse_all).ok().and_then(|handle| handle.join().ok())
    });
    for (query, _) in parsed.into_iter().flatten() {
        let document = Arc::new(query.document);
        add(suite, &query.name.value, &Shared::default(), query.header.tests, &document);
    }
}

/// What all tests of a file have in common.
#[derive(Default)]
struct Shared {
    fixtures: Vec<Fixture>,
    caller: Caller,
    principals: IndexMap<String, PrincipalConfig>,
}

impl Shared {
    /// The caller of a name; that there is none is told. What a principal does not say, it has not.
    fn as_principal(&self, name: &str, place: Span, sink: &mut Diagnostics) -> Option<Caller> {
        let Some(principal) = self.principals.get(name) else {
            let known: Vec<&str> = self.principals.keys().map(String::as_str).collect();
            let found = format!("`{name}`");
            let wrong = codes::invalid_value(place, "a caller of `principals` in this file", &found);
            sink.push(codes::did_you_mean(wrong, Some(name), nearest(name, known)));
            return None;
        };
        let scopes = principal.scopes.iter().cloned().collect();
        Some(Caller { scopes, ..caller(&principal.claims, &principal.headers, self.caller.now) })
    }
}

/// Takes in tests; of those with errors, only what is wrong with them.
fn add(suite: &mut Suite, tool: &str, shared: &Shared, tests: Vec<TestConfig>, document: &Arc<Document>) {
    for (at, test) in tests.into_iter().enumerate() {
        let at = at.to_string();
        let written = Written::new(document, &["tests", &at]);
        let errors = suite.diagnostics.errors();
        let now = instant(&test.now, &written, &mut suite.diagnostics);
        let named = test
            .principal
            .as_ref()
            .map(|name| shared.as_principal(name, written.value(&["as"]), &mut suite.diagnostics).unwrap_or_default());
        check(&test.expect, &written, &mut suite.diagnostics);
        if suite.diagnostics.errors() > errors {
            continue;
        }
        // What a test says itself is all that holds: else none could do without.
        let mut caller = named.unwrap_or_else(|| shared.caller.clone());
        caller.claims = test.claims.unwrap_or(caller.claims);
        caller.headers = test.headers.as_ref().map_or(caller.headers, in_lower_case);
        caller.scopes = test.scopes.map_or(caller.scopes, |scopes| scopes.into_iter().collect());
        caller.now = now.or(caller.now);
        let mut fixtures = match &test.fixtures {
            Some(own) => Fixture::of(own, document, &["tests", &at, "fixtures"]),
            None => shared.fixtures.clone(),
        };
        fixtures.sort_by(|a, b| a.table.cmp(&b.table));
        suite.cases.push(Case {
            tool: tool.to_owned(),
            file: None,
            counts: None,
            place: written.value(&["name"]),
            name: test.name,
            arguments: test.arguments,
            caller,
            fixtures,
            expect: test.expect,
            written,
        });
    }
}

fn caller(claims: &Map<String, Value>, headers: &IndexMap<String, String>, now: Option<DateTime<Utc>>) -> Caller {
    Caller { claims: claims.clone(), headers: in_lower_case(headers), now, tries_only: true, ..Caller::default() }
}

fn in_lower_case(headers: &IndexMap<String, String>) -> HashMap<String, String> {
    headers.iter().map(|(name, value)| (name.to_lowercase(), value.clone())).collect()
}

fn instant(now: &Option<String>, written: &Written, sink: &mut Diagnostics) -> Option<DateTime<Utc>> {
    let now = now.as_deref()?;
    match DateTime::parse_from_rfc3339(now) {
        Ok(instant) => Some(instant.to_utc()),
        Err(_) => {
            let expected = "an instant with an offset, such as `2024-03-31T12:00:00Z`";
            sink.push(codes::invalid_value(written.value(&["now"]), expected, &format!("the text `{now}`")));
            None
        }
    }
}

/// What the schema does not say of an expectation.
fn check(expect: &ExpectConfig, written: &Written, sink: &mut Diagnostics) {
    let said = serde_json::to_value(expect).unwrap_or_default();
    // What nobody filled in would hold of every call.
    for key in KEYS.iter().filter(|key| written.has(&["expect", key]) && said.get(key).is_none()) {
        sink.push(codes::invalid_value(written.key(&["expect", key]), "what the call must give", "nothing"));
    }
    if said.get("error").is_some()
        && let Some(other) = KEYS.iter().find(|key| **key != "error" && said.get(key).is_some())
    {
        let found = format!("`{other}` beside it");
        sink.push(codes::invalid_value(written.key(&["expect", "error"]), "nothing else of a call that fails", &found));
    }
    if let Some(name) = &expect.golden
        && golden::format(name).is_none()
    {
        let expected = "a file below `snapshots/golden` that ends in `.md`, `.csv`, `.toon` or `.json`";
        sink.push(codes::invalid_value(written.value(&["expect", "golden"]), expected, &format!("the text `{name}`")));
    }
}
