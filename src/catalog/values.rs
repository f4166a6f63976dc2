//! The locked form of the values that a query gives: `snapshots/allowed_values/<query>.<parameter>.snap`.
//!
//! insta's file format. The header has the query, so that values of another one are not taken for its; the content is
//! one JSON value a line.

use serde_json::Value;

/// Writes the values that a query of a file gave.
pub fn write(source: &str, query: &str, values: &[Value]) -> String {
    // A JSON text is a YAML text.
    let mut out = format!("---\nsource: {source}\nexpression: {}\n---\n", Value::from(query));
    for value in values {
        out.push_str(&value.to_string());
        out.push('\n');
    }
    out
}

/// Reads the values, where they are those of that query.
pub fn read(text: &str, query: &str) -> Option<Vec<Value>> {
    let (head, content) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let expression = head.lines().find_map(|line| line.strip_prefix("expression: "))?;
    if serde_json::from_str::<String>(expression).ok()? != query {
        return None;
    }
    content.lines().map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_back_as_themselves_and_of_their_own_query_only() {
        let values =
            [json!("a\nb"), json!("\"'\\ – ü"), json!(""), json!(9007199254740993_i64), json!(0.1), json!(true)];
        let query = "SELECT \"x\" FROM t -- 'y'";
        let text = write("queries/q.sql", query, &values);
        assert_eq!(read(&text, query).as_deref(), Some(values.as_slice()), "{text}");
        assert_eq!(read(&text, "SELECT x FROM t"), None);
        assert_eq!(read("no snapshot", query), None);
    }
}
