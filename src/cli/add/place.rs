//! From what is typed to paths of `qtool.yaml`.

use super::Wanted;
use super::named::table_name;
use crate::engine::tables::without_dots;
use crate::in_words::in_words;
use crate::load::io_reason;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

in_words! {
    /// Why a path leads to no table.
    pub(in crate::cli) struct NoTables;
}

/// The endings of files that are tables.
const ENDINGS: [&str; 20] = [
    "csv",
    "tsv",
    "tab",
    "ndjson",
    "jsonl",
    "jsonlines",
    "json",
    "parquet",
    "parq",
    "pq",
    "arrow",
    "arrows",
    "ipc",
    "feather",
    "avro",
    "xlsx",
    "xlsm",
    "xlsb",
    "xls",
    "ods",
];
const COMPRESSIONS: [&str; 6] = ["gz", "gzip", "bz2", "xz", "zst", "zstd"];

/// Words that a data set calls its parts by.
const SPLITS: [&str; 7] = ["train", "test", "validation", "valid", "val", "dev", "eval"];

/// The tables at a path that was typed, relative to the working directory, or at an address.
pub(super) fn tables_at(dir: &Path, typed: &str) -> Result<Vec<Wanted>, NoTables> {
    if typed.contains("://") {
        let format = None;
        return Ok(vec![Wanted { name: table_name(typed), path: typed.to_owned(), format }]);
    }
    let path = below_project(dir, typed)?;
    let here = Path::new(typed);
    if here.is_dir() {
        return tables_of_folder(dir, &path);
    }
    if !here.exists() && !typed.contains(['*', '?', '[', '{']) {
        return Err(format!("there is no file `{typed}`").into());
    }
    refuse_others(typed)?;
    let format = if here.is_file() && ending_of(typed).is_none() { Some(format_of(here)?) } else { None };
    Ok(vec![Wanted { name: table_name(&path), path, format }])
}

/// Refuses what holds tables, and is none.
fn refuse_others(typed: &str) -> Result<(), NoTables> {
    let ending = typed.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let what = match ending.as_str() {
        "numbers" => "a workbook of another kind: save it as `.xlsx`, and add that",
        "sqlite" | "sqlite3" => {
            "a database: name it under `sources` of qtool.yaml, or make a project of it with `qtool new DIR --from FILE`"
        }
        "db" | "duckdb" => "a database: write its tables as Parquet or CSV, and add those",
        "zip" | "7z" | "tar" | "rar" => "an archive: unpack it, and add what is in it",
        _ => return Ok(()),
    };
    Err(format!("`{typed}` is {what}").into())
}

/// What lies in a folder of data.
pub(in crate::cli) struct DataFolder {
    /// Its tables.
    pub(in crate::cli) tables: Vec<Wanted>,
    /// The folder, where it does not lie in the project.
    pub(in crate::cli) root: Option<String>,
    /// The files and folders that are no tables.
    pub(in crate::cli) left_out: Vec<String>,
}

/// The tables of a folder of data: each file is one, and each folder in it.
pub(in crate::cli) fn tables_of_data(dir: &Path, data: &Path) -> Result<DataFolder, NoTables> {
    let path = below_project(dir, &data.to_string_lossy())?;
    let root = path.starts_with("..").then(|| path.clone());
    let failed = |error: std::io::Error| NoTables::from(format!("`{path}` cannot be read: {}", io_reason(&error)));
    let mut names: Vec<(String, bool)> = Vec::new();
    for entry in std::fs::read_dir(data).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_project =
            dir.join(&name).exists() && matches!(name.as_str(), "queries" | "snapshots" | "dist" | "evals");
        if !(is_of_others(&name) || is_project && path == ".") {
            names.push((name, entry.path().is_dir()));
        }
    }
    names.sort();
    let (mut tables, mut left_out): (Vec<Wanted>, Vec<String>) = (Vec::new(), Vec::new());
    let are_splits =
        names.iter().all(|(name, is_dir)| *is_dir || ending_of(name).is_none() || split_of(name).is_some());
    if are_splits && names.iter().any(|(name, is_dir)| !is_dir && split_of(name).is_some()) {
        tables = tables_of_folder(dir, &path)?;
        left_out = names
            .drain(..)
            .filter(|(name, is_dir)| !is_dir && ending_of(name).is_none())
            .map(|(name, _)| name)
            .collect();
    }
    for (name, is_dir) in names {
        let below = if path == "." { name.clone() } else { format!("{path}/{name}") };
        if is_dir {
            match tables_of_folder(dir, &below) {
                Ok(of_folder) => tables.extend(of_folder),
                // One of other things than tables is none of ours.
                Err(_) => left_out.push(format!("{name}/")),
            }
        } else if ending_of(&name).is_some() {
            tables.push(Wanted { name: table_name(&below), path: below, format: None });
        } else {
            left_out.push(name);
        }
    }
    if tables.is_empty() {
        return Err(format!("no file in `{}` has an ending of a table", data.display()).into());
    }
    for at in 1..tables.len() {
        let (before, rest) = tables.split_at_mut(at);
        let Some(table) = rest.first_mut() else { continue };
        let (own, mut number) = (table.name.clone(), 2);
        while before.iter().any(|other| other.name == table.name) {
            table.name = format!("{own}_{number}");
            number += 1;
        }
    }
    Ok(DataFolder { tables, root, left_out })
}

/// The tables of a folder, by its path from the project: one, or one for each split of a data set.
pub(super) fn tables_of_folder(dir: &Path, path: &str) -> Result<Vec<Wanted>, NoTables> {
    let folder = path.trim_end_matches('/');
    let mut files = Vec::new();
    files_below(&dir.join(folder), String::new(), &mut files)
        .map_err(|error| format!("`{path}` cannot be read: {}", io_reason(&error)))?;
    let mut formats: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for file in &files {
        if let Some(ending) = ending_of(file) {
            formats.entry(ending).or_default().push(file);
        }
    }
    // What describes a data set lies beside it, in JSON.
    if formats.len() > 1 {
        formats.remove("json");
    }
    let (files, is_only) = match formats.values().collect::<Vec<_>>().as_slice() {
        [] => return Err(format!("no file in `{path}` has an ending of a table").into()),
        [only] => ((*only).clone(), formats.len() == 1),
        _ => {
            let several = formats.keys().copied().collect::<Vec<_>>().join(", ");
            return Err(
                format!("the files in `{path}` have several formats: {several}; name those of one table").into()
            );
        }
    };
    let name = table_name(folder);
    let mut splits: BTreeMap<&str, String> = BTreeMap::new();
    for file in &files {
        let Some((split, pattern)) = split_of(file) else {
            let path = if is_only { folder.to_owned() } else { pattern_of(folder, &files) };
            return Ok(vec![Wanted { name, path, format: None }]);
        };
        splits.insert(split, pattern);
    }
    let table = |(split, pattern): (&str, String)| Wanted {
        name: format!("{name}_{split}"),
        path: format!("{folder}/{pattern}"),
        format: None,
    };
    Ok(splits.into_iter().map(table).collect())
}

/// All files of that ending below the folder.
fn pattern_of(folder: &str, files: &[&String]) -> String {
    let ending = files.first().and_then(|file| file.rsplit('/').next()).and_then(|name| name.split_once('.'));
    let ending = ending.map(|(_, ending)| ending).unwrap_or_default();
    format!("{folder}/**/*.{ending}")
}

/// The split of a data set that a file is a part of, and a pattern for all its parts: `data/train-00000-of-00002.parquet`,
/// `train/0000.parquet`, `test.csv`.
fn split_of(file: &str) -> Option<(&'static str, String)> {
    let (folder, name) = file.rsplit_once('/').map_or(("", file), |(folder, name)| (folder, name));
    let (stem, ending) = name.split_once('.')?;
    let below = |pattern: String| if folder.is_empty() { pattern } else { format!("{folder}/{pattern}") };
    let is_split = |text: &str, split: &str| {
        text.strip_prefix(split).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
    };
    if let Some(split) = SPLITS.iter().find(|split| is_split(stem, split)) {
        let pattern = if stem == *split { name.to_owned() } else { format!("{split}-*.{ending}") };
        let pattern = if stem.starts_with(&format!("{split}_")) { format!("{split}_*.{ending}") } else { pattern };
        return Some((split, below(pattern)));
    }
    let last = folder.rsplit('/').next().unwrap_or_default();
    let split = SPLITS.iter().find(|split| last == **split)?;
    Some((split, below(format!("*.{ending}"))))
}

/// What other programs leave beside data; `~$` is what Excel puts before the name of a workbook that is open.
fn is_of_others(name: &str) -> bool {
    name.starts_with(['.', '_']) || name.starts_with("~$")
}

/// The paths of all files below a folder, hidden ones left out.
fn files_below(folder: &Path, below: String, files: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_of_others(&name) {
            continue;
        }
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            files_below(&entry.path(), path, files)?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

/// The ending that says the format of a file, seen through that of a compression.
pub(super) fn ending_of(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next()?.to_ascii_lowercase();
    let (mut stem, mut ending) = name.rsplit_once('.')?;
    if COMPRESSIONS.contains(&ending) {
        (stem, ending) = stem.rsplit_once('.')?;
    }
    ENDINGS.iter().copied().find(|known| *known == ending && !stem.is_empty())
}

/// The format of a file whose ending does not say it, by how it begins.
fn format_of(file: &Path) -> Result<(&'static str, String), NoTables> {
    let mut head = Vec::new();
    let read = std::fs::File::open(file).and_then(|open| open.take(4096).read_to_end(&mut head));
    read.map_err(|error| format!("`{}` cannot be read: {}", file.display(), io_reason(&error)))?;
    let found = match head.trim_ascii_start() {
        [b'P', b'A', b'R', b'1', ..] => ("parquet", "it begins as Parquet does"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => ("arrow", "it begins as Arrow does"),
        [b'O', b'b', b'j', 1, ..] => ("avro", "it begins as Avro does"),
        [b'{', ..] => ("ndjson", "it begins with an object of JSON"),
        [b'[', b'{' | b'\n' | b' ' | b'\r', ..] => ("json", "it begins with a list of JSON"),
        [0x1F, 0x8B, ..] | [0x28, 0xB5, 0x2F, 0xFD, ..] | [b'P', b'K', 3, 4, ..] => {
            let shown = file.display();
            return Err(
                format!("`{shown}` is packed: give it an ending that says what is in it, such as `.csv.gz`").into()
            );
        }
        text if !text.contains(&0) => ("csv", "its ending says nothing; it is text"),
        _ => return Err(format!("neither the ending of `{}` nor its beginning says its format", file.display()).into()),
    };
    Ok((found.0, found.1.to_owned()))
}

/// The path as seen from the project.
pub(in crate::cli) fn below_project(dir: &Path, typed: &str) -> Result<String, NoTables> {
    let absolute = |path: &Path| {
        let whole = std::path::absolute(path).map_err(|error| io_reason(&error))?;
        Ok::<PathBuf, String>(without_dots(&whole))
    };
    let project = absolute(dir)?;
    let path = absolute(Path::new(typed))?;
    let common = project.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = project.components().count() - common;
    let mut parts: Vec<String> = vec!["..".to_owned(); up];
    parts.extend(path.components().skip(common).map(|part| part.as_os_str().to_string_lossy().into_owned()));
    if parts.is_empty() { Ok(".".to_owned()) } else { Ok(parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_data_set_is_a_part_of_a_split() {
        for (file, split, pattern) in [
            ("data/train-00000-of-00002.parquet", "train", "data/train-*.parquet"),
            ("plain_text/test/0000.parquet", "test", "plain_text/test/*.parquet"),
            ("validation.csv", "validation", "validation.csv"),
            ("train_1.jsonl", "train", "train_*.jsonl"),
        ] {
            assert_eq!(split_of(file), Some((split, pattern.to_owned())), "{file}");
        }
        assert_eq!(split_of("training.csv"), None);
        assert_eq!(split_of("data/a.csv"), None);
    }

    #[test]
    fn an_ending_is_seen_through_a_compression() {
        assert_eq!(ending_of("a/b.CSV.gz"), Some("csv"));
        assert_eq!(ending_of("a/b.gz"), None);
        assert_eq!(ending_of(".csv"), None);
        assert_eq!(ending_of("Orders.XLSX"), Some("xlsx"));
    }
}
