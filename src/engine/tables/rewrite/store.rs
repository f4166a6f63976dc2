//! A store that gives out files as they are rewritten.

use super::super::cache::{Budget, OpenStamp, Reservation};
use super::super::read_only::{ReadOnly, Reading};
use super::super::store::TableStore;
use super::super::whole::{Damaged, Flaw};
use super::joined::{Columns, Unlike, joined};
use super::wanted::Wanted;
use super::{Repairs, Rewrite, check_size};
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
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// The files of a table, rewritten. They are kept as far as the budget has room for them; the file that was read last is
/// kept all the same, for it is read in parts, and each would have it rewritten. One file is rewritten at a time: many calls
/// over one that has changed wait for the first, and what cannot be rewritten is remembered as well.
#[derive(Debug, Clone)]
pub(in crate::engine::tables) struct RewritingStore {
    inner: ReadOnly<TableStore>,
    rewrite: Arc<Rewrite>,
    kept: Arc<Mutex<HashMap<Path, Arc<Kept>>>>,
    repairs: Arc<Mutex<HashMap<Path, Repairs>>>,
    /// The columns of the files, once the table is open.
    opened: Arc<OnceLock<SchemaRef>>,
    budget: Arc<Budget>,
    /// Whose turn it is to rewrite a file.
    turn: Arc<Turn<()>>,
    /// Held by who may read the table.
    holder: Arc<()>,
}

/// What a file looked like when it was read.
#[derive(Debug, Clone)]
struct Look {
    meta: ObjectMeta,
    /// On this machine: a file may change in place, and keep its length and its time.
    here: Option<OpenStamp>,
}

impl Look {
    fn of(got: &GetResult) -> Look {
        let here = match &got.payload {
            GetResultPayload::File(open, _) => OpenStamp::of(open),
            GetResultPayload::Stream(_) => None,
        };
        Look { meta: got.meta.clone(), here }
    }

    /// Whether what was read then is what would be read now. A file that had changed a moment before is read once more.
    fn is_still(&self, now: &Look) -> bool {
        let is_settled = |look: &Look| look.here.as_ref().is_none_or(OpenStamp::is_settled);
        self.meta == now.meta && self.here == now.here && (is_settled(self) || !is_settled(now))
    }
}

/// A rewritten file.
#[derive(Debug)]
struct Kept {
    /// As the file was when it was read.
    original: Look,
    /// What it was rewritten to; empty where it cannot be.
    text: Bytes,
    /// Why it cannot be.
    why_not: Option<Flaw>,
    /// What is taken of the budget.
    _reserved: Reservation,
}

impl Kept {
    fn meta(&self) -> ObjectMeta {
        let Look { meta, here } = self.original.clone();
        // Whoever remembers what the file was like is to see what is seen here.
        let e_tag = here.map(|here| here.name()).or(meta.e_tag);
        ObjectMeta { size: self.text.len() as u64, e_tag, ..meta }
    }

    /// Errors: it cannot be rewritten.
    fn checked(self: Arc<Kept>, location: &Path) -> Result<Arc<Kept>> {
        match &self.why_not {
            Some(why) => Err(Damaged::error(location, why.clone())),
            None => Ok(self),
        }
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
            turn: Arc::default(),
            holder: Arc::default(),
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
        let (look, _) = self.look(location).await?;
        if let Some(kept) = self.known(location, &look) {
            return kept.checked(location);
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        // It may be rewritten by now, or be another one.
        let (look, got) = self.look(location).await?;
        if let Some(kept) = self.known(location, &look) {
            return kept.checked(location);
        }
        check_size(look.meta.size).map_err(|why| Damaged::error(location, why))?;
        let got = match got {
            Some(got) => got,
            None => self.inner.get(location).await?,
        };
        self.rewritten(location, got, turn).await?.checked(location)
    }

    /// What a file looks like now, and its content, where that costs nothing: on this machine.
    async fn look(&self, location: &Path) -> Result<(Look, Option<GetResult>)> {
        if !self.inner.0.is_local() {
            return Ok((Look { meta: self.inner.head(location).await?, here: None }, None));
        }
        let got = self.inner.get(location).await?;
        Ok((Look::of(&got), Some(got)))
    }

    /// The file as it was rewritten when it looked like that.
    fn known(&self, location: &Path, look: &Look) -> Option<Arc<Kept>> {
        locked(&self.kept).get(location).filter(|kept| kept.original.is_still(look)).map(Arc::clone)
    }

    /// Rewrites a file. A call whose time is over leaves that to the next one, which waits for it: what would be stopped
    /// would begin anew with each call, and never be done. Of a table that is closed, it is stopped.
    async fn rewritten(&self, location: &Path, got: GetResult, turn: OwnedMutexGuard<()>) -> Result<Arc<Kept>> {
        let original = Look::of(&got);
        let bytes = got.bytes().await?;
        let wanted = Wanted::by(&self.holder);
        let (store, place) = (RewritingStore { holder: Arc::default(), ..self.clone() }, location.clone());
        let work = move || {
            let _turn = turn;
            // An empty file has no text in any encoding or compression; what it may not be is for others to say.
            let rewritten = match bytes.is_empty() {
                true => Ok(Default::default()),
                false => store.rewrite.rewritten(&bytes, store.opened.get().map(AsRef::as_ref), &wanted),
            };
            drop(bytes);
            let text = rewritten.map(|rewritten| {
                locked(&store.repairs).insert(place.clone(), rewritten.repairs);
                rewritten.text
            });
            store.keep(&place, original, text)
        };
        let kept = tokio::task::spawn_blocking(work).await;
        kept.map_err(|_| Damaged::error(location, "it cannot be rewritten"))
    }

    /// Keeps what became of a file, and lets go of the others where there is no room for it beside them.
    fn keep(&self, location: &Path, original: Look, text: std::result::Result<Vec<u8>, Flaw>) -> Arc<Kept> {
        let (text, why_not) = match text {
            Ok(text) => (text, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let mut kept = locked(&self.kept);
        kept.remove(location);
        let mut reserved = Reservation::of(&self.budget);
        if !reserved.grow(text.len()) {
            kept.clear();
            reserved.grow(text.len());
        }
        let file = Arc::new(Kept { original, text: text.into(), why_not, _reserved: reserved });
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
