//! A query as SQL of one value, whose column has a name: what Folio leaves to the database must be said here.

use super::super::statement::literal;
use std::ops::Range;

/// Words behind which no value of a SELECT stands any more.
const CLAUSES: [&str; 12] = [
    "from",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "offset",
    "union",
    "intersect",
    "except",
    "window",
    "qualify",
];
/// Words that make it more than an expression.
const MORE: [&str; 3] = ["distinct", "all", "into"];
/// Words that end an expression, and are no name of it.
const ENDS: [&str; 4] = ["end", "null", "true", "false"];

/// A part of SQL outside of brackets and comments.
enum Part {
    Word(String),
    /// A text or a name in quotes, a placeholder, or what stands in brackets.
    Whole,
    Sign(char),
}

/// The query where its column has a name, the expression that it is made of, or the query within one that names it.
pub(super) fn one_value(sql: &str) -> String {
    let parts = parts(sql);
    let is = |part: &Part, words: &[&str]| matches!(part, Part::Word(word) if words.contains(&word.as_str()));
    let named_by_another = || format!("SELECT value FROM (\n{sql}\n) AS made(value)");
    let Some(select) = parts.iter().position(|(part, _)| is(part, &["select"])) else { return named_by_another() };
    let behind = parts.get(select + 1..).unwrap_or_default();
    let end = behind.iter().position(|(part, _)| is(part, &CLAUSES));
    let listed = behind.get(..end.unwrap_or(behind.len())).unwrap_or_default();
    if listed.iter().any(|(part, _)| is(part, &["as"])) {
        return sql.to_owned();
    }
    let is_star = matches!(listed.first(), Some((Part::Sign('*'), _)));
    let has_more = is_star || listed.iter().any(|(part, _)| is(part, &MORE) || matches!(part, Part::Sign(',')));
    let is_named = match listed {
        [.., (before, _), (Part::Word(word), _)] => !matches!(before, Part::Sign(_)) && !ENDS.contains(&word.as_str()),
        _ => false,
    };
    match parts.get(select) {
        Some((_, place)) if select == 0 && end.is_none() && !listed.is_empty() && !has_more && !is_named => {
            let before = sql.get(..place.start).unwrap_or_default();
            format!("{before}{}", sql.get(place.end..).unwrap_or_default().trim_start())
        }
        _ => named_by_another(),
    }
}

/// The parts of SQL, with their places.
fn parts(sql: &str) -> Vec<(Part, Range<usize>)> {
    let mut parts = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(rest) = sql.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, part) = part(rest);
        match part {
            Some(Part::Sign('(' | '[')) => depth += 1,
            Some(Part::Sign(')' | ']')) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    parts.push((Part::Whole, at..at + length));
                }
            }
            Some(part) if depth == 0 => parts.push((part, at..at + length)),
            _ => {}
        }
        at += length;
    }
    parts
}

/// The part that a text begins with, and its length; a blank and a comment are none.
fn part(rest: &str) -> (usize, Option<Part>) {
    let length = literal(rest);
    if length > 0 {
        return (length, (!rest.starts_with(['-', '/'])).then_some(Part::Whole));
    }
    if let Some(length) = rest.strip_prefix("<<").and_then(|inside| inside.find(">>")) {
        return (length + 4, Some(Part::Whole));
    }
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    if word > 0 {
        return (word, Some(Part::Word(rest.get(..word).unwrap_or_default().to_lowercase())));
    }
    let sign = rest.chars().next().unwrap_or(' ');
    (sign.len_utf8(), (!sign.is_whitespace()).then_some(Part::Sign(sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names_or_are_expressions() {
        let named = |sql: &str| format!("SELECT value FROM (\n{sql}\n) AS made(value)");
        for same in ["SELECT upper(<< a >>) AS s", "-- x\nSELECT 1 as n FROM t", "WITH c AS (SELECT 1) SELECT 2 AS n"] {
            assert_eq!(one_value(same), same);
        }
        for (sql, expression) in [
            ("SELECT upper(<< a >>)", "upper(<< a >>)"),
            ("-- from\nSELECT\n  << a >> * CAST(<< b >> AS int)", "-- from\n<< a >> * CAST(<< b >> AS int)"),
            ("SELECT << a >>::int", "<< a >>::int"),
            ("select case when << a >> > 1 then 'x' end", "case when << a >> > 1 then 'x' end"),
            ("SELECT << a >> IS NOT NULL", "<< a >> IS NOT NULL"),
            ("SELECT (SELECT max(x) AS m FROM t)", "(SELECT max(x) AS m FROM t)"),
        ] {
            assert_eq!(one_value(sql), expression);
        }
        for sql in [
            "SELECT upper(<< a >>) s",
            "SELECT max(x) FROM t",
            "SELECT DISTINCT 1",
            "SELECT 1, 2",
            "SELECT 1 UNION SELECT 2",
            "WITH c AS (SELECT 1 AS x) SELECT x FROM c",
            "VALUES (1)",
            "(SELECT 1 AS n)",
        ] {
            assert_eq!(one_value(sql), named(sql));
        }
    }
}
