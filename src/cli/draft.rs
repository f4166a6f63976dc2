//! A query that lies in no file, beside those of the project: what is typed, and what is asked of a table.

use super::call::ended;
use super::workspace::{self, Data, block_on, errors_in, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::diagnostic::{Code, Severity};
use crate::engine::bind::{Arguments, Caller};
use crate::engine::result::CallResult;
use crate::load::{Memory, QUERIES};
use crate::project::ResultLimit;
use crate::syntax;
use crate::tool::Tool;
use crate::workspace::Workspace;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// How a query is called in messages that lies in no file.
const SHOWN: &str = "<sql>";

/// A query that nobody has saved.
pub(super) struct Draft {
    dir: PathBuf,
    /// Its path below `queries/`, without `.sql`.
    stem: String,
    /// What its sidecar would say.
    settings: Value,
    /// Whether it is the author who looks, past all policies.
    is_of_author: bool,
}

/// A query that nobody has saved, compiled.
pub(super) struct Compiled {
    /// The project with it.
    pub(super) workspace: Workspace,
    /// What it became.
    pub(super) tool: Tool,
}

impl Draft {
    /// A query that is run once: under a name that is nobody's, held to no lint.
    pub(super) fn to_run(global: &Global, rows: Option<ResultLimit>) -> Result<Draft, Outcome> {
        let dir = workspace::find(global)?;
        let others = workspace::load_files(&dir).map_err(|failed| {
            print(&failed.diagnostics.into_sorted(), &failed.sources);
            Outcome::Problems
        })?;
        let names = others.query_names();
        let is_free = |name: &String| !names.contains(name) && !others.project.file.tables.contains_key(name);
        let numbered = (2..).map(|number| format!("sql_{number}"));
        let stem = std::iter::once("sql".to_owned()).chain(numbered).find(is_free).unwrap_or_default();
        // What is an error by itself stays one.
        let lints = Code::lints().filter(|code| code.severity() == Severity::Warning);
        let lints: Map<String, Value> = lints.map(|code| (code.to_string(), "allow".into())).collect();
        let mut settings = json!({"expose": [], "lints": lints});
        if let (Some(rows), Some(map)) = (rows, settings.as_object_mut()) {
            map.insert("result_limit".to_owned(), json!(rows));
        }
        Ok(Draft { dir, stem, settings, is_of_author: false })
    }

    /// A query that shows its author what a table holds, whatever callers see of it.
    pub(super) fn to_look(global: &Global, rows: Option<ResultLimit>) -> Result<Draft, Outcome> {
        Ok(Draft { is_of_author: true, ..Draft::to_run(global, rows)? })
    }

    /// A query that is to become a file.
    pub(super) fn to_save(dir: &Path, stem: &str) -> Draft {
        Draft { dir: dir.to_path_buf(), stem: stem.to_owned(), settings: Value::Null, is_of_author: false }
    }

    /// The project with the query in it. What keeps it from being loaded is printed.
    pub(super) fn load(&self, sql: &str) -> Result<Workspace, Outcome> {
        let mut unsaved = Memory::default();
        let path = |ending: &str| format!("{QUERIES}/{}{ending}", self.stem);
        unsaved.insert(path(".sql"), sql);
        if !self.settings.is_null() {
            // JSON is YAML.
            unsaved.insert(path(".yaml"), self.settings.to_string());
        }
        let loaded = workspace::load_with(&self.dir, unsaved, Data::MayBeRead);
        let mut workspace = loaded.map_err(|failed| {
            print(&failed.diagnostics.into_sorted(), &failed.sources);
            Outcome::Problems
        })?;
        if self.is_of_author {
            workspace.project.file.policies.clear();
        }
        workspace.project.sources.show_as(&path(".sql"), SHOWN);
        Ok(workspace)
    }

    /// The tool that the query becomes in that project; `None` where it has errors.
    pub(super) fn tool(&self, workspace: &Workspace) -> Option<Tool> {
        let name = self.name(workspace)?;
        workspace.compile().tools.into_iter().find(|tool| tool.contract.name == name)
    }

    /// Compiles the query. What is wrong with it is printed.
    pub(super) fn compile(&self, sql: &str) -> Result<Compiled, Outcome> {
        let workspace = self.load(sql)?;
        match self.tool(&workspace) {
            Some(tool) => Ok(Compiled { workspace, tool }),
            None => Err(self.complain(&workspace)),
        }
    }

    /// Says what is wrong with the query, or with what it reads.
    pub(super) fn complain(&self, workspace: &Workspace) -> Outcome {
        let compilation = workspace.compile();
        let own = self.name(workspace).map(|name| errors_in(workspace, &name, &compilation)).unwrap_or_default();
        let said = if own.is_empty() { errors_only(&compilation.diagnostics) } else { own };
        print(&said, &workspace.project.sources);
        if said.is_empty() {
            terminal::error("the query is no tool", &["it is a view, or out of service by its header"]);
        }
        Outcome::Problems
    }

    fn name(&self, workspace: &Workspace) -> Option<String> {
        let project = &workspace.project;
        let query = project.queries.iter().find(|query| query.stem == self.stem)?;
        Some(syntax::declared_name(query, &project.sources))
    }
}

impl Compiled {
    /// The rows of a query without parameters. Why there are none is printed.
    pub(super) fn rows(self) -> Result<CallResult, Outcome> {
        let Compiled { workspace, tool } = self;
        let answer = block_on(async move {
            let name = tool.contract.name.clone();
            let engine = workspace::engine(&workspace, vec![tool]).await?;
            Ok(engine.call_as(&name, &Arguments::new(), &Caller { tries_only: true, ..Caller::default() }).await)
        });
        ended(answer)
    }
}
