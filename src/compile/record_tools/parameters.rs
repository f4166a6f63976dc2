//! What an agent may send to tools over records: each field with the type of the contract, and nothing as SQL but the SELECT of
//! `query`, which is compiled.

use crate::compile::table_tools;
use crate::name::{RESERVED, is_legal, snake_case};
use crate::project::{Derivation, LogicalType, Property, RecordContract, RecordToolKind, RecordsConfig, RecordsTable};
use crate::tool::{Constraints, Parameter, RecordComparison, RecordFilter, TableSet};
use crate::ty::Type;
use serde_json::Value;

/// The fields that a tool can write: all but those that are derived and that nobody is named to write.
pub(in crate::compile) fn writable(contract: &RecordContract) -> impl Iterator<Item = &Property> {
    contract.properties().iter().filter(|property| !property.derived || property.editable_by.is_some())
}

/// What an agent may send.
pub(super) fn parameters_of(
    kind: RecordToolKind,
    known: &RecordsTable,
    config: &RecordsConfig,
    table: &TableSet,
) -> Vec<Parameter> {
    let contract = &known.contract;
    let key = contract.key().map_or(Type::Text, |key| key.logical_type.ty());
    match kind {
        RecordToolKind::GetContract => Vec::new(),
        RecordToolKind::Query => table_tools::parameters_of(table),
        RecordToolKind::List => {
            filters(contract).into_iter().map(|(parameter, _)| parameter).chain([fields(contract)]).collect()
        }
        RecordToolKind::Get => vec![required("id", key, "The key of the record."), fields(contract)],
        RecordToolKind::Upsert => vec![records(contract, config.most_changes())],
        RecordToolKind::Delete => {
            let ids = required(
                "ids",
                Type::List(Box::new(key)),
                "The keys of the records. Those that are not there are let be.",
            );
            let most = Some(config.most_changes());
            vec![Parameter {
                constraints: Constraints { min_items: Some(1), max_items: most, ..Constraints::default() },
                ..ids
            }]
        }
        RecordToolKind::History => {
            let names = contract.properties().iter().map(|property| Value::from(property.name.as_str())).collect();
            let constraints = Constraints { allowed_values: Some(names), ..Constraints::default() };
            let field = optional("field", Type::Text, "Only what was done to this field.");
            vec![required("id", key, "The key of the record."), Parameter { constraints, ..field }]
        }
        RecordToolKind::Materialize => {
            let targets = targets(made(known), "The fields that are made. Without it, all of them.");
            let ids =
                optional("record_ids", Type::List(Box::new(key)), "The keys of the records. Without it, all of them.");
            let ids = Parameter { constraints: some(), ..ids };
            let force = Parameter {
                default: Some(Value::from(false)),
                ..optional(
                    "force",
                    Type::Boolean,
                    "Also values that are made of the same as now, and those that somebody has sent.",
                )
            };
            vec![targets, ids, force]
        }
        RecordToolKind::Status => {
            let all = known.derivations.iter().flat_map(|derivation| &derivation.targets).map(String::as_str);
            let targets = targets(all, "The fields that are told of. Without it, all of them.");
            let ids =
                optional("record_ids", Type::List(Box::new(key)), "The records whose values are told of one by one.");
            let most = Constraints { max_items: Some(MOST_CELLS), ..some() };
            vec![targets, Parameter { constraints: most, ..ids }]
        }
    }
}

/// The parameters that records are looked for by, and what each asks for. Names that parameters cannot have, or that are taken, have
/// none.
pub(super) fn filters(contract: &RecordContract) -> Vec<(Parameter, RecordFilter)> {
    let mut found: Vec<(Parameter, RecordFilter)> = Vec::new();
    let mut add = |name: String, property: &Property, filter: RecordFilter, description: String| {
        let is_free = |name: &String| {
            !found.iter().any(|(other, _)| other.name == *name) && !RESERVED.contains(&name.as_str()) && name != FIELDS
        };
        // Another word is free where that is taken: `limit_value`, `limit_value_2`.
        let others = (2..).map(|number| format!("{name}_value_{number}"));
        let names = [name.clone(), format!("{name}_value")].into_iter().chain(others);
        let Some(name) = names.take(MOST_OTHERS).find(is_free) else { return };
        if is_legal(&name) {
            let parameter = optional(&name, property.logical_type.ty(), &description);
            found.push((Parameter { constraints: allowed(property), ..parameter }, filter));
        }
    };
    let scalars = || contract.properties().iter().filter(|property| property.logical_type.is_scalar());
    for property in scalars() {
        let what = property.description.as_deref().unwrap_or_default().trim();
        let description = match what {
            "" => format!("Only records with this `{}`.", property.name),
            what => format!("Only records with this `{}`: {what}", property.name),
        };
        let filter = RecordFilter { field: property.name.clone(), comparison: RecordComparison::Equal };
        add(snake_case(&property.name), property, filter, description);
    }
    let is_ordered = |property: &&Property| {
        use LogicalType::{Date, Integer, Number, Timestamp};
        matches!(property.logical_type, Integer | Number | Date | Timestamp)
    };
    for property in scalars().filter(is_ordered) {
        for (end, word, comparison) in
            [("min", "least", RecordComparison::AtLeast), ("max", "most", RecordComparison::AtMost)]
        {
            let filter = RecordFilter { field: property.name.clone(), comparison };
            let name = format!("{}_{end}", snake_case(&property.name));
            add(name, property, filter, format!("Only records with a `{}` of at {word} this.", property.name));
        }
    }
    found
}

/// Most records whose values are told of one by one.
const MOST_CELLS: u64 = 1000;

/// A list that has something in it: an empty one may be meant for none, or for all.
fn some() -> Constraints {
    Constraints { min_items: Some(1), ..Constraints::default() }
}

/// The fields that are made here.
pub(super) fn made(known: &RecordsTable) -> impl Iterator<Item = &str> {
    let here = known.derivations.iter().filter(|derivation| derivation.is_made_here());
    here.flat_map(|derivation| &derivation.targets).map(String::as_str)
}

fn targets<'a>(names: impl Iterator<Item = &'a str>, description: &str) -> Parameter {
    let constraints = Constraints { allowed_values: Some(names.map(Value::from).collect()), ..some() };
    let targets = optional("targets", Type::List(Box::new(Type::Text)), description);
    Parameter { constraints, ..targets }
}

/// How many names are tried for a parameter.
const MOST_OTHERS: usize = 100;

/// The parameter that chooses fields.
const FIELDS: &str = "fields";

fn fields(contract: &RecordContract) -> Parameter {
    let names = contract.properties().iter().map(|property| Value::from(property.name.as_str())).collect();
    let constraints = Constraints { allowed_values: Some(names), ..Constraints::default() };
    let fields =
        optional(FIELDS, Type::List(Box::new(Type::Text)), "The fields that are returned. Without it, all of them.");
    Parameter { constraints, ..fields }
}

/// The records that are written: of one that is there, the fields that are sent.
fn records(contract: &RecordContract, most: u64) -> Parameter {
    let field = |property: &Property| {
        let by = property.editable_by.as_ref().map(|by| match by.is_empty() {
            true => "Written by nobody.".to_owned(),
            false => format!("Written by {} alone.", by.join(", ")),
        });
        let words: Vec<String> = property.description.iter().map(|text| text.trim().to_owned()).chain(by).collect();
        Parameter {
            description: (!words.is_empty()).then(|| words.join(" ")),
            required: property.primary_key,
            constraints: allowed(property),
            ..optional(&property.name, property.logical_type.ty(), "")
        }
    };
    let fields: Vec<Parameter> = writable(contract).map(field).collect();
    let row = fields.iter().map(|field| (field.name.clone(), field.ty.clone())).collect();
    let always: Vec<&str> = contract
        .properties()
        .iter()
        .filter(|property| property.required && !property.derived)
        .map(|property| property.name.as_str())
        .collect();
    let needs = if always.is_empty() { String::new() } else { format!(" A new one has {}.", always.join(", ")) };
    let description =
        format!("The records. Of one that is there, the fields that are sent are written, and the others stay.{needs}");
    Parameter {
        constraints: Constraints { min_items: Some(1), max_items: Some(most), ..Constraints::default() },
        fields,
        ..required("records", Type::List(Box::new(Type::Struct(row))), &description)
    }
}

fn allowed(property: &Property) -> Constraints {
    let texts = property.allowed.as_ref().map(|texts| texts.iter().map(|text| Value::from(text.as_str())).collect());
    Constraints { allowed_values: texts, ..Constraints::default() }
}

fn required(name: &str, ty: Type, description: &str) -> Parameter {
    Parameter { required: true, ..optional(name, ty, description) }
}

fn optional(name: &str, ty: Type, description: &str) -> Parameter {
    Parameter {
        name: name.to_owned(),
        ty,
        also: Vec::new(),
        description: Some(description.to_owned()),
        required: false,
        default: None,
        default_expression: None,
        constraints: Constraints::default(),
        examples: Vec::new(),
        choices: Vec::new(),
        allowed_query: None,
        from: None,
        fields: Vec::new(),
    }
}

/// What a tool does.
pub(super) fn description_of(kind: RecordToolKind, records: &str, known: &RecordsTable) -> String {
    let contract = &known.contract;
    let what = match kind {
        RecordToolKind::GetContract => {
            "The fields of the records: type, whether they must have a value, what they may be, and who may write them. One row per field."
        }
        RecordToolKind::List => {
            "Records in the order of their key, those alone that have the values that are asked for. Further records come by `cursor`."
        }
        RecordToolKind::Get => "The record with that key; no row where there is none.",
        RecordToolKind::Query => {
            "Runs one SELECT over the records, in SQL as PostgreSQL knows it. It reads, and nothing else. With `explain` the plan comes instead of the rows."
        }
        RecordToolKind::Upsert => {
            "Writes records: those with the key of one that is there change its fields, the others are new. All of them are written, or none."
        }
        RecordToolKind::Delete => "Removes records by their keys.",
        RecordToolKind::History => {
            "Who has written a record, and when: a row for each field and time, the first first."
        }
        RecordToolKind::Materialize => {
            "Makes derived fields of records: those that are missing, and those that are made of something else than there is now. What somebody has sent stays. Each value that cannot be made is told."
        }
        RecordToolKind::Status => {
            "Derived fields, a row for each: how it is made, of how many records it is made of what there is now, and where the values come from."
        }
    };
    let others = known.derivations.iter().filter(|one| !one.is_made_here() && kind == RecordToolKind::Materialize);
    let other = |one: &Derivation| format!("{} ({})", one.targets.join(", "), one.kind.as_str());
    let others: Vec<String> = others.map(other).collect();
    let others = if others.is_empty() { String::new() } else { format!(" Not made here: {}.", others.join(", ")) };
    let told = contract.description.as_deref().unwrap_or(&contract.name);
    let told: Vec<&str> = told.split_whitespace().collect();
    format!("{what}{others}\n\nRecords `{records}`: {}", told.join(" "))
}
