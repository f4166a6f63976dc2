//! Parameters that say to databases who a call is for: a source that has `session` has them at every tool that reads it.

use crate::project::{Project, SourceConfig, TableSource};
use crate::tool::{Constraints, Parameter};
use crate::ty::Type;
use std::collections::BTreeSet;

/// The parameters for the sources of these tables, and for `own`, the one that a tool is a statement of.
pub(super) fn parameters(project: &Project, tables: &[String], own: Option<&str>) -> Vec<Parameter> {
    let of_table = |table: &String| match project.file.tables.get(table)? {
        TableSource::Database(table) => Some(table.source.as_str()),
        TableSource::Files(_) => None,
    };
    let sources: BTreeSet<&str> = tables.iter().filter_map(of_table).chain(own).collect();
    let configs = sources.into_iter().filter_map(|name| Some((name, project.file.sources.get(name)?)));
    configs.flat_map(|(name, config)| of_source(name, config)).collect()
}

/// Those for a source.
fn of_source<'a>(name: &'a str, config: &'a SourceConfig) -> impl Iterator<Item = Parameter> + 'a {
    config.session().map(move |(setting, from)| Parameter {
        name: Parameter::name_of_setting(name, setting),
        ty: Type::Text,
        // Numbers of callers are told as their texts.
        also: vec![Type::Bigint],
        description: None,
        required: true,
        default: None,
        default_expression: None,
        allowed_query: None,
        // A setting that nobody has set is an empty text: nobody is taken for that.
        constraints: Constraints { min_length: Some(1), ..Constraints::default() },
        from: Some(from.clone()),
        fields: Vec::new(),
        choices: Vec::new(),
        examples: Vec::new(),
    })
}
