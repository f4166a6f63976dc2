//! A store that is read and never written.

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::fmt::{self, Debug, Display};
use std::ops::Range;
use tokio_util::bytes::Bytes;

/// What the engine asks of a store to read tables. The methods are those of [`ObjectStore`].
#[async_trait]
pub(super) trait Reading: Debug + Display + Send + Sync + 'static {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult>;

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>>;

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>>;
}

/// A store whose every other operation is refused.
#[derive(Debug, Clone)]
pub(super) struct ReadOnly<S>(pub(super) S);

impl<S: Display> Display for ReadOnly<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<S: Display> ReadOnly<S> {
    fn refused(&self, operation: &str) -> Error {
        Error::NotImplemented { operation: operation.to_owned(), implementer: self.0.to_string() }
    }
}

#[async_trait]
impl<S: Reading> ObjectStore for ReadOnly<S> {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.0.get_opts(location, options).await
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.0.get_ranges(location, ranges).await
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.list(prefix)
    }

    async fn list_with_delimiter(&self, _prefix: Option<&Path>) -> Result<ListResult> {
        Err(self.refused("list_with_delimiter"))
    }

    async fn put_opts(&self, _location: &Path, _payload: PutPayload, _options: PutOptions) -> Result<PutResult> {
        Err(self.refused("put"))
    }

    async fn put_multipart_opts(
        &self,
        _location: &Path,
        _options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        Err(self.refused("put_multipart"))
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        let refused = self.0.to_string();
        let error =
            move |_| Err(Error::NotImplemented { operation: "delete".to_owned(), implementer: refused.clone() });
        locations.map(error).boxed()
    }

    async fn copy_opts(&self, _from: &Path, _to: &Path, _options: CopyOptions) -> Result<()> {
        Err(self.refused("copy"))
    }
}
