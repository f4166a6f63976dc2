//! What is known of a table before it is one of the project: what its files say of themselves, and its schema.

use super::Workspace;
use crate::catalog::{Catalog, Table};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine::tables::sniff::{Guess, guess};
use crate::engine::tables::{Roots, TableError, diagnostic};
use crate::engine::{OpenError, Tables};
use crate::load;
use crate::project::FilesSource;

/// A table that could be read.
#[derive(Debug, Clone)]
pub struct Added {
    /// Its columns.
    pub table: Table,
    /// What could not be read of it.
    pub note: Option<String>,
    /// The column that its rows were found to differ in, and how many there are.
    pub key: Option<(String, usize)>,
}

impl Workspace {
    /// What the files of a table say of themselves.
    ///
    /// Errors: they cannot be found or read, or lie outside of the project's roots.
    pub async fn guess(&self, source: &FilesSource) -> Result<Guess, TableError> {
        let roots = Roots::new(&self.dir, &self.project.file.roots)?;
        guess(&roots, source).await
    }

    /// The schema of a table as its data has it, read to its end, and a key where none is declared. Nothing is written, and
    /// no lock is asked.
    ///
    /// Errors: why it cannot be read, at the places in `qtool.yaml`.
    pub async fn try_table(&self, name: &str) -> Result<Added, Vec<Diagnostic>> {
        let (dir, file, own) = (self.dir.clone(), self.project.file.clone(), name.to_owned());
        let read = tokio::spawn(async move {
            let tables = Tables::open_whole(&dir, &file, &Catalog::default(), &[own.as_str()]).await?;
            let is_open = file.tables.get(&own).is_some_and(|table| table.primary_key().is_empty());
            let key = if is_open { tables.key(&own).await } else { None };
            let table = tables.catalog().tables.get(&own).cloned();
            Ok::<_, Vec<OpenError>>(table.map(|table| Added { table, note: tables.note(&own), key }))
        });
        let mut sink = Diagnostics::default();
        match read.await {
            Ok(Ok(Some(added))) => return Ok(added),
            Ok(Err(errors)) => {
                errors.iter().for_each(|failed| sink.push(diagnostic(&self.project, name, &failed.error)));
            }
            Ok(Ok(None)) | Err(_) => {
                sink.push(codes::unreadable_table(load::table_span(&self.project, name), name, "its reader failed"));
            }
        }
        Err(sink.into_sorted())
    }
}
