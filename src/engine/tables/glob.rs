//! Patterns in paths: `*` and `?` stay inside one segment, `**` spans folders, `[a-c]` and `{a,b}` choose.
//!
//! Not DataFusion's own patterns: there `*` crosses folders, or `**` matches nothing, depending on a setting. Not those of
//! the crate `globset` either: it matches bytes, so that `?` is half of an `é`, its `[!a]` matches a `/`, `**` crosses
//! folders only where it is a segment by itself, and a `}` that closes nothing is refused.

use regex::Regex;
use std::iter::Peekable;
use std::str::Chars;

/// The part of a path before the first segment with a wildcard, without its closing `/`, and the pattern from there on.
pub(super) fn split(path: &str) -> (&str, Option<&str>) {
    let Some(wildcard) = path.find(['*', '?', '[', '{']) else {
        return (path, None);
    };
    let start = path.get(..wildcard).and_then(|before| before.rfind('/')).map_or(0, |slash| slash + 1);
    match path.split_at_checked(start) {
        Some(("/", pattern)) => ("/", Some(pattern)),
        Some((prefix, pattern)) => (prefix.trim_end_matches('/'), Some(pattern)),
        None => (path, None),
    }
}

/// The pattern as a regular expression over the path below its prefix; `None` where a bracket does not close.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    let mut regex = String::from("^");
    let mut open = 0_usize;
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '*' if rest.next_if_eq(&'*').is_some() => {
                // `**/` is any number of folders, none too; `**` at the end is everything below.
                regex.push_str(if rest.next_if_eq(&'/').is_some() { "(?:[^/]+/)*" } else { "(?s:.*)" });
            }
            '*' => regex.push_str("[^/]*"),
            '?' => regex.push_str("[^/]"),
            '[' => regex.push_str(&class(&mut rest)?),
            '{' => {
                open += 1;
                regex.push_str("(?:");
            }
            '}' if open > 0 => {
                open -= 1;
                regex.push(')');
            }
            ',' if open > 0 => regex.push('|'),
            other => regex.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    regex.push('$');
    if open > 0 {
        return None;
    }
    Regex::new(&regex).ok()
}

/// The rest of a `[…]`; `!` or `^` in front negates.
fn class(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    let negated = rest.next_if(|character| matches!(character, '!' | '^')).is_some();
    let mut members = String::new();
    loop {
        match rest.next()? {
            ']' if !members.is_empty() => break,
            escaped @ ('\\' | '[' | ']' | '^' | '&' | '~') => {
                members.push('\\');
                members.push(escaped);
            }
            member => members.push(member),
        }
    }
    Some(format!("[{}{members}]", if negated { "^/" } else { "" }))
}
