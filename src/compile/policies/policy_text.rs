//! The query that a policy is compiled as, and where its parts are written.

use crate::catalog::{Column, Table};
use crate::compile::guest_text::{GuestText, asks_for, place_of, quoted_name};
use crate::diagnostic::{Diagnostics, codes};
use crate::plan::functions;
use crate::project::{ColumnPolicy, PolicyConfig, Project};
use crate::source::Span;
use crate::syntax::outline_of_expression;
use crate::ty::Type;
use serde_json::{Map, json};

/// A policy as a query.
pub(super) struct PolicyText {
    pub text: GuestText,
    /// Its settings, as JSON.
    pub settings: String,
    /// The parameters that say whether a caller sees a column itself, with the column.
    pub unmasking: Vec<(String, String)>,
}

impl PolicyText {
    /// Writes the query. SQL that does not keep within its place is in the sink.
    pub(super) fn of_policy(
        project: &Project,
        (name, config): (&str, &PolicyConfig),
        table: &Table,
        sink: &mut Diagnostics,
    ) -> PolicyText {
        let place = project.document.key_span(&["policies", name]);
        let mut params = Map::new();
        // That one is used nowhere is told elsewhere.
        for (parameter, said) in config
            .params
            .iter()
            .filter(|(name, _)| config.expressions().into_iter().any(|(_, sql)| asks_for(sql, name)))
        {
            params.insert(parameter.clone(), json!(said));
        }
        let mut text =
            PolicyText { text: GuestText::new("SELECT\n", place), settings: String::new(), unmasking: Vec::new() };
        let is_seen = |column: &&Column| config.columns.get(&column.name) != Some(&ColumnPolicy::Deny);
        for (at, column) in table.columns.iter().filter(is_seen).enumerate() {
            text.text.push_str(if at > 0 { ",\n" } else { "" });
            let own = quoted_name(&column.name);
            match config.columns.get(&column.name) {
                Some(ColumnPolicy::Mask(mask)) => {
                    let unmasked = (!mask.unless.is_empty()).then(|| {
                        let unmasked = free_name(at, |name| config.params.contains_key(name));
                        params.insert(unmasked.clone(), json!({"type": "boolean", "fixed": false}));
                        unmasked
                    });
                    let written = project.document.value_span(&["policies", name, "columns", &column.name, "mask"]);
                    text.masked((project, written), (column, &mask.mask), unmasked, sink);
                }
                Some(ColumnPolicy::Deny) | None => text.text.push_str(&own),
            }
        }
        text.text.push_str(&format!("\nFROM {}", quoted_name(name)));
        let mut before = "\nWHERE ";
        // Whose value is missing is nobody, whatever a condition makes of it.
        for parameter in config.params.keys().filter(|parameter| config.rows.iter().any(|sql| asks_for(sql, parameter)))
        {
            text.text.push_str(&format!("{before}<< {parameter} >> IS NOT NULL"));
            before = "\nAND ";
        }
        for (at, condition) in config.rows.iter().enumerate() {
            let written = project.document.value_span(&["policies", name, "rows", &at.to_string()]);
            text.text.push_str(&format!("{before}(\n"));
            text.part((project, written), condition, sink);
            text.text.push_str("\n)");
            before = "\nAND ";
        }
        text.settings = json!({"params": params, "description": name}).to_string();
        text
    }

    /// Adds a column whose value is another one, unless the parameter `unmasked` says so.
    fn masked(
        &mut self,
        (project, written): (&Project, Span),
        (column, mask): (&Column, &str),
        unmasked: Option<String>,
        sink: &mut Diagnostics,
    ) {
        let own = quoted_name(&column.name);
        if let Some(unmasked) = &unmasked {
            self.text.push_str(&format!("CASE WHEN << {unmasked} >> THEN {own} ELSE "));
        }
        let cast = column.ty().filter(has_sql_type);
        self.text.push_str(if cast.is_some() { "CAST((\n" } else { "(\n" });
        self.part((project, written), mask, sink);
        match cast {
            Some(ty) => self.text.push_str(&format!("\n) AS {ty})")),
            None => self.text.push_str("\n)"),
        }
        self.text.push_str(if unmasked.is_some() { " END" } else { "" });
        self.text.push_str(&format!(" AS {own}"));
        self.unmasking.extend(unmasked.map(|unmasked| (unmasked, column.name.clone())));
    }

    /// Adds SQL of the author, which is one expression over one row.
    fn part(&mut self, (project, written): (&Project, Span), sql: &str, sink: &mut Diagnostics) {
        let sql = sql.trim();
        match flaw(sql) {
            Some(why) => {
                sink.push(codes::invalid_policy(place_of(project, written, sql).0, &why));
                // The others are looked at.
                self.text.push_str("NULL");
            }
            None => self.text.push_part(project, written, sql),
        }
    }
}

/// Why a text is no expression over one row.
fn flaw(sql: &str) -> Option<String> {
    let words = match outline_of_expression(sql) {
        Ok(outline) => outline.words,
        Err(why) => return Some(why.to_string()),
    };
    if sql.contains("[[") {
        return Some("it holds for every caller: there are no optional clauses in it".to_owned());
    }
    if words.iter().any(|word| word == "select") {
        return Some("it speaks of one row: there is no SELECT in it".to_owned());
    }
    let known = functions::all();
    let of_rows = words.iter().find(|word| *word == "over" || known.aggregate.contains_key(word.as_str()));
    of_rows.map(|word| format!("it speaks of one row: `{word}` makes one value of many"))
}

/// A name that no parameter of the author has.
fn free_name(at: usize, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = format!("unmasked_{at}");
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// Whether the type has a name that a cast can be written with, and a mask may be of a type beside it.
fn has_sql_type(ty: &Type) -> bool {
    ty.is_numeric() || matches!(ty, Type::Text | Type::Boolean | Type::Date)
}
