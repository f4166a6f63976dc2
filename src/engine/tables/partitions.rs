//! Columns that the folders of a table are named by: `day=2024-03-31/`.

use super::TableError;
use super::columns;
use super::files::Found;
use super::whole::exact;
use super::whole::forms::{self, Form};
use crate::catalog::Table;
use crate::project::FilesSource;
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::{Result as EngineResult, ScalarValue};
use datafusion::datasource::listing::ListingTable;
use datafusion::datasource::{TableProvider, TableType};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown};
use datafusion::physical_plan::ExecutionPlan;
use indexmap::IndexMap;
use std::sync::Arc;

/// The partition columns of a table, behind the columns of its files.
#[derive(Debug)]
pub(super) struct Partitions {
    columns: Vec<(String, DataType)>,
    /// Whether `partitioned_by` names them; else the folders do.
    declared: bool,
}

impl Partitions {
    /// The declared columns, or those that the folders of all files are named by: text, unless `types` says otherwise.
    ///
    /// Errors: a file that does not lie in such folders, a value that does not have its column's type.
    pub(super) fn of(found: &Found, source: &FilesSource, types: &IndexMap<String, Type>) -> Result<Self, TableError> {
        if source.partitioned_by.is_empty() {
            return Partitions::named_by_folders(found, types);
        }
        if found.single {
            return Err(TableError::option("partitioned_by", format!("`{}` is one file", found.shown)));
        }
        let mut columns = Vec::new();
        for (name, ty) in &source.partitioned_by {
            let option = format!("partitioned_by.{name}");
            columns.push((name.clone(), scalar(&option, &columns::parse(&option, ty)?)?));
        }
        check(found, &columns)?;
        Ok(Partitions { columns, declared: true })
    }

    fn named_by_folders(found: &Found, types: &IndexMap<String, Type>) -> Result<Self, TableError> {
        let none = Partitions { columns: Vec::new(), declared: false };
        let mut folders = found.files.iter().map(|file| keys(found.below(file)));
        let Some(first) = folders.next().filter(|_| !found.single) else {
            return Ok(none);
        };
        let names: Vec<&str> = first.iter().map(|(name, _)| *name).collect();
        if !folders.all(|keys| keys.iter().map(|(name, _)| *name).eq(names.iter().copied())) {
            return Ok(none);
        }
        let mut columns = Vec::new();
        for name in names {
            let ty = match types.get(name) {
                Some(ty) => scalar(&format!("columns.{name}"), ty)?,
                None => DataType::Utf8,
            };
            columns.push((name.to_owned(), ty));
        }
        check(found, &columns)?;
        Ok(Partitions { columns, declared: false })
    }

    /// Name and type of every column.
    pub(super) fn columns(&self) -> &[(String, DataType)] {
        &self.columns
    }

    /// The columns' names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Whether there is no column but text.
    pub(super) fn are_text(&self) -> bool {
        self.columns.iter().all(|(_, ty)| *ty == DataType::Utf8)
    }

    /// Settles who has a column that both the files and the folders have: the files, unless it is declared.
    pub(super) fn settle(&mut self, data: &Schema) -> Result<(), TableError> {
        let own = self.names().find(|name| data.field_with_name(name).is_ok()).map(str::to_owned);
        match own {
            Some(name) if self.declared => {
                let message = format!("the files have a column `{name}` of their own");
                Err(TableError::option(format!("partitioned_by.{name}"), message))
            }
            Some(_) => {
                self.columns.clear();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The part of a locked schema that lies in the files; `None` where the lock does not know the declared columns.
    pub(super) fn split(&mut self, locked: &Table) -> Option<Schema> {
        let cut = locked.columns.len().checked_sub(self.columns.len());
        let parts = cut.and_then(|cut| locked.columns.split_at_checked(cut));
        // A partition column is never null; a column of the files nearly always may be.
        let files = parts.filter(|(_, tail)| {
            let mut pairs = tail.iter().zip(&self.columns);
            pairs.all(|(column, (name, _))| column.name == *name && !column.nullable)
        });
        let files = match files {
            Some((files, _)) => Table::of_columns(files.to_vec()),
            None if self.declared => return None,
            None => {
                self.columns.clear();
                locked.clone()
            }
        };
        Some(Arc::unwrap_or_clone(files.to_arrow()))
    }
}

fn scalar(option: &str, ty: &Type) -> Result<DataType, TableError> {
    let arrow = ty.to_arrow();
    if arrow.is_nested() {
        return Err(TableError::option(option, format!("a folder's name cannot hold a value of type {ty}")));
    }
    Ok(arrow)
}

/// The columns that the folders of all files are named by, with their values in each; none where they are not all alike.
pub(super) fn columns_of_folders(found: &Found) -> IndexMap<String, Vec<String>> {
    let mut columns: IndexMap<String, Vec<String>> = IndexMap::new();
    if found.single {
        return columns;
    }
    for (at, file) in found.files.iter().enumerate() {
        let keys = keys(found.below(file));
        let names = || keys.iter().map(|(name, _)| *name);
        if at > 0 && !names().eq(columns.keys().map(String::as_str)) {
            return IndexMap::new();
        }
        for (name, value) in keys {
            columns.entry(name.to_owned()).or_default().push(value.to_owned());
        }
    }
    columns
}

/// The `name=value` folders that a file's path begins with.
fn keys(below: &str) -> Vec<(&str, &str)> {
    let folders = below.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').map_while(|folder| folder.split_once('=')).collect()
}

/// DataFusion leaves out a file whose folders it cannot make sense of, and fails at a value only when it is read.
fn check(found: &Found, columns: &[(String, DataType)]) -> Result<(), TableError> {
    for file in &found.files {
        let path = found.below(file);
        let keys = keys(path);
        for (at, (name, ty)) in columns.iter().enumerate() {
            let Some((_, value)) = keys.get(at).filter(|(key, _)| key == name) else {
                let message = format!("`{path}` does not lie in a folder `{name}=`");
                return Err(TableError::option("partitioned_by", message));
            };
            if value.contains('%') {
                continue;
            }
            if ScalarValue::try_from_string((*value).to_owned(), ty).is_err() {
                let ty = Type::from_arrow(ty).map_or_else(String::new, |ty| ty.to_string());
                let message = format!("`{value}` in `{path}` is not a value of type {ty}");
                return Err(TableError::option("partitioned_by", message));
            }
            let field = forms::declared(&Field::new(name, ty.clone(), false));
            exact::check(value, Form::Text, &field).map_err(|why| {
                let message = format!("the folder `{name}={value}` of `{path}` has a value {why}");
                TableError::option("partitioned_by", message)
            })?;
        }
    }
    Ok(())
}

/// A table with partition columns that are not text.
///
/// From `month = 3` DataFusion concludes that only the folder `month=3` has to be listed, and misses `month=03`. It
/// does so for bare comparisons only, so the filters are wrapped.
#[derive(Debug)]
pub(super) struct PartitionedTable {
    inner: ListingTable,
}

impl PartitionedTable {
    pub(super) fn new(inner: ListingTable) -> PartitionedTable {
        PartitionedTable { inner }
    }
}

#[async_trait]
impl TableProvider for PartitionedTable {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    fn table_type(&self) -> TableType {
        self.inner.table_type()
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> EngineResult<Vec<TableProviderFilterPushDown>> {
        self.inner.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let wrapped: Vec<Expr> = filters.iter().cloned().map(Expr::is_true).collect();
        self.inner.scan(state, projection, &wrapped, limit).await
    }
}
