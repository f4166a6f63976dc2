//! Makes a query file of a SELECT: of what was typed (`qtool sql --save`) and of what was explored (`qtool promote`).

use super::draft::Draft;
use super::{Global, Outcome, terminal, workspace};
use crate::emit;
use crate::load::{QUERIES, io_reason, leads_out, write_atomically};
use crate::name::{is_legal, snake_case};
use crate::project::Project;
use crate::syntax::literals::{FreeLiteral, free_literals};
use crate::tool::Tool;
use crate::workspace::Workspace;
use serde_json::Value;
use std::path::Path;

/// A query file that was written.
pub(super) struct Saved {
    /// Its path below the project.
    pub(super) path: String,
    /// Its path below `queries/`, without `.sql`.
    pub(super) stem: String,
    /// The tool that it is.
    pub(super) tool: Tool,
    /// The literals that became parameters, with their values.
    pub(super) freed: Vec<FreeLiteral>,
    /// The project with it.
    pub(super) workspace: Workspace,
}

impl Saved {
    /// What the tool takes, and the call that gives what the SELECT gave.
    pub(super) fn print(&self) {
        let signature = emit::signature::signature(&self.tool.contract).unwrap_or_default();
        terminal::out(&format!("{}\n\n{signature}\n", self.workspace.project.sources.shown(&self.path)));
        terminal::out(&format!("  qtool call {}{}\n", self.tool.contract.name, arguments(&self.freed)));
    }
}

/// Writes the query file. `description` says what it is for, from the tool and its parameters. Why it cannot be written is
/// printed.
pub(super) fn save(
    global: &Global,
    name: &str,
    sql: &str,
    description: Option<&dyn Fn(&Tool) -> String>,
) -> Result<Saved, Outcome> {
    let dir = workspace::find(global)?;
    let stem = stem(name)?;
    let path = format!("{QUERIES}/{stem}.sql");
    for ending in [".sql", ".yaml"] {
        if dir.join(QUERIES).join(format!("{stem}{ending}")).exists() {
            let message = format!("there is `{QUERIES}/{stem}{ending}` already");
            terminal::error(&message, &["choose another name, or remove it"]);
            return Err(Outcome::CouldNotRun);
        }
    }
    if leads_out(&dir, Path::new(&path)) {
        let message = format!("`{path}` lies behind a link that leads out of the project");
        terminal::error(&message, &["choose a name in a folder of the project"]);
        return Err(Outcome::CouldNotRun);
    }
    let draft = Draft::to_save(&dir, stem);
    let workspace = draft.load(sql)?;
    let Some(as_typed) = draft.tool(&workspace) else { return Err(draft.complain(&workspace)) };
    let tool = &as_typed.contract.name;
    if workspace.query_names().iter().filter(|known| *known == tool).count() > 1 {
        terminal::error(&format!("there is a query `{tool}` already"), &["choose another name"]);
        return Err(Outcome::CouldNotRun);
    }
    let literals = literals_of(&workspace, stem);
    let (_, tool, freed) = freed(&draft, sql, (literals, as_typed))?;
    let examples = personal_table(&tool, &workspace.project).is_none();
    let text = text_with(sql, &freed, description.map(|describe| describe(&tool)).as_deref(), examples);
    let workspace = draft.load(&text)?;
    let tool = draft.tool(&workspace).ok_or_else(|| draft.complain(&workspace))?;
    write_atomically(&dir.join(Path::new(&path)), text.as_bytes()).map_err(|error| {
        terminal::error(&format!("cannot write `{path}`: {}", io_reason(&error)), &[]);
        Outcome::CouldNotRun
    })?;
    Ok(Saved { path, stem: stem.to_owned(), tool, freed, workspace })
}

/// The tool that a SELECT would be, and the literals that would be its parameters. What is wrong with it is printed.
pub(super) fn preview(global: &Global, sql: &str) -> Result<(Tool, Vec<FreeLiteral>), Outcome> {
    const STEM: &str = "promoted_query";
    let draft = Draft::to_save(&workspace::find(global)?, STEM);
    let workspace = draft.load(sql)?;
    let Some(as_typed) = draft.tool(&workspace) else { return Err(draft.complain(&workspace)) };
    let literals = literals_of(&workspace, STEM);
    let (_, tool, freed) = freed(&draft, sql, (literals, as_typed))?;
    Ok((tool, freed))
}

/// The path below `queries/` that a name stands for.
fn stem(name: &str) -> Result<&str, Outcome> {
    let stem = name.strip_suffix(".sql").unwrap_or(name);
    let is_fine =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if stem.split('/').all(is_fine) && is_legal(&snake_case(stem)) {
        return Ok(stem);
    }
    let help = "a name is letters, digits and `_`, such as `late_orders` or `orders/late`";
    terminal::error(&format!("`{name}` cannot be the name of a query file"), &[help]);
    Err(Outcome::CouldNotRun)
}

/// The table that a tool reads whose values are somebody's: nothing of them is written where others read it.
pub(super) fn personal_table<'a>(tool: &'a Tool, project: &Project) -> Option<&'a str> {
    let is_personal = |table: &&String| {
        let source = project.file.tables.get(*table);
        let has_pii = source.is_some_and(|source| source.columns().values().any(|said| said.pii().is_some()));
        has_pii || project.file.is_policied(table)
    };
    tool.contract.tables.iter().find(is_personal).map(String::as_str)
}

/// The literals of the query that may become placeholders.
fn literals_of(workspace: &Workspace, stem: &str) -> Vec<FreeLiteral> {
    let file = workspace.project.queries.iter().find(|query| query.stem == stem).map(|query| query.file);
    let analysis = workspace.analyze();
    let of_file = analysis.queries.iter().find(|query| Some(query.file) == file);
    of_file
        .and_then(|query| query.reached.parsed())
        .map_or_else(Vec::new, |query| free_literals(query, &workspace.project.sources))
}

/// The text with placeholders for those of the literals that can be sent, and the tool that it becomes.
fn freed(
    draft: &Draft,
    sql: &str,
    (literals, as_typed): (Vec<FreeLiteral>, Tool),
) -> Result<(String, Tool, Vec<FreeLiteral>), Outcome> {
    let all = text_with(sql, &literals, None, true);
    if let Some(tool) = draft.tool(&draft.load(&all)?) {
        return Ok((all, tool, literals));
    }
    // One of them is none that can be sent: the others are found one by one.
    let (mut kept, mut text, mut tool) = (Vec::new(), text_with(sql, &[], None, true), as_typed);
    for literal in literals {
        kept.push(literal);
        let more = text_with(sql, &kept, None, true);
        match draft.tool(&draft.load(&more)?) {
            Some(now) => (text, tool) = (more, now),
            None => _ = kept.pop(),
        }
    }
    Ok((text, tool, kept))
}

/// The file with placeholders in the place of literals, whose values are examples of what is sent.
fn text_with(sql: &str, literals: &[FreeLiteral], description: Option<&str>, has_examples: bool) -> String {
    let mut body = sql.trim_end().to_owned();
    for literal in literals.iter().rev() {
        let declared = literal.declared.iter().map(|ty| format!(": {ty}")).collect::<String>();
        let placeholder = format!("<< {}{declared} >>", literal.name);
        if body.get(literal.span.start..literal.span.end).is_some() {
            body.replace_range(literal.span.start..literal.span.end, &placeholder);
        }
    }
    let has_header = body.trim_start().starts_with("/*");
    let line = |one: &FreeLiteral| format!("  {}: {{ examples: [{}] }}\n", one.name, one.value);
    let params = match literals {
        _ if !has_examples => String::new(),
        [] => String::new(),
        literals => format!("params:\n{}", literals.iter().map(line).collect::<String>()),
    };
    let described = description.map(|text| format!("description: {}\n", Value::from(text))).unwrap_or_default();
    let header = match described + &params {
        said if said.is_empty() || has_header => String::new(),
        said => format!("/*---\n{said}---*/\n"),
    };
    format!("{header}{body}\n")
}

/// The arguments of a call that gives what was typed, as a shell takes them.
fn arguments(literals: &[FreeLiteral]) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let argument = |one: &FreeLiteral| {
        let is_bare = |c: char| c.is_alphanumeric() || "_-.,:/+@%".contains(c);
        let value = text(&one.value);
        match value.chars().all(is_bare) {
            true => format!(" {}={value}", one.name),
            false => format!(" {}='{}'", one.name, value.replace('\'', "'\\''")),
        }
    };
    literals.iter().map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_written_as_a_shell_takes_them() {
        let mut sources = crate::source::Sources::default();
        let file = sources.add("a.sql", "x");
        let literal = |name: &str, value: Value| FreeLiteral {
            span: sources.get(file).unwrap().whole(),
            name: name.to_owned(),
            declared: None,
            value,
        };
        let literals = [literal("a", json!("open")), literal("b", json!("it's $x")), literal("c", json!(["x", "y z"]))];
        assert_eq!(arguments(&literals), " a=open b='it'\\''s $x' c='[\"x\",\"y z\"]'");
    }

    #[test]
    fn names_lead_below_the_folder_of_queries() {
        for name in ["late_orders", "late-orders", "orders/late", "LateOrders", "late.sql"] {
            assert!(stem(name).is_ok(), "{name}");
        }
        for name in ["", "../late", "/late", "a//b", "1st", "a b", "größe", "late.yaml"] {
            assert!(stem(name).is_err(), "{name}");
        }
    }
}
