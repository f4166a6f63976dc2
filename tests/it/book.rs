//! Pages of the book are run. On a diagnostic's page, the example gives the page's code, and the corrected file gives
//! it no more. In the chapter on inference, every example has the types that its comments name.

use crate::cases::Outcome;
use base64::Engine as _;
use qtool::compile::compile_with;
use qtool::diagnostic::{Code, Diagnostics, Severity};
use qtool::project::Project;
use qtool::tool::{OutputColumn, Parameter, Tool};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The project of a page that brings none.
const SHARED: [(&str, &str); 3] = [
    (
        "qtool.yaml",
        "name: example\ntables:\n  orders: { path: data/orders.csv }\n  customers: { path: data/customers.csv }\n",
    ),
    ("snapshots/tables/orders.snap", "id bigint\ncustomer_id bigint\nstatus text\nplaced_at timestamp\ntotal double\n"),
    ("snapshots/tables/customers.snap", "id bigint\nname text\ncity text\n"),
];

/// Runs the page of one code.
pub(crate) fn page(path: &Path) -> crate::Outcome {
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let text = std::fs::read_to_string(path)?;
    if name == "index" {
        return index(path, &text);
    }
    let code = Code::ALL.iter().find(|code| code.as_str() == name).ok_or("no code has the name of this page")?;
    if !text.starts_with(&format!("# {name}\n")) {
        return Err("the page begins with the code as its heading".into());
    }
    let blocks: Vec<Block> = blocks(&text).into_iter().filter(|block| !block.file.is_empty()).collect();
    let folder = tempfile::tempdir()?;
    let own_project = blocks.iter().any(|block| block.file == "qtool.yaml");
    if !own_project {
        for (file, content) in SHARED {
            write(folder.path(), file, content.as_bytes())?;
        }
    }
    for block in blocks.iter().filter(|block| !block.fixed) {
        write(folder.path(), &block.file, &block.bytes()?)?;
    }
    let locked = text.contains("<!-- locked -->") || !own_project;
    let found = codes(folder.path(), locked);
    if !found.contains(code) {
        return Err(format!("the example gives {found:?}").into());
    }
    if blocks.iter().any(|block| block.fixed) {
        for block in blocks.iter().filter(|block| block.fixed) {
            write(folder.path(), &block.file, &block.bytes()?)?;
        }
        let left = codes(folder.path(), locked);
        if left.contains(code) {
            return Err(format!("the corrected example still gives {left:?}").into());
        }
    }
    Ok(())
}

/// The index names every code, and every code has its page.
fn index(path: &Path, text: &str) -> crate::Outcome {
    for code in Code::ALL {
        let page = format!("{code}.md");
        if !text.contains(&format!("({page})")) {
            return Err(format!("the index has no link to {page}").into());
        }
        if !path.with_file_name(&page).exists() {
            return Err(format!("{page} is missing").into());
        }
    }
    Ok(())
}

/// Runs a chapter whose SQL blocks are queries of one project. A comment at the end of a line says what is inferred:
/// `-- since: date` for every parameter, `-- returns day: date, not null` for columns, `-- error: [code]` for an error
/// of that line. A block `text <query>.typed` (or `.constraints`, `.plan`) is what that stage makes of a query.
pub(crate) fn chapter(path: &Path) -> crate::Outcome {
    let text = std::fs::read_to_string(path)?;
    let blocks = blocks(&text);
    let folder = tempfile::tempdir()?;
    for block in &blocks {
        if block.is_query() {
            // Blank lines before it: then its lines have the numbers that they have on the page.
            let content = "\n".repeat(block.lines_before()) + &block.content;
            write(folder.path(), &block.query_file(), content.as_bytes())?;
        } else if !block.file.is_empty() && block.stage().is_none() {
            write(folder.path(), &block.file, &block.bytes()?)?;
        }
    }
    let outcome = Outcome::with(folder.path(), true);
    let (Some(project), Some(compilation)) = (&outcome.project, &outcome.compilation) else {
        let messages: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
        return Err(format!("the project does not load: {messages:?}").into());
    };
    let mut problems = wrong_errors(&blocks, &outcome);
    for block in blocks.iter().filter(|block| block.is_query()) {
        let tool = compilation.tools.iter().find(|tool| block.query_file() == format!("queries/{}.sql", tool.name));
        problems.extend(wrong_types(block, tool));
    }
    problems.extend(blocks.iter().filter_map(|block| wrong_stage(block, project)));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// Errors that no comment names, and comments that name an error that is none.
fn wrong_errors(blocks: &[Block], outcome: &Outcome) -> Vec<String> {
    let mut named: BTreeSet<(String, usize, String)> = BTreeSet::new();
    for block in blocks.iter().filter(|block| block.is_query()) {
        let errors = block.comments().into_iter().filter(Comment::is_error);
        named.extend(errors.map(|error| (block.query_file(), error.line, error.what)));
    }
    let mut found: BTreeSet<(String, usize, String)> = BTreeSet::new();
    for error in outcome.diagnostics.iter().filter(|one| one.severity == Severity::Error) {
        let place = error.primary.as_ref().and_then(|label| {
            let file = outcome.sources.get(label.span.file)?;
            Some((file.path.clone(), file.location(label.span.start).line))
        });
        let (path, line) = place.unwrap_or_default();
        found.insert((path, line, format!("[{}]", error.code)));
    }
    let unexpected = found.difference(&named).map(|(path, line, code)| format!("{path}:{line}: error {code}, unnamed"));
    let missing = named.difference(&found).map(|(path, line, code)| format!("{path}:{line}: no error {code}"));
    unexpected.chain(missing).collect()
}

/// Where a block's comments differ from what its tool takes and returns. Without a tool it has errors, or is a view.
fn wrong_types(block: &Block, tool: Option<&Tool>) -> Vec<String> {
    let parameters = tool.map(|tool| tool.parameters.as_slice()).unwrap_or_default();
    let columns = tool.map(|tool| tool.columns.as_slice()).unwrap_or_default();
    let mut inferred: BTreeMap<String, String> = BTreeMap::new();
    inferred.extend(parameters.iter().map(|one| (one.name.clone(), of_parameter(one))));
    inferred.extend(columns.iter().map(|one| (format!("returns {}", one.name), of_column(one))));
    let mut unnamed: BTreeSet<&str> = parameters.iter().map(|one| one.name.as_str()).collect();
    let mut problems = Vec::new();
    let comments = block.comments();
    for comment in comments.iter().filter(|comment| !comment.is_error()) {
        let Comment { line, name, what } = comment;
        unnamed.remove(name.as_str());
        match inferred.get(name) {
            Some(found) if found == what => {}
            Some(found) => problems.push(format!("{}:{line}: `{name}: {found}`, not `{what}`", block.query_file())),
            None => problems.push(format!("{}:{line}: there is no `{name}`", block.query_file())),
        }
    }
    let first = block.lines_before() + 1;
    problems.extend(unnamed.into_iter().map(|name| {
        let found = inferred.get(name).map(String::as_str).unwrap_or_default();
        format!("{}:{first}: no comment names `{name}: {found}`", block.query_file())
    }));
    problems
}

fn of_parameter(parameter: &Parameter) -> String {
    let mut words = vec![parameter.ty.to_string()];
    words.extend(parameter.constraints.minimum.as_ref().map(|least| format!("at least {least}")));
    words.extend(parameter.constraints.allowed_values.as_ref().map(|all| format!("one of {} values", all.len())));
    words.join(", ")
}

fn of_column(column: &OutputColumn) -> String {
    if column.nullable { column.ty.to_string() } else { format!("{}, not null", column.ty) }
}

/// Where a block that shows a stage differs from what the stage gives.
fn wrong_stage(block: &Block, project: &Project) -> Option<String> {
    let (query, stage) = block.stage()?;
    let (_, inspected) = compile_with(project, Diagnostics::default(), Some(query));
    let stages = inspected.unwrap_or_default().stages;
    let found = match stage {
        "constraints" => stages.constraints,
        "typed" => stages.typed,
        _ => stages.plan,
    };
    (found != block.content).then(|| format!("line {}: the stage `{stage}` gives\n{found}", block.line))
}

fn codes(dir: &Path, locked: bool) -> Vec<Code> {
    let outcome = Outcome::with(dir, locked);
    let opened = if locked { Vec::new() } else { outcome.of_opening(dir) };
    outcome.diagnostics.iter().chain(&opened).map(|diagnostic| diagnostic.code).collect()
}

fn write(dir: &Path, file: &str, content: &[u8]) -> std::io::Result<()> {
    let path = dir.join(file);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, content)
}

/// A fenced block. Most name a file: ```` ```sql queries/example.sql ````, or with `fixed` before the name.
struct Block {
    /// The line of the page that it begins in, from 1.
    line: usize,
    language: String,
    fixed: bool,
    /// Empty where it names none.
    file: String,
    content: String,
}

impl Block {
    fn bytes(&self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        if self.language == "base64" {
            return Ok(base64::engine::general_purpose::STANDARD.decode(self.content.trim())?);
        }
        Ok(self.content.clone().into_bytes())
    }

    fn is_query(&self) -> bool {
        self.language == "sql"
    }

    /// The file of a query; one without a name has that of its line.
    fn query_file(&self) -> String {
        if self.file.is_empty() { format!("queries/line_{}.sql", self.line) } else { self.file.clone() }
    }

    /// The lines of the page before the content. A file with a name is by itself: its places are shown on the page.
    fn lines_before(&self) -> usize {
        if self.file.is_empty() { self.line } else { 0 }
    }

    /// The query and the stage that it shows.
    fn stage(&self) -> Option<(&str, &str)> {
        let (query, stage) = self.file.split_once('.')?;
        matches!(stage, "constraints" | "typed" | "plan").then_some((query, stage))
    }

    /// What the comments at the ends of lines say.
    fn comments(&self) -> Vec<Comment> {
        let mut comments: Vec<Comment> = Vec::new();
        for (at, text) in self.content.lines().enumerate() {
            let Some((_, words)) = text.rsplit_once(" -- ") else { continue };
            let line = self.lines_before() + at + 1;
            for part in words.split(", ") {
                match (part.split_once(": "), comments.last_mut()) {
                    (Some((name, what)), _) => {
                        comments.push(Comment { line, name: name.to_owned(), what: what.to_owned() });
                    }
                    // `not null`, or the rest of a type with a comma.
                    (None, Some(last)) => last.what = format!("{}, {part}", last.what),
                    (None, None) => {}
                }
            }
        }
        comments
    }
}

/// What a comment says of a name: its type, or for the name `error` the code.
struct Comment {
    line: usize,
    name: String,
    what: String,
}

impl Comment {
    fn is_error(&self) -> bool {
        self.name == "error"
    }
}

/// The fenced blocks of a page, those without a name as well.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let content: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default().to_owned();
        let mut rest = words.peekable();
        let fixed = rest.next_if_eq(&"fixed").is_some();
        let file = rest.next().unwrap_or_default().to_owned();
        blocks.push(Block { line: at + 1, language, fixed, file, content: content.join("\n") + "\n" });
    }
    blocks
}
