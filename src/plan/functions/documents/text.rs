//! Reads a text of JSON without making anything of it: what is found is a piece of the text.
//!
//! All but [`is_json`] take a text that is JSON. Of any other they may find anything, but read no further than its end.

use super::path::Step;
use datafusion::common::{Result, exec_err};
use serde::de::IgnoredAny;

/// Whether a text is JSON.
pub(super) fn is_json(text: &str) -> bool {
    json_flaw(text).is_none()
}

/// What is wrong in a text that is no JSON, and where. Nothing of the text is in it.
pub(super) fn json_flaw(text: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).err().map(|error| error.to_string())
}

/// What is at a place of a document.
pub(super) fn looked_up<'a>(document: &'a str, steps: &[Step]) -> Result<Option<&'a str>> {
    let mut value = document.trim_matches(is_blank);
    for step in steps {
        let found = match step {
            Step::Key(key) => member(value, key)?,
            Step::Item(at) => item(value, *at),
            Step::KeyOrItem(key) if value.starts_with('[') => key.parse().ok().and_then(|at| item(value, at)),
            Step::KeyOrItem(key) => member(value, key)?,
        };
        match found {
            Some(found) => value = found,
            None => return Ok(None),
        }
    }
    Ok(Some(value))
}

/// A value as a text: a string without its quotes, `null` as NULL, all else as it is written.
pub(super) fn string_of(value: &str) -> Result<Option<String>> {
    match value {
        "null" => Ok(None),
        quoted if quoted.starts_with('"') => decoded(quoted).map(Some),
        other => Ok(Some(other.to_owned())),
    }
}

/// How many items a list has. All else has none.
pub(super) fn item_count(value: &str) -> i64 {
    Parts::of(value, '[').map_or(0, |parts| i64::try_from(parts.count()).unwrap_or(i64::MAX))
}

fn decoded(quoted: &str) -> Result<String> {
    match serde_json::from_str(quoted) {
        Ok(text) => Ok(text),
        Err(_) => exec_err!("a string of JSON is no text"),
    }
}

/// The item of a list.
fn item(list: &str, at: i64) -> Option<&str> {
    let at = if at < 0 { item_count(list).checked_add(at)? } else { at };
    Parts::of(list, '[')?.nth(usize::try_from(at).ok()?)
}

/// The value of a key. Where the key is there twice, the last counts.
fn member<'a>(object: &'a str, key: &str) -> Result<Option<&'a str>> {
    let mut found = None;
    for part in Parts::of(object, '{').into_iter().flatten() {
        let Some((name, behind)) = part.split_at_checked(end_of_string(part)) else { continue };
        let Some(value) = behind.trim_start_matches(is_blank).strip_prefix(':') else { continue };
        let is_it = match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(plain) if !plain.contains('\\') => plain == key,
            _ => decoded(name)? == key,
        };
        if is_it {
            found = Some(value.trim_matches(is_blank));
        }
    }
    Ok(found)
}

fn is_blank(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\n' | '\r')
}

/// The items of a list or the members of an object, in turn.
struct Parts<'a>(&'a str);

impl<'a> Parts<'a> {
    /// `None` where the value is of another kind.
    fn of(value: &'a str, open: char) -> Option<Parts<'a>> {
        let inside = value.strip_prefix(open)?.strip_suffix([']', '}'])?;
        Some(Parts(inside.trim_matches(is_blank)))
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let (part, behind) = self.0.split_at_checked(end_of_part(self.0))?;
        self.0 = behind.strip_prefix(',').unwrap_or_default().trim_start_matches(is_blank);
        Some(part.trim_matches(is_blank))
    }
}

/// Where the first item or member ends, at a comma or at the end.
fn end_of_part(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                at += end_of_string(text.get(at..).unwrap_or_default()).max(1);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Where the string ends that a text begins with, behind its quote.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::path::steps;
    use super::*;

    #[track_caller]
    fn found<'a>(document: &'a str, path: &str) -> Option<&'a str> {
        assert!(is_json(document), "{document}");
        looked_up(document, &steps(path).unwrap()).unwrap()
    }

    #[test]
    fn values_are_found_as_they_are_written() {
        let document = r#" {"a": {"b" : [1.10, {"c,]": "x\"y,"} , [ ] ]}, "n": null, "é\n": true, "a b": -0} "#;
        assert_eq!(found(document, "$.a.b[0]"), Some("1.10"));
        assert_eq!(found(document, "$.a.b[1]"), Some(r#"{"c,]": "x\"y,"}"#));
        assert_eq!(found(document, "$.a.b[1].\"c,]\""), Some(r#""x\"y,""#));
        assert_eq!(found(document, "$.a.b[-1]"), Some("[ ]"));
        assert_eq!(found(document, "$.a.b[3]"), None);
        assert_eq!(found(document, "$.a.b[-4]"), None);
        assert_eq!(found(document, "n"), Some("null"));
        assert_eq!(found(document, "é\n"), Some("true"));
        assert_eq!(found(document, "/a b"), Some("-0"));
        assert_eq!(found(document, "/a/b/0"), Some("1.10"));
        assert_eq!(found(document, "zz"), None);
        assert_eq!(found("5", "a"), None);
        assert_eq!(found("5", "$"), Some("5"));
        assert_eq!(found("[]", "$[0]"), None);
        assert_eq!(found("{}", "a"), None);
        assert_eq!(found("[[1,2],[3]]", "$[0][1]"), Some("2"));
        assert_eq!(found(r#"{"a":1,"a":2}"#, "a"), Some("2"));
    }

    #[test]
    fn strings_lose_their_quotes() {
        assert_eq!(string_of(r#""x\u00e9""#).unwrap().as_deref(), Some("xé"));
        assert_eq!(string_of("null").unwrap(), None);
        assert_eq!(string_of("1.10").unwrap().as_deref(), Some("1.10"));
        assert!(string_of(r#""\ud800""#).is_err());
    }

    #[test]
    fn items_are_counted() {
        for (list, count) in [("[]", 0), ("[ ]", 0), ("[1]", 1), ("[[1,2],\"a,b\"]", 2), ("{}", 0), ("5", 0)] {
            assert_eq!(item_count(list), count, "{list}");
        }
    }
}
