//! `tables` of a database in `qtool.yaml`: those of its tables that are tables of the project without a line of their own.

use super::database_source::{DatabaseSource, name_parts, written_name};
use crate::name::snake_case;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which tables of a database are tables of the project, beside those that have a line under `tables`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inclusion {
    /// Patterns of the tables: `public.*` of a server, `orders` or `*` of a file; `*` stands for any letters.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-expected" = "a list of patterns such as `[public.*]`, or `['*']` of a file"))]
    pub include: Vec<String>,
    /// Patterns of those among them that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// What the tables are called here. Default: as_is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<TableNames>,
}

/// What tables of a database are called that have no line of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableNames {
    /// As they are called there, without the schema.
    AsIs,
    /// The same in snake_case: `OrderLines` is `order_lines`.
    SnakeCase,
}

impl Inclusion {
    /// Whether it takes a table of that name, with its schema before it where the database has several.
    pub fn takes(&self, name: &[String]) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches_pattern(pattern, name));
        any(&self.include) && !any(&self.exclude)
    }

    /// The name here of a table that is called so there.
    pub fn name_here(&self, name: &[String]) -> String {
        let last = name.last().map(String::as_str).unwrap_or_default();
        match self.names {
            Some(TableNames::SnakeCase) => snake_case(last),
            Some(TableNames::AsIs) | None => last.to_owned(),
        }
    }
}

impl DatabaseSource {
    /// A table of a database that is there because the database is included.
    pub fn included(source: &str, name: &[String]) -> DatabaseSource {
        DatabaseSource {
            source: source.to_owned(),
            table: Some(written_name(name)),
            description: None,
            columns: Default::default(),
            large: None,
            primary_key: Vec::new(),
            writable: None,
            rename: Default::default(),
            is_included: true,
        }
    }
}

/// Whether a pattern has all parts of a name. Databases do not tell letters from capitals.
pub fn matches_pattern(pattern: &str, name: &[String]) -> bool {
    let parts = name_parts(pattern);
    let fits = |(pattern, name): (&String, &String)| {
        let (pattern, name): (Vec<char>, Vec<char>) = (lower(pattern), lower(name));
        matches_letters(&pattern, &name)
    };
    parts.len() == name.len() && parts.iter().zip(name).all(fits)
}

fn lower(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Whether a text is one of a pattern, in which `*` stands for any letters.
pub(super) fn matches_text(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    matches_letters(&pattern, &text)
}

/// Whether letters are those of a pattern, in which `*` stands for any number of any.
fn matches_letters(pattern: &[char], letters: &[char]) -> bool {
    // Where the last star stands, and how many letters it stands for so far.
    let (mut at, mut here, mut star) = (0, 0, None);
    while let Some(letter) = letters.get(here) {
        match (pattern.get(at), star) {
            (Some('*'), _) => {
                star = Some((at, here));
                at += 1;
            }
            (Some(wanted), _) if wanted == letter => (at, here) = (at + 1, here + 1),
            (_, Some((place, begin))) => {
                star = Some((place, begin + 1));
                (at, here) = (place + 1, begin + 1);
            }
            (_, None) => return false,
        }
    }
    pattern.iter().skip(at).all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_stars() {
        let fits = |pattern: &str, name: &[&str]| {
            let name: Vec<String> = name.iter().map(|part| (*part).to_owned()).collect();
            matches_pattern(pattern, &name)
        };
        assert!(fits("public.*", &["public", "orders"]) && fits("PUBLIC.Or*s", &["public", "orders"]));
        assert!(fits("*", &["orders"]) && fits("*a*b*", &["xaab"]) && fits("orders", &["Orders"]));
        assert!(fits("*.orders", &["crm", "orders"]) && fits(r#""a.b".c"#, &["a.b", "c"]));
        assert!(!fits("*", &["public", "orders"]) && !fits("public.*", &["orders"]) && !fits("a*b", &["abc"]));
        assert!(!fits("public.order", &["public", "orders"]) && !fits("*a*b*", &["xb"]) && !fits("", &["a"]));
        assert!(!fits("*a*a*a*a*a*a*a*a*a*a*b", &[&"a".repeat(200)]));
    }

    #[test]
    fn tables_that_are_left_out_are_not_taken() {
        let inclusion = Inclusion {
            include: vec!["public.*".to_owned()],
            exclude: vec!["*.audit_*".to_owned()],
            names: Some(TableNames::SnakeCase),
        };
        let name = |table: &str| ["public".to_owned(), table.to_owned()];
        assert!(inclusion.takes(&name("orders")) && !inclusion.takes(&name("audit_log")));
        assert_eq!(inclusion.name_here(&name("OrderLines")), "order_lines");
    }
}
