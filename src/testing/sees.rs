//! The queries that count the rows of a table that a caller sees: tools of the tests alone.

use crate::name::is_legal;
use crate::project::{Project, QueryFile};
use crate::syntax;
use std::collections::{BTreeMap, BTreeSet};

/// By table, the tool that counts its rows.
#[derive(Debug, Default)]
pub(super) struct Counting {
    tools: BTreeMap<String, String>,
}

impl Counting {
    /// The tool that counts the rows of a table, which is added to the project where there is none yet.
    pub(super) fn tool(&mut self, project: &mut Project, table: &str) -> String {
        if let Some(tool) = self.tools.get(table) {
            return tool.clone();
        }
        let taken: BTreeSet<String> =
            project.queries.iter().map(|query| syntax::declared_name(query, &project.sources)).collect();
        let made = project.file.made_tool_names();
        let taken: BTreeSet<String> =
            taken.into_iter().chain(made).chain(project.file.tables.keys().cloned()).collect();
        let name = format!("rows_of_{}", crate::name::snake_case(table));
        let name = if is_legal(&name) { name } else { "rows_of_a_table".to_owned() };
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let is_free = |name: &String| !taken.contains(name);
        let name = std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name);
        let quoted = table.replace('"', "\"\"");
        let settings =
            "lints: { unfiltered-scan: allow, large-definition: allow }\ndescription: The rows that a caller sees.\n";
        let file =
            project.sources.add(format!("the rows of {table}"), format!("SELECT count(*) AS rows FROM \"{quoted}\""));
        let sidecar = project.sources.add(format!("the settings of the rows of {table}"), settings);
        project.queries.push(QueryFile { sidecar: Some(sidecar), ..QueryFile::alone(file, name.clone()) });
        self.tools.insert(table.to_owned(), name.clone());
        name
    }

    /// All of them.
    pub(super) fn into_tools(self) -> BTreeSet<String> {
        self.tools.into_values().collect()
    }
}
