//! The types of what a manifest takes and gives: they are what is declared, for nothing else says anything of them.

use super::{
    Context, Declaration, Lineage, Pages, TypedParameter, TypedQuery, allowed_query, declaration, default_expression,
    typed_rules,
};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::OutputForm;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::syntax::{ManifestText, ParsedQuery};
use crate::tool::{Annotations, OutputColumn, PlaceholderUse};
use crate::ty::Type;
use std::collections::{BTreeMap, BTreeSet};

/// The column that a text of a program is.
const TEXT: &str = "text";
/// The column that a JSON document of a program is.
const RESULT: &str = "result";
/// The types that are offered where none is declared.
const LIKELY: [&str; 3] = ["text", "bigint", "double"];

/// The types of a linked manifest. `None` where there are errors; all of them are in the sink.
pub fn infer_manifest(
    linked: &LinkedQuery<'_>,
    manifest: &ManifestText,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<TypedQuery> {
    let errors = sink.errors();
    let own = linked.own()?;
    let mut declarations = declaration::collect(linked, sink);
    default_expression::check(&mut declarations, context, sink);
    allowed_query::check(&mut declarations, context, sink);
    let parameters: Vec<TypedParameter> =
        declarations.into_iter().filter_map(|declaration| parameter(own, declaration, sink)).collect();
    let columns = columns(own, manifest, sink);
    if sink.errors() > errors {
        return None;
    }
    let rules = typed_rules(linked, &parameters, context, sink)?;
    // They are those of rules: in a program, names stand.
    let slots = if rules.is_empty() { &[] } else { linked.slots.as_slice() };
    let placeholders =
        slots.iter().map(|slot| PlaceholderUse { parameter: slot.name.clone(), list: slot.list }).collect();
    let said = own.header.annotations;
    let read_only = said.read_only.unwrap_or(false);
    Some(TypedQuery {
        parameters,
        columns,
        views: Vec::new(),
        statement: String::new(),
        placeholders,
        sent_as: BTreeMap::new(),
        as_told: BTreeSet::new(),
        rules,
        tables: Vec::new(),
        lineage: Lineage::default(),
        annotations: Annotations {
            read_only,
            destructive: said.destructive.unwrap_or(!read_only),
            idempotent: said.idempotent.unwrap_or(false),
            open_world: said.open_world.unwrap_or(true),
        },
        pages: Pages::Unwanted,
        change: None,
    })
}

fn parameter(own: &ParsedQuery, declaration: Declaration, sink: &mut Diagnostics) -> Option<TypedParameter> {
    let Some(ty) = declaration.ty.as_ref().map(|ty| ty.value.clone()) else {
        if own.document.has(&["params", &declaration.name, "type"]) {
            // That it is no type was told.
            return None;
        }
        let edits = edits_of_type(own, &declaration.name);
        sink.push(codes::parameter_without_type(declaration.first_use, &declaration.name, edits));
        return None;
    };
    Some(TypedParameter {
        declaration,
        ty,
        counts_rows: false,
        is_share: false,
        is_position: false,
        is_format: false,
        units: None,
        labels: Vec::new(),
        set_by: None,
        computed_with: None,
    })
}

/// What declares the type of a parameter, for each that it may well have.
fn edits_of_type(own: &ParsedQuery, name: &str) -> Vec<(&'static str, Span, String)> {
    let document = &own.document;
    let edit = |ty: &&'static str| {
        let edit = if document.has(&["params", name]) {
            document.inserting_edit(&["params", name], &format!("type: {ty}"))
        } else if document.has(&["params"]) {
            document.inserting_edit(&["params"], &format!("{name}: {{ type: {ty} }}"))
        } else {
            document.inserting_edit(&[], &format!("params: {{ {name}: {{ type: {ty} }} }}"))
        };
        edit.map(|(place, text)| (*ty, place, text))
    };
    LIKELY.iter().filter_map(edit).collect()
}

/// The columns of the rows of a manifest, as far as they are declared soundly.
pub fn columns_of_manifest(query: &ParsedQuery, manifest: &ManifestText) -> Vec<OutputColumn> {
    // What is wrong with them is told of the manifest itself.
    columns(query, manifest, &mut Diagnostics::default())
}

/// The columns that are declared; without any, the one that a text or a document is.
fn columns(own: &ParsedQuery, manifest: &ManifestText, sink: &mut Diagnostics) -> Vec<OutputColumn> {
    let declared = &own.header.columns;
    let schema = &manifest.output_config().output_schema;
    let whole = |name: &str, ty: Type, nullable: bool| {
        let schema = schema.clone().filter(|_| ty == Type::Json);
        vec![OutputColumn { nullable, schema, ..OutputColumn::new(name, ty) }]
    };
    // A schema says itself whether there may be null.
    let document = || whole(RESULT, Type::Json, schema.is_none());
    match manifest.output() {
        OutputForm::Text => return whole(TEXT, Type::Text, false),
        OutputForm::Document | OutputForm::Any => return document(),
        OutputForm::Json if declared.is_empty() => return document(),
        OutputForm::Json | OutputForm::Ndjson | OutputForm::Csv => {}
    }
    let column = |(name, config): (&String, &crate::project::ColumnConfig)| {
        let place = own.document.key_span(&["columns", name]);
        let Some(written) = config.ty.as_deref() else {
            sink.push(codes::program_column_without_type(place, name));
            return None;
        };
        match Type::parse(written) {
            Ok(ty) => Some(OutputColumn::new(name.clone(), ty)),
            Err(unknown) => {
                let place = own.document.value_span(&["columns", name, "type"]);
                sink.push(codes::unknown_type(place, &unknown));
                None
            }
        }
    };
    declared.iter().filter_map(column).collect()
}
