//! The columns that tools over records return.

use crate::compile::known_columns::{column, nullable};
use crate::project::{DerivationKind, RecordContract, RecordToolKind};
use crate::tool::OutputColumn;
use crate::ty::Type;

/// What a tool of a kind returns; `None` where that is known at the call alone.
pub(super) fn output_of(kind: RecordToolKind, contract: &RecordContract) -> Option<Vec<OutputColumn>> {
    let key = contract.key().map_or(Type::Text, |key| key.logical_type.ty());
    let texts = || Type::List(Box::new(Type::Text));
    match kind {
        RecordToolKind::List | RecordToolKind::Get | RecordToolKind::Query => None,
        RecordToolKind::GetContract => Some(vec![
            column("field", Type::Text, None),
            column(
                "type",
                Type::Text,
                Some("The type: string, integer, number, boolean, date, timestamp, array, object."),
            ),
            column("primary_key", Type::Boolean, Some("Whether it tells records apart.")),
            column("required", Type::Boolean, Some("Whether every record has a value of it.")),
            nullable("description", Type::Text, "What it means."),
            nullable("allowed", texts(), "The only texts that it may be."),
            column("derived", Type::Boolean, Some("Whether it is made of other fields.")),
            nullable("inputs", texts(), "The fields that it is made of."),
            nullable("editable_by", texts(), "Who may write it, by name or pattern; anybody where nothing is said."),
        ]),
        RecordToolKind::Upsert => Some(vec![
            column("inserted", Type::Bigint, Some("Records that are new.")),
            column("updated", Type::Bigint, Some("Records that were there.")),
            column("total", Type::Bigint, Some("Records that there are then.")),
        ]),
        RecordToolKind::Delete => Some(vec![
            column("deleted", Type::Bigint, Some("Records that were removed.")),
            column("remaining", Type::Bigint, Some("Records that are left.")),
        ]),
        RecordToolKind::History => Some(vec![
            column("field", Type::Text, Some("The field; `*` of the whole record.")),
            column("source", Type::Text, Some("Where the value comes from.")),
            column("actor", Type::Text, Some("Who has written it.")),
            column("at", Type::Text, Some("When: UTC.")),
            nullable("more", Type::Json, "What else is known of it."),
        ]),
        RecordToolKind::Materialize => Some(materialized(key)),
        RecordToolKind::Status => Some(status(key)),
    }
}

/// What comes of making derived fields.
fn materialized(key: Type) -> Vec<OutputColumn> {
    let failure = [("record_id", key), ("field", Type::Text), ("error", Type::Text), ("error_type", Type::Text)];
    let failure = failure.into_iter().map(|(name, ty)| (name.to_owned(), ty)).collect();
    vec![
        column("materialized", Type::Bigint, Some("Values that were made.")),
        column(
            "skipped",
            Type::Bigint,
            Some(
                "Values that stay: they are made of the same, somebody has sent them, or there is nothing to make them of.",
            ),
        ),
        column("failed", Type::Bigint, Some("Values that cannot be made.")),
        column(
            "failures",
            Type::List(Box::new(Type::Struct(failure))),
            Some("Why they cannot be made, of the first 100. Without `record_id` none of the field can."),
        ),
        column("total_cost", Type::Double, Some("What it cost, in US dollars.")),
    ]
}

/// What is known of a derived field.
fn status(key: Type) -> Vec<OutputColumn> {
    let cell =
        [("record_id", key), ("state", Type::Text), ("source", Type::Text), ("actor", Type::Text), ("at", Type::Text)];
    let cell = cell.into_iter().map(|(name, ty)| (name.to_owned(), ty)).collect();
    let counted = DerivationKind::ALL.into_iter().map(|kind| {
        let what = format!("Records whose value comes from `{}`.", kind.as_str());
        column(&format!("{}_count", kind.as_str()), Type::Bigint, Some(&what))
    });
    let first = [
        column("target", Type::Text, Some("The field.")),
        column("derivation_kind", Type::Text, Some("How it is made.")),
        column("total_records", Type::Bigint, Some("Records that there are.")),
        column("with_provenance", Type::Bigint, Some("Records whose value somebody has made or sent.")),
    ];
    let last = [
        column("human_override_count", Type::Bigint, Some("Records whose value somebody has sent.")),
        column("fresh_count", Type::Bigint, Some("Records whose value is made of what there is now.")),
        column("stale_count", Type::Bigint, Some("Records whose value is made of something else, or not at all.")),
        nullable("last_at", Type::Text, "When one was written last: UTC."),
        nullable("last_actor", Type::Text, "Who wrote it."),
        nullable(
            "cells",
            Type::List(Box::new(Type::Struct(cell))),
            "Of the records that are asked for: `fresh`, `stale`, `missing`, `overridden`, or `unknown` where the field is not made here.",
        ),
    ];
    first.into_iter().chain(counted).chain(last).collect()
}
