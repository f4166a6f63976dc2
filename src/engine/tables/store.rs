//! The store that one table reads through: read-only, and only the table's own files.

use super::failure;
use super::selection::Selection;
use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt, future, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::bytes::Bytes;

/// What keeps local files inside the roots.
#[derive(Debug, Clone)]
pub(super) struct Confined {
    files: LocalFileSystem,
    roots: Arc<[PathBuf]>,
}

/// A file that a link leads to lies outside the roots.
#[derive(Debug)]
pub(super) struct Outside;

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file lies outside the project's roots")
    }
}

impl std::error::Error for Outside {}

impl Confined {
    pub(super) fn new(files: LocalFileSystem, roots: Arc<[PathBuf]>) -> Confined {
        Confined { files, roots }
    }

    /// Where a file or folder of the store lies, and the roots that it must lie in.
    pub(super) fn place(&self, location: &Path) -> Option<(PathBuf, Arc<[PathBuf]>)> {
        Some((self.files.path_to_filesystem(location).ok()?, Arc::clone(&self.roots)))
    }

    fn check(&self, location: &Path) -> Result<()> {
        // What cannot be resolved is refused where it is opened, with a better reason.
        let Ok(real) = self.files.path_to_filesystem(location)?.canonicalize() else {
            return Ok(());
        };
        if self.roots.iter().any(|root| real.starts_with(root)) {
            return Ok(());
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
}

impl TableStore {
    /// A view of single files.
    pub(super) fn new(inner: Arc<dyn ObjectStore>, confined: Option<Confined>) -> TableStore {
        TableStore { inner, confined, selection: None }
    }

    /// The view that lists the selected files.
    pub(super) fn listing(&self, selection: Selection) -> TableStore {
        TableStore { selection: Some(Arc::new(selection)), ..self.clone() }
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

fn read_only(operation: &str) -> Error {
    Error::NotImplemented { operation: operation.to_owned(), implementer: "table".to_owned() }
}

#[async_trait]
impl ObjectStore for TableStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.check(location)?;
        self.inner.get_opts(location, options).await.map_err(|error| self.relative(location, error))
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
        let view = self.clone();
        self.inner
            .list(prefix)
            .map(move |found| -> Result<Option<ObjectMeta>> {
                let file = found.map_err(|error| view.relative(&folder, error))?;
                if !selection.takes(&file.location) {
                    return Ok(None);
                }
                view.check(&file.location)?;
                Ok(Some(file))
            })
            .try_filter_map(|file| future::ready(Ok(file)))
            .boxed()
    }

    async fn list_with_delimiter(&self, _prefix: Option<&Path>) -> Result<ListResult> {
        Err(read_only("list_with_delimiter"))
    }

    async fn put_opts(&self, _location: &Path, _payload: PutPayload, _options: PutOptions) -> Result<PutResult> {
        Err(read_only("put"))
    }

    async fn put_multipart_opts(
        &self,
        _location: &Path,
        _options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        Err(read_only("put_multipart"))
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        locations.map(|_| Err(read_only("delete"))).boxed()
    }

    async fn copy_opts(&self, _from: &Path, _to: &Path, _options: CopyOptions) -> Result<()> {
        Err(read_only("copy"))
    }
}
