//! Names that agents meet, of tools and of parameters, and the nearest to a misspelt one.

pub(crate) mod foreign;
mod nearest;
mod personal;
mod secret;
pub(crate) mod version;

pub use nearest::{Likeness, Near, near, nearest};
pub use personal::{EMAIL_FORM, kind_of_values};
pub use secret::{holds_secret, is_key_of_secret};

use heck::ToSnakeCase;
use std::borrow::Cow;

/// Names of parameters that qtool adds itself.
pub const RESERVED: [&str; 3] = ["limit", "table_format", "cursor"];

/// The longest tool name: some clients put a prefix in front and drop what is longer than 64.
pub const MAX_LEN: usize = 64;

/// Whether the text is `[a-z][a-z0-9_]*` of at most [`MAX_LEN`] characters.
pub fn is_legal(name: &str) -> bool {
    name.len() <= MAX_LEN
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Whether a text may be the name of a table: letters, digits and `_`, no digit first. It is a part of the names of files.
pub fn is_legal_table(name: &str) -> bool {
    name.len() <= MAX_LEN
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a parameter is called as if it stood for a column, and not for a value.
pub fn means_a_column(name: &str) -> bool {
    let name = name.strip_suffix("_name").unwrap_or(name);
    let name = name.strip_suffix("_column").or_else(|| name.strip_suffix("_field")).map_or(name, |_| "column");
    matches!(name, "column" | "col" | "field")
}

/// `getHTTPResponse` → `get_http_response`; what is no letter or digit separates words.
pub fn snake_case(name: &str) -> String {
    name.to_snake_case()
}

/// The text as a message shows it: cut behind [`MAX_LEN`] characters, for what was typed may be of any length.
pub fn shown_name(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_LEN) {
        Some((cut, _)) => Cow::Owned(format!("{}…", name.get(..cut).unwrap_or_default())),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_spelling_becomes_snake_case() {
        for (raw, name) in [
            ("Get Sales by Region", "get_sales_by_region"),
            ("getHTTPResponse", "get_http_response"),
            ("SQL2Query", "sql2_query"),
            ("v2Tool", "v2_tool"),
            ("orders/late", "orders_late"),
            ("late-flights", "late_flights"),
        ] {
            assert_eq!(snake_case(raw), name);
            assert!(is_legal(name));
        }
        assert!(!is_legal("größe") && !is_legal("") && !is_legal("1st") && !is_legal(&"a".repeat(65)));
    }

    #[test]
    fn a_table_is_no_path() {
        for name in ["orders", "_2024", "größe", "Orders"] {
            assert!(is_legal_table(name), "{name}");
        }
        for name in ["", "2024", "../orders", "a/b", "a b", "a\nb", "a.b", "..", "a\\b"] {
            assert!(!is_legal_table(name), "{name}");
        }
    }

    #[test]
    fn a_message_shows_the_beginning_of_a_long_name() {
        assert_eq!(shown_name("late_flights"), "late_flights");
        assert_eq!(shown_name(&"ö".repeat(MAX_LEN)), "ö".repeat(MAX_LEN));
        assert_eq!(shown_name(&"ö".repeat(5_000)), format!("{}…", "ö".repeat(MAX_LEN)));
    }
}
