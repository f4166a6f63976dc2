//! Names of tables that are mistyped.

use crate::name::nearest;
use crate::project::written_name;

/// A table by its schema and its name.
pub(super) type TableName = (String, String);

/// The table that a mistyped name is near to, with its schema where it takes one. Of those of the schema that is meant by a
/// name alone, it takes none, unless one was written.
pub(super) fn near_table(names: &[TableName], written: &[String], default_schema: Option<&str>) -> Option<String> {
    let table = written.last()?;
    let whole = |(schema, name): &TableName| match written.len() == 1 && default_schema == Some(schema.as_str()) {
        true => written_name(std::slice::from_ref(name)),
        false => written_table(schema, name),
    };
    // In another schema, it may have the very name: in one of a similar name before others.
    let same = || names.iter().filter(|(_, name)| name.eq_ignore_ascii_case(table));
    let schema = written.first().filter(|_| written.len() > 1).map(String::as_str).unwrap_or_default();
    let near_schema = nearest(schema, same().map(|(schema, _)| schema.as_str()));
    let same = same().find(|(schema, _)| near_schema.is_none_or(|near| near == schema));
    let wholes: Vec<String> = names.iter().map(whole).collect();
    let near = nearest(&written.join("."), wholes.iter().map(String::as_str)).map(str::to_owned);
    same.map(whole).or(near).or_else(|| {
        let near = nearest(table, names.iter().map(|(_, name)| name.as_str()))?;
        names.iter().find(|(_, name)| name == near).map(whole)
    })
}

/// A name with its schema, as it is written in `qtool.yaml`.
pub(super) fn written_table(schema: &str, name: &str) -> String {
    written_name(&[schema.to_owned(), name.to_owned()])
}
