//! The contract of a records table: `contract.yaml`, a subset of the Open Data Contract Standard 3.0.
//!
//! The format is that of Folio 0.1.8, which reads the same files.

mod pattern;

use crate::ty::Type;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `contract.yaml`. Keys of the standard that say nothing here are let be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordContract {
    /// The version of the standard, e.g. `v3.0.0`.
    #[serde(rename = "apiVersion")]
    #[schemars(length(min = 1))]
    pub api_version: String,
    /// That it is a contract.
    pub kind: ContractKind,
    /// What the records are called by programs.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What they are called by people.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The version of the contract.
    #[schemars(length(min = 1))]
    pub version: String,
    /// What a record is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The one schema that there is.
    #[schemars(length(min = 1, max = 1))]
    pub schema: Vec<RecordSchema>,
}

/// That a file is a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ContractKind {
    /// It is.
    DataContract,
}

/// The fields of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSchema {
    /// What it is called.
    #[schemars(length(min = 1))]
    pub name: String,
    /// How records are kept. Default: jsonl.
    #[serde(rename = "physicalType", default)]
    pub physical_type: PhysicalType,
    /// The fields.
    #[schemars(length(min = 1))]
    pub properties: Vec<Property>,
}

/// How records are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PhysicalType {
    /// As lines of JSON.
    #[default]
    Jsonl,
}

/// A field of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// Its name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The type of its values.
    #[serde(rename = "logicalType")]
    pub logical_type: LogicalType,
    /// Whether it tells records apart. One field does. Default: false.
    #[serde(rename = "primaryKey", default, skip_serializing_if = "std::ops::Not::not")]
    pub primary_key: bool,
    /// Whether every record has a value of it. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The only texts that it may be.
    #[serde(rename = "enum", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), extend("x-written-null" = true))]
    pub allowed: Option<Vec<String>>,
    /// Whether its values are made of those of other fields. Default: false.
    #[serde(rename = "x-derived", default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// The fields that they are made of.
    #[serde(rename = "x-inputs", default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// Who may write it: names and patterns with `*`, `?` and `[…]`. Default: everybody who may write records; nobody, of a field
    /// that is derived.
    #[serde(rename = "x-editable-by", default, skip_serializing_if = "Option::is_none")]
    pub editable_by: Option<Vec<String>>,
}

/// A type of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogicalType {
    /// A text.
    String,
    /// A whole number of 64 bits.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A day: `2024-03-31`.
    Date,
    /// A moment: `2024-03-31T17:45:00`.
    Timestamp,
    /// A list.
    Array,
    /// An object.
    Object,
}

impl LogicalType {
    /// The type in SQL.
    pub fn ty(self) -> Type {
        match self {
            LogicalType::String => Type::Text,
            LogicalType::Integer => Type::Bigint,
            LogicalType::Number => Type::Double,
            LogicalType::Boolean => Type::Boolean,
            LogicalType::Date => Type::Date,
            LogicalType::Timestamp => Type::Timestamp(6),
            LogicalType::Array | LogicalType::Object => Type::Json,
        }
    }
}

impl RecordContract {
    /// The fields.
    pub fn properties(&self) -> &[Property] {
        self.schema.first().map(|schema| schema.properties.as_slice()).unwrap_or_default()
    }

    /// The field of that name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties().iter().find(|property| property.name == name)
    }

    /// The field that tells records apart; `None` where the contract names none.
    pub fn key(&self) -> Option<&Property> {
        self.properties().iter().find(|property| property.primary_key)
    }
}

/// Whether somebody is one of those that names and patterns mean.
pub fn is_actor_of(patterns: &[String], actor: &str) -> bool {
    patterns.iter().any(|pattern| pattern::matches(pattern, actor))
}

impl Property {
    /// Whether somebody may write it. What is derived is written by those alone who are named.
    pub fn is_editable_by(&self, actor: &str) -> bool {
        match &self.editable_by {
            Some(patterns) => is_actor_of(patterns, actor),
            None => !self.derived,
        }
    }
}
