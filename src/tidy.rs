//! Guards of the architecture that the compiler does not keep: which module names which crate and which module.

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
    }
}

#[test]
fn only_serve_names_the_mcp_sdk() {
    for (name, text) in sources() {
        if module(&name) != "serve" {
            assert_eq!(naming(&text, "rmcp::"), Vec::<&str>::new(), "{name}");
        }
    }
}

/// From the bottom to the top: a module may use those before it.
const ORDER: [&str; 25] = [
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
    "plan",
    "infer",
    "rules",
    "compile",
    "load",
    "package",
    "emit",
    "review",
    "bundle",
    "engine",
    "evals",
    "testing",
    "serve",
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
