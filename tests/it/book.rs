//! Pages of the book are run. On a diagnostic's page, the example gives the page's code, and the corrected file gives
//! it no more. In a chapter, every example has the types that its comments name, and every call the answer below it.

use crate::cases::{self, Outcome};
use crate::databases;
use crate::expect;
use base64::Engine as _;
use qtool::compile::{analyze, evidence};
use qtool::diagnostic::{Code, Severity};
use qtool::emit;
use qtool::engine::bind::Arguments;
use qtool::infer::Stages;
use qtool::project::Project;
use qtool::tool::constraints::plain_value;
use qtool::tool::{OutputColumn, Parameter, Tool};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The project of a page that brings none.
const SHARED: [(&str, &str); 3] = [
    (
        "qtool.yaml",
        "name: example\ntables:\n  orders: { path: data/orders.csv }\n  customers: { path: data/customers.csv }\n",
    ),
    (
        "snapshots/tables/orders.snap",
        "---\nsource: qtool.yaml\nexpression: tables.orders\ncolumns: 5\n---\n\
         id bigint\ncustomer_id bigint\nstatus text\nplaced_at timestamp\ntotal double\n",
    ),
    (
        "snapshots/tables/customers.snap",
        "---\nsource: qtool.yaml\nexpression: tables.customers\ncolumns: 3\n---\nid bigint\nname text\ncity text\n",
    ),
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
    let locked = write_example(&text, &blocks, folder.path())?;
    let found = codes(folder.path(), locked);
    if !found.contains(code) {
        return Err(format!("the example gives {found:?}").into());
    }
    if blocks.iter().any(|block| block.fixed) {
        for block in blocks.iter().filter(|block| block.fixed) {
            if let Some(renamed) = &block.renamed {
                std::fs::remove_file(folder.path().join(renamed))?;
            }
            write(folder.path(), &block.file, &block.bytes()?)?;
        }
        let left = codes(folder.path(), locked);
        if left.contains(code) {
            return Err(format!("the corrected example still gives {left:?}").into());
        }
    }
    Ok(())
}

/// Writes the example of a page into a folder; whether it is compiled without data. `None` for the index.
pub(crate) fn lay_out(page: &Path, folder: &Path) -> Result<Option<bool>, Box<dyn std::error::Error>> {
    if page.file_stem().is_some_and(|stem| stem == "index") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(page)?;
    let blocks: Vec<Block> = blocks(&text).into_iter().filter(|block| !block.file.is_empty()).collect();
    Ok(Some(write_example(&text, &blocks, folder)?))
}

/// Writes the files of a page that are not the corrected ones; whether it is compiled without data.
fn write_example(text: &str, blocks: &[Block], folder: &Path) -> std::io::Result<bool> {
    let own_project = blocks.iter().any(|block| block.file == "qtool.yaml");
    if !own_project {
        for (file, content) in SHARED {
            write(folder, file, content.as_bytes())?;
        }
    }
    for block in blocks.iter().filter(|block| !block.fixed) {
        let bytes = block.bytes().map_err(|error| std::io::Error::other(error.to_string()))?;
        write(folder, &block.file, &bytes)?;
    }
    Ok(text.contains("<!-- locked -->") || !own_project)
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
/// of that line. What the other blocks show of a query is said at [`Shown`]. A chapter that brings no data is compiled
/// from its locked tables alone. A page in a chapter's folder has files of the chapter and of its other pages.
pub(crate) fn chapter(path: &Path) -> crate::Outcome {
    let text = std::fs::read_to_string(path)?;
    let blocks = blocks(&text);
    let others = of_other_pages(path, &text)?;
    let folder = tempfile::tempdir()?;
    for block in &others {
        write(folder.path(), &block.file, &block.bytes()?)?;
    }
    for block in &blocks {
        if block.is_query() {
            // Blank lines before it: then its lines have the numbers that they have on the page.
            let content = "\n".repeat(block.lines_before()) + &block.content;
            write(folder.path(), &block.query_file(), content.as_bytes())?;
        } else if block.is_of_project() {
            write(folder.path(), &block.file, &block.bytes()?)?;
        }
    }
    let locked = !blocks.iter().chain(&others).any(|block| block.file.starts_with("data/"));
    let outcome = Outcome::with(folder.path(), locked);
    let (Some(project), Some(compilation)) = (&outcome.project, &outcome.compilation) else {
        let messages: Vec<&str> = outcome.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
        return Err(format!("the project does not load: {messages:?}").into());
    };
    let mut problems = wrong_errors(blocks.iter().chain(&others), &outcome);
    for block in blocks.iter().filter(|block| block.is_query()) {
        let tool =
            compilation.tools.iter().find(|tool| block.query_file() == format!("queries/{}.sql", tool.contract.name));
        problems.extend(wrong_types(block, tool));
    }
    let mut rewritten = Vec::new();
    let mut chapter = Chapter { dir: folder.path(), project, outcome: &outcome, error: Value::Null };
    for block in &blocks {
        let Some((query, shown)) = block.shown() else { continue };
        let found = match chapter.found(block, query, shown) {
            Ok(found) => expect::without_cursors(&found),
            Err(error) => {
                problems.push(format!("line {}: {error}", block.line));
                continue;
            }
        };
        if shown.is_json() {
            let written: Value = serde_json::from_str(&block.content)?;
            let found: Value = serde_json::from_str(&found)?;
            if written == found {
                continue;
            }
            let found = serde_json::to_string_pretty(&found)? + "\n";
            if expect::update() {
                rewritten.push((block, found));
            } else {
                problems.push(format!("line {}: {query} gives\n{found}", block.line));
            }
        } else if found != block.content && expect::update() {
            rewritten.push((block, found));
        } else if found != block.content {
            problems.push(format!("line {}: {query} gives\n{found}", block.line));
        }
    }
    if !rewritten.is_empty() {
        std::fs::write(path, with_blocks(&text, &rewritten))?;
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// The files of the chapter that a page belongs to, and of the pages beside it: settings, data and the queries that the
/// page names. None where it is a chapter itself.
fn of_other_pages(page: &Path, text: &str) -> Result<Vec<Block>, Box<dyn std::error::Error>> {
    let Some(folder) = page.parent().filter(|folder| folder.with_extension("md").is_file()) else {
        return Ok(Vec::new());
    };
    let mut pages = vec![folder.with_extension("md")];
    for entry in std::fs::read_dir(folder)? {
        pages.push(entry?.path());
    }
    let mut found = Vec::new();
    for other in pages.iter().filter(|other| *other != page) {
        let blocks = blocks(&std::fs::read_to_string(other)?).into_iter().filter(Block::is_of_project);
        found.extend(blocks.filter(|block| !block.is_query() || text.contains(block.query_name())));
    }
    Ok(found)
}

/// What a block shows of a query: its file is `<query>.<one of these>`.
#[derive(Clone, Copy)]
enum Shown {
    /// `constraints`, `typed`, `plan`: what `qtool check --emit` prints.
    Stage(fn(Stages) -> String),
    /// `calls`: lines `> {…}` with the arguments of a call, each followed by what the agent reads.
    Calls,
    /// `error`: the object of the last call before it that failed.
    Error,
    /// `schema`: the published input schema; of `<query>.<parameter>`, that of one parameter.
    Schema,
    /// `description`: the published description.
    Description,
}

impl Shown {
    fn parse(name: &str) -> Option<Shown> {
        Some(match name {
            "constraints" => Shown::Stage(|stages| stages.constraints),
            "typed" => Shown::Stage(|stages| stages.typed),
            "plan" => Shown::Stage(|stages| stages.plan),
            "calls" => Shown::Calls,
            "error" => Shown::Error,
            "schema" => Shown::Schema,
            "description" => Shown::Description,
            _ => return None,
        })
    }

    /// Whether it is compared as a value, however it is written on the page.
    fn is_json(self) -> bool {
        matches!(self, Shown::Error | Shown::Schema)
    }
}

/// A chapter whose project is compiled.
struct Chapter<'a> {
    dir: &'a Path,
    project: &'a Project,
    outcome: &'a Outcome,
    /// The last error of a call.
    error: Value,
}

impl Chapter<'_> {
    fn found(&mut self, block: &Block, query: &str, shown: Shown) -> Result<String, Box<dyn std::error::Error>> {
        Ok(match shown {
            Shown::Stage(of) => {
                let found = evidence(self.project, &analyze(self.project), query);
                of(found.unwrap_or_default().stages)
            }
            Shown::Calls => self.answers(block, query)?,
            Shown::Error => self.error.to_string(),
            Shown::Schema => {
                let (name, parameter) = query.split_once('.').unwrap_or((query, ""));
                let schema = emit::mcp::input_schema(&self.tool(name)?.contract);
                let of_parameter = schema.pointer(&format!("/properties/{parameter}"));
                let shown = if parameter.is_empty() { &schema } else { of_parameter.ok_or("no such parameter")? };
                shown.to_string()
            }
            Shown::Description => {
                let tool = emit::mcp::tool(&self.tool(query)?.contract);
                tool["description"].as_str().unwrap_or_default().to_owned() + "\n"
            }
        })
    }

    fn answers(&mut self, block: &Block, query: &str) -> Result<String, Box<dyn std::error::Error>> {
        let tool = self.tool(query)?.clone();
        let lines: Vec<&str> = block.content.lines().filter(|line| line.starts_with("> ")).collect();
        let arguments = |line: &&str| serde_json::from_str(line.trim_start_matches("> "));
        let calls: Vec<Arguments> = lines.iter().map(arguments).collect::<Result<_, _>>()?;
        let answers = cases::call(self.dir, self.outcome, tool, calls)?;
        let mut shown = Vec::new();
        for (line, answer) in lines.iter().zip(answers) {
            let told = match answer {
                Ok(text) => text.trim_end().to_owned(),
                Err(error) => {
                    self.error = serde_json::to_value(&error)?;
                    error.line()
                }
            };
            shown.push(format!("{line}\n{told}\n"));
        }
        Ok(shown.join("\n"))
    }

    fn tool(&self, name: &str) -> Result<&Tool, String> {
        let mut tools = self.outcome.compilation.iter().flat_map(|compilation| &compilation.tools);
        tools.find(|tool| tool.contract.name == name).ok_or_else(|| format!("there is no tool `{name}`"))
    }
}

/// The page with other contents of some blocks.
pub(crate) fn with_blocks(text: &str, rewritten: &[(&Block, String)]) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for (block, content) in rewritten.iter().rev() {
        // The fence is line `block.line`, counted from 1: the content begins at that index.
        lines.splice(block.line..block.line + block.content.lines().count(), content.lines());
    }
    lines.join("\n") + "\n"
}

/// Errors that no comment names, and comments that name an error that is none.
fn wrong_errors<'a>(blocks: impl Iterator<Item = &'a Block>, outcome: &Outcome) -> Vec<String> {
    let mut named: BTreeSet<(String, usize, String)> = BTreeSet::new();
    for block in blocks.filter(|block| block.is_query()) {
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
    let parameters = tool.map(|tool| tool.contract.parameters()).unwrap_or_default();
    let columns = tool.map(|tool| tool.contract.columns()).unwrap_or_default();
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
    words.extend(parameter.constraints.minimum.as_ref().map(|least| format!("at least {}", plain_value(least))));
    words.extend(parameter.constraints.allowed_values.as_ref().map(|all| format!("one of {} values", all.len())));
    words.join(", ")
}

fn of_column(column: &OutputColumn) -> String {
    if column.nullable { column.ty.to_string() } else { format!("{}, not null", column.ty) }
}

fn codes(dir: &Path, locked: bool) -> Vec<Code> {
    let outcome = Outcome::with(dir, locked);
    let opened = if locked { Vec::new() } else { outcome.of_opening(dir) };
    let unrunnable = outcome.unrunnable_programs(dir);
    let all = outcome.diagnostics.iter().chain(&opened).chain(&unrunnable);
    all.map(|diagnostic| diagnostic.code).collect()
}

/// Writes a file of a page; a database is made of its statements.
pub(crate) fn write(dir: &Path, file: &str, content: &[u8]) -> std::io::Result<()> {
    let path = dir.join(file);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    match databases::of_dump(&path) {
        Some(database) => databases::make(&String::from_utf8_lossy(content), &database),
        None => std::fs::write(path, content),
    }
}

/// A fenced block. Most name a file: ```` ```sql queries/example.sql ````, or with `fixed` before the name.
pub(crate) struct Block {
    /// The line of the page that it begins in, from 1.
    pub(crate) line: usize,
    pub(crate) language: String,
    fixed: bool,
    /// The file that it takes the place of, where it has another name.
    renamed: Option<String>,
    /// Empty where it names none.
    pub(crate) file: String,
    pub(crate) content: String,
}

impl Block {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        if self.language == "base64" {
            return Ok(base64::engine::general_purpose::STANDARD.decode(self.content.trim())?);
        }
        Ok(self.content.clone().into_bytes())
    }

    /// Whether it is a file of the project: a query, settings, data, a locked schema.
    fn is_of_project(&self) -> bool {
        !self.file.is_empty() && self.shown().is_none()
    }

    fn is_query(&self) -> bool {
        self.language == "sql"
    }

    /// The file of a query; one without a name has that of its line.
    fn query_file(&self) -> String {
        if self.file.is_empty() { format!("queries/line_{}.sql", self.line) } else { self.file.clone() }
    }

    fn query_name(&self) -> &str {
        self.file.trim_start_matches("queries/").trim_end_matches(".sql")
    }

    /// The lines of the page before the content. A file with a name is by itself: its places are shown on the page.
    fn lines_before(&self) -> usize {
        if self.file.is_empty() { self.line } else { 0 }
    }

    /// The query and what the block shows of it.
    fn shown(&self) -> Option<(&str, Shown)> {
        let (query, what) = self.file.rsplit_once('.')?;
        Some((query, Shown::parse(what)?))
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
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let content: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default().to_owned();
        let mut rest = words.peekable();
        let renamed = rest.next_if_eq(&"renamed").and_then(|_| rest.next()).map(str::to_owned);
        let fixed = rest.next_if_eq(&"fixed").is_some() || renamed.is_some();
        let file = rest.next().unwrap_or_default().to_owned();
        blocks.push(Block { line: at + 1, language, fixed, renamed, file, content: content.join("\n") + "\n" });
    }
    blocks
}
