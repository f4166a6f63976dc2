//! Statements in a database's own SQL read no table past its policy: nothing here stands between them and the rows.

use crate::catalog::Native;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{Project, TableSource};
use crate::syntax::link::LinkedQuery;
use crate::syntax::{NativeStatement, free_relations};
use sqlparser::ast::{ObjectName, ObjectNamePart};

/// Checks what a statement reads. What is no table of the project, or a view, may show any other.
pub(in crate::compile) fn check_statement(
    project: &Project,
    linked: &LinkedQuery<'_>,
    native: &NativeStatement,
    sink: &mut Diagnostics,
) {
    let source = native.source.value.as_str();
    let of_source = |table: &TableSource| table.source() == Some(source);
    let policied = project.file.policies.iter().filter(|(name, policy)| {
        policy.rewrites() && policy.enforced_by.is_none() && project.file.tables.get(*name).is_some_and(of_source)
    });
    let policied: Vec<&str> = policied.map(|(name, _)| name.as_str()).collect();
    let (Some(first), Some(part)) = (policied.first(), linked.parts.last()) else { return };
    let tables = project.file.tables.iter().filter(|(_, table)| of_source(table)).map(|(name, _)| name.as_str());
    let known: Vec<(&str, &Native)> =
        tables.filter_map(|name| Some((name, project.catalog.tables.get(name)?.native.as_deref()?))).collect();
    for relation in free_relations(&part.statement) {
        let written = parts_of(&relation).unwrap_or_default();
        let meant: Vec<&(&str, &Native)> = known.iter().filter(|(_, table)| table.is_named(&written)).collect();
        let told = match meant.iter().find(|(name, _)| policied.contains(name)) {
            Some((name, _)) => (*name, String::new()),
            // What nobody knows here, and what shows other tables, may show this one.
            None if meant.is_empty() || meant.iter().any(|(_, table)| table.is_view) => (*first, relation.to_string()),
            None => continue,
        };
        let policy = project.document.key_span(&["policies", told.0]);
        sink.push(codes::statement_past_a_policy(part.query.head, (told.0, &told.1), policy));
        return;
    }
}

/// The parts of a name; `None` where one of them is none.
fn parts_of(name: &ObjectName) -> Option<Vec<String>> {
    let part = |part: &ObjectNamePart| part.as_ident().map(|ident| ident.value.clone());
    name.0.iter().map(part).collect()
}
