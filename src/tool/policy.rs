//! What callers see of the tables that a tool reads, and the parameters that this asks for.

use super::{Contract, Parameter, PlaceholderUse};
use serde::{Deserialize, Serialize};

/// What callers see of a table: nothing of the tool reaches the table but through it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePolicy {
    /// The table.
    pub table: String,
    /// A SELECT from the table, whose rows and columns are those that callers see, with `$1`, `$2`, ….
    pub statement: String,
    /// What these stand for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placeholders: Vec<PlaceholderUse>,
}

/// A column of a table that a tool shows, of those that not every caller sees, or whose values are somebody's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownColumn {
    /// `table.column`.
    pub column: String,
    /// The columns of the result that show its values, as they are or computed with; none for a tool that may show it in any.
    #[serde(default, rename = "in", skip_serializing_if = "Vec::is_empty")]
    pub shown_in: Vec<String>,
    /// Whether something stands in the place of its values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    /// The scopes by which a caller sees the values themselves; none where nobody does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unless: Vec<String>,
    /// What of a person they are, where that is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pii: Option<String>,
}

/// What the names begin with, behind that, of those that say whether a caller sees the values of a masked column.
const UNMASKED: &str = "unmasked ";

/// What names of parameters begin with that policies ask for. No author can write such a name.
const OF_POLICY: &str = "policy:";

impl Parameter {
    /// The name of a parameter that the policy of a table asks for.
    pub fn name_of_policy(table: &str, parameter: &str) -> String {
        format!("{OF_POLICY}{table}:{parameter}")
    }

    /// The name of the parameter that says whether a caller sees the values of a masked column of a table.
    pub fn name_of_unmasked(table: &str, column: &str) -> String {
        Parameter::name_of_policy(table, &format!("{UNMASKED}{column}"))
    }

    /// The masked column whose values a caller sees where this is true.
    pub fn unmasked_column(&self) -> Option<&str> {
        self.policy()?.1.strip_prefix(UNMASKED)
    }

    /// The table, and the name in its policy, where a policy asks for it. No name of a table has a colon, and a column may.
    pub fn policy(&self) -> Option<(&str, &str)> {
        self.name.strip_prefix(OF_POLICY)?.split_once(':')
    }
}

impl Contract {
    /// What `$1`, `$2`, … stand for in the plans of the tool: the placeholders of its statements, then those of the policies of
    /// its tables, one after the other.
    pub fn slots(&self) -> impl Iterator<Item = &PlaceholderUse> {
        self.placeholders.iter().chain(self.policies.iter().flat_map(|policy| &policy.placeholders))
    }

    /// What one of them stands for, counted from 0.
    pub fn slot(&self, at: usize) -> Option<&PlaceholderUse> {
        self.placeholders.get(at).or_else(|| self.slots().nth(at))
    }
}
