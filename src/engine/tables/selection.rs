//! Which of the files below a folder belong to a table.

use super::TableError;
use super::endings::{self, Ending};
use crate::project::{Compression, FileFormat, FilesSource};
use object_store::path::Path;
use regex::Regex;

/// What is declared of the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) format: Option<FileFormat>,
    pub(super) compression: Option<Compression>,
    /// Whether the path names its files, itself or by a pattern: then a file of any ending has the declared format.
    pub(super) named: bool,
}

impl Wanted {
    pub(super) fn new(source: &FilesSource, named: bool) -> Wanted {
        Wanted { format: source.format, compression: source.compression, named }
    }

    /// The format and compression of files of those names.
    pub(super) fn choose(&self, names: &[&str]) -> Result<Ending, TableError> {
        let format = match self.format {
            Some(format) => format,
            None => only_format(names)?,
        };
        let files: Vec<&str> = names.iter().copied().filter(|name| self.has_format(name, format)).collect();
        if files.is_empty() {
            let message = format!("no file has the ending of {} files", endings::name(format));
            return Err(TableError::option("format", message));
        }
        let compression = match self.compression {
            _ if !endings::is_text(format) => Compression::None,
            Some(declared) => declared,
            None => only_compression(&files)?,
        };
        Ok(Ending { format, compression })
    }

    fn has_format(&self, name: &str, format: FileFormat) -> bool {
        let declared = self.format.is_some();
        match endings::format_of(name) {
            _ if declared && self.named => true,
            // What a file named `.json` holds shows in the file only.
            Some(FileFormat::Json | FileFormat::Ndjson) => matches!(format, FileFormat::Json | FileFormat::Ndjson),
            Some(found) => found == format,
            None => declared && endings::is_bare(name),
        }
    }

    fn has_ending(&self, name: &str, ending: Ending) -> bool {
        let compressed_so = self.compression.is_some()
            || !endings::is_text(ending.format)
            || endings::compression_of(name) == ending.compression;
        compressed_so && self.has_format(name, ending.format)
    }
}

fn only_compression(names: &[&str]) -> Result<Compression, TableError> {
    let mut compressions = names.iter().map(|name| endings::compression_of(name));
    let first = compressions.next().unwrap_or(Compression::None);
    if compressions.all(|compression| compression == first) {
        return Ok(first);
    }
    Err(TableError::option("compression", "the files are compressed in several ways"))
}

fn only_format(names: &[&str]) -> Result<FileFormat, TableError> {
    let mut formats = Vec::new();
    for format in names.iter().filter_map(|name| endings::format_of(name)) {
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    match formats.as_slice() {
        [only] => Ok(*only),
        [] => Err(TableError::option("format", "the ending of the file does not say its format")),
        several => {
            let several: Vec<&str> = several.iter().map(|format| endings::name(*format)).collect();
            Err(TableError::option("format", format!("the files have several formats: {}", several.join(", "))))
        }
    }
}

/// The files below a folder that belong to a table.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    /// The folder.
    pub(super) start: Path,
    /// The pattern that the path below the folder matches.
    pub(super) pattern: Option<Regex>,
    /// What is declared of the files.
    pub(super) wanted: Wanted,
    /// What they were found to be; `None` takes every format.
    pub(super) chosen: Option<Ending>,
}

impl Selection {
    /// Whether the file belongs to the table.
    pub(super) fn takes(&self, file: &Path) -> bool {
        below(&self.start, file).is_some_and(|name| {
            !is_hidden(name)
                && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(name))
                && self.chosen.is_none_or(|ending| self.wanted.has_ending(name, ending))
        })
    }
}

/// The path of a file below a folder.
pub(super) fn below<'a>(folder: &Path, file: &'a Path) -> Option<&'a str> {
    let file = file.as_ref();
    if folder.as_ref().is_empty() {
        return Some(file);
    }
    file.strip_prefix(folder.as_ref())?.strip_prefix('/')
}

/// What other programs leave beside data: `.crc` files, `_SUCCESS`, `_delta_log/`, and the `~$orders.xlsx` of a workbook that
/// somebody has open.
pub(super) fn is_hidden(name: &str) -> bool {
    let is_of_others = |segment: &str| segment.starts_with('.') || segment.starts_with("~$");
    name.split('/').any(|segment| is_of_others(segment) || (segment.starts_with('_') && !segment.contains('=')))
}
