//! Columns: which came and went, and which values each may have.

use super::Found;
use super::types::{Relation, Side, relation};
use super::upstreams::sorted;
use crate::review::change::Kind;
use crate::review::sql::{Shape, ToolSql};
use crate::tool::{OutputColumn, Tool};
use crate::ty::{ExactNumbers, JsonNumber, Type};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is known of the columns of a tool before and after.
pub(super) struct Columns {
    /// The old names of those that have new ones.
    pub(super) renamed: BTreeMap<String, String>,
    /// Whether some came or went.
    pub(super) differ: bool,
}

/// Compares the columns of a tool.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) -> Columns {
    let renamed = renamed(before, after);
    let old_name = |new: &str| renamed.iter().find(|(_, name)| *name == new).map(|(old, _)| old.as_str());
    let mut differ = false;
    for column in before.contract.columns() {
        if !renamed.contains_key(&column.name) && get(after, &column.name).is_none() {
            differ = true;
            found.push(Kind::ColumnRemoved, Some(&column.name), (Some(shown_column(column)), None));
        }
    }
    for column in after.contract.columns() {
        let old = get(before, old_name(&column.name).unwrap_or(&column.name));
        match old {
            Some(old) => compare_one(old, column, found),
            None => {
                differ = true;
                found.push(Kind::ColumnAdded, Some(&column.name), (None, Some(shown_column(column))));
            }
        }
    }
    reordered(before, after, &renamed, found);
    Columns { renamed, differ }
}

fn get<'a>(tool: &'a Tool, name: &str) -> Option<&'a OutputColumn> {
    tool.contract.columns().iter().find(|column| column.name == name)
}

fn shown_column(column: &OutputColumn) -> String {
    format!("{}{}", column.ty, if column.nullable { "" } else { " not null" })
}

/// A column that went and one that came are the same where they have one type and are computed from the same.
fn renamed(before: &Tool, after: &Tool) -> BTreeMap<String, String> {
    let is_gone = |one: &OutputColumn| get(after, &one.name).is_none();
    let is_new = |one: &OutputColumn| get(before, &one.name).is_none();
    if !before.contract.columns().iter().any(is_gone) || !after.contract.columns().iter().any(is_new) {
        return BTreeMap::new();
    }
    let computed = |tool: &Tool| {
        let sql = ToolSql::of(tool, &BTreeMap::new());
        Shape::of(&sql.statement, tool.contract.columns()).computed
    };
    let (old, new) = (computed(before), computed(after));
    let mut renamed = BTreeMap::new();
    for (column, from) in after.contract.columns().iter().zip(&new).filter(|(column, _)| is_new(column)) {
        let same =
            before.contract.columns().iter().zip(&old).find(|(one, was)| {
                is_gone(one) && *was == from && one.ty == column.ty && !renamed.contains_key(&one.name)
            });
        if let Some((one, _)) = same {
            renamed.insert(one.name.clone(), column.name.clone());
        }
    }
    renamed
}

fn reordered(before: &Tool, after: &Tool, renamed: &BTreeMap<String, String>, found: &mut Found<'_>) {
    let new_name = |one: &OutputColumn| renamed.get(&one.name).unwrap_or(&one.name).clone();
    let mut old: Vec<String> = before.contract.columns().iter().map(new_name).collect();
    let mut new: Vec<String> = after.contract.columns().iter().map(|one| one.name.clone()).collect();
    old.retain(|name| get(after, name).is_some());
    new.retain(|name| old.contains(name));
    if old != new {
        found.push_texts(Kind::ColumnsReordered, None, Some(&old.join(", ")), Some(&new.join(", ")));
    }
}

fn compare_one(before: &OutputColumn, after: &OutputColumn, found: &mut Found<'_>) {
    // All that a column is: who adds to it is told here that it is compared nowhere.
    let OutputColumn { name, ty, nullable, description, numbers, schema } = after;
    let subject = Some(name.as_str());
    if before.name != *name {
        found.push(Kind::ColumnRenamed, subject, (Some(before.name.clone()), Some(name.clone())));
    }
    if before.ty != *ty {
        let kind = match relation(&in_json(&before.ty, before.numbers), &in_json(ty, *numbers), Side::Output) {
            Relation::Same => Kind::SpellingChanged,
            Relation::Narrower => Kind::ColumnTypeNarrowed,
            Relation::Wider => Kind::ColumnTypeWidened,
            Relation::Other => Kind::ColumnTypeChanged,
        };
        found.push_values(kind, subject, &before.ty, ty);
    } else {
        let pairs = [(before.numbers.bigint, numbers.bigint), (before.numbers.decimal, numbers.decimal)];
        for (was, is) in pairs.iter().filter(|(was, is)| was != is) {
            found.push_values(Kind::ColumnNumbersChanged, subject, was, is);
        }
    }
    if before.schema != *schema {
        let told = |schema: &Option<Value>| schema.as_ref().map_or_else(|| "none".to_owned(), sorted);
        found.push_texts(Kind::OutputSchemaChanged, subject, Some(&told(&before.schema)), Some(&told(schema)));
    }
    if before.nullable != *nullable {
        let kind = if *nullable { Kind::ColumnBecameNullable } else { Kind::ColumnBecameNotNull };
        found.push(kind, subject, (Some(shown_column(before)), Some(shown_column(after))));
    }
    if before.description != *description {
        let kind = Kind::ColumnDescriptionChanged;
        found.push_texts(kind, subject, before.description.as_deref(), description.as_deref());
    }
}

/// The type whose values look in JSON as those of the column do.
fn in_json(ty: &Type, numbers: ExactNumbers) -> Type {
    match ty {
        Type::Bigint | Type::Ubigint if numbers.bigint == JsonNumber::String => Type::Text,
        Type::Decimal(..) if numbers.decimal == JsonNumber::Number => Type::Double,
        Type::List(item) => Type::List(Box::new(in_json(item, numbers))),
        Type::Struct(fields) => {
            Type::Struct(fields.iter().map(|(name, ty)| (name.clone(), in_json(ty, numbers))).collect())
        }
        Type::Map(key, value) => Type::Map(key.clone(), Box::new(in_json(value, numbers))),
        other => other.clone(),
    }
}
