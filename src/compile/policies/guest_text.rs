//! The query that a policy is compiled as, and where its parts are written.

use crate::catalog::{Column, Table};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Help, Label, codes};
use crate::plan::functions;
use crate::project::{ColumnPolicy, PolicyConfig, Project};
use crate::source::Span;
use crate::syntax::outline_of_expression;
use crate::ty::Type;
use serde_json::{Map, json};

/// A policy as a query.
pub(super) struct GuestText {
    pub sql: String,
    /// Its settings, as JSON.
    pub settings: String,
    /// The parameters that say whether a caller sees a column itself, with the column.
    pub unmasking: Vec<(String, String)>,
    parts: Vec<Part>,
    /// Where all else is told: the policy.
    place: Span,
}

/// SQL of the author.
struct Part {
    start: usize,
    end: usize,
    /// Where it is written.
    span: Span,
    /// Whether each of its bytes stands there.
    is_verbatim: bool,
}

impl GuestText {
    /// Writes the query. SQL that does not keep within its place is in the sink.
    pub(super) fn of_policy(
        project: &Project,
        (name, config): (&str, &PolicyConfig),
        table: &Table,
        sink: &mut Diagnostics,
    ) -> GuestText {
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
        let mut text = GuestText {
            sql: "SELECT\n".to_owned(),
            settings: String::new(),
            unmasking: Vec::new(),
            parts: Vec::new(),
            place,
        };
        let is_seen = |column: &&Column| config.columns.get(&column.name) != Some(&ColumnPolicy::Deny);
        for (at, column) in table.columns.iter().filter(is_seen).enumerate() {
            text.sql.push_str(if at > 0 { ",\n" } else { "" });
            let own = quoted(&column.name);
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
                Some(ColumnPolicy::Deny) | None => text.sql.push_str(&own),
            }
        }
        text.sql.push_str(&format!("\nFROM {}", quoted(name)));
        let mut before = "\nWHERE ";
        // Whose value is missing is nobody, whatever a condition makes of it.
        for parameter in config.params.keys().filter(|parameter| config.rows.iter().any(|sql| asks_for(sql, parameter)))
        {
            text.sql.push_str(&format!("{before}<< {parameter} >> IS NOT NULL"));
            before = "\nAND ";
        }
        for (at, condition) in config.rows.iter().enumerate() {
            let written = project.document.value_span(&["policies", name, "rows", &at.to_string()]);
            text.sql.push_str(&format!("{before}(\n"));
            text.part((project, written), condition, sink);
            text.sql.push_str("\n)");
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
        let own = quoted(&column.name);
        if let Some(unmasked) = &unmasked {
            self.sql.push_str(&format!("CASE WHEN << {unmasked} >> THEN {own} ELSE "));
        }
        let cast = column.ty().filter(has_sql_type);
        self.sql.push_str(if cast.is_some() { "CAST((\n" } else { "(\n" });
        self.part((project, written), mask, sink);
        match cast {
            Some(ty) => self.sql.push_str(&format!("\n) AS {ty})")),
            None => self.sql.push_str("\n)"),
        }
        self.sql.push_str(if unmasked.is_some() { " END" } else { "" });
        self.sql.push_str(&format!(" AS {own}"));
        self.unmasking.extend(unmasked.map(|unmasked| (unmasked, column.name.clone())));
    }

    /// Adds SQL of the author, which is one expression over one row.
    fn part(&mut self, (project, written): (&Project, Span), sql: &str, sink: &mut Diagnostics) {
        let sql = sql.trim();
        let file = project.sources.get(written.file);
        let at = file.and_then(|file| file.slice(written).find(sql));
        let span = match (file, at) {
            (Some(file), Some(at)) => file.span(written.start + at, written.start + at + sql.len()),
            _ => written,
        };
        if let Some(why) = flaw(sql) {
            sink.push(codes::invalid_policy(span, &why));
            // The others are looked at.
            self.sql.push_str("NULL");
            return;
        }
        let start = self.sql.len();
        self.sql.push_str(sql);
        self.parts.push(Part { start, end: self.sql.len(), span, is_verbatim: at.is_some() });
    }

    /// What is found in the query, told of where the policy is written. What would be edited there is told in words alone,
    /// where the text is not the author's.
    pub(super) fn told(&self, found: Diagnostic) -> Diagnostic {
        let label = |label: Label| Label { span: self.span(label.span).unwrap_or(self.place), ..label };
        let help = |help: Help| {
            let edit = |edit: &Edit| Some(Edit { span: self.exactly(edit.span)?, ..edit.clone() });
            let edits = help.edits.iter().map(edit).collect::<Option<_>>().unwrap_or_default();
            Help { edits, ..help }
        };
        let secondary = found.secondary.into_iter().filter(|label| self.span(label.span).is_some());
        Diagnostic {
            primary: Some(found.primary.map_or(Label { span: self.place, text: String::new() }, label)),
            secondary: secondary.map(label).collect(),
            helps: found.helps.into_iter().map(help).collect(),
            path: None,
            ..found
        }
    }

    /// Where a part of the query is written; of what reaches beyond it, the first part that is in it. `None` of what the author
    /// has not written so.
    fn span(&self, of: Span) -> Option<Span> {
        let is_in = |part: &&Part| part.start <= of.start && of.end <= part.end && of.start < part.end;
        let Some(part) = self.parts.iter().find(is_in) else {
            let meets = |part: &&Part| of.start < part.end && part.start < of.end;
            return self.parts.iter().find(meets).map(|part| part.span);
        };
        if !part.is_verbatim {
            return Some(part.span);
        }
        let start = part.span.start + (of.start - part.start);
        Some(Span { start, end: start + (of.end - of.start), ..part.span })
    }

    /// The same of what stands there byte by byte.
    fn exactly(&self, of: Span) -> Option<Span> {
        let is_in = |part: &Part| part.is_verbatim && part.start <= of.start && of.end <= part.end;
        self.parts.iter().any(is_in).then(|| self.span(of)).flatten()
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

/// Whether a placeholder of that name is in it.
pub(super) fn asks_for(sql: &str, parameter: &str) -> bool {
    match outline_of_expression(sql) {
        Ok(outline) => outline.placeholders.iter().any(|name| name.eq_ignore_ascii_case(parameter)),
        // What is wrong with it is told.
        Err(_) => sql.contains(parameter),
    }
}

/// A name that no parameter of the author has.
fn free_name(at: usize, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = format!("unmasked_{at}");
    while is_taken(&name) {
        name.push('_');
    }
    name
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Whether the type has a name that a cast can be written with, and a mask may be of a type beside it.
fn has_sql_type(ty: &Type) -> bool {
    ty.is_numeric() || matches!(ty, Type::Text | Type::Boolean | Type::Date)
}
