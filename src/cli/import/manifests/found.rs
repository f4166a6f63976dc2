//! The files below a path that an import reads. Links to folders are not followed.

use super::carried::Foreign;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes of a file that is read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The most files of a folder, and the deepest folder below it.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 16;

/// Which files of a folder are read.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The endings of their names, without the point.
    pub(crate) endings: &'static [&'static str],
    /// Whether those in folders below are too.
    pub(crate) deep: bool,
}

/// Why files cannot be read.
#[derive(Debug)]
pub(crate) enum NotFound {
    /// The system says so.
    Unreadable(PathBuf, std::io::Error),
    /// It is no text, or larger than 4 MiB.
    NoText(PathBuf),
    /// There are more than 10 000, or deeper ones than 16 folders.
    TooMany(PathBuf),
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Unreadable(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            NotFound::NoText(path) => write!(f, "`{}` is no text, or larger than 4 MiB", path.display()),
            NotFound::TooMany(path) => write!(f, "`{}` has too many files or folders", path.display()),
        }
    }
}

/// The file that a path is, or the wanted ones of a folder, sorted by their paths.
///
/// Errors: something cannot be read, or is too much.
pub(crate) fn files(path: &Path, wanted: &Wanted) -> Result<Vec<Foreign>, NotFound> {
    if !path.is_dir() {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        return Ok(vec![Foreign { path: name, text: text(path)? }]);
    }
    let mut paths = Vec::new();
    collect(path, wanted, DEEPEST, &mut paths)?;
    paths.sort();
    let below = |found: PathBuf| {
        let names = found.strip_prefix(path).unwrap_or(&found).components();
        let names: Vec<_> = names.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        Ok(Foreign { path: names.join("/"), text: text(&found)? })
    };
    paths.into_iter().map(below).collect()
}

fn collect(folder: &Path, wanted: &Wanted, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), NotFound> {
    let failed = |error| NotFound::Unreadable(folder.to_owned(), error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        if kind.is_dir() {
            if wanted.deep && !is_hidden {
                let deeper = depth.checked_sub(1).ok_or_else(|| NotFound::TooMany(path.clone()))?;
                collect(&path, wanted, deeper, found)?;
            }
        } else if path.is_file() && wanted.endings.contains(&ending.as_str()) {
            found.push(path);
        }
        if found.len() > MOST_FILES {
            return Err(NotFound::TooMany(folder.to_owned()));
        }
    }
    Ok(())
}

fn text(path: &Path) -> Result<String, NotFound> {
    let failed = |error| NotFound::Unreadable(path.to_owned(), error);
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(failed)?.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= MOST_BYTES);
    let text = String::from_utf8(bytes).ok().filter(|_| is_whole);
    text.ok_or_else(|| NotFound::NoText(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_files_are_found_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in
            [("b.yaml", "b"), ("a.yml", "a"), ("c.txt", "c"), ("deep/d.yaml", "d"), (".git/e.yaml", "e")]
        {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let paths = |deep| {
            let found = files(folder.path(), &Wanted { endings: &["yaml", "yml"], deep }).unwrap();
            found.into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        assert_eq!(paths(false), ["a.yml", "b.yaml"]);
        assert_eq!(paths(true), ["a.yml", "b.yaml", "deep/d.yaml"]);
        let wanted = Wanted { endings: &[], deep: false };
        assert_eq!(files(&folder.path().join("c.txt"), &wanted).unwrap()[0].path, "c.txt");
        assert!(matches!(files(&folder.path().join("gone"), &wanted), Err(NotFound::Unreadable(..))));
        std::fs::write(folder.path().join("c.txt"), [0xff, 0xfe]).unwrap();
        assert!(matches!(files(&folder.path().join("c.txt"), &wanted), Err(NotFound::NoText(_))));
    }
}
