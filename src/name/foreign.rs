//! The names of parameters of others here.

use super::{RESERVED, is_legal, snake_case};

/// Whether a parameter may have another name here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// What runs takes it by its name.
    Kept,
    /// Its name stands in texts alone.
    Free,
}

/// The name of a parameter here; `None` where it can have none.
pub(crate) fn parameter_name(theirs: &str, naming: Naming) -> Option<String> {
    let name = snake_case(theirs);
    let name = if RESERVED.contains(&name.as_str()) { format!("{name}_value") } else { name };
    (is_legal(&name) && (naming == Naming::Free || name == theirs)).then_some(name)
}

/// Why a parameter has no name here.
pub(crate) fn no_name(theirs: &str) -> String {
    let own = RESERVED.map(|name| format!("`{name}`")).join(", ");
    format!("no parameter can be called `{theirs}` here: names are in snake_case, and {own} are those of qtool")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_or_fitted() {
        for (theirs, kept, free) in [
            ("city", Some("city"), Some("city")),
            ("maxRows", None, Some("max_rows")),
            ("limit", None, Some("limit_value")),
            ("_x", None, Some("x")),
            ("1st", None, None),
            ("-A", None, Some("a")),
            ("", None, None),
        ] {
            assert_eq!(parameter_name(theirs, Naming::Kept).as_deref(), kept, "{theirs}");
            assert_eq!(parameter_name(theirs, Naming::Free).as_deref(), free, "{theirs}");
        }
    }
}
