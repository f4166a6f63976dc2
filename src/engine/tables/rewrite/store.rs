//! A store that gives out files as they are rewritten.

use super::super::store::TableStore;
use super::super::whole::Damaged;
use super::{Repairs, Rewrite};
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt, future, stream};
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bytes of rewritten files that one table keeps, if no single file has more.
const KEPT: usize = 256 << 20;

/// The files of a table, rewritten.
#[derive(Debug, Clone)]
pub(in crate::engine::tables) struct RewritingStore {
    inner: TableStore,
    rewrite: Arc<Rewrite>,
    kept: Arc<Mutex<HashMap<Path, Arc<Kept>>>>,
    repairs: Arc<Mutex<HashMap<Path, Repairs>>>,
}

/// A rewritten file.
#[derive(Debug)]
struct Kept {
    /// As the file was when it was read.
    original: ObjectMeta,
    text: Bytes,
}

impl Kept {
    fn meta(&self) -> ObjectMeta {
        ObjectMeta { size: self.text.len() as u64, ..self.original.clone() }
    }
}

impl RewritingStore {
    pub(in crate::engine::tables) fn new(inner: TableStore, rewrite: Rewrite) -> RewritingStore {
        RewritingStore { inner, rewrite: Arc::new(rewrite), kept: Arc::default(), repairs: Arc::default() }
    }

    /// What was made of what cannot be read, in the files as they were read last.
    pub(in crate::engine::tables) fn repairs(&self) -> Repairs {
        let mut all = Repairs::default();
        locked(&self.repairs).values().for_each(|repairs| all.join(repairs));
        all
    }

    async fn file(&self, location: &Path) -> Result<Arc<Kept>> {
        let now = self.inner.head(location).await?;
        if let Some(kept) = locked(&self.kept).get(location).filter(|kept| kept.original == now) {
            return Ok(Arc::clone(kept));
        }
        let got = self.inner.get(location).await?;
        let original = got.meta.clone();
        let bytes = got.bytes().await?;
        let rewrite = Arc::clone(&self.rewrite);
        // An empty file has no text in any encoding or compression; what it may not be is for others to say.
        let rewritten = match bytes.is_empty() {
            true => Ok(Default::default()),
            false => tokio::task::spawn_blocking(move || rewrite.rewritten(&bytes))
                .await
                .unwrap_or_else(|_| Err("it cannot be rewritten".into())),
        };
        let rewritten = rewritten.map_err(|why| Damaged::error(location, why))?;
        locked(&self.repairs).insert(location.clone(), rewritten.repairs);
        let file = Arc::new(Kept { original, text: rewritten.text.into() });
        let mut kept = locked(&self.kept);
        if kept.values().map(|kept| kept.text.len()).sum::<usize>() > KEPT {
            kept.clear();
        }
        kept.insert(location.clone(), Arc::clone(&file));
        Ok(file)
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for RewritingStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rewritten table")
    }
}

fn read_only(operation: &str) -> Error {
    Error::NotImplemented { operation: operation.to_owned(), implementer: "rewritten table".to_owned() }
}

#[async_trait]
impl ObjectStore for RewritingStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let file = self.file(location).await?;
        let meta = file.meta();
        options.check_preconditions(&meta)?;
        let range = match &options.range {
            None => 0..meta.size,
            Some(range @ (GetRange::Bounded(_) | GetRange::Offset(_) | GetRange::Suffix(_))) => {
                range.as_range(meta.size).map_err(|error| Error::Generic { store: "table", source: Box::new(error) })?
            }
        };
        let part = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let bytes = part.map_or_else(Bytes::new, |(start, end)| file.text.slice(start..end));
        let payload = GetResultPayload::Stream(stream::once(future::ready(Ok(bytes))).boxed());
        Ok(GetResult { payload, meta, range, attributes: Attributes::default() })
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let checked = self.inner.check_folder(&prefix.cloned().unwrap_or_default());
        if let Err(error) = checked {
            return stream::once(future::ready(Err(error))).boxed();
        }
        let view = self.clone();
        let rewritten = move |found: Result<ObjectMeta>| {
            let view = view.clone();
            async move { Ok(view.file(&found?.location).await?.meta()) }.boxed()
        };
        self.inner.list(prefix).then(rewritten).boxed()
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
