//! Tables: from what `qtool.yaml` says of one to a DataFusion table.
//!
//! A path is resolved inside the project's roots (`roots`) or in an object store (`remote`); its files are found and
//! their format told (`files`, `selection`); the schema comes from the lock or from the data (`schema`,
//! `columns`). Every table reads through a store of its own (`store`) that gives out the table's files and nothing
//! else, so that what held when the table was opened also holds whenever it is read.

pub(crate) mod cache;
mod columns;
mod decimals;
mod endings;
mod error;
mod failure;
mod files;
mod glob;
mod json_kinds;
mod json_list;
mod json_records;
mod json_texts;
mod kinds;
mod leading_zeros;
mod magic;
mod nature;
mod offsets;
mod options;
mod partitions;
mod place;
mod quoting;
mod read_only;
pub(super) mod records;
mod remote;
mod rewrite;
mod roots;
mod sample;
mod schema;
mod selection;
mod separator_line;
pub mod sniff;
mod store;
#[cfg(test)]
mod tests;
mod unchanged;
mod whole;

pub use error::{TableError, diagnostic, source_diagnostic};
pub use roots::{Embedded, Roots, without_dots};

use super::open_table::{Notes, OpenTable, PlainTable};
use crate::catalog::{Column, Table};
use crate::plan::zones::Zone;
use crate::project::{CacheMode, FileFormat, FilesSource};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use cache::{Budget, CachedTable, Caching, LocalFiles, OpenOrdered};
use datafusion::common::DataFusionError;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig};
use datafusion::datasource::{TableProvider, ViewTable, provider_as_source};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, UNNAMED_TABLE};
use datafusion::prelude::{SessionContext, ident};
use files::Found;
use indexmap::IndexMap;
use object_store::ObjectMeta;
use options::Reading;
use partitions::{PartitionedTable, Partitions};
use place::Place;
use rewrite::{Rewrite, RewritingStore};
use std::sync::Arc;
use whole::Wholeness;

/// Text of at most this many bytes is read for its schema even where that is locked.
const CHEAP: u64 = 1 << 20;

/// How much of a text is read to open it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of a small one without a lock.
    Cheap,
    /// All, however long it is: so damage shows that a call would come upon.
    Whole,
}

/// Opens the tables of a project that lie in files.
pub(super) struct Opener<'a> {
    /// The session that their stores are registered on.
    pub(super) ctx: &'a SessionContext,
    /// Where local files may lie.
    pub(super) roots: &'a Roots,
    /// How much of a text is read.
    pub(super) extent: Extent,
    /// The memory for rows that are kept between calls.
    pub(super) budget: Arc<Budget>,
}

impl Opener<'_> {
    /// Opens a table in files. `locked` is the schema to use instead of reading it from the data.
    pub(super) async fn open(
        &self,
        name: &str,
        source: &FilesSource,
        locked: Option<&Table>,
    ) -> Result<Arc<dyn OpenTable>, TableError> {
        Ok(self.open_files(name, source, locked).await?.kept(name, source, &self.budget))
    }

    /// Opens files: resolves the path, tells the format, takes or infers the schema.
    ///
    /// Without `locked` the data is read, a text format whole where it is small, so that a value that does not have its
    /// column's type is found here and not in a call. The table's store is registered on `ctx`, and `ctx` is set to read
    /// the folders below a folder: run queries in the same context. What a folder holds is listed anew for every query only
    /// where the context's cache of listings is off. Texts without an offset are local times of the context's zone where
    /// they are to be instants.
    async fn open_files(
        &self,
        name: &str,
        source: &FilesSource,
        locked: Option<&Table>,
    ) -> Result<OpenFiles, TableError> {
        let (ctx, extent) = (self.ctx, self.extent);
        let declared = columns::declared_in_data(source)?;
        let place = place(self.roots, source)?;
        let place = match source.cache.unwrap_or_default() {
            CacheMode::Auto | CacheMode::Memory => place.remembering(&self.budget),
            CacheMode::Metadata | CacheMode::None => place,
        };
        let mut found = files::find(place, source, files::address(name)?).await?;
        options::refuse_foreign(found.ending.format, source)?;
        if let Some(rewrite) = Rewrite::of(found.ending, source, locked)? {
            found.rewrite_by(rewrite, &self.budget).await?;
        }
        let spans_lines = schema::settle_json(&mut found, source).await?;
        let reading = Reading::of(found.ending, source)?.spanning_lines(spans_lines);
        let reading = if found.rewriting.is_some() { reading.rewritten() } else { reading };
        let whole = Arc::new(Wholeness::of(&reading));
        found.hold_to(&whole)?;
        let partitions = Partitions::of(&found, source, &declared)?;
        let zone = Zone::of(ctx.state_ref().read().config_options());
        let zone = zone.map_err(|error| failure::engine(&found.shown, &error, &[]))?;
        let mut opening = Opening { ctx, source, declared, found, reading, partitions, whole, zone, extent };
        opening.register();
        match locked.and_then(|locked| opening.locked_schema(locked)) {
            Some(schema) => {
                schema::check_header(&opening.found, &opening.reading, &schema).await?;
                let table = opening.table(&schema)?;
                opening.try_out(&table, &schema, extent == Extent::Whole).await?;
                Ok(table)
            }
            None => opening.read_data(locked).await,
        }
    }
}

/// Where a path leads, as it is written.
fn place(roots: &Roots, source: &FilesSource) -> Result<Place, TableError> {
    let written = &source.path;
    if written.trim().is_empty() || written.contains(char::is_control) {
        return Err(TableError::option("path", "the path is empty or holds a control character"));
    }
    if source.is_local() { roots.place(written) } else { remote::place(written) }
}

/// A table of files that is open.
struct OpenFiles {
    /// What reads them.
    provider: Arc<dyn TableProvider>,
    local: Option<LocalFiles>,
    ordered: Option<OpenOrdered>,
    /// What rewrites them, if that is wanted.
    rewriting: Option<RewritingStore>,
}

impl OpenFiles {
    /// The table with what is kept of its files between calls, where they are on this machine.
    fn kept(self, name: &str, source: &FilesSource, budget: &Arc<Budget>) -> Arc<dyn OpenTable> {
        let OpenFiles { provider, local, ordered, rewriting } = self;
        let primary_key = source.primary_key.clone();
        let notes = rewriting.map(notes);
        let Some(local) = local else { return Arc::new(PlainTable { provider, primary_key, notes }) };
        let (mode, budget) = (source.cache.unwrap_or_default(), Arc::clone(budget));
        Arc::new(CachedTable::new(name, provider, Some(local), Caching { mode, budget, primary_key, ordered, notes }))
    }
}

/// A table on its way.
struct Opening<'a> {
    ctx: &'a SessionContext,
    source: &'a FilesSource,
    declared: IndexMap<String, Type>,
    found: Found,
    reading: Reading,
    partitions: Partitions,
    whole: Arc<Wholeness>,
    /// The zone of local times.
    zone: Zone,
    extent: Extent,
}

impl Opening<'_> {
    fn register(&self) {
        self.ctx.runtime_env().register_object_store(&self.found.base, Arc::clone(&self.found.store));
        // A listing table looks for the setting in the session that runs it. Which folders belong to a table is for
        // its store to say.
        self.ctx.state_ref().write().config_mut().options_mut().execution.listing_table_ignore_subdirectory = false;
    }

    /// The locked schema of the files, without the partition columns; `None` where the files have to be looked at.
    fn locked_schema(&mut self, locked: &Table) -> Option<Schema> {
        // Where the data tells its schema at little cost it is asked, so that a change shows: a footer, a small text.
        let cheap = !self.reading.is_text() || self.found.size() <= CHEAP;
        if cheap || columns::need_data(self.reading.format, &self.declared, &self.zone) {
            return None;
        }
        let files = self.partitions.split(locked)?;
        let fields = files.fields().iter().map(|field| self.in_data(field.as_ref()));
        Some(Schema::new(fields.collect::<Vec<_>>()))
    }

    /// A column of the table as the files have it.
    fn in_data(&self, field: &Field) -> Field {
        field.clone().with_name(self.source.name_in_data(field.name()))
    }

    /// The locked columns that no folder is named by.
    fn files_part(&self, locked: &Table) -> Schema {
        let is_of_files = |column: &&Column| !self.partitions.names().any(|name| name == column.name);
        let field = |column: &Column| self.in_data(&Field::new(&column.name, column.arrow.clone(), column.nullable));
        Schema::new(locked.columns.iter().filter(is_of_files).map(field).collect::<Vec<_>>())
    }

    async fn read_data(mut self, locked: Option<&Table>) -> Result<OpenFiles, TableError> {
        let known = match locked {
            Some(locked) => Some(self.files_part(locked)),
            None => schema::declared(&self.reading, &self.declared),
        };
        let data = schema::infer(self.ctx, &self.found, &self.reading, known.as_ref()).await?;
        self.partitions.settle(&data)?;
        let table = self.table(&data)?;
        self.check_columns().await?;
        let is_cheap = locked.is_none() && self.found.size() <= sample::WHOLE;
        self.try_out(&table, &data, is_cheap || self.extent == Extent::Whole).await?;
        Ok(table)
    }

    /// Checks that several files have the columns of the table, where they are read by their places.
    async fn check_columns(&self) -> Result<(), TableError> {
        if self.reading.format != FileFormat::Arrow || self.found.single {
            return Ok(());
        }
        for file in &self.found.files {
            let checked = self.whole.check_content(&self.found.store, file).await;
            checked.map_err(|error| failure::store(&self.found.shown, &error))?;
        }
        Ok(())
    }

    /// Reads a text to its end, if that is wanted.
    async fn try_out(&self, table: &OpenFiles, data: &Schema, wanted: bool) -> Result<(), TableError> {
        if !wanted || !self.reading.is_text() {
            return Ok(());
        }
        let Err(error) = schema::try_out(self.ctx, &table.provider).await else { return Ok(()) };
        let names: Vec<String> = data.fields().iter().map(|field| field.name().clone()).collect();
        Err(match self.culprit(data, &names).await {
            Some(culprit) => culprit,
            None => self.unreadable(&self.found.shown, &table.provider, &error, &names).await,
        })
    }

    /// What is wrong with the first of several files that cannot be read by itself: the engine does not name it.
    async fn culprit(&self, data: &Schema, names: &[String]) -> Option<TableError> {
        if self.found.single {
            return None;
        }
        for file in &self.found.files {
            let table = self.of_file(data, file).ok()?;
            if let Err(error) = schema::try_out(self.ctx, &table).await {
                return Some(self.unreadable(file.location.as_ref(), &table, &error, names).await);
            }
        }
        None
    }

    /// One of several files, without the columns of the folders.
    fn of_file(&self, data: &Schema, file: &ObjectMeta) -> Result<Arc<dyn TableProvider>, DataFusionError> {
        let plan = columns::plan(&self.reading, data, &self.declared, &self.zone);
        let plan = plan.map_err(|error| DataFusionError::Plan(error.message()))?;
        let options = ListingOptions::new(self.reading.file_format(self.ctx)).with_file_extension("");
        let config = ListingTableConfig::new(self.found.url_of(&file.location, false)?).with_listing_options(options);
        let table: Arc<dyn TableProvider> =
            Arc::new(ListingTable::try_new(config.with_schema(Arc::clone(&plan.files)))?);
        Ok(match plan.view(&columns::Folders::default()) {
            Some(columns) => self.ctx.read_table(table)?.select(columns)?.into_view(),
            None => table,
        })
    }

    /// Why a table, or a file of it, cannot be read; a cast does not say which column it reads.
    async fn unreadable(
        &self,
        shown: &str,
        table: &Arc<dyn TableProvider>,
        error: &DataFusionError,
        names: &[String],
    ) -> TableError {
        let is_cast = failure::cast(shown, error, "").is_some();
        let culprit = if is_cast { schema::try_out_each(self.ctx, table).await } else { None };
        culprit
            .and_then(|(column, error)| failure::cast(shown, &error, &column))
            .unwrap_or_else(|| failure::engine(shown, error, names))
    }

    /// The table over files of that schema.
    fn table(&self, data: &Schema) -> Result<OpenFiles, TableError> {
        let partitions: Vec<&str> = self.partitions.names().collect();
        columns::check_names(self.source, data, &partitions)?;
        let plan = columns::plan(&self.reading, data, &self.declared, &self.zone)?;
        let folders = columns::of_folders(self.partitions.columns(), &self.zone)?;
        self.whole.expect(plan.values.clone());
        if let Some(rewriting) = &self.found.rewriting {
            rewriting.expect(Arc::clone(&plan.files));
        }
        let finish = || -> Result<OpenFiles, DataFusionError> {
            let config = self.listing(Arc::clone(&plan.files), folders.read.clone())?;
            let table = self.opened(ListingTable::try_new(config.clone())?);
            let (local, rewriting) = (self.found.local.clone(), self.found.rewriting.clone());
            let view = plan.view(&folders);
            let is_plain = self.found.single && partitions.is_empty();
            let ordered = is_plain.then(|| ordered(self.ctx, config, view.clone()));
            let provider = match view {
                Some(columns) => self.ctx.read_table(table)?.select(columns)?.into_view(),
                None => table,
            };
            Ok(OpenFiles { provider, local, ordered, rewriting })
        };
        finish().map_err(|error| failure::engine(&self.found.shown, &error, &[]))
    }

    fn listing(
        &self,
        files: SchemaRef,
        folders: Vec<(String, DataType)>,
    ) -> Result<ListingTableConfig, DataFusionError> {
        let options = ListingOptions::new(self.reading.file_format(self.ctx))
            // The store lists only files of the table.
            .with_file_extension("")
            .with_table_partition_cols(folders);
        Ok(ListingTableConfig::new(self.found.url()?).with_listing_options(options).with_schema(files))
    }

    fn opened(&self, table: ListingTable) -> Arc<dyn TableProvider> {
        let table = table.with_cache(self.ctx.runtime_env().cache_manager.get_file_statistic_cache());
        if self.partitions.are_text() { Arc::new(table) } else { Arc::new(PartitionedTable::new(table)) }
    }
}

/// What is said of a table whose files are rewritten: what could not be read of them.
fn notes(rewriting: RewritingStore) -> Notes {
    Arc::new(move || rewriting.repairs().words())
}

/// Opens the same file as one that is sorted by some columns. `view` is what is made of the columns of the file, if they
/// are not simply those of the table.
fn ordered(ctx: &SessionContext, config: ListingTableConfig, view: Option<Vec<Expr>>) -> OpenOrdered {
    let cache = ctx.runtime_env().cache_manager.get_file_statistic_cache();
    Box::new(move |columns| {
        let in_file = |column: &String| match &view {
            Some(view) => columns::name_in_file(view, column),
            None => Some(column.clone()),
        };
        let order = columns.iter().map(|column| Some(ident(in_file(column)?).sort(true, false)));
        let order = order.collect::<Option<Vec<_>>>()?;
        let options = config.options.clone()?.with_file_sort_order(vec![order]);
        let table = ListingTable::try_new(config.clone().with_listing_options(options)).ok()?;
        let table: Arc<dyn TableProvider> = Arc::new(table.with_cache(cache.clone()));
        let Some(view) = view.clone() else { return Some(table) };
        let scanned = LogicalPlanBuilder::scan(UNNAMED_TABLE, provider_as_source(table), None).ok()?;
        Some(Arc::new(ViewTable::new(scanned.project(view).ok()?.build().ok()?, None)))
    })
}
