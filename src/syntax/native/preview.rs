//! What shows the rows that a statement is going to change: a SELECT with the same condition.

use crate::catalog::DatabaseKind;
use crate::project::WriteOperation;
use crate::syntax::ast::number;
use sqlparser::ast::{
    ConflictTarget, Delete, Expr, FromTable, Ident, Insert, ObjectName, OnConflictAction, OnInsert, SetExpr, Statement,
    TableFactor, TableObject, TableWithJoins, Update, UpdateTableFromKind, Value,
};

/// What shows the rows that a statement changes, before it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// What is done with them.
    pub operation: WriteOperation,
    /// The table, by the parts of its name there.
    pub table: Vec<String>,
    /// What stands before its columns, as it is written.
    pub called: String,
    /// What stands behind the list of a SELECT of them, with `$1`, `$2`, …; `None` where no row can be there.
    pub rows: Option<String>,
    /// The rows that are inserted, where they are written out.
    pub inserted: Option<Inserted>,
}

/// Rows that are inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// The columns, by their names there.
    pub columns: Vec<String>,
    /// The values of each row, as they are written.
    rows: Vec<Vec<String>>,
    /// Whether they are those of a list.
    is_list: bool,
}

impl Inserted {
    /// That a key is that of one of the rows. `key` are its columns as they are written, `places` where they are among those of the
    /// rows; `None` where a row has no such value.
    pub fn is_one_of(&self, key: &[String], places: &[usize], kind: DatabaseKind) -> Option<String> {
        let values = |row: &Vec<String>| places.iter().map(|at| row.get(*at).cloned()).collect::<Option<Vec<String>>>();
        if self.is_list {
            return Some(is_one_of(key, &values(self.rows.first()?)?, kind));
        }
        let one = |row: &Vec<String>| {
            let pairs: Vec<String> =
                key.iter().zip(values(row)?).map(|(column, value)| format!("{column} = ({value})")).collect();
            Some(format!("({})", pairs.join(" AND ")))
        };
        Some(self.rows.iter().map(one).collect::<Option<Vec<String>>>()?.join(" OR "))
    }
}

/// That of a statement; `None` where nothing can be said. `is_in_row` says which placeholders stand in rows of a list.
pub(super) fn of_statement(
    statement: Statement,
    kind: DatabaseKind,
    is_in_row: &dyn Fn(usize) -> bool,
) -> Option<Preview> {
    match statement {
        Statement::Update(update) => of_update(update),
        Statement::Delete(delete) => of_delete(delete),
        Statement::Insert(insert) => of_insert(insert, kind, is_in_row),
        _ => None,
    }
}

fn parts(name: &ObjectName) -> Option<Vec<String>> {
    name.0.iter().map(|part| part.as_ident().map(|ident| ident.value.clone())).collect()
}

/// The name of a table, and what its columns are called by.
fn of_table(factor: &TableFactor) -> Option<(Vec<String>, String)> {
    let TableFactor::Table { name, alias, .. } = factor else { return None };
    let called = alias.as_ref().map(|alias| alias.name.to_string());
    Some((parts(name)?, called.unwrap_or_else(|| name.to_string())))
}

/// Behind the list: the tables, the condition, and what else there is.
fn behind(from: &[TableWithJoins], selection: &Option<Expr>, rest: String) -> String {
    let tables: Vec<String> = from.iter().map(ToString::to_string).collect();
    let condition = selection.as_ref().map(|condition| format!(" WHERE {condition}")).unwrap_or_default();
    format!("FROM {}{condition}{rest}", tables.join(", "))
}

/// What MySQL lets stand behind a condition.
fn ordered(order_by: &[impl ToString], limit: &Option<Expr>) -> String {
    let keys: Vec<String> = order_by.iter().map(ToString::to_string).collect();
    let order = if keys.is_empty() { String::new() } else { format!(" ORDER BY {}", keys.join(", ")) };
    order + &limit.as_ref().map(|limit| format!(" LIMIT {limit}")).unwrap_or_default()
}

fn of_update(update: Update) -> Option<Preview> {
    let (table, called) = of_table(&update.table.relation)?;
    let mut from = vec![update.table];
    match update.from {
        Some(UpdateTableFromKind::AfterSet(others) | UpdateTableFromKind::BeforeSet(others)) => from.extend(others),
        None => {}
    }
    let rows = behind(&from, &update.selection, ordered(&update.order_by, &update.limit));
    Some(Preview { operation: WriteOperation::Update, table, called, rows: Some(rows), inserted: None })
}

fn of_delete(delete: Delete) -> Option<Preview> {
    let (FromTable::WithFromKeyword(mut from) | FromTable::WithoutKeyword(mut from)) = delete.from;
    let (table, called) = of_table(&from.first()?.relation)?;
    from.extend(delete.using.into_iter().flatten());
    let rows = behind(&from, &delete.selection, ordered(&delete.order_by, &delete.limit));
    Some(Preview { operation: WriteOperation::Delete, table, called, rows: Some(rows), inserted: None })
}

fn of_insert(insert: Insert, kind: DatabaseKind, is_in_row: &dyn Fn(usize) -> bool) -> Option<Preview> {
    let TableObject::TableName(name) = &insert.table else { return None };
    let (table, called) = (parts(name)?, name.to_string());
    let inserted = inserted(&insert, is_in_row);
    let plain = Preview { operation: WriteOperation::Insert, table, called, rows: None, inserted };
    let conflict = match &insert.on {
        None => return Some(plain),
        Some(OnInsert::OnConflict(conflict)) => match conflict.action {
            OnConflictAction::DoNothing => return Some(plain),
            OnConflictAction::DoUpdate(_) => conflict,
        },
        // In the way of a row is one with the same key, or with another that nobody names.
        Some(_) => return Some(plain),
    };
    // Without the columns of the key, and where rows are those of a query, nobody knows what stands in the way.
    let Some(ConflictTarget::Columns(key)) = &conflict.conflict_target else { return Some(plain) };
    let places: Option<Vec<usize>> = key.iter().map(|column| place_of(&insert.columns, column)).collect();
    let key: Vec<String> = key.iter().map(ToString::to_string).collect();
    let inserted = plain.inserted.as_ref();
    let condition = inserted.zip(places).and_then(|(inserted, places)| inserted.is_one_of(&key, &places, kind));
    Some(Preview { rows: condition.map(|condition| format!("FROM {name} WHERE {condition}")), ..plain })
}

/// The rows that are written out; `None` where they are those of a query.
fn inserted(insert: &Insert, is_in_row: &dyn Fn(usize) -> bool) -> Option<Inserted> {
    let SetExpr::Values(values) = insert.source.as_ref()?.body.as_ref() else { return None };
    let column = |name: &ObjectName| name.0.last().and_then(|part| part.as_ident()).map(|ident| ident.value.clone());
    let columns = insert.columns.iter().map(column).collect::<Option<Vec<String>>>()?;
    let is_list = values.rows.iter().flat_map(|row| &row.content).filter_map(slot).any(is_in_row);
    let rows = values.rows.iter().map(|row| row.content.iter().map(ToString::to_string).collect()).collect();
    Some(Inserted { columns, rows, is_list })
}

/// Whether a key is that of one of the rows of a list: the brackets around the values are written for each of them.
fn is_one_of(key: &[String], values: &[String], kind: DatabaseKind) -> String {
    let (key, values) = (key.join(", "), values.join(", "));
    match kind {
        // There, rows are those of a query.
        DatabaseKind::Sqlite => format!("({key}) IN (VALUES ({values}))"),
        DatabaseKind::Postgres | DatabaseKind::Mysql => format!("({key}) IN (({values}))"),
    }
}

/// The number of the placeholder that an expression is, counted from 0.
fn slot(expression: &Expr) -> Option<usize> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(id) => number(id),
            _ => None,
        },
        _ => None,
    }
}

fn place_of(columns: &[ObjectName], wanted: &Ident) -> Option<usize> {
    columns.iter().position(|column| {
        let ident = column.0.last().and_then(|part| part.as_ident());
        ident.is_some_and(|ident| ident.value.eq_ignore_ascii_case(&wanted.value))
    })
}
