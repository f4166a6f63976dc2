//! The files of a table: looked up when it is opened, and again whenever it is read.

use super::cache::{Budget, LocalFiles};
use super::endings::Ending;
use super::nature;
use super::place::{Place, Shape};
use super::read_only::ReadOnly;
use super::rewrite::{Rewrite, RewritingStore};
use super::selection::{Selection, Wanted, below};
use super::store::TableStore;
use super::whole::Wholeness;
use super::{TableError, failure};
use crate::project::{Compression, FileFormat, FilesSource};
use bytes::Bytes;
use datafusion::common::{DataFusionError, TableReference};
use datafusion::datasource::listing::ListingTableUrl;
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt};
use std::sync::Arc;
use url::Url;

/// The files of a table.
#[derive(Debug)]
pub(super) struct Found {
    /// The store that gives out these files only.
    pub(super) store: Arc<dyn ObjectStore>,
    view: TableStore,
    /// The address that the store is registered under: one for every table, for the stores list different files.
    pub(super) base: Url,
    /// The file, or the folder that everything lies below.
    pub(super) start: Path,
    /// Whether the table is one file.
    pub(super) single: bool,
    /// What the files are.
    pub(super) ending: Ending,
    /// The files that are not empty, by path.
    pub(super) files: Vec<ObjectMeta>,
    empty: Vec<ObjectMeta>,
    /// The path for messages.
    pub(super) shown: String,
    /// Where they are, if that is on this machine.
    pub(super) local: Option<LocalFiles>,
    /// What rewrites them, if that is wanted.
    pub(super) rewriting: Option<RewritingStore>,
}

impl Found {
    /// Has the store give out the files as they are rewritten.
    ///
    /// Errors: one that cannot be.
    pub(super) async fn rewrite_by(&mut self, rewrite: Rewrite, budget: &Arc<Budget>) -> Result<(), TableError> {
        self.view.check_folder(&self.start).map_err(|error| failure::store(&self.shown, &error))?;
        let rewriting = RewritingStore::new(self.view.clone(), rewrite, budget);
        let is_sheet = self.ending.format == FileFormat::Excel;
        if is_sheet && self.files.len() > 1 {
            rewriting.join_types(&self.files).await.map_err(|error| failure::store(&self.shown, &error))?;
        }
        self.view = self.view.over(Arc::new(ReadOnly(rewriting.clone())));
        self.store = Arc::new(ReadOnly(self.view.clone()));
        // Files of another encoding or compression have another length.
        for file in self.files.iter_mut().chain(&mut self.empty) {
            *file = self.store.head(&file.location).await.map_err(|error| failure::store(&self.shown, &error))?;
        }
        let files = std::mem::take(&mut self.files).into_iter();
        let (files, mut empty): (Vec<ObjectMeta>, Vec<ObjectMeta>) = files.partition(|file| file.size > 0);
        self.files = files;
        self.empty.append(&mut empty);
        // A sheet is rewritten as Arrow.
        let format = if is_sheet { FileFormat::Arrow } else { self.ending.format };
        self.ending = Ending { format, compression: Compression::None };
        self.rewriting = Some(rewriting);
        Ok(())
    }

    /// Has the store give out no file that is not whole.
    ///
    /// Errors: one that is empty and cannot be, a pipe in the place of a file.
    pub(super) fn hold_to(&mut self, whole: &Arc<Wholeness>) -> Result<(), TableError> {
        let checked = self.empty.iter().try_for_each(|file| whole.check_length(file));
        let checked = checked.and_then(|()| self.view.check_folder(&self.start));
        checked.map_err(|error| failure::store(&self.shown, &error))?;
        self.store = Arc::new(ReadOnly(self.view.holding_to(Arc::clone(whole))));
        Ok(())
    }

    /// How a file begins; `None` where that cannot be read.
    pub(super) async fn head(&self, file: &ObjectMeta) -> Option<Bytes> {
        let read = ReadOnly(self.view.clone());
        read.get_range(&file.location, 0..file.size.min(nature::HEAD)).await.ok()
    }

    /// All bytes of the files.
    pub(super) fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// The path of a file below the table's folder.
    pub(super) fn below<'a>(&self, file: &'a ObjectMeta) -> &'a str {
        below(&self.start, &file.location).unwrap_or_default()
    }

    /// What a listing table is made over.
    pub(super) fn url(&self) -> Result<ListingTableUrl, DataFusionError> {
        self.url_of(&self.start, !self.single)
    }

    /// The address of a file or folder.
    pub(super) fn url_of(&self, place: &Path, is_folder: bool) -> Result<ListingTableUrl, DataFusionError> {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            for part in place.parts() {
                segments.push(part.as_ref());
            }
            if is_folder {
                // A closing slash makes it a folder.
                segments.push("");
            }
        }
        // The caches of listings and statistics tell tables apart by this name, not by their stores.
        let table = TableReference::bare(self.base.host_str().unwrap_or_default());
        Ok(ListingTableUrl::try_new(url, None)?.with_table_ref(table))
    }
}

/// Looks up the files at a place and tells what they are. `base` is the address that the table's store will have.
pub(super) async fn find(place: Place, source: &FilesSource, base: Url) -> Result<Found, TableError> {
    let store = TableStore::new(Arc::clone(&place.store), place.confined.clone());
    match single(&ReadOnly(store.clone()), &place).await? {
        Some(file) => single_file((place, base), store, file, source),
        None => many((place, base), store, source).await,
    }
}

/// The address of a table's store. No two tables of a session have the same name.
pub(super) fn address(table: &str) -> Result<Url, TableError> {
    // A name may hold letters that are not ASCII.
    let host: String = url::form_urlencoded::byte_serialize(table.as_bytes()).collect();
    Url::parse(&format!("qtool://{host}/")).map_err(|_| failure::unreadable(table, "it has no address"))
}

/// The file where the place is one; `None` where it is a folder.
async fn single(store: &ReadOnly<TableStore>, place: &Place) -> Result<Option<ObjectMeta>, TableError> {
    if place.shape == Shape::Folder {
        return Ok(None);
    }
    match store.head(&place.start).await {
        Ok(file) => Ok(Some(file)),
        Err(Error::NotFound { .. }) if place.shape == Shape::Unknown => Ok(None),
        Err(error) => Err(failure::store(&place.shown, &error)),
    }
}

fn single_file(
    (place, base): (Place, Url),
    store: TableStore,
    file: ObjectMeta,
    source: &FilesSource,
) -> Result<Found, TableError> {
    let ending = Wanted::new(source, true).choose(&[place.start.filename().unwrap_or_default()])?;
    let (files, empty) = vec![file].into_iter().partition(|file| file.size > 0);
    let local = place.confined.as_ref().and_then(|confined| confined.place(&place.start));
    let local = local.map(|(path, roots)| LocalFiles::one(path, roots));
    Ok(Found {
        local: local.or_else(|| place.embedded.map(LocalFiles::embedded)),
        store: Arc::new(ReadOnly(store.clone())),
        view: store,
        base,
        start: place.start,
        single: true,
        ending,
        files,
        empty,
        shown: place.shown,
        rewriting: None,
    })
}

async fn many((place, base): (Place, Url), store: TableStore, source: &FilesSource) -> Result<Found, TableError> {
    let Place { start, pattern, shown, confined, .. } = place;
    let wanted = Wanted::new(source, pattern.is_some());
    let mut selection = Selection { start: start.clone(), pattern, wanted, chosen: None };
    let listed: Result<Vec<ObjectMeta>, Error> =
        ReadOnly(store.listing(selection.clone())).list(Some(&start)).try_collect().await;
    let mut files = listed.map_err(|error| failure::store(&shown, &error))?;
    let names: Vec<&str> = files.iter().filter_map(|file| below(&start, &file.location)).collect();
    if names.is_empty() {
        return Err(TableError::NotFound { path: shown });
    }
    let ending = wanted.choose(&names)?;
    selection.chosen = Some(ending);
    files.retain(|file| selection.takes(&file.location));
    files.sort_by(|a, b| a.location.cmp(&b.location));
    let (files, empty) = files.into_iter().partition(|file: &ObjectMeta| file.size > 0);
    let local = confined.as_ref().and_then(|confined| confined.place(&start));
    let local = local.map(|(path, roots)| LocalFiles::folder(path, selection.clone(), roots));
    let view = store.listing(selection);
    let (store, rewriting): (Arc<dyn ObjectStore>, _) = (Arc::new(ReadOnly(view.clone())), None);
    Ok(Found { store, view, base, start, single: false, ending, files, empty, shown, local, rewriting })
}
