//! A store that gives out files as they are rewritten.

use super::super::cache::{Budget, Reservation};
use super::super::read_only::{ReadOnly, Reading};
use super::super::store::TableStore;
use super::super::whole::Damaged;
use super::joined::{Columns, Unlike, joined};
use super::{Repairs, Rewrite};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt, future, stream};
use object_store::path::Path;
use object_store::{
    Attributes, Error, GetOptions, GetRange, GetResult, GetResultPayload, ObjectMeta, ObjectStoreExt, Result,
};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The files of a table, rewritten. They are kept as far as the budget has room for them; the file that was read last is
/// kept all the same, for it is read in parts, and each would have it rewritten.
#[derive(Debug, Clone)]
pub(in crate::engine::tables) struct RewritingStore {
    inner: ReadOnly<TableStore>,
    rewrite: Arc<Rewrite>,
    kept: Arc<Mutex<HashMap<Path, Arc<Kept>>>>,
    repairs: Arc<Mutex<HashMap<Path, Repairs>>>,
    /// The columns of the files, once the table is open.
    opened: Arc<OnceLock<SchemaRef>>,
    budget: Arc<Budget>,
}

/// A rewritten file.
#[derive(Debug)]
struct Kept {
    /// As the file was when it was read.
    original: ObjectMeta,
    text: Bytes,
    /// What is taken of the budget.
    _reserved: Reservation,
}

impl Kept {
    fn meta(&self) -> ObjectMeta {
        ObjectMeta { size: self.text.len() as u64, ..self.original.clone() }
    }

    fn range(&self, wanted: &GetRange) -> Result<Range<u64>> {
        let range = wanted.as_range(self.text.len() as u64);
        range.map_err(|error| Error::Generic { store: "table", source: Box::new(error) })
    }

    /// A range that lies within the file.
    fn part(&self, range: &Range<u64>) -> Bytes {
        let part = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        part.map_or_else(Bytes::new, |(start, end)| self.text.slice(start..end))
    }
}

impl RewritingStore {
    pub(in crate::engine::tables) fn new(inner: TableStore, rewrite: Rewrite, budget: &Arc<Budget>) -> RewritingStore {
        RewritingStore {
            inner: ReadOnly(inner),
            rewrite: Arc::new(rewrite),
            kept: Arc::default(),
            repairs: Arc::default(),
            opened: Arc::default(),
            budget: Arc::clone(budget),
        }
    }

    /// Says which columns the files have: those that change from now on are to have them still.
    pub(in crate::engine::tables) fn expect(&self, columns: SchemaRef) {
        // Known already: the table is opened once.
        let _ = self.opened.set(columns);
    }

    /// Has the columns of several sheets be of one type each.
    ///
    /// Errors: sheets that do not go together, or one that cannot be read.
    pub(in crate::engine::tables) async fn join_types(&self, files: &[ObjectMeta]) -> Result<()> {
        let mut all = Vec::new();
        for ObjectMeta { location, .. } in files {
            let (file, text) = (location.to_string(), self.file(location).await?.text.clone());
            let read = tokio::task::spawn_blocking(move || Columns::of(file, text)).await;
            let columns = read.ok().and_then(std::result::Result::ok);
            all.push(columns.ok_or_else(|| Damaged::error(location, "it cannot be rewritten"))?);
        }
        let unlike = |Unlike { file, why }| Damaged::error(&Path::parse(file).unwrap_or_default(), why);
        if let Some(columns) = joined(&all).map_err(unlike)? {
            self.expect(columns);
            locked(&self.kept).clear();
        }
        Ok(())
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
        let (rewrite, opened) = (Arc::clone(&self.rewrite), self.opened.get().cloned());
        // An empty file has no text in any encoding or compression; what it may not be is for others to say.
        let rewritten = match bytes.is_empty() {
            true => Ok(Default::default()),
            false => tokio::task::spawn_blocking(move || rewrite.rewritten(&bytes, opened.as_deref()))
                .await
                .unwrap_or_else(|_| Err("it cannot be rewritten".into())),
        };
        let rewritten = rewritten.map_err(|why| Damaged::error(location, why))?;
        locked(&self.repairs).insert(location.clone(), rewritten.repairs);
        Ok(self.keep(location, original, rewritten.text))
    }

    /// Keeps a rewritten file, and lets go of the others where there is no room for it beside them.
    fn keep(&self, location: &Path, original: ObjectMeta, text: Vec<u8>) -> Arc<Kept> {
        let mut kept = locked(&self.kept);
        kept.remove(location);
        let mut reserved = Reservation::of(&self.budget);
        if !reserved.grow(text.len()) {
            kept.clear();
            reserved.grow(text.len());
        }
        let file = Arc::new(Kept { original, text: text.into(), _reserved: reserved });
        kept.insert(location.clone(), Arc::clone(&file));
        file
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

#[async_trait]
impl Reading for RewritingStore {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let file = self.file(location).await?;
        let meta = file.meta();
        options.check_preconditions(&meta)?;
        let range = options.range.as_ref().map_or(Ok(0..meta.size), |range| file.range(range))?;
        let bytes = file.part(&range);
        let payload = GetResultPayload::Stream(stream::once(future::ready(Ok(bytes))).boxed());
        Ok(GetResult { payload, meta, range, attributes: Attributes::default() })
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let file = self.file(location).await?;
        ranges.iter().map(|range| Ok(file.part(&file.range(&GetRange::Bounded(range.clone()))?))).collect()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let checked = self.inner.0.check_folder(&prefix.cloned().unwrap_or_default());
        if let Err(error) = checked {
            return stream::once(future::ready(Err(error))).boxed();
        }
        let view = self.clone();
        let rewritten = move |found: Result<ObjectMeta>| {
            let view = view.clone();
            async move { Ok(view.file(&found?.location).await?.meta()) }.boxed()
        };
        self.inner.0.list(prefix).then(rewritten).boxed()
    }
}
