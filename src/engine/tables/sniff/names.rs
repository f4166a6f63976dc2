//! Names that need no quotes in SQL.

use heck::ToSnakeCase;
use std::collections::HashSet;

/// Words that SQL takes for its own where a column may stand.
const WORDS: [&str; 40] = [
    "all", "and", "any", "array", "as", "asc", "between", "both", "case", "cast", "cross", "desc", "distinct", "else",
    "end", "except", "exists", "false", "for", "from", "group", "having", "in", "inner", "interval", "into", "join",
    "limit", "not", "null", "on", "or", "order", "select", "then", "true", "union", "user", "when", "where",
];

/// What columns are called that tell rows apart.
const KEYS: [&str; 10] = ["id", "key", "code", "uuid", "guid", "no", "nr", "number", "sku", "iban"];

/// For each column of the data a name that is written without quotes; its own where that is one.
pub fn usable_names(columns: &[String]) -> Vec<String> {
    let mut taken: HashSet<String> = columns.iter().filter(|name| is_usable(name)).cloned().collect();
    let mut usable = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        if is_usable(column) {
            usable.push(column.clone());
            continue;
        }
        let wanted = wanted_name(column, at);
        let mut name = wanted.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        usable.push(name);
    }
    usable
}

/// Whether a column is called as keys are.
pub(super) fn names_key(column: &str) -> bool {
    let name = column.to_lowercase().replace([' ', '-'], "_");
    KEYS.iter().any(|word| name == *word || name.ends_with(&format!("_{word}")))
}

fn is_usable(name: &str) -> bool {
    let is_first = |sign: char| sign == '_' || (sign.is_alphabetic() && !sign.is_uppercase());
    name.starts_with(is_first) && name.chars().all(|sign| is_first(sign) || sign.is_numeric()) && !WORDS.contains(&name)
}

fn wanted_name(column: &str, at: usize) -> String {
    let plain = column.split('#').next().filter(|_| column.starts_with('#')).unwrap_or(column);
    let name = plain.replace('%', " percent ").to_snake_case();
    match name.chars().next() {
        None => format!("column_{}", at + 1),
        Some(first) if first.is_numeric() => format!("_{name}"),
        _ if WORDS.contains(&name.as_str()) => format!("{name}_"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_need_quotes_get_others() {
        let columns = ["id", "Order Date", "order", "Id", "#1", "id#2", "2015 (in %)", "größe", "Größe", "user_id"];
        let usable = usable_names(&columns.map(str::to_owned));
        let expected = [
            "id",
            "order_date",
            "order_",
            "id_2",
            "column_5",
            "id_2_2",
            "_2015_in_percent",
            "größe",
            "größe_2",
            "user_id",
        ];
        assert_eq!(usable, expected);
    }
}
