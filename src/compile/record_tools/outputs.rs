//! The columns that tools over records return.

use crate::project::RecordToolKind;
use crate::tool::OutputColumn;
use crate::ty::{ExactNumbers, Type};

/// What a tool of a kind returns; `None` where that is known at the call alone.
pub(super) fn output_of(kind: RecordToolKind) -> Option<Vec<OutputColumn>> {
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
    }
}

fn column(name: &str, ty: Type, description: Option<&str>) -> OutputColumn {
    let description = description.map(str::to_owned);
    OutputColumn { name: name.to_owned(), ty, nullable: false, description, numbers: ExactNumbers::default() }
}

fn nullable(name: &str, ty: Type, description: &str) -> OutputColumn {
    OutputColumn { nullable: true, ..column(name, ty, Some(description)) }
}
