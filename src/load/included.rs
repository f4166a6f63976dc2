//! Tables that are there because their database is included: which they are, is locked as their schemas are.

use super::{BadLock, FileError, Files, io_reason, locked_text, no_file_name, write_atomically};
use crate::catalog::{TableList, table_list};
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, is_legal_table};
use crate::project::{DatabaseSource, Inclusion, ProjectFile, TableSource, written_name};
use crate::yaml::Document;
use std::path::{Path, PathBuf};

/// Where it is locked which tables databases have.
pub const SOURCE_LOCKS: &str = "snapshots/sources";

/// A database of which nobody knows what tables it has.
#[derive(Debug, Clone)]
pub struct Unlisted {
    /// Its name in `sources`.
    pub source: String,
    /// Why its list cannot be read, where there is one.
    pub damaged: Option<BadLock>,
}

/// Adds the tables of the databases that are included, as far as they are locked; those that are not locked as they are
/// asked for now.
pub(super) fn include_tables(
    files: &dyn Files,
    (file, written): (&mut ProjectFile, &mut ProjectFile),
    document: &Document,
    sink: &mut Diagnostics,
) -> Vec<Unlisted> {
    let mut unlisted = Vec::new();
    let included = file.sources.iter().filter_map(|(name, source)| Some((name.clone(), source.inclusion()?.clone())));
    for (source, inclusion) in included.collect::<Vec<_>>() {
        let list = match locked_list(files, &source) {
            Ok(Some(list)) => list,
            Ok(None) => {
                unlisted.push(Unlisted { source, damaged: None });
                continue;
            }
            Err(why) => {
                unlisted.push(Unlisted { source, damaged: Some(why) });
                continue;
            }
        };
        let tables = included_tables(file, &source, &list.tables, document, sink);
        written.tables.extend(tables.clone());
        file.tables.extend(tables);
        if (&list.include, &list.exclude) != (&inclusion.include, &inclusion.exclude) {
            unlisted.push(Unlisted { source, damaged: None });
        }
    }
    unlisted
}

/// The tables of a database that are included and not there yet, by their names here. `tables` are the names of those that
/// it has.
pub fn included_tables(
    file: &ProjectFile,
    source: &str,
    tables: &[Vec<String>],
    document: &Document,
    sink: &mut Diagnostics,
) -> Vec<(String, TableSource)> {
    let Some(inclusion) = file.sources.get(source).and_then(|source| source.inclusion()).cloned() else {
        return Vec::new();
    };
    let mut added: Vec<(String, &Vec<String>)> = Vec::new();
    let place = document.value_span(&["sources", source, "tables", "include"]);
    for there in tables_without_line(file, source, &inclusion, tables) {
        let here = inclusion.name_here(there);
        let same = |name: &str| name.eq_ignore_ascii_case(&here);
        let before = added.iter().find(|(name, _)| same(name)).map(|(_, other)| own(source, other));
        let other = || {
            let (_, other) = file.tables.iter().find(|(name, _)| same(name))?;
            // One of this very database has the name by its line, or is this table already.
            (other.source() != Some(source)).then(|| format!("`{}`", other.place()))
        };
        let is_taken = file.tables.keys().any(|name| same(name));
        match before.or_else(other) {
            Some(other) => {
                let both = (other.as_str(), own(source, there));
                let diagnostic = codes::two_tables_of_one_name(place, source, &here, (both.0, &both.1));
                sink.push(codes::with_another_name(diagnostic, source, &here, &written_name(there)));
            }
            None if is_taken || !is_legal_table(&here) => {}
            None => added.push((here, there)),
        }
    }
    added.sort();
    let table = |there: &[String]| TableSource::Database(Box::new(DatabaseSource::included(source, there)));
    added.into_iter().map(|(here, there)| (here, table(there))).collect()
}

fn own(source: &str, there: &[String]) -> String {
    format!("`{}` of source `{source}`", written_name(there))
}

/// The tables of a database that are included, and have no line under `tables` under whatever name.
pub fn tables_without_line<'a>(
    file: &ProjectFile,
    source: &str,
    inclusion: &Inclusion,
    tables: &'a [Vec<String>],
) -> Vec<&'a Vec<String>> {
    let of_source = |(name, table): (&String, &TableSource)| match table {
        TableSource::Database(own) if own.source == source && !own.is_included => Some(own.native_name(name)),
        _ => None,
    };
    let written: Vec<Vec<String>> = file.tables.iter().filter_map(of_source).collect();
    let has_line = |there: &&Vec<String>| written.iter().any(|name| is_meant(name, there, tables));
    tables.iter().filter(|there| inclusion.takes(there)).filter(|there| !has_line(there)).collect()
}

/// The schema whose tables are meant by a name alone.
const PUBLIC: &str = "public";

/// Whether a name that may leave out the schema means a table: then it is that of the usual schema, or the only one.
fn is_meant(written: &[String], there: &[String], tables: &[Vec<String>]) -> bool {
    if let ([own], Some(last)) = (there, written.last()) {
        return last.eq_ignore_ascii_case(own);
    }
    let ends = |name: &[String]| {
        written.len() <= name.len()
            && written.iter().rev().zip(name.iter().rev()).all(|(one, own)| one.eq_ignore_ascii_case(own))
    };
    let is_usual = |name: &[String]| matches!(name, [schema, _] if schema == PUBLIC);
    let has_usual = || tables.iter().any(|name| is_usual(name) && ends(name));
    ends(there) && (written.len() == there.len() || is_usual(there) || !has_usual())
}

/// The file that the list of the tables of a database is locked in.
///
/// Errors: the name is none of a source, and might lead anywhere.
fn list_path(dir: &Path, source: &str) -> std::io::Result<PathBuf> {
    is_legal(source).then(|| dir.join(SOURCE_LOCKS).join(format!("{source}.snap"))).ok_or_else(no_file_name)
}

/// The locked list of the tables of a database; `None` where there is none.
///
/// Errors: there is a file, and it is not one. It is not asked for anew in silence: a table that is gone would be gone
/// without a word.
pub fn locked_list(files: &dyn Files, source: &str) -> Result<Option<TableList>, BadLock> {
    let Ok(path) = list_path(Path::new(""), source) else { return Ok(None) };
    match files.read(&path, u64::MAX) {
        Ok(_) => {
            let text = locked_text(files, &path).ok_or("it is not UTF-8")?;
            table_list::read(source, &text).map(Some)
        }
        Err(FileError::Unreadable(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(FileError::Unreadable(error)) => Err(io_reason(&error).into()),
        Err(FileError::NotAFile | FileError::TooLarge) => Err("it is no file".into()),
    }
}

/// Locks the list of the tables of a database.
pub fn write_list(dir: &Path, source: &str, list: &TableList) -> std::io::Result<()> {
    write_atomically(&list_path(dir, source)?, table_list::write(source, list).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_schema_means_the_usual_one_or_the_only_one() {
        let name = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let (public, crm) = (name(&["public", "Orders"]), name(&["crm", "orders"]));
        let all = [public.clone(), crm.clone()];
        assert!(is_meant(&name(&["orders"]), &public, &all) && !is_meant(&name(&["orders"]), &crm, &all));
        assert!(is_meant(&name(&["orders"]), &crm, std::slice::from_ref(&crm)));
        assert!(is_meant(&crm, &crm, &all) && !is_meant(&crm, &public, &all));
        assert!(!is_meant(&name(&["shop", "crm", "orders"]), &crm, &all));
    }

    #[test]
    fn lists_are_of_the_patterns_that_are_asked_for() {
        use crate::load::{Memory, load};
        let yaml =
            "name: x\nsources:\n  shop: { type: sqlite, path: a.db, tables: { include: ['*'], exclude: ['b*'] } }\n";
        let name = |name: &str| vec![name.to_owned()];
        let list = |exclude: &str| TableList {
            include: vec!["*".to_owned()],
            exclude: vec![exclude.to_owned()],
            tables: vec![name("a"), name("b1"), name("c d")],
            left_out: Vec::new(),
        };
        let loaded = |text: Option<String>| {
            let mut files = Memory::default();
            files.insert("qtool.yaml", yaml);
            text.into_iter().for_each(|text| files.insert("snapshots/sources/shop.snap", text));
            let loaded = load(&files).unwrap();
            let tables: Vec<String> = loaded.project.file.tables.keys().cloned().collect();
            assert!(loaded.written.tables.keys().eq(tables.iter()));
            let unlisted = loaded.unlisted.first().map(|one| one.damaged.is_some());
            (tables.join(","), unlisted)
        };
        assert_eq!(loaded(None), (String::new(), Some(false)));
        assert_eq!(loaded(Some(table_list::write("shop", &list("b*")))), ("a".to_owned(), None));
        assert_eq!(loaded(Some(table_list::write("shop", &list("x*")))), ("a".to_owned(), Some(false)));
        assert_eq!(loaded(Some("cut".to_owned())), (String::new(), Some(true)));
    }
}
