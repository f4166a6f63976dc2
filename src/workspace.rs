//! A project on its way from its files to what runs and serves it: for every command, for programs that embed it and for
//! built servers.
//!
//! Diagnostics are returned and nothing is printed. It knows no command line.

mod added;
mod application;
mod data;
mod drift;
mod embed;
mod included;
mod programs;
mod signatures;
mod start;
mod statements;
mod tables;
mod upstreams;

pub use added::Added;
pub use application::{Application, Opened};
pub use data::{Locking, Relocked};
pub use drift::ValuesNow;
pub use included::{ListNow, Relisted};
pub use start::StartError;
pub use statements::StatementNow;
pub use tables::OpenedTables;
pub use upstreams::UpstreamNow;

use crate::catalog::lock::BadLock;
use crate::compile::{self, Analysis, Compilation};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine::Engine;
use crate::load::{self, Disk, Files, LoadFailed, Loaded, SelfDescribed, Unlisted};
use crate::project::{Project, ProjectFile, UnpreparedStatement, UnreadValues};
use crate::syntax;
use crate::tool::Tool;
use indexmap::IndexMap;
use std::path::{Path, PathBuf};

/// A loaded project.
#[derive(Debug)]
pub struct Workspace {
    /// What the paths of tables and locks are relative to.
    pub dir: PathBuf,
    /// The project.
    pub project: Project,
    /// `qtool.yaml` with variables as they are written: what leaves this machine.
    pub written: ProjectFile,
    /// What there is to say so far.
    found: Diagnostics,
    /// The databases whose tables are included, and of which it is not locked which these are.
    unlisted: Vec<Unlisted>,
    /// The tables without a locked schema.
    unlocked: Vec<String>,
    /// The tables whose lock is damaged, and how.
    damaged: IndexMap<String, BadLock>,
    /// The queries of allowed values without locked ones.
    unread: Vec<UnreadValues>,
    /// The queries in a database's own SQL without a locked answer.
    unprepared: Vec<UnpreparedStatement>,
    /// The manifests of functions and programs whose signature is not locked.
    undescribed: Vec<SelfDescribed>,
}

impl Workspace {
    /// Loads the project in a folder, as far as its files go.
    pub fn load(dir: &Path) -> Result<Workspace, LoadFailed> {
        Workspace::of_files(dir, &Disk::new(dir))
    }

    /// Loads a project whose data and locks lie in a folder, and whose texts are read from `files`.
    pub fn of_files(dir: &Path, files: &dyn Files) -> Result<Workspace, LoadFailed> {
        let Loaded { mut project, written, unlisted, unlocked, undescribed, damaged, diagnostics } = load::load(files)?;
        let mut unread = Vec::new();
        for of in compile::allowed_queries(&project) {
            match load::locked_values(files, &of) {
                Some(values) => {
                    project.allowed_values.insert(of.key, Ok(values));
                }
                None => unread.push(of),
            }
        }
        let mut unprepared = Vec::new();
        for of in compile::unprepared_statements(&project) {
            match load::locked_statement(files, &of) {
                Some(columns) => drop(project.statements.insert(of.file, Ok(columns))),
                None => unprepared.push(of),
            }
        }
        let dir = dir.to_path_buf();
        Ok(Workspace {
            dir,
            project,
            written,
            found: diagnostics,
            unlisted,
            unlocked,
            damaged,
            unread,
            unprepared,
            undescribed,
        })
    }

    /// Whether there is something to read from the data: schemas or allowed values that are not locked.
    pub fn needs_data(&self) -> bool {
        self.unlisted.iter().any(|one| one.damaged.is_none())
            || !self.unlocked.is_empty()
            || !self.unread.is_empty()
            || !self.unprepared.is_empty()
            || !self.undescribed.is_empty()
            || !self.unlocked_upstreams().is_empty()
    }

    /// Whether something could not be read of the data that the project needs: a schema, or allowed values.
    pub fn lacks_data(&self) -> bool {
        let is_known = |table: &String| self.project.catalog.tables.contains_key(table);
        !self.project.file.tables.keys().all(is_known)
            || self.project.allowed_values.values().any(Result::is_err)
            || self.project.statements.values().any(Result::is_err)
    }

    /// Leaves the data untouched: that a table's schema is not locked is a problem then.
    pub fn forgo_data(&mut self) {
        for source in self.take_unlisted() {
            let place = self.project.document.value_span(&["sources", &source, "tables", "include"]);
            self.found.push(codes::tables_not_listed(place, &source));
        }
        for table in std::mem::take(&mut self.unlocked) {
            self.found.push(codes::table_not_locked(load::table_span(&self.project, &table), &table));
        }
        self.unread.clear();
        for of in std::mem::take(&mut self.unprepared) {
            self.found.push(codes::statement_not_locked(of.place, &of.name));
        }
        let undescribed = std::mem::take(&mut self.undescribed);
        self.tell_unasked(&undescribed);
    }

    /// The databases that are to be asked for their tables. One whose list is damaged is told, and not asked in silence.
    fn take_unlisted(&mut self) -> Vec<String> {
        let is_damaged = |one: &Unlisted| one.damaged.is_some();
        let (damaged, missing): (Vec<_>, Vec<_>) = std::mem::take(&mut self.unlisted).into_iter().partition(is_damaged);
        self.unlisted = damaged;
        missing.into_iter().map(|one| one.source).collect()
    }

    /// Compiles the project.
    pub fn compile(&self) -> Compilation {
        compile::compile(&self.project, self.found())
    }

    /// Finds out what all files mean, with what loading had to say.
    pub fn analyze(&self) -> Analysis {
        compile::analyze(&self.project).behind(self.found())
    }

    /// What there is to say so far.
    fn found(&self) -> Diagnostics {
        let mut found = self.found.clone();
        for (table, why) in &self.damaged {
            let path = format!("{}/{table}.snap", load::TABLE_LOCKS);
            found.push(codes::damaged_lock(&path, table, &why.to_string()));
        }
        for Unlisted { source, damaged } in &self.unlisted {
            let Some(why) = damaged else { continue };
            let path = format!("{}/{source}.snap", load::SOURCE_LOCKS);
            found.push(codes::damaged_list(&path, source, &why.to_string()));
        }
        found
    }

    /// The names of all query files.
    pub fn query_names(&self) -> Vec<String> {
        self.project.queries.iter().map(|query| syntax::declared_name(query, &self.project.sources)).collect()
    }

    /// Whether there is a query file of that name.
    pub fn has_query(&self, name: &str) -> bool {
        self.query_names().iter().any(|known| known == name)
    }

    /// What runs these tools, over the tables that they read.
    ///
    /// Errors: every table that cannot be opened, or has another schema than the tools were compiled for.
    pub async fn engine(&self, tools: Vec<Tool>) -> Result<Engine, Vec<Diagnostic>> {
        let names: Vec<String> = tables::read_by(&tools).into_iter().map(str::to_owned).collect();
        self.engine_over(&names, tools).await
    }

    /// What runs these tools, over all tables: for tools whose tables are not known before they are called.
    ///
    /// Errors: as [`Workspace::engine`].
    pub async fn engine_over_all(&self, tools: Vec<Tool>) -> Result<Engine, Vec<Diagnostic>> {
        let names: Vec<String> = self.project.file.tables.keys().cloned().collect();
        self.engine_over(&names, tools).await
    }

    async fn engine_over(&self, names: &[String], tools: Vec<Tool>) -> Result<Engine, Vec<Diagnostic>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let opened = self.open_tables(&names).await;
        let problems = opened.problems(&self.project);
        match opened.tables {
            Some(tables) if problems.errors() == 0 => Ok(Engine::prepare(tables, tools)),
            _ => Err(problems.into_sorted()),
        }
    }
}

#[cfg(test)]
mod tests;
