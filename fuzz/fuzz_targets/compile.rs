//! Any text is a project: compiling it neither panics nor points outside of its files, and gives the same twice.
//!
//! An input is the text of `queries/q.sql`. What stands behind a NUL is a further file: its first line is the name
//! (`orders_of.sql`, a query that `q` may select from; anything else is the sidecar `queries/q.yaml`), the rest its
//! text. The tables are those of the test cases.

#![no_main]

use libfuzzer_sys::{fuzz_target, Corpus};
use qtool::catalog::{lock, Catalog};
use qtool::compile::{compile, Compilation};
use qtool::diagnostic::render::{render, Format};
use qtool::diagnostic::Diagnostics;
use qtool::emit;
use qtool::project::{Project, ProjectFile, QueryFile};
use qtool::source::{FileId, Sources, Span};
use qtool::syntax::relatives::find_relatives;
use qtool::yaml::{Document, Shape};
use std::sync::LazyLock;

const PROJECT: &str = include_str!("../../tests/cases/qtool.yaml");
const LOCKS: [(&str, &str); 4] = [
    ("orders", include_str!("../../tests/cases/snapshots/tables/orders.snap")),
    ("customers", include_str!("../../tests/cases/snapshots/tables/customers.snap")),
    ("items", include_str!("../../tests/cases/snapshots/tables/items.snap")),
    ("types", include_str!("../../tests/cases/snapshots/tables/types.snap")),
];
/// Files beside `q.sql`; more tell nothing new.
const MAX_FILES: usize = 4;
/// One input in so many is compiled twice.
const TWICE: usize = 16;

/// What is the same for every input.
struct World {
    file: ProjectFile,
    document: Document,
    catalog: Catalog,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let mut sources = Sources::default();
    let id = sources.add("qtool.yaml", PROJECT);
    let source = sources.get(id).expect("it was just added");
    let mut sink = Diagnostics::default();
    let document = Document::parse(source, source.whole(), &mut sink).expect("qtool.yaml is YAML");
    let file: ProjectFile = document.read(&Shape::of::<ProjectFile>(), &mut sink).expect("qtool.yaml is a project");
    let mut catalog = Catalog::default();
    for (name, text) in LOCKS {
        catalog.tables.insert(name.to_owned(), lock::read(name, text).expect("a lock reads back"));
    }
    World { file, document, catalog }
});

fuzz_target!(|data: &[u8]| -> Corpus {
    // Files that are not UTF-8 are refused before they are compiled.
    let Ok(text) = std::str::from_utf8(data) else {
        return Corpus::Reject;
    };
    let project = project(text);
    let compilation = compile(&project, Diagnostics::default());
    check_places(&compilation, &project.sources);
    write_all(&compilation, &project.sources);
    // By the input and not by a counter: the same input always does the same.
    if data.iter().map(|byte| usize::from(*byte)).sum::<usize>() % TWICE == 0 {
        let again = compile(&project, Diagnostics::default());
        assert_eq!(compilation.diagnostics, again.diagnostics, "compiled twice, with two outcomes");
        assert_eq!(compilation.tools, again.tools, "compiled twice, with two outcomes");
    }
    Corpus::Keep
});

fn project(text: &str) -> Project {
    let world = &*WORLD;
    let mut sources = Sources::default();
    // The first file, as it was when the document was read: its places stay valid.
    sources.add("qtool.yaml", PROJECT);
    let mut parts = text.split('\0');
    let file = sources.add("queries/q.sql", parts.next().unwrap_or_default());
    let mut sidecar = None;
    let mut queries: Vec<QueryFile> = Vec::new();
    for part in parts.take(MAX_FILES) {
        let (name, content) = part.split_once('\n').unwrap_or((part, ""));
        match name.strip_suffix(".sql").filter(|stem| is_new(stem, &queries)) {
            Some(stem) => queries.push(query(sources.add(format!("queries/{name}"), content), stem)),
            None => sidecar = Some(sources.add("queries/q.yaml", content)),
        }
    }
    queries.push(QueryFile { sidecar, ..query(file, "q") });
    queries.sort_by(|a, b| a.stem.cmp(&b.stem));
    find_relatives(&mut queries, &sources);
    let (file, document, catalog) = (world.file.clone(), world.document.clone(), world.catalog.clone());
    let (prompts, allowed_values) = Default::default();
    Project { sources, file, document, queries, prompts, catalog, allowed_values, statements: Default::default() }
}

fn query(file: FileId, stem: &str) -> QueryFile {
    QueryFile { file, sidecar: None, is_refused: false, form: Default::default(), stem: stem.to_owned(), relatives: Default::default() }
}

/// Whether a path can name a file beside those there are.
fn is_new(stem: &str, queries: &[QueryFile]) -> bool {
    !stem.is_empty() && stem != "q" && stem.len() < 100 && queries.iter().all(|query| query.stem != stem)
}

/// Every place is a range of whole characters of a file.
fn check_places(compilation: &Compilation, sources: &Sources) {
    for diagnostic in &compilation.diagnostics {
        let labels = diagnostic.primary.iter().chain(&diagnostic.secondary).map(|label| label.span);
        let edits = diagnostic.helps.iter().flat_map(|help| &help.edits).map(|edit| edit.span);
        for span in labels.chain(edits) {
            assert!(is_inside(span, sources), "{span:?} lies in no file: {diagnostic:?}");
        }
    }
}

fn is_inside(span: Span, sources: &Sources) -> bool {
    // `get` knows nothing of ranges that are reversed, out of the text, or inside a character.
    sources.get(span.file).is_some_and(|file| file.text.get(span.start..span.end).is_some())
}

/// Writes everything that can be written of it.
fn write_all(compilation: &Compilation, sources: &Sources) {
    for format in [Format::Text, Format::Short, Format::Json] {
        render(&compilation.diagnostics, sources, format, false);
    }
    render(&compilation.diagnostics, sources, Format::Text, true);
    for tool in &compilation.tools {
        assert!(emit::mcp::tool(&tool.contract).is_object());
        emit::signature::signature(&tool.contract).expect("a tool has a signature");
    }
}
