//! A file of a web server, downloaded once for each of its states: the server is asked before every read whether it has
//! changed, and says so by its `ETag`, its `Last-Modified` or its length.

use super::cache::{Budget, Reservation};
use super::read_only::Reading;
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, future, stream};
use object_store::path::Path;
use object_store::{
    Attributes, Error, GetOptions, GetResult, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt, Result,
};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether another state of a file in a store would look different: it has a name for each, or has not changed for so long
/// that another one has another time, which may be in seconds.
pub(super) fn tells_changes(file: &ObjectMeta) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let changed = u64::try_from(file.last_modified.timestamp()).unwrap_or(0);
    file.e_tag.is_some() || file.version.is_some() || (changed > 0 && changed.saturating_add(5) < now)
}

/// A store whose one file is held in memory, as far as the budget has room for it.
#[derive(Debug, Clone)]
pub(super) struct UnchangedStore {
    inner: Arc<dyn ObjectStore>,
    kept: Arc<Mutex<Option<Arc<Kept>>>>,
    budget: Arc<Budget>,
}

/// A file as it was downloaded.
#[derive(Debug)]
struct Kept {
    meta: ObjectMeta,
    bytes: Bytes,
    /// What is taken of the budget.
    _reserved: Reservation,
}

impl UnchangedStore {
    /// The files of a store, of which the one that was read last is remembered.
    pub(super) fn new(inner: Arc<dyn ObjectStore>, budget: &Arc<Budget>) -> UnchangedStore {
        UnchangedStore { inner, kept: Arc::default(), budget: Arc::clone(budget) }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Arc<Kept>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file that is kept, where the server has no other one by now.
    async fn unchanged(&self, location: &Path) -> Result<Option<Arc<Kept>>> {
        let kept = self.kept().clone();
        let Some(kept) = kept.filter(|kept| kept.meta.location == *location) else { return Ok(None) };
        if self.inner.head(location).await? == kept.meta {
            return Ok(Some(kept));
        }
        // Nobody wants it any more.
        self.kept().take_if(|former| Arc::ptr_eq(former, &kept));
        Ok(None)
    }

    /// Downloads a file that is to be kept, if there is room for it.
    async fn download(&self, got: GetResult) -> Result<GetResult> {
        let mut reserved = Reservation::of(&self.budget);
        let room = usize::try_from(got.meta.size).is_ok_and(|size| reserved.grow(size));
        if !room || !tells_changes(&got.meta) {
            return Ok(got);
        }
        let meta = got.meta.clone();
        let file = Arc::new(Kept { bytes: got.bytes().await?, meta, _reserved: reserved });
        *self.kept() = Some(Arc::clone(&file));
        file.part(0..file.meta.size)
    }
}

impl Kept {
    fn slice(&self, range: &Range<u64>) -> Result<Bytes> {
        let ends = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let ends = ends.filter(|(start, end)| start <= end && *end <= self.bytes.len());
        let part = ends.map(|(start, end)| self.bytes.slice(start..end));
        part.ok_or_else(|| Error::Generic { store: "table", source: "a part beyond the end of the file".into() })
    }

    fn part(&self, range: Range<u64>) -> Result<GetResult> {
        let bytes = self.slice(&range)?;
        let payload = GetResultPayload::Stream(stream::once(future::ready(Ok(bytes))).boxed());
        Ok(GetResult { payload, meta: self.meta.clone(), range, attributes: Attributes::default() })
    }
}

impl fmt::Display for UnchangedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("web")
    }
}

/// Whether all that is asked for is the file, or a part of it, as it is now.
fn is_plain(options: &GetOptions) -> bool {
    let has_condition = options.if_match.is_some()
        || options.if_none_match.is_some()
        || options.if_modified_since.is_some()
        || options.if_unmodified_since.is_some();
    !(options.head || has_condition || options.version.is_some())
}

#[async_trait]
impl Reading for UnchangedStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if !is_plain(&options) {
            return self.inner.get_opts(location, options).await;
        }
        if let Some(kept) = self.unchanged(location).await? {
            let whole = 0..kept.meta.size;
            let range = options.range.as_ref().map_or(Ok(whole), |range| range.as_range(kept.meta.size));
            return kept.part(range.map_err(|error| Error::Generic { store: "table", source: Box::new(error) })?);
        }
        let is_whole = options.range.is_none();
        let got = self.inner.get_opts(location, options).await?;
        if is_whole { self.download(got).await } else { Ok(got) }
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        match self.unchanged(location).await? {
            Some(kept) => ranges.iter().map(|range| kept.slice(range)).collect(),
            None => self.inner.get_ranges(location, ranges).await,
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }
}
