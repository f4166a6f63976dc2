//! Guards of the architecture that the compiler does not keep: which module names which crate and which module.

use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every source file by its path below `src`, with its text.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    files(&root)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .filter(|(name, _)| name != "tidy.rs")
        .collect()
}

fn module(name: &str) -> &str {
    name.split(['/', '.']).next().unwrap_or_default()
}

/// The lines of code (no comments) that hold a text.
fn naming<'a>(text: &'a str, what: &str) -> Vec<&'a str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//") && line.contains(what)).collect()
}

#[test]
fn only_plan_infer_ty_and_engine_name_datafusion() {
    for (name, text) in sources() {
        if !["plan", "infer", "ty", "engine"].contains(&module(&name)) {
            assert_eq!(naming(&text, "datafusion::"), Vec::<&str>::new(), "{name}");
        }
        if module(&name) != "plan" {
            assert_eq!(naming(&text, "datafusion_sql::"), Vec::<&str>::new(), "{name}");
        }
    }
}

#[test]
fn only_serve_and_upstreams_name_the_mcp_sdk() {
    for (name, text) in sources() {
        if !["serve", "upstreams"].contains(&module(&name)) {
            assert_eq!(naming(&text, "rmcp::"), Vec::<&str>::new(), "{name}");
        }
    }
}

/// Which file or folder names the crate of a database.
const DRIVERS: [(&str, &str); 3] = [
    ("rusqlite::", "engine/sources/sqlite"),
    ("tokio_postgres::", "engine/sources/postgres"),
    ("mysql_async::", "engine/sources/mysql"),
];

#[test]
fn only_the_module_of_a_database_names_its_driver() {
    for (name, text) in sources() {
        for (driver, place) in DRIVERS {
            if !name.starts_with(place) {
                assert_eq!(naming(&text, driver), Vec::<&str>::new(), "{name}");
            }
        }
    }
}

/// Who writes SQL for databases: what is a value never stands in it.
const WRITE_SQL: [&str; 8] = [
    "render.rs",
    "mysql/looked.rs",
    "sqlite/describe.rs",
    "sqlite/survey.rs",
    "dialect/mysql.rs",
    "dialect/postgres.rs",
    "postgres/run.rs",
    "postgres/survey.rs",
];

#[test]
fn statements_are_written_in_one_place() {
    let keyword = Regex::new(r#""[^"]*\b(SELECT|WHERE|LIMIT) "#).unwrap();
    for (name, text) in sources().into_iter().filter(|(name, _)| name.starts_with("engine/sources")) {
        if !WRITE_SQL.iter().any(|place| name == format!("engine/sources/{place}")) {
            let found: Vec<&str> =
                naming(&text, "format!(").into_iter().filter(|line| keyword.is_match(line)).collect();
            assert_eq!(found, Vec::<&str>::new(), "{name}");
        }
    }
}

/// From the bottom to the top: a module may use those before it.
const ORDER: [&str; 32] = [
    "in_words",
    "source",
    "name",
    "ty",
    "diagnostic",
    "yaml",
    "catalog",
    "project",
    "tool",
    "prompts",
    "syntax",
    "shape",
    "plan",
    "infer",
    "rules",
    "compile",
    "records",
    "load",
    "package",
    "emit",
    "review",
    "bundle",
    "programs",
    "requests",
    "upstreams",
    "engine",
    "evals",
    "serve",
    "workspace",
    "testing",
    "cli",
    "main",
];

#[test]
fn imports_go_one_way() {
    let place = |module: &str| ORDER.iter().position(|known| *known == module);
    for (name, text) in sources().into_iter().filter(|(name, _)| !name.contains("tests")) {
        let Some(here) = place(module(&name)) else { continue };
        for line in naming(&text, "crate::") {
            for used in line.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                if let Some(there) = place(used) {
                    assert!(there <= here, "{name} uses {used}: {line}");
                }
            }
        }
    }
}

/// Pairs of files that import each other because each asks the other: an estimate is narrowed by what a condition keeps
/// of it, and a condition is made of expressions, which hold conditions.
const RECURSIVE: [(&str, &str); 2] = [
    ("engine::join_order::estimate", "engine::join_order::selectivity"),
    ("infer::nullability::expression", "infer::nullability::predicate"),
];

/// The paths that the `use` declarations of a file name, those of its unit tests left out.
fn uses(text: &str) -> Vec<String> {
    let unit_tests = Regex::new(r"#\[cfg\(test\)\]\s*mod tests \{").unwrap();
    let declaration = Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);").unwrap();
    let text = unit_tests.split(text).next().unwrap_or_default();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    declaration.captures_iter(&code.join("\n")).flat_map(|found| items(&found[1])).collect()
}

/// The paths of a declaration, without braces: `a::{b, c::{d, e}}` names three.
fn items(tree: &str) -> Vec<String> {
    let Some((before, within)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let within = within.rsplit_once('}').map_or(within, |(within, _)| within);
    let mut depth = 0;
    let parts = within.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| items(&format!("{}{part}", before.trim()))).collect()
}

/// The file that a path leads to; the file itself where that is another crate's or its own.
fn led_to(path: &str, here: &str, modules: &BTreeSet<String>) -> String {
    let mut place: Vec<&str> = here.split("::").collect();
    for part in path.split("::") {
        match part.trim() {
            "crate" => place.clear(),
            "super" => drop(place.pop()),
            "self" => {}
            name => place.push(name.split(' ').next().unwrap_or_default()),
        }
    }
    while !place.is_empty() && !modules.contains(&place.join("::")) {
        place.pop();
    }
    place.join("::")
}

/// A module may import what its children have, and they what it has.
#[test]
fn no_file_imports_its_importer() {
    let of_tests = |name: &str| name.contains("tests");
    let files = sources().into_iter().filter(|(name, _)| !of_tests(name));
    let files: Vec<(String, String)> =
        files.map(|(name, text)| (name.trim_end_matches(".rs").replace('/', "::"), text)).collect();
    let modules: BTreeSet<String> = files.iter().map(|(module, _)| module.clone()).collect();
    let imports: BTreeSet<(String, String)> = files
        .iter()
        .flat_map(|(here, text)| uses(text).into_iter().map(|path| (here.clone(), led_to(&path, here, &modules))))
        .collect();
    let both_ways = imports.iter().filter(|(one, other)| {
        one < other && !other.starts_with(&format!("{one}::")) && imports.contains(&(other.clone(), one.clone()))
    });
    let found: BTreeSet<(&str, &str)> = both_ways.map(|(one, other)| (one.as_str(), other.as_str())).collect();
    let known: BTreeSet<(&str, &str)> = RECURSIVE.into_iter().collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "these import each other: {new:?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "these do no more, and need no exception: {gone:?}");
}

/// Who asks which body a tool has: who makes one, reads one back, or finds the runner for it.
const ASK_FOR_THE_BODY: [&str; 9] = [
    "compile/derived_models.rs",
    "compile/publish.rs",
    "compile/record_tools.rs",
    "compile/table_tools.rs",
    "compile/upstreams.rs",
    "engine/native.rs",
    "engine/runners.rs",
    "tool/flat.rs",
    "tool.rs",
];
/// Who knows the runners: who chooses one, and who keeps it for the calls.
const KNOW_THE_RUNNERS: [&str; 2] = ["engine/prepared.rs", "engine/runners.rs"];

/// A new kind of tool is a body, a runner, and who makes it: all others see its contract.
#[test]
fn a_new_kind_of_tool_is_a_body_and_a_runner() {
    let tool = sources().into_iter().find(|(name, _)| name == "tool.rs").unwrap().1;
    let bodies = tool.split("pub enum Body {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
    let variant = Regex::new(r"(?m)^    ([A-Z]\w*)").unwrap();
    let variants: Vec<&str> = variant.captures_iter(bodies).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(variants.contains(&"Query"), "{variants:?}");
    let body = Regex::new(&format!(r"\bBody::({})\b", variants.join("|"))).unwrap();
    let runner = Regex::new(r"\bRunner::\w").unwrap();
    let naming = |pattern: &Regex| -> Vec<String> {
        let code = |text: &str| {
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            code.lines().any(|line| !line.trim_start().starts_with("//") && pattern.is_match(line))
        };
        let files = sources().into_iter().filter(|(name, text)| !name.contains("tests") && code(text));
        files.map(|(name, _)| name).collect()
    };
    assert_eq!(naming(&body), ASK_FOR_THE_BODY);
    assert_eq!(naming(&runner), KNOW_THE_RUNNERS);
}

#[test]
fn a_tool_knows_no_spans() {
    for (name, text) in sources() {
        if module(&name) == "tool" {
            assert_eq!(naming(&text, "Span"), Vec::<&str>::new(), "{name}");
        }
    }
}

#[test]
fn files_are_about_one_thing() {
    for (name, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 600, "{name} has {lines} lines");
        assert!(
            text.starts_with("//!") || name.ends_with("tests.rs") || name.contains("/tests/"),
            "{name} does not say what it is for"
        );
    }
}

/// Those that are longer, each with as many lines as it may have: a walk over all nodes of a plan, or a table of cases.
const LONG: [(&str, &str, usize); 5] = [
    ("cli/build/artefacts.rs", "new", 80),
    ("plan/total_order/walk.rs", "walk", 80),
    ("review/diff/types.rs", "values", 80),
    ("review/snapshot/yaml.rs", "values_read_back_as_themselves", 85),
    ("serve/edge.rs", "only_known_names_and_pages_come_in", 80),
];

/// The functions of a file with their numbers of lines. `cargo fmt` puts the bracket that ends one below its first letter.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let is_of_head =
            |word: &str| word.starts_with("pub") || word.ends_with(')') || ["async", "const"].contains(&word);
        let before_name = line.split_once("fn ").filter(|(before, _)| before.split_whitespace().all(is_of_head));
        let Some((_, rest)) = before_name else { continue };
        let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
        let end = format!("{}}}", " ".repeat(indent));
        let ends =
            |line: &&str| *line == end || (line.ends_with(';') && line.len() - line.trim_start().len() <= indent);
        let length = lines.iter().skip(at).position(ends).map_or(0, |lines| lines + 1);
        found.push((name, length));
    }
    found
}

#[test]
fn functions_do_one_step() {
    for (name, text) in sources() {
        for (function, length) in functions(&text) {
            let exception = LONG.iter().find(|(file, long, _)| *file == name && *long == function);
            let most = exception.map_or(70, |(.., most)| *most);
            assert!(length <= most, "{name}: `{function}` has {length} lines");
        }
    }
}

/// What is seen by other modules tells its errors by types: [`crate::in_words`] where they are words.
#[test]
fn errors_of_other_modules_are_types() {
    for (name, text) in sources() {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            if !(line.starts_with("pub ") || line.starts_with("pub(crate) ")) || !line.contains("fn ") {
                continue;
            }
            let end = lines.iter().skip(at).position(|line| line.ends_with(['{', ';'])).map_or(at, |more| at + more);
            let head = lines.get(at..=end).unwrap_or_default().join(" ");
            let gives = head.rsplit_once("-> ").map_or("", |(_, gives)| gives);
            assert!(!(gives.starts_with("Result<") && gives.contains(", String>")), "{name}: {head}");
        }
    }
}

/// A case is found by its `query.sql`: a folder that has other queries alone would never be run.
#[test]
fn every_case_is_run() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")];
    while let Some(folder) = folders.pop() {
        let inside: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path()).collect();
        // Below `root` lies a whole project.
        if folder.ends_with("root") {
            continue;
        }
        let has_queries = inside.iter().any(|path| path.extension().is_some_and(|ending| ending == "sql"));
        assert!(!has_queries || folder.join("query.sql").exists(), "{} has no query.sql", folder.display());
        folders.extend(inside.into_iter().filter(|path| path.is_dir()));
    }
}

/// A word that says nothing by itself is no name of a function that stands by itself: a search for it finds everything.
#[test]
fn functions_have_a_noun_in_their_names() {
    let bare = Regex::new(r"(?m)^(pub(\([a-z: ]+\))? )?(const |async )*fn (of|one|plain|shown|told)\b").unwrap();
    for (name, text) in sources().into_iter().filter(|(name, _)| !name.contains("tests")) {
        assert_eq!(bare.find(&text).map(|found| found.as_str()), None, "{name}");
    }
}
