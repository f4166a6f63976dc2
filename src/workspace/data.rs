//! What a project takes from its data: the schemas of tables, and the values that queries of allowed values give. Both
//! are locked, so that the data is read once.

use super::Workspace;
use crate::catalog::Catalog;
use crate::compile;
use crate::diagnostic::codes;
use crate::engine::{OpenError, TableError, Tables, tables};
use crate::load::{self, Disk};
use crate::name::is_legal_table;
use crate::project::{NoValues, UnreadValues};
use serde_json::Value;

/// What becomes of what is read from the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locking {
    /// It is locked: texts are read to their end, so that damage shows.
    Write,
    /// Nothing is written.
    ReadOnly,
}

/// What became of the locks of tables.
#[derive(Debug)]
pub struct Relocked {
    /// The tables that had no lock.
    pub new: Vec<String>,
    /// The tables whose lock changed.
    pub changed: Vec<String>,
    /// Those that cannot be read: their lock is as it was.
    pub unreadable: Vec<String>,
}

impl Workspace {
    /// Reads the schemas and allowed values that are not locked. What cannot be read is among the diagnostics of the
    /// project. `progress` is told what is read. Run it on threads whose stack holds a plan
    /// ([`crate::engine::STACK_SIZE`]).
    pub async fn read_data(&mut self, locking: Locking, progress: fn(&str)) {
        let unlisted = self.take_unlisted();
        self.list_tables(unlisted, locking, progress).await;
        let unlocked = std::mem::take(&mut self.unlocked);
        self.read_schemas(&unlocked, locking, progress).await;
        for of in std::mem::take(&mut self.unread) {
            self.read_values(of, locking, progress).await;
        }
        for of in std::mem::take(&mut self.unprepared) {
            self.prepare(of, locking, progress).await;
        }
        for of in std::mem::take(&mut self.undescribed) {
            self.describe(of, locking, progress).await;
        }
        self.ask_upstreams(locking, progress).await;
    }

    /// Reads the schemas of tables anew and locks them.
    pub async fn relock(&mut self, names: &[String], progress: fn(&str)) -> Relocked {
        let (before, damaged) = (self.project.catalog.clone(), self.damaged.clone());
        self.unlocked.retain(|unlocked| !names.contains(unlocked));
        let unreadable = self.read_schemas(names, Locking::Write, progress).await;
        let now = &self.project.catalog;
        let had_lock = |name: &String| before.tables.contains_key(name) || damaged.contains_key(name);
        let is_new = |name: &&String| !had_lock(name) && now.tables.contains_key(*name);
        let new = names.iter().filter(is_new).cloned().collect();
        let changed = names.iter().filter(|name| before.tables.get(*name) != now.tables.get(*name)).cloned().collect();
        Relocked { new, changed, unreadable }
    }

    /// Reads the allowed values of queries over these tables anew and locks them; their names, and whether they changed.
    pub async fn relock_values(&mut self, tables: &[String], progress: fn(&str)) -> Vec<(String, bool)> {
        let mut read = Vec::new();
        self.unread.retain(|of| !of.tables.is_empty() && !of.tables.iter().any(|table| tables.contains(table)));
        for of in compile::allowed_queries(&self.project) {
            if !of.tables.is_empty() && !of.tables.iter().any(|table| tables.contains(table)) {
                continue;
            }
            let name = name_of_values(&of);
            let locked = load::locked_values(&Disk::new(&self.dir), &of);
            let key = of.key.clone();
            if !self.read_values(of, Locking::Write, progress).await {
                continue;
            }
            let values = self.project.allowed_values.get(&key).and_then(|values| values.as_ref().ok());
            read.push((name, locked.as_ref() != values));
        }
        read
    }

    /// The values that a query of allowed values gives now.
    ///
    /// Errors: it fails, or its values cannot be allowed.
    pub async fn values_now(&self, of: &UnreadValues) -> Result<Vec<Value>, NoValues> {
        let (dir, file, catalog) = (self.dir.clone(), self.project.file.clone(), self.project.catalog.clone());
        let of = of.clone();
        // On a task of its own: a panic is an error of this query.
        let read = tokio::spawn(async move { Tables::read_allowed_values(&dir, &file, &catalog, &of).await });
        read.await.unwrap_or_else(|_| Err("the query failed inside the engine".into()))
    }

    /// Reads the schemas of tables; the names of those that cannot be read.
    async fn read_schemas(&mut self, names: &[String], locking: Locking, progress: fn(&str)) -> Vec<String> {
        let mut unreadable = Vec::new();
        for name in names {
            progress(&format!("reading the schema of table {name}"));
            match self.schema_now(name, locking).await {
                Some(Ok(catalog)) => self.take_schemas(catalog, locking),
                Some(Err(errors)) if self.is_left_out(name, &errors) => {
                    errors.first().into_iter().for_each(|failed| self.leave_out(name, &failed.error, locking));
                }
                Some(Err(errors)) => {
                    unreadable.push(name.clone());
                    for failed in errors {
                        self.found.push(tables::diagnostic(&self.project, name, &failed.error));
                    }
                }
                None => {
                    unreadable.push(name.clone());
                    let place = load::table_span(&self.project, name);
                    self.found.push(codes::unreadable_table(place, name, "its reader failed"));
                }
            }
        }
        unreadable
    }

    /// The schema of a table as the data has it; `None` where its reader panicked.
    async fn schema_now(&self, name: &str, locking: Locking) -> Option<Result<Catalog, Vec<OpenError>>> {
        let (dir, file, name) = (self.dir.clone(), self.project.file.clone(), name.to_owned());
        let read = tokio::spawn(async move {
            let (names, none) = ([name.as_str()], Catalog::default());
            let tables = match locking {
                Locking::Write => Tables::open_whole(&dir, &file, &none, &names).await,
                Locking::ReadOnly => Tables::open_some(&dir, &file, &none, &names).await,
            };
            tables.map(|tables| tables.catalog())
        });
        read.await.ok()
    }

    /// Whether a table that cannot be read is no reason to read none: it is there because its database is included, nothing
    /// was ever locked of it, and the database is not to blame.
    fn is_left_out(&self, name: &str, errors: &[OpenError]) -> bool {
        let is_known = self.project.catalog.tables.contains_key(name) || self.damaged.contains_key(name);
        let is_of_table = |failed: &OpenError| !matches!(failed.error, TableError::SourceDown { .. });
        self.included_by(name).is_some() && !is_known && errors.iter().all(is_of_table)
    }

    /// The database because of which a table is one.
    fn included_by(&self, name: &str) -> Option<String> {
        self.project.file.tables.get(name)?.including_source().map(str::to_owned)
    }

    fn take_schemas(&mut self, catalog: Catalog, locking: Locking) {
        for (name, table) in catalog.tables {
            // What is no name of a table was told, and names no file.
            let source = self.included_by(&name);
            if locking == Locking::Write
                && is_legal_table(&name)
                && let Err(error) = load::write_lock(&self.dir, &name, source.as_deref(), &table)
            {
                let why = load::io_reason(&error);
                self.found.push(codes::unreadable_file(None, &format!("{}/{name}.snap", load::TABLE_LOCKS), &why));
            }
            self.damaged.shift_remove(&name);
            self.project.catalog.tables.insert(name, table);
        }
    }

    /// Reads the values of a query of allowed values; whether they could be.
    async fn read_values(&mut self, of: UnreadValues, locking: Locking, progress: fn(&str)) -> bool {
        if !of.tables.iter().all(|table| self.project.catalog.tables.contains_key(table)) {
            // The compiler says what is missing.
            return false;
        }
        let name = name_of_values(&of);
        progress(&format!("reading the allowed values of {name}"));
        let values = self.values_now(&of).await;
        if let Ok(values) = &values
            && locking == Locking::Write
        {
            let source = self.project.sources.get(of.key.0).map_or_else(String::new, |file| file.path.clone());
            if let Err(error) = load::write_values(&self.dir, &source, &of, values) {
                let why = load::io_reason(&error);
                self.found.push(codes::unreadable_file(None, &format!("{}/{name}.snap", load::VALUE_LOCKS), &why));
            }
        }
        let could_be = values.is_ok();
        self.project.allowed_values.insert(of.key, values);
        could_be
    }
}

/// The name that a query of allowed values goes by: its query's and its parameter's.
pub(super) fn name_of_values(of: &UnreadValues) -> String {
    format!("{}.{}", of.name, of.key.1)
}
