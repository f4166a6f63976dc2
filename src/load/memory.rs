//! Files that lie nowhere: texts in memory, and texts that lie over other files until they are saved.

use super::files::{Entry, FileError, Files, Folder};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files in memory. A folder is there where a file lies below it.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// Puts a file in; one of that path is replaced.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Takes a file out.
    pub fn remove(&mut self, path: &Path) {
        self.files.remove(path);
    }
}

impl Files for Memory {
    fn list(&self, folder: &Path) -> io::Result<Option<Folder>> {
        let mut entries: Vec<Entry> = Vec::new();
        for path in self.files.keys() {
            let Ok(below) = path.strip_prefix(folder) else { continue };
            let mut steps = below.components();
            let Some(name) = steps.next() else { return Err(io::ErrorKind::NotADirectory.into()) };
            let entry = Entry { name: name.as_os_str().to_owned(), is_folder: steps.next().is_some() };
            // Those of one folder follow each other.
            if entries.last() != Some(&entry) {
                entries.push(entry);
            }
        }
        let identity = folder.to_path_buf();
        Ok((!entries.is_empty()).then_some(Folder { identity, entries }))
    }

    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        match self.files.get(path) {
            Some(bytes) if bytes.len() as u64 > most => Err(FileError::TooLarge),
            Some(bytes) => Ok(bytes.clone()),
            None => Err(FileError::Unreadable(io::ErrorKind::NotFound.into())),
        }
    }
}

/// Files that lie over others: where both have one of a path, theirs is read.
pub struct Overlay<'a> {
    over: Memory,
    under: &'a dyn Files,
}

impl<'a> Overlay<'a> {
    /// Puts files over others.
    pub fn new(over: Memory, under: &'a dyn Files) -> Overlay<'a> {
        Overlay { over, under }
    }
}

impl Files for Overlay<'_> {
    fn list(&self, folder: &Path) -> io::Result<Option<Folder>> {
        let (over, under) = (self.over.list(folder)?, self.under.list(folder)?);
        let Some(mut both) = under else { return Ok(over) };
        for entry in over.into_iter().flat_map(|over| over.entries) {
            if !both.entries.iter().any(|known| known.name == entry.name) {
                both.entries.push(entry);
            }
        }
        Ok(Some(both))
    }

    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        match self.over.read(path, most) {
            Err(FileError::Unreadable(_)) => self.under.read(path, most),
            read => read,
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.under.variable(name)
    }

    fn environment(&self) -> Option<String> {
        self.under.environment()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use crate::load::{Disk, load};

    const PROJECT: &str = "name: demo\n";
    const QUERY: &str = "/*\ndescription: One.\n*/\nSELECT 1 AS one\n";

    fn project() -> Memory {
        let mut files = Memory::default();
        files.insert("qtool.yaml", PROJECT);
        files.insert("queries/folder/one.sql", QUERY);
        files
    }

    /// The columns of each tool, by its name.
    fn tools(files: &dyn Files) -> Vec<(String, Vec<String>)> {
        let loaded = load(files).unwrap();
        let compilation = compile::compile(&loaded.project, loaded.diagnostics);
        let tools = compilation.tools.iter().map(|tool| {
            let columns = tool.contract.columns().iter().map(|column| column.name.clone());
            (tool.contract.name.clone(), columns.collect())
        });
        tools.collect()
    }

    #[test]
    fn a_project_in_memory_is_loaded_as_one_on_a_disk() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("queries/folder")).unwrap();
        std::fs::write(folder.path().join("qtool.yaml"), PROJECT).unwrap();
        std::fs::write(folder.path().join("queries/folder/one.sql"), QUERY).unwrap();
        let in_memory = tools(&project());
        assert_eq!(in_memory, [("folder_one".to_owned(), vec!["one".to_owned()])]);
        assert_eq!(tools(&Disk::new(folder.path())), in_memory);
    }

    #[test]
    fn a_text_that_is_not_saved_lies_over_the_file() {
        let under = project();
        let mut unsaved = Memory::default();
        unsaved.insert("queries/folder/one.sql", QUERY.replace("one", "uno"));
        unsaved.insert("queries/new.sql", QUERY);
        let expected = [("folder_one", "uno"), ("new", "one")];
        let expected = expected.map(|(tool, column)| (tool.to_owned(), vec![column.to_owned()]));
        assert_eq!(tools(&Overlay::new(unsaved, &under)), expected);
        assert_eq!(tools(&under).len(), 1, "what lies below is as it was");
    }

    #[test]
    fn folders_list_what_lies_in_them() {
        let files = project();
        let names = |folder: &str| {
            let folder = files.list(Path::new(folder)).unwrap();
            let entry = |entry: Entry| (entry.name.into_string().unwrap(), entry.is_folder);
            folder.map(|folder| folder.entries.into_iter().map(entry).collect::<Vec<_>>())
        };
        assert_eq!(names(""), Some(vec![("qtool.yaml".to_owned(), false), ("queries".to_owned(), true)]));
        assert_eq!(names("queries/folder"), Some(vec![("one.sql".to_owned(), false)]));
        assert_eq!(names("prompts"), None);
        assert!(files.list(Path::new("qtool.yaml")).is_err(), "a file is no folder");
        assert!(matches!(files.read(Path::new("qtool.yaml"), 3), Err(FileError::TooLarge)));
    }
}
