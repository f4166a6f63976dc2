//! The tables of databases that are included: which there are is asked once, and locked.

use super::{Locking, Workspace};
use crate::catalog::{DatabaseKind, TableList};
use crate::diagnostic::{Diagnostic, codes};
use crate::engine::tables::source_diagnostic;
use crate::engine::{ListedTable, TableError, list_tables};
use crate::load::{self, Disk};
use crate::name::{is_legal_table, nearest};
use crate::project::{Inclusion, TableSource, matches_pattern, name_parts, written_name};

/// What became of the tables that are there because their database is included.
#[derive(Debug, Default)]
pub struct Relisted {
    /// The names of those that were not there before.
    pub new: Vec<String>,
    /// The names of those that are gone, with their locks.
    pub gone: Vec<String>,
}

/// A database whose tables are included, and has more of them than are locked. Those that are gone say so themselves.
#[derive(Debug)]
pub struct ListNow {
    /// Its name.
    pub source: String,
    /// The tables that are not locked, by their names there.
    pub new: Vec<String>,
}

impl Workspace {
    /// Asks the databases anew which tables they have that are included, and takes these over. The schemas of new ones are
    /// to be read.
    pub async fn relist(&mut self, progress: fn(&str)) -> Relisted {
        let sources = self.including_sources();
        self.unlisted.clear();
        let before: Vec<String> = self.included_names();
        self.list_tables(sources, Locking::Write, progress).await;
        let now = self.included_names();
        let missing = |of: &[String], from: &[String]| -> Vec<String> {
            of.iter().filter(|name| !from.contains(name)).cloned().collect()
        };
        Relisted { new: missing(&now, &before), gone: missing(&before, &now) }
    }

    /// The databases whose tables are included, and what they have now. One that cannot be asked is left out: its tables
    /// say so.
    pub async fn lists_now(&self, progress: fn(&str)) -> Vec<ListNow> {
        let mut found = Vec::new();
        for source in self.including_sources() {
            let Ok(Some(locked)) = load::locked_list(&Disk::new(&self.dir), &source) else { continue };
            progress(&format!("asking source {source} for its tables"));
            let Some(inclusion) = self.inclusion(&source) else { continue };
            let Ok(listed) = self.listed_now(&source).await else { continue };
            let is_known = |name: &Vec<String>| locked.tables.contains(name) || locked.left_out.contains(name);
            let new = taken(&listed, &inclusion).into_iter().filter(|name| !is_known(name));
            let new: Vec<String> = new.map(|name| written_name(&name)).collect();
            if !new.is_empty() {
                found.push(ListNow { source, new });
            }
        }
        found
    }

    /// Asks databases for their tables and takes over those that are included. Nothing is changed where one cannot be
    /// asked.
    pub(super) async fn list_tables(&mut self, sources: Vec<String>, locking: Locking, progress: fn(&str)) {
        for source in sources {
            progress(&format!("asking source {source} for its tables"));
            let Some(inclusion) = self.inclusion(&source) else { continue };
            match self.listed_now(&source).await {
                Ok(listed) => self.take_list(&source, &inclusion, &listed, locking),
                Err(error) => self.found.push(source_diagnostic(&self.project, &source, &error)),
            }
        }
    }

    /// Takes a table out that cannot be read, and never could: the others of its database are read.
    pub(super) fn leave_out(&mut self, name: &str, error: &TableError, locking: Locking) {
        let Some(TableSource::Database(table)) = self.project.file.tables.get(name) else { return };
        let (source, there) = (table.source.clone(), table.native_name(name));
        let place = self.project.table_span(name);
        let why = error.message();
        self.found.push(codes::table_left_out(place, &source, &written_name(&there), &why));
        self.forget_table(name);
        if locking == Locking::Write
            && let Ok(Some(mut list)) = load::locked_list(&Disk::new(&self.dir), &source)
        {
            list.tables.retain(|name| *name != there);
            list.left_out.push(there);
            list.left_out.sort();
            self.write_list(&source, &list);
        }
    }

    fn including_sources(&self) -> Vec<String> {
        let sources = self.project.file.sources.iter();
        sources.filter(|(_, source)| source.inclusion().is_some()).map(|(name, _)| name.clone()).collect()
    }

    fn included_names(&self) -> Vec<String> {
        let tables = self.project.file.tables.iter();
        tables.filter(|(_, table)| table.including_source().is_some()).map(|(name, _)| name.clone()).collect()
    }

    fn inclusion(&self, source: &str) -> Option<Inclusion> {
        self.project.file.sources.get(source)?.inclusion().cloned()
    }

    /// The tables that a database has now.
    async fn listed_now(&self, source: &str) -> Result<Vec<ListedTable>, TableError> {
        let (dir, file, name) = (self.dir.clone(), self.project.file.clone(), source.to_owned());
        // On a task of its own: a panic is an error of this database.
        let asked = tokio::spawn(async move {
            match file.sources.get(&name) {
                Some(config) => list_tables(&dir, &file.roots, &name, config).await,
                None => Ok(Vec::new()),
            }
        });
        let failed = |_| TableError::SourceDown { source: source.to_owned(), why: "its reader failed".to_owned() };
        asked.await.unwrap_or_else(|error| Err(failed(error)))
    }

    /// Takes over which tables a database has.
    fn take_list(&mut self, source: &str, inclusion: &Inclusion, listed: &[ListedTable], locking: Locking) {
        let are_right = self.check_patterns(source, inclusion, listed);
        let tables = taken(listed, inclusion);
        let without_line = load::tables_without_line(&self.project.file, source, inclusion, &tables);
        let without_line: Vec<Vec<String>> = without_line.into_iter().cloned().collect();
        self.tell_left_out(source, inclusion, listed, &without_line);
        for name in self.included_names() {
            let Some(TableSource::Database(table)) = self.project.file.tables.get(&name) else { continue };
            // A pattern that is mistyped takes nothing away.
            if are_right && table.source == source && !without_line.contains(&table.native_name(&name)) {
                self.remove_table(&name, locking);
            }
        }
        let added = load::included_tables(&self.project.file, source, &tables, &self.project.document, &mut self.found);
        self.unlocked.extend(added.iter().map(|(name, _)| name.clone()));
        self.written.tables.extend(added.clone());
        self.project.file.tables.extend(added);
        if locking == Locking::Write && are_right {
            let (include, exclude) = (inclusion.include.clone(), inclusion.exclude.clone());
            let left_out = unreadable(listed, inclusion);
            self.write_list(source, &TableList { include, exclude, tables, left_out });
        }
    }

    /// Says which patterns no table has; whether each of those that take tables takes some.
    fn check_patterns(&mut self, source: &str, inclusion: &Inclusion, listed: &[ListedTable]) -> bool {
        let mut are_right = true;
        let of_parts = |diagnostic: Diagnostic, pattern: &str| match self.is_of_postgres(source) && is_of_some(pattern)
        {
            true => codes::partitions_are_no_tables(diagnostic),
            false => diagnostic,
        };
        let mut told = Vec::new();
        for (at, pattern) in inclusion.include.iter().enumerate() {
            if !listed.iter().any(|table| matches_pattern(pattern, &table.name)) {
                let place = ["sources", source, "tables", "include", &at.to_string()];
                let place = self.project.document.value_span(&place);
                let near = near_pattern(pattern, listed);
                told.push(of_parts(codes::no_table_of_pattern(place, source, pattern, near.as_deref()), pattern));
                are_right = false;
            }
        }
        let all = Inclusion { exclude: Vec::new(), ..inclusion.clone() };
        for (at, pattern) in inclusion.exclude.iter().enumerate() {
            let is_left_out = |table: &ListedTable| all.takes(&table.name) && matches_pattern(pattern, &table.name);
            if !listed.iter().any(is_left_out) {
                let place = ["sources", source, "tables", "exclude", &at.to_string()];
                let place = self.project.document.value_span(&place);
                let near = near_pattern(pattern, listed);
                told.push(of_parts(codes::unused_exclusion(place, source, pattern, near.as_deref()), pattern));
            }
        }
        told.into_iter().for_each(|diagnostic| self.found.push(diagnostic));
        are_right
    }

    fn is_of_postgres(&self, source: &str) -> bool {
        self.project.file.sources.get(source).is_some_and(|config| config.kind() == DatabaseKind::Postgres)
    }

    /// Says which tables are included and become none: those that cannot be read, and those that no table can be called as.
    fn tell_left_out(
        &mut self,
        source: &str,
        inclusion: &Inclusion,
        listed: &[ListedTable],
        without_line: &[Vec<String>],
    ) {
        let place = self.project.document.value_span(&["sources", source, "tables", "include"]);
        for table in listed.iter().filter(|table| inclusion.takes(&table.name)) {
            let here = inclusion.name_here(&table.name);
            let why = match &table.unreadable {
                Some(why) => why.clone(),
                None if !without_line.contains(&table.name) || is_legal_table(&here) => continue,
                None => "no table can be called so, which letters, digits and `_` can".to_owned(),
            };
            self.found.push(codes::table_left_out(place, source, &written_name(&table.name), &why));
        }
    }

    /// Removes a table that its database has no more, or that is not included any more.
    fn remove_table(&mut self, name: &str, locking: Locking) {
        self.forget_table(name);
        if locking == Locking::Write
            && let Err(error) = load::remove_lock(&self.dir, name)
        {
            let path = format!("{}/{name}.snap", load::TABLE_LOCKS);
            self.found.push(codes::unreadable_file(None, &path, &load::io_reason(&error)));
        }
    }

    fn forget_table(&mut self, name: &str) {
        self.project.file.tables.shift_remove(name);
        self.written.tables.shift_remove(name);
        self.project.catalog.tables.shift_remove(name);
        self.damaged.shift_remove(name);
        self.unlocked.retain(|unlocked| unlocked != name);
    }

    fn write_list(&mut self, source: &str, list: &TableList) {
        if let Err(error) = load::write_list(&self.dir, source, list) {
            let path = format!("{}/{source}.snap", load::SOURCE_LOCKS);
            self.found.push(codes::unreadable_file(None, &path, &load::io_reason(&error)));
        }
    }
}

/// The names of the tables that are included and can be read, sorted.
fn taken(listed: &[ListedTable], inclusion: &Inclusion) -> Vec<Vec<String>> {
    let is_taken = |table: &&ListedTable| table.unreadable.is_none() && inclusion.takes(&table.name);
    let mut taken: Vec<Vec<String>> = listed.iter().filter(is_taken).map(|table| table.name.clone()).collect();
    taken.sort();
    taken
}

/// The names of the tables that are included and cannot be read, sorted.
fn unreadable(listed: &[ListedTable], inclusion: &Inclusion) -> Vec<Vec<String>> {
    let is_one = |table: &&ListedTable| table.unreadable.is_some() && inclusion.takes(&table.name);
    let mut names: Vec<Vec<String>> = listed.iter().filter(is_one).map(|table| table.name.clone()).collect();
    names.sort();
    names
}

/// What was probably meant by a pattern that no table has: a table of a similar name, or all tables of a schema of one.
fn near_pattern(pattern: &str, listed: &[ListedTable]) -> Option<String> {
    // Several tables are meant: one of a similar name is none of them.
    if is_of_some(pattern) {
        return near_schema(pattern, listed).filter(|near| near.split('.').next() != pattern.split('.').next());
    }
    let of_all = pattern.ends_with(".*").then(|| near_schema(pattern, listed)).flatten();
    let names: Vec<String> = listed.iter().map(|table| written_name(&table.name)).collect();
    let near = || nearest(pattern, names.iter().map(String::as_str)).map(str::to_owned);
    of_all.or_else(near).or_else(|| near_schema(pattern, listed))
}

/// Whether a pattern is of the tables of a schema that begin so, end so, or have that in their names.
fn is_of_some(pattern: &str) -> bool {
    name_parts(pattern).last().is_some_and(|last| last.contains('*') && last != "*")
}

/// The pattern of all tables of the schema whose name is near to that of a pattern.
fn near_schema(pattern: &str, listed: &[ListedTable]) -> Option<String> {
    let (schema, _) = pattern.split_once('.')?;
    let schemas = listed.iter().filter(|table| table.name.len() > 1).filter_map(|table| table.name.first());
    let near = nearest(schema, schemas.map(String::as_str))?;
    Some(format!("{near}.*"))
}
