//! The store that one table reads through: read-only, and only the table's own files.

use super::failure::{self, Outside};
use super::kinds;
use super::read_only::{ReadOnly, Reading};
use super::selection::Selection;
use super::whole::Wholeness;
use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt, future, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt, Result};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_util::bytes::Bytes;

/// What keeps local files inside the roots.
#[derive(Debug, Clone)]
pub(super) struct Confined {
    files: LocalFileSystem,
    /// The folder of all files.
    folder: PathBuf,
    roots: Arc<[PathBuf]>,
}

impl Confined {
    pub(super) fn new(files: LocalFileSystem, folder: PathBuf, roots: Arc<[PathBuf]>) -> Confined {
        Confined { files, folder, roots }
    }

    /// Where a file or folder of the store lies. The store itself knows no path of all of it.
    fn path(&self, location: &Path) -> Result<PathBuf> {
        if location.as_ref().is_empty() { Ok(self.folder.clone()) } else { self.files.path_to_filesystem(location) }
    }

    /// Where a file or folder of the store lies, and the roots that it must lie in.
    pub(super) fn place(&self, location: &Path) -> Option<(PathBuf, Arc<[PathBuf]>)> {
        Some((self.path(location).ok()?, Arc::clone(&self.roots)))
    }

    /// Checks that all that has the name of a table's file is one.
    fn check_folder(&self, selection: &Selection, folder: &Path) -> Result<()> {
        kinds::check_folder(selection, &self.path(folder)?, folder)
    }

    fn check(&self, location: &Path) -> Result<()> {
        // What cannot be resolved is refused where it is opened, with a better reason.
        let Ok(real) = self.path(location)?.canonicalize() else {
            return Ok(());
        };
        if self.roots.iter().any(|root| real.starts_with(root)) {
            return kinds::check(location, &real);
        }
        Err(Error::PermissionDenied { path: location.to_string(), source: Box::new(Outside) })
    }
}

/// A table's view of a store.
#[derive(Debug, Clone)]
pub(super) struct TableStore {
    inner: Arc<dyn ObjectStore>,
    confined: Option<Confined>,
    /// The files that a listing gives; `None` for a table of one file, which is never listed.
    selection: Option<Arc<Selection>>,
    /// What every file must be; `None` as long as nothing is known of them.
    whole: Option<Arc<Wholeness>>,
}

impl TableStore {
    /// A view of single files.
    pub(super) fn new(inner: Arc<dyn ObjectStore>, confined: Option<Confined>) -> TableStore {
        TableStore { inner, confined, selection: None, whole: None }
    }

    /// Whether its files lie on this machine.
    pub(super) fn is_local(&self) -> bool {
        self.confined.is_some()
    }

    /// The view that lists the selected files.
    pub(super) fn listing(&self, selection: Selection) -> TableStore {
        TableStore { selection: Some(Arc::new(selection)), ..self.clone() }
    }

    /// The same view of what another store gives out of the same files, which looks after them itself.
    pub(super) fn over(&self, inner: Arc<dyn ObjectStore>) -> TableStore {
        TableStore { inner, confined: None, ..self.clone() }
    }

    /// The view that gives out no file that is not whole.
    pub(super) fn holding_to(&self, whole: Arc<Wholeness>) -> TableStore {
        TableStore { whole: Some(whole), ..self.clone() }
    }

    /// Checks that all that has the name of a file of the table is one; nothing for a table of one file.
    pub(super) fn check_folder(&self, folder: &Path) -> Result<()> {
        match (&self.confined, &self.selection) {
            (Some(confined), Some(selection)) => confined.check_folder(selection, folder),
            _ => Ok(()),
        }
    }

    /// Checks a file before a part of it is given out.
    async fn check_content(&self, location: &Path, options: &GetOptions) -> Result<()> {
        let Some(whole) = self.whole.as_ref().filter(|whole| whole.looks_into(options.range.as_ref())) else {
            return Ok(());
        };
        let unchecked: Arc<dyn ObjectStore> = Arc::new(ReadOnly(TableStore { whole: None, ..self.clone() }));
        let file = unchecked.head(location).await?;
        whole.check_length(&file)?;
        whole.check_content(&unchecked, &file).await
    }

    /// Whether any file of the table is there.
    async fn is_there(&self, selection: &Selection) -> Result<bool> {
        let files = self.inner.list(Some(&selection.start));
        let mut taken = files.try_filter(|file| future::ready(selection.takes(&file.location)));
        Ok(taken.try_next().await.map_err(|error| self.relative(&selection.start, error))?.is_some())
    }

    /// What a listing that found nothing ends with: an error where the table has no file at all.
    async fn end_of_empty(&self, selection: &Selection) -> Option<Result<ObjectMeta>> {
        match self.is_there(selection).await {
            Ok(true) => None,
            Ok(false) => {
                Some(Err(Error::NotFound { path: selection.start.to_string(), source: "no such file".into() }))
            }
            Err(error) => Some(Err(error)),
        }
    }

    fn check(&self, location: &Path) -> Result<()> {
        self.confined.as_ref().map_or(Ok(()), |confined| confined.check(location))
    }

    /// The error without the absolute path that a local one holds.
    fn relative(&self, location: &Path, error: Error) -> Error {
        match error {
            error if self.confined.is_none() => error,
            Error::NotFound { .. } => Error::NotFound { path: location.to_string(), source: "no such file".into() },
            error @ (Error::Precondition { .. } | Error::NotModified { .. } | Error::PermissionDenied { .. }) => error,
            error => Error::Generic { store: "file", source: Box::new(std::io::Error::from(failure::io_kind(&error))) },
        }
    }
}

impl fmt::Display for TableStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("table")
    }
}

#[async_trait]
impl Reading for TableStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.check(location)?;
        let head = options.head;
        if !head {
            self.check_content(location, &options).await?;
        }
        let got = self.inner.get_opts(location, options).await.map_err(|error| self.relative(location, error))?;
        if head && let Some(whole) = &self.whole {
            whole.check_length(&got.meta)?;
        }
        Ok(got)
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.check(location)?;
        self.inner.get_ranges(location, ranges).await.map_err(|error| self.relative(location, error))
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let folder = prefix.cloned().unwrap_or_default();
        let Some(selection) = self.selection.clone() else {
            // Where the one file is gone, DataFusion looks for a folder of its name and would find no rows.
            let error = Error::NotFound { path: folder.to_string(), source: "no such file".into() };
            return stream::once(future::ready(Err(error))).boxed();
        };
        let (view, at_end) = (self.clone(), self.clone());
        if self.whole.is_some()
            && let Err(error) = self.check_folder(&folder)
        {
            return stream::once(future::ready(Err(error))).boxed();
        }
        let any = Arc::new(AtomicBool::new(false));
        let (met, taken) = (Arc::clone(&any), Arc::clone(&selection));
        let files = self
            .inner
            .list(prefix)
            .map(move |found| -> Result<Option<ObjectMeta>> {
                let file = found.map_err(|error| view.relative(&folder, error))?;
                if !taken.takes(&file.location) {
                    return Ok(None);
                }
                met.store(true, Ordering::Relaxed);
                view.check(&file.location)?;
                view.whole.as_ref().map_or(Ok(()), |whole| whole.check_length(&file))?;
                Ok(Some(file))
            })
            .try_filter_map(|file| future::ready(Ok(file)));
        let end = stream::once(async move {
            let is_checked = at_end.whole.is_some() && !any.load(Ordering::Relaxed);
            if is_checked { at_end.end_of_empty(&selection).await } else { None }
        });
        files.chain(end.filter_map(future::ready)).boxed()
    }
}
