//! Opens the tables of a project, and holds them to the schemas that its tools were compiled for.

use super::Workspace;
use crate::diagnostic::{Diagnostics, codes};
use crate::engine::tables::diagnostic;
use crate::engine::{OpenError, Tables};
use crate::load;
use crate::project::Project;
use crate::tool::Tool;

/// Tables that were opened, and what is wrong with the others.
#[derive(Default)]
pub struct OpenedTables {
    /// Those that can be opened; `None` where it is the folders that they lie in that cannot be.
    pub tables: Option<Tables>,
    /// Those that cannot.
    pub unopened: Vec<OpenError>,
    /// Those whose data is not what was locked, with the first difference.
    pub changed: Vec<(String, String)>,
}

impl OpenedTables {
    /// What is wrong, at the places in `qtool.yaml` that it is about.
    pub fn problems(&self, project: &Project) -> Diagnostics {
        let mut sink = Diagnostics::default();
        for failed in &self.unopened {
            sink.push(diagnostic(project, &failed.table, &failed.error));
        }
        for (table, difference) in &self.changed {
            sink.push(codes::table_changed(load::table_span(project, table), table, difference));
        }
        sink
    }
}

impl Workspace {
    /// Opens the named tables, each as far as it can be.
    pub async fn open_tables(&self, names: &[&str]) -> OpenedTables {
        let (file, catalog) = (&self.project.file, &self.project.catalog);
        let mut unopened = Vec::new();
        let mut opened = Tables::open_some(&self.dir, file, catalog, names).await;
        if let Err(errors) = opened {
            let is_fine = |name: &&&str| !errors.iter().any(|error| error.table == ***name);
            let names: Vec<&str> = names.iter().filter(is_fine).copied().collect();
            unopened = errors;
            // Where the folders themselves are wrong, no table is to blame.
            opened = Tables::open_some(&self.dir, file, catalog, &names).await;
        }
        match opened {
            Ok(tables) => {
                let changed = tables.changes(catalog);
                OpenedTables { tables: Some(tables), unopened, changed }
            }
            Err(errors) => {
                unopened.extend(errors);
                OpenedTables { unopened, ..OpenedTables::default() }
            }
        }
    }
}

/// The tables that tools read, sorted, each once.
pub(super) fn read_by(tools: &[Tool]) -> Vec<&str> {
    let mut names: Vec<&str> = tools.iter().flat_map(|tool| &tool.contract.tables).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}
