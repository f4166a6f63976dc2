//! What an import reads of folders: texts, and the names of files. Links are not followed.

use super::flaw::Flaw;
use crate::load::io_reason;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of a text that is read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The most files of a folder, and the deepest folder below it.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 16;

/// Files and links below a folder: paths with `/` between the names, sorted.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The files.
    pub(super) files: Vec<String>,
    /// The links, and what is neither a file nor a folder.
    pub(super) others: Vec<String>,
}

/// What lies below a folder, without what is hidden.
///
/// Errors: something cannot be read, or is too much.
pub(super) fn listing(folder: &Path) -> Result<Listing, Flaw> {
    let mut listing = Listing::default();
    let mut folders = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((folder, below, depth)) = folders.pop() {
        for (name, path) in entries(&folder)? {
            let below = format!("{below}{name}");
            match path.symlink_metadata().map(|meta| meta.file_type()) {
                Ok(kind) if kind.is_dir() && depth < DEEPEST => folders.push((path, format!("{below}/"), depth + 1)),
                Ok(kind) if kind.is_file() => listing.files.push(below),
                _ => listing.others.push(below),
            }
        }
        if listing.files.len() > MOST_FILES {
            return Err(format!("`{}` has more than {MOST_FILES} files", folder.display()).into());
        }
    }
    listing.files.sort();
    listing.others.sort();
    Ok(listing)
}

/// The folders with a file of that name, the folder itself among them, sorted, and the links to such. Those below such a one are its
/// own.
///
/// Errors: something cannot be read, or is too deep.
pub(super) fn folders_with(file: &str, top: &Path, without: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Flaw> {
    let (mut found, mut links) = (Vec::new(), Vec::new());
    let mut folders = vec![(top.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if folder.join(file).symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
            found.push(folder);
            continue;
        }
        if depth > DEEPEST || folders.len() > MOST_FILES {
            return Err(format!("`{}` has too many folders", folder.display()).into());
        }
        for (_, path) in entries(&folder)? {
            let Ok(kind) = path.symlink_metadata().map(|meta| meta.file_type()) else { continue };
            if kind.is_dir() && path != without {
                folders.push((path, depth + 1));
            } else if kind.is_symlink() && path.join(file).is_file() {
                links.push(path);
            }
        }
    }
    found.sort();
    links.sort();
    Ok((found, links))
}

/// What is in a folder and not hidden, with its name.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Flaw> {
    let failed = |error| Flaw::from(format!("cannot read `{}`: {}", folder.display(), io_reason(&error)));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // A name that is no text is that of no file of Folio.
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'));
        found.extend(name.map(|name| (name, entry.path())));
    }
    Ok(found)
}

/// What stands in a file.
///
/// Errors: it cannot be read, is a link, or no text of at most 4 MiB.
pub(super) fn text(path: &Path) -> Result<String, Flaw> {
    let failed = |error: std::io::Error| Flaw::from(io_reason(&error));
    if !path.symlink_metadata().map_err(failed)?.is_file() {
        return Err("it is a link, or no file".into());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(failed)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= MOST_BYTES);
    let text = String::from_utf8(bytes).ok().filter(|_| is_whole);
    text.ok_or_else(|| Flaw::from("it is no text, or larger than 4 MiB"))
}

/// A path that leads from a folder, both below the same one and with `/` between names; `None` where it leads out of that.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_side_and_not_out() {
        for (folder, path, leads) in [
            ("a", "../b", Some("b")),
            ("a/b", "./../c/", Some("a/c")),
            ("a", "", Some("a")),
            ("a", "../../b", None),
            ("a", "/b", None),
        ] {
            assert_eq!(joined(folder, path).as_deref(), leads, "{folder} {path}");
        }
    }
}
