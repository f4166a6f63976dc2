//! Folio's sheets as records: a folder with a contract, and all that lies in it. What qtool reads as Folio does stays as it is; SQL
//! that makes fields becomes `derived` in `qtool.yaml`; all else is listed. Nothing is run.

mod contract;
mod derivation;
mod disk;
mod expression;
mod flaw;
mod front_matter;
mod one_value;
mod readme;
mod sheet;
mod skill;
#[cfg(test)]
mod tests;
mod write;

use super::manifests::carried::Imported;
use crate::load::io_reason;
use crate::name::{is_legal, snake_case};
use contract::{Contract, contract};
use disk::{folders_with, text};
pub(crate) use flaw::Flaw;
use sheet::{CONTRACT, Place, Sheet, sheet};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
pub(crate) use write::write;

/// The folder of records in a project.
const FOLDER: &str = "records";

/// Reads the sheets at a path and below it, for the project in `dir`. Those that lie in it stay where they are.
///
/// Errors: a folder cannot be read, there is no sheet, or the project would lie in one.
pub(crate) fn read(path: &Path, dir: &Path, said: &mut Imported) -> Result<Vec<Sheet>, Flaw> {
    let top = path.canonicalize();
    let top = top.map_err(|error| Flaw::from(format!("cannot read `{}`: {}", path.display(), io_reason(&error))))?;
    let project = dir.canonicalize().or_else(|_| std::path::absolute(dir)).unwrap_or_else(|_| dir.to_owned());
    if !top.is_dir() {
        return Err(format!("`{}` is no folder: a sheet is one with a `{CONTRACT}`", path.display()).into());
    }
    let (found, links) = folders_with(CONTRACT, &top, &project)?;
    for link in links {
        said.leave_out(format!("`{}`", below(&link, &top).unwrap_or_default()), "it is a link to a sheet");
    }
    if found.is_empty() {
        return Err(format!("`{}` has no sheet: a folder with a `{CONTRACT}`", path.display()).into());
    }
    if let Some(around) = found.iter().find(|folder| project.starts_with(folder)) {
        return Err(format!("the project would lie in the sheet `{}`: name a folder for it", around.display()).into());
    }
    let mut accepted: Vec<(Place, Contract)> = Vec::new();
    for from in found {
        let shown = below(&from, &top).filter(|path| !path.is_empty()).unwrap_or_else(|| name_of(&from));
        match place(from, &shown, (&top, &project)).and_then(|place| Ok((read_contract(&place)?, place))) {
            Ok((_, place)) if accepted.iter().any(|(known, _)| known.name == place.name) => {
                said.leave_out(format!("`{shown}`"), format!("there are records `{}` already", place.name));
            }
            Ok((contract, place)) => accepted.push((place, contract)),
            Err(why) => said.leave_out(format!("`{shown}`"), why.to_string()),
        }
    }
    let others: HashSet<String> = accepted.iter().map(|(place, _)| place.below.clone()).collect();
    let mut sheets = Vec::new();
    for (place, contract) in accepted {
        sheets.push(sheet(place, &contract, &others, said)?);
    }
    said.settle();
    if !sheets.is_empty() {
        said.notes.push("a call writes 100 records at most: `max_changes` says another number".to_owned());
        said.notes.push("`qtool records verify` says which records do not hold to their contract".to_owned());
    }
    Ok(sheets)
}

/// Where a sheet lies, and where it shall.
///
/// Errors: it cannot be called so here.
fn place(from: PathBuf, shown: &str, (top, project): (&Path, &Path)) -> Result<Place, Flaw> {
    let name = snake_case(&name_of(&from));
    if !is_legal(&name) {
        return Err(format!("no records can be called `{name}`").into());
    }
    let kept = below(&from, project);
    let path = match &kept {
        Some(path) => path.clone(),
        None => format!("{FOLDER}/{shown}"),
    };
    if path.contains(['*', '?', '[', ']', '{', '}']) || path.chars().any(char::is_control) {
        return Err("its path has signs that stand for others in one of a table".into());
    }
    // A sheet alone is beside those that its files speak of.
    let below = below(&from, top).filter(|path| !path.is_empty()).unwrap_or_else(|| shown.to_owned());
    Ok(Place { from, below, path, is_kept: kept.is_some(), name })
}

fn read_contract(place: &Place) -> Result<Contract, Flaw> {
    let told = |why: Flaw| Flaw::from(format!("`{CONTRACT}`: {why}"));
    text(&place.from.join(CONTRACT)).map_err(told).and_then(|text| contract(&text).map_err(told))
}

/// A path below a folder, with `/` between the names; `None` where it is not below it.
fn below(path: &Path, folder: &Path) -> Option<String> {
    let names = path.strip_prefix(folder).ok()?.components();
    Some(names.map(|name| name.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

fn name_of(folder: &Path) -> String {
    folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
