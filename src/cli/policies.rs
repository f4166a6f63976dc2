//! `qtool policies show`: who sees what of the tables, through which tools.

use super::aligned::aligned;
use super::workspace::{self, Data, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::compile::Compilation;
use crate::name::{nearest, shown_name};
use crate::project::{ColumnPolicy, EnforcedBy, PolicyConfig, Project};
use crate::review::render::wrapped_words;
use clap::Subcommand;
use serde_json::{Map, Value, json};

/// Say who sees what of the tables
#[derive(clap::Args)]
pub(super) struct Policies {
    #[command(subcommand)]
    command: PoliciesCommand,
}

#[derive(Subcommand)]
enum PoliciesCommand {
    Show(Show),
}

/// Show the policies, or which tools show a column, and to whom
#[derive(clap::Args)]
struct Show {
    /// A column of a table, whether that has a policy or not
    #[arg(long, value_name = "TABLE.COLUMN")]
    column: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// What callers see in the place of a column.
enum Seen<'a> {
    /// Its values.
    Values,
    /// A mask, unless they have all of these scopes; nobody has, where there are none.
    Mask { sql: &'a str, unless: &'a [String] },
    /// Nothing.
    Nothing,
}

/// A tool that shows a column.
struct Shows {
    tool: String,
    /// The columns of its result that do; none for any.
    shown_in: Vec<String>,
    /// The scopes of who sees the values themselves: none for everybody who may call it. `None` for nobody.
    unmasked_to: Option<Vec<String>>,
}

impl Policies {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let PoliciesCommand::Show(show) = self.command;
        show.run(global).unwrap_or_else(|outcome| outcome)
    }
}

impl Show {
    fn run(self, global: &Global) -> Result<Outcome, Outcome> {
        let workspace = workspace::open(global, Data::MayBeRead)?;
        let compilation = workspace.compile();
        print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
        let (project, ended) =
            (&workspace.project, if compilation.errors > 0 { Outcome::Problems } else { Outcome::Fine });
        match &self.column {
            Some(column) => {
                let (table, column) = column_of(project, column)?;
                self.print_column(project, &compilation, (table, column));
            }
            None => self.print_all(project, &compilation),
        }
        Ok(ended)
    }

    fn print_column(&self, project: &Project, compilation: &Compilation, of: (&str, &str)) {
        let (table, column) = of;
        let (seen, tools) = (seen(project, of), tools(project, compilation, of));
        if self.json {
            terminal::out(&format!(
                "{:#}\n",
                json!({"column": format!("{table}.{column}"), "policy": as_json(&seen), "tools": tools_as_json(&tools)})
            ));
            return;
        }
        let name = format!("{}.{}", shown_name(table), shown_name(column));
        let what = match &seen {
            Seen::Values => format!("every caller sees `{name}`"),
            Seen::Nothing => format!("`{name}` is denied: no caller sees it, and no query can name it"),
            Seen::Mask { sql, unless: [] } => format!("every caller sees {sql} in the place of `{name}`"),
            Seen::Mask { sql, unless } => {
                format!("callers see {sql} in the place of `{name}`, unless they have {}", unless.join(" and "))
            }
        };
        let is_seen = !matches!(seen, Seen::Nothing);
        let rows = is_seen && project.file.policies.get(table).is_some_and(|policy| !policy.rows.is_empty());
        terminal::out(&format!("{what}{}\n", if rows { ", of the rows that they see" } else { "" }));
        if tools.is_empty() {
            terminal::out("\nno tool shows it\n");
            return;
        }
        let lines = tools.iter().map(|one| {
            let shown_in = if one.shown_in.is_empty() { "any column".to_owned() } else { one.shown_in.join(", ") };
            let to = match one.unmasked_to.as_deref() {
                None => "nobody".to_owned(),
                Some([]) => "everybody".to_owned(),
                Some(scopes) => scopes.join(" and "),
            };
            vec![one.tool.clone(), shown_in, to]
        });
        let head = ["tool", "shows it in", "unmasked to"].map(str::to_owned).to_vec();
        terminal::out(&format!("\n{}", aligned(std::iter::once(head).chain(lines).collect(), "")));
    }

    fn print_all(&self, project: &Project, compilation: &Compilation) {
        if self.json {
            let tables: Map<String, Value> = project
                .file
                .policies
                .iter()
                .map(|(table, policy)| (table.clone(), table_as_json(project, compilation, (table, policy))))
                .collect();
            terminal::out(&format!("{:#}\n", Value::Object(tables)));
            return;
        }
        if project.file.policies.is_empty() {
            terminal::out("there are no policies: every caller sees every table\n");
            return;
        }
        for (at, (table, policy)) in project.file.policies.iter().enumerate() {
            let gap = if at == 0 { "" } else { "\n" };
            terminal::out(&format!("{gap}{}\n", shown_name(table)));
            terminal::out(&as_list(&lines(project, compilation, (table, policy))));
        }
    }
}

/// What a policy says, and which tools that is about.
fn lines(
    project: &Project,
    compilation: &Compilation,
    (table, policy): (&str, &PolicyConfig),
) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    lines.extend(policy.rows.iter().map(|sql| ("rows".to_owned(), sql.clone())));
    for (name, param) in &policy.params {
        let from = param.from.as_ref().map_or_else(|| "a fixed value".to_owned(), ToString::to_string);
        lines.push((format!("<< {name} >>"), from));
    }
    for column in policy.columns.keys() {
        let what = match seen(project, (table, column)) {
            Seen::Values => continue,
            Seen::Nothing => "denied".to_owned(),
            Seen::Mask { sql, unless: [] } => format!("{sql} for everybody"),
            Seen::Mask { sql, unless } => format!("{sql} unless {}", unless.join(" and ")),
        };
        lines.push((column.clone(), what));
    }
    if policy.enforced_by == Some(EnforcedBy::Database) {
        lines.push(("database".to_owned(), "holds to the policy as well".to_owned()));
    }
    let readers: Vec<String> = readers(compilation, table).map(str::to_owned).collect();
    let readers = if readers.is_empty() { "no tool".to_owned() } else { readers.join(", ") };
    lines.push(("read by".to_owned(), readers));
    lines
}

/// Each with its text beside it, in the width of a terminal.
fn as_list(lines: &[(String, String)]) -> String {
    let widest = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    // A pipe gets the whole line.
    let room = terminal::width().map_or(usize::MAX, |width| width.saturating_sub(widest + 4).max(20));
    let mut out = String::new();
    for (name, text) in lines {
        for (at, part) in wrapped_words(text, room).iter().enumerate() {
            let name = if at == 0 { name.as_str() } else { "" };
            out.push_str(&format!("  {name:widest$}  {part}\n"));
        }
    }
    out
}

/// The tools that read a table.
fn readers<'a>(compilation: &'a Compilation, table: &'a str) -> impl Iterator<Item = &'a str> {
    let reads = compilation.tools.iter().filter(move |tool| tool.contract.tables.iter().any(|one| one == table));
    reads.map(|tool| tool.contract.name.as_str())
}

/// The table and the column that are meant.
///
/// Errors: there is none, which is told with the nearest one.
fn column_of<'a>(project: &'a Project, written: &str) -> Result<(&'a str, &'a str), Outcome> {
    let told = |message: &str, near: Option<&str>| {
        let help = near.map(|near| format!("did you mean `{near}`?"));
        terminal::error(message, &help.iter().map(String::as_str).collect::<Vec<_>>());
        Outcome::CouldNotRun
    };
    let tables = project.catalog.tables.keys().map(String::as_str);
    // Names may have a point in them.
    let split = written.match_indices('.').find_map(|(at, _)| {
        let (table, column) = (written.get(..at)?, written.get(at + 1..)?);
        let (table, known) = project.catalog.tables.get_key_value(table)?;
        Some((table.as_str(), known, column))
    });
    let Some((table, known, column)) = split else {
        let Some((table, column)) = written.split_once('.') else {
            return Err(told(&format!("`{written}` is no column of a table: write `TABLE.COLUMN`"), None));
        };
        let near = nearest(table, tables).map(|near| format!("{near}.{column}"));
        return Err(told(&format!("there is no table `{table}` with a locked schema"), near.as_deref()));
    };
    let columns = || known.columns.iter().map(|column| column.name.as_str());
    match columns().find(|name| *name == column) {
        Some(column) => Ok((table, column)),
        None => {
            let near = nearest(column, columns()).map(|near| format!("{table}.{near}"));
            Err(told(&format!("table `{table}` has no column `{column}`"), near.as_deref()))
        }
    }
}

/// What callers see of a column.
fn seen<'a>(project: &'a Project, (table, column): (&str, &str)) -> Seen<'a> {
    match project.file.policies.get(table).and_then(|policy| policy.columns.get(column)) {
        None => Seen::Values,
        Some(ColumnPolicy::Deny) => Seen::Nothing,
        Some(ColumnPolicy::Mask(mask)) => Seen::Mask { sql: &mask.mask, unless: &mask.unless },
    }
}

/// The tools that show a column.
fn tools(project: &Project, compilation: &Compilation, (table, column): (&str, &str)) -> Vec<Shows> {
    let key = (table.to_owned(), column.to_owned());
    let shown = compilation.tools.iter().filter_map(|tool| {
        let shown_in =
            compilation.lineage.get(tool.contract.alias_of.as_ref().unwrap_or(&tool.contract.name))?.get(&key)?;
        let own = tool.contract.scopes.iter();
        let unmasked_to = match seen(project, (table, column)) {
            Seen::Values => Some(own.cloned().collect::<Vec<_>>()),
            Seen::Nothing | Seen::Mask { unless: [], .. } => None,
            Seen::Mask { unless, .. } => {
                let others = unless.iter().filter(|scope| !tool.contract.scopes.contains(scope));
                Some(own.chain(others).cloned().collect())
            }
        };
        Some(Shows { tool: tool.contract.name.clone(), shown_in: shown_in.iter().cloned().collect(), unmasked_to })
    });
    shown.collect()
}

fn as_json(seen: &Seen<'_>) -> Value {
    match seen {
        Seen::Values => Value::Null,
        Seen::Nothing => "deny".into(),
        Seen::Mask { sql, unless } => json!({"mask": sql, "unless": unless}),
    }
}

fn tools_as_json(tools: &[Shows]) -> Value {
    let one = |one: &Shows| json!({"tool": one.tool, "in": one.shown_in, "unmasked_to": one.unmasked_to});
    tools.iter().map(one).collect()
}

fn table_as_json(project: &Project, compilation: &Compilation, (table, policy): (&str, &PolicyConfig)) -> Value {
    let columns: Map<String, Value> = policy
        .columns
        .keys()
        .map(|column| {
            let of = (table, column.as_str());
            let tools = tools_as_json(&tools(project, compilation, of));
            (column.clone(), json!({"policy": as_json(&seen(project, of)), "tools": tools}))
        })
        .collect();
    let params: Map<String, Value> = policy
        .params
        .iter()
        .map(|(name, param)| (name.clone(), param.from.as_ref().map_or(json!("fixed"), |from| json!(from.to_string()))))
        .collect();
    json!({
        "rows": policy.rows,
        "params": params,
        "columns": columns,
        "enforced_by_database": policy.enforced_by == Some(EnforcedBy::Database),
        "read_by": readers(compilation, table).collect::<Vec<_>>(),
    })
}
