//! How long regular expressions search, and those searches that are carried out here.
//!
//! A search goes through a text once, and at each character through what of the pattern may go on there: a pattern of a
//! few characters may stand for a program of megabytes (`((a{40}){40}){40}`). A search that goes on behind each match
//! may look at the whole rest of the text each time. It is carried out here where the text is long, so that it can be
//! stopped at each match.

use super::arguments::{Texts, integers, not_negative};
use super::bytes::{array_bytes, length};
use super::{MAX_RESULT, MAX_VALUE, Steps, most_steps, too_large};
use crate::plan::stop;
use arrow::array::{ArrayRef, Int64Array, StringArray};
use arrow::compute::cast;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};
use regex::{Regex, RegexBuilder};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Search {
    /// The first match.
    First,
    /// The nth match.
    Nth,
    /// All matches, to count them.
    Count,
    /// The first match or all of them, to put something in their place.
    Replace,
}

/// Searches for all matches in longer texts are carried out here.
const LONG: u64 = 16 << 10;

/// The sizes that programs of patterns are told apart by, in bytes. The last is the most that there may be.
const SIZES: [usize; 4] = [16 << 10, 128 << 10, 1 << 20, 10 << 20];

/// A step of the search for each so many bytes of a program.
const BYTES_A_STEP: u64 = 256;

/// How many patterns are remembered, and how long they may be.
const MOST_REMEMBERED: usize = 256;
const LONGEST_REMEMBERED: usize = 1 << 10;

static WEIGHTS: LazyLock<Mutex<HashMap<String, u64>>> = LazyLock::new(Mutex::default);

/// How many steps a pattern takes for a character at most.
fn weight(pattern: &str) -> u64 {
    if pattern.len() > LONGEST_REMEMBERED {
        return weighed(pattern);
    }
    let known = WEIGHTS.lock().unwrap_or_else(PoisonError::into_inner).get(pattern).copied();
    known.unwrap_or_else(|| {
        let weight = weighed(pattern);
        let mut weights = WEIGHTS.lock().unwrap_or_else(PoisonError::into_inner);
        if weights.len() >= MOST_REMEMBERED {
            weights.clear();
        }
        weights.insert(pattern.to_owned(), weight);
        weight
    })
}

fn weighed(pattern: &str) -> u64 {
    let fits = |size: &&usize| RegexBuilder::new(pattern).size_limit(**size).build().is_ok();
    // The function itself refuses what is no pattern, or too large.
    SIZES.iter().find(fits).map_or(1, |size| *size as u64 / BYTES_A_STEP)
}

/// Whether a pattern stands for a large program. Searching for others is fast.
fn is_heavy_pattern(pattern: &str) -> bool {
    SIZES.first().is_some_and(|least| weight(pattern) > *least as u64 / BYTES_A_STEP)
}

/// Whether a search is to stay what it is. Of others the optimizer makes a LIKE, which is faster; but a backslash that is meant
/// as one it does not escape there, and the text is another.
pub(crate) fn stays_a_search(pattern: &str) -> bool {
    pattern.contains('\\') || is_heavy_pattern(pattern)
}

/// How many steps a search takes; `None` where they are few in any case.
pub(super) fn steps<'a>(
    search: Search,
    text: &'a ColumnarValue,
    pattern: &'a ColumnarValue,
    rest: &'a [ColumnarValue],
) -> Result<Option<Steps<'a>>> {
    let (texts, patterns) = (Texts::of(text), Texts::of(pattern));
    let literal = if let Texts::Literal(pattern) = patterns { Some(pattern.map_or(1, weight)) } else { None };
    let all = match text {
        ColumnarValue::Array(array) => array_bytes(array.as_ref()),
        ColumnarValue::Scalar(value) => value.try_as_str().flatten().map_or(0, length),
    };
    let again: Box<dyn Fn(usize, u64) -> u64 + 'a> = match (search, rest) {
        (Search::First, _) => Box::new(|_, _| 1),
        (Search::Nth, [_, nth, ..]) => {
            let nth = integers(nth)?;
            Box::new(move |row, length| not_negative(nth.at(row)).clamp(1, length.max(1)))
        }
        (Search::Nth, _) => Box::new(|_, _| 1),
        (Search::Count, _) => Box::new(|_, length| looks_again(length)),
        (Search::Replace, [_, flags, ..]) => {
            let flags = Texts::of(flags);
            let everywhere = move |row| flags.at(row).is_some_and(|flags: &str| flags.contains('g'));
            Box::new(move |row, length| if everywhere(row) { looks_again(length) } else { 1 })
        }
        (Search::Replace, _) => Box::new(|_, _| 1),
    };
    let one_pass = matches!((search, rest.len()), (Search::First, _) | (Search::Nth, 0 | 1) | (Search::Replace, 0 | 1));
    let times = if one_pass { 1 } else { all };
    if literal.is_some_and(|weight| all.saturating_mul(weight.max(times)) <= most_steps()) {
        return Ok(None);
    }
    Ok(Some(Box::new(move |row| {
        let Some(text) = texts.at(row).map(length) else { return 0 };
        let weight = literal.unwrap_or_else(|| patterns.at(row).map_or(1, weight));
        text.saturating_mul(weight.max(again(row, text)))
    })))
}

/// How often a search for all matches may look at a text. A longer one is searched here, where it can be stopped by
/// whoever called.
fn looks_again(length: u64) -> u64 {
    if length > LONG && !stop::is_compiling() { 1 } else { length }
}

/// The result of a search for all matches, where a text is long; `None` where the function does it.
///
/// Errors: the result is too large; nobody waits any more.
pub(super) fn instead(search: Search, rows: usize, args: &ScalarFunctionArgs) -> Result<Option<ColumnarValue>> {
    let Some(text) = args.args.first() else { return Ok(None) };
    let texts = Texts::of(text);
    let is_long = |row| texts.at(row).is_some_and(|text| length(text) > LONG);
    let found = match (search, args.args.as_slice()) {
        (Search::Replace, [_, pattern, replacement, flags]) if (0..rows).any(is_long) => {
            replaced(rows, [texts, Texts::of(pattern), Texts::of(replacement), Texts::of(flags)])?
        }
        (Search::Count, [_, pattern, rest @ ..]) if (0..rows).any(is_long) => {
            counted(rows, [texts, Texts::of(pattern)], rest)?
        }
        _ => None,
    };
    let Some(found) = found else { return Ok(None) };
    let found = cast(&found, args.return_field.data_type())?;
    let is_literal = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
    Ok(Some(if is_literal {
        ColumnarValue::Scalar(ScalarValue::try_from_array(&found, 0)?)
    } else {
        ColumnarValue::Array(found)
    }))
}

/// The patterns of a batch, compiled.
#[derive(Default)]
struct Compiled(HashMap<String, Regex>);

impl Compiled {
    /// `None` where the function itself has to say what is wrong with it.
    fn get(&mut self, pattern: &str, flags: &str) -> Option<&Regex> {
        let whole = if flags.is_empty() { pattern.to_owned() } else { format!("(?{flags}){pattern}") };
        if !self.0.contains_key(&whole) {
            let compiled = Regex::new(&whole).ok()?;
            self.0.insert(whole.clone(), compiled);
        }
        self.0.get(&whole)
    }
}

/// What `regexp_replace` gives with the flag `g`.
fn replaced(rows: usize, [texts, patterns, replacements, flags]: [Texts; 4]) -> Result<Option<ArrayRef>> {
    let mut compiled = Compiled::default();
    let mut whole = 0_u64;
    let mut results: Vec<Option<String>> = Vec::with_capacity(rows);
    for row in 0..rows {
        let values = (texts.at(row), patterns.at(row), replacements.at(row), flags.at(row));
        let (Some(text), Some(pattern), Some(replacement), Some(flags)) = values else {
            results.push(None);
            continue;
        };
        if !flags.contains('g') {
            return Ok(None);
        }
        let of_pattern = flags.replace('g', "");
        // `g` alone is no flag of the pattern; of others the function says what is wrong with them.
        let regex = if of_pattern.is_empty() && flags != "g" { None } else { compiled.get(pattern, &of_pattern) };
        let Some(regex) = regex else { return Ok(None) };
        let result = everywhere(regex, text, &posix_groups(replacement))?;
        whole = whole.saturating_add(length(&result));
        if whole > MAX_RESULT {
            return Err(too_large("regexp_replace", MAX_RESULT));
        }
        results.push(Some(result));
    }
    Ok(Some(std::sync::Arc::new(StringArray::from(results))))
}

/// `\1` is written `${1}` in Rust.
fn posix_groups(replacement: &str) -> String {
    static GROUPS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\\{1,2}(\d+)").ok());
    match GROUPS.as_ref() {
        Some(groups) => groups.replace_all(replacement, "$${$1}").into_owned(),
        None => replacement.to_owned(),
    }
}

fn everywhere(regex: &Regex, text: &str, replacement: &str) -> Result<String> {
    let mut result = String::new();
    let mut behind = 0;
    for found in regex.captures_iter(text) {
        stop::check()?;
        let Some(whole) = found.get(0) else { continue };
        result.push_str(text.get(behind..whole.start()).unwrap_or_default());
        found.expand(replacement, &mut result);
        behind = whole.end();
        if length(&result) > MAX_VALUE {
            return Err(too_large("regexp_replace", MAX_VALUE));
        }
    }
    result.push_str(text.get(behind..).unwrap_or_default());
    Ok(result)
}

/// What `regexp_count` gives.
fn counted(rows: usize, [texts, patterns]: [Texts; 2], rest: &[ColumnarValue]) -> Result<Option<ArrayRef>> {
    let starts = rest.first().map(integers).transpose()?;
    let flags = rest.get(1).map(Texts::of);
    let mut compiled = Compiled::default();
    let mut results: Vec<Option<i64>> = Vec::with_capacity(rows);
    for row in 0..rows {
        let start = starts.as_ref().map_or(Some(1), |starts| starts.at(row));
        let flags = flags.map_or(Some(""), |flags| flags.at(row));
        let (Some(text), Some(pattern), Some(start), Some(flags)) = (texts.at(row), patterns.at(row), start, flags)
        else {
            results.push(None);
            continue;
        };
        // The function itself refuses what counts from 0, and the flag `g`.
        let before = usize::try_from(start).ok().and_then(|start| start.checked_sub(1));
        let (Some(before), false) = (before, flags.contains('g')) else { return Ok(None) };
        let Some(regex) = compiled.get(pattern, flags) else { return Ok(None) };
        let mut places = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
        let behind = places.nth(before).and_then(|at| text.get(at..));
        let mut count = 0_i64;
        for _ in behind.map(|text| regex.find_iter(text)).into_iter().flatten() {
            stop::check()?;
            count += 1;
        }
        results.push(Some(count));
    }
    Ok(Some(std::sync::Arc::new(Int64Array::from(results))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_weighed_by_what_they_stand_for() {
        assert_eq!(weight("a+b"), 64);
        assert!(weight(r"((a{40}){40}){4}") > 512);
        assert_eq!(weight("("), 1, "it is no pattern");
        assert_eq!(weight(&"a|".repeat(100)), 64);
    }

    #[test]
    fn what_is_replaced_everywhere_is_what_the_library_replaces() {
        for (pattern, replacement) in [("a+", "<$0>"), ("(b)|a", "[$1]"), ("", "-"), ("x", "y"), ("b*", "")] {
            let regex = Regex::new(pattern).ok();
            for text in ["", "aab", "bbä", "äxö", "no match? ab"] {
                let own = regex.as_ref().and_then(|regex| everywhere(regex, text, replacement).ok());
                let librarys = regex.as_ref().map(|regex| regex.replace_all(text, replacement).into_owned());
                assert_eq!(own, librarys, "{pattern} in {text}");
            }
        }
        assert_eq!(posix_groups(r"\1-\\2"), "${1}-${2}");
    }
}
