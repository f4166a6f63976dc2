//! The words that are no names of columns unless they stand in quotes: those of SQL that sqlparser 0.62 reads as
//! something else somewhere in a query, and those that PostgreSQL reserves.

#[rustfmt::skip]
const WORDS: [&str; 103] = [
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "between", "both", "case",
    "cast", "check", "cluster", "collate", "column", "constraint", "create", "cross", "current_catalog",
    "current_date", "current_role", "current_schema", "current_time", "current_timestamp", "current_user",
    "default", "deferrable", "desc", "distinct", "do", "else", "end", "except", "exclude", "exists", "explain",
    "false", "fetch", "for", "foreign", "from", "full", "grant", "group", "having", "in", "initially", "inner",
    "intersect", "interval", "into", "is", "join", "lateral", "leading", "left", "like", "limit", "localtime",
    "localtimestamp", "minus", "natural", "not", "null", "offset", "on", "only", "or", "order", "outer", "placing",
    "primary", "qualify", "references", "returning", "right", "select", "session_user", "similar", "some", "sort",
    "struct", "symmetric", "table", "then", "to", "top", "trailing", "trim", "true", "union", "unique", "user",
    "using", "values", "variadic", "view", "when", "where", "window", "with",
];

/// Whether a name in lower case has to stand in quotes.
pub(super) fn is_reserved_word(name: &str) -> bool {
    WORDS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted_by(|one, next| one < next));
        assert!(is_reserved_word("order") && is_reserved_word("user") && !is_reserved_word("date"));
    }
}
