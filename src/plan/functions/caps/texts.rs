//! How large a text becomes.

use super::arguments::{Texts, integers, not_negative};
use super::batch::Batch;
use super::bytes::length;
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;
use regex::Regex;
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) fn repeat(batch: &Batch, text: &ColumnarValue, count: &ColumnarValue) -> Result<()> {
    let (texts, counts) = (Texts::of(text), integers(count)?);
    batch.measure(|row| texts.at(row).map_or(0, length).saturating_mul(not_negative(counts.at(row))))
}

pub(super) fn pad(
    batch: &Batch,
    text: &ColumnarValue,
    target: &ColumnarValue,
    fill: Option<&ColumnarValue>,
) -> Result<()> {
    let (texts, targets) = (Texts::of(text), integers(target)?);
    let fills = fill.map_or(Texts::Literal(Some(" ")), Texts::of);
    // Not for each row: a literal may be long.
    let literal = if let Texts::Literal(fill) = fills { Some(fill.map(widest)) } else { None };
    batch.measure(|row| {
        let target = not_negative(targets.at(row));
        let fill = literal.unwrap_or_else(|| fills.at(row).map(widest));
        // The function reserves a byte for each character asked for, also where the result is NULL or not padded.
        let (Some(text), Some(fill)) = (texts.at(row), fill) else { return target };
        let padding = target.saturating_sub(text.chars().count() as u64).saturating_mul(fill);
        length(text).min(target.saturating_mul(4)).saturating_add(padding).max(target)
    })
}

pub(super) fn replace(batch: &Batch, text: &ColumnarValue, from: &ColumnarValue, to: &ColumnarValue) -> Result<()> {
    let (texts, froms, tos) = (Texts::of(text), Texts::of(from), Texts::of(to));
    let bytes = |row: usize, matches: fn(&str, &str) -> usize| {
        let (Some(text), Some(from), Some(to)) = (texts.at(row), froms.at(row), tos.at(row)) else { return 0 };
        let growth = length(to).saturating_sub(length(from));
        if from.is_empty() || growth == 0 {
            return length(text);
        }
        (matches(text, from) as u64).saturating_mul(growth).saturating_add(length(text))
    };
    let crude = batch.measure(|row| bytes(row, |text, from| text.len().checked_div(from.len()).unwrap_or(0)));
    crude.or_else(|_| batch.measure(|row| bytes(row, |text, from| text.matches(from).count())))
}

pub(super) fn regexp_replace(
    batch: &Batch,
    text: &ColumnarValue,
    pattern: &ColumnarValue,
    replacement: &ColumnarValue,
    flags: Option<&ColumnarValue>,
) -> Result<()> {
    // Where only the text has rows, the function makes do with one copy of the literals.
    let only_text = [pattern, replacement].into_iter().chain(flags).all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
    let literals = if only_text { 0 } else { batch.literals([text, pattern, replacement]) };
    let (texts, patterns, replacements) = (Texts::of(text), Texts::of(pattern), Texts::of(replacement));
    let flags = flags.map(Texts::of);
    let substitution = |row: usize| {
        let flags = match flags {
            Some(flags) => Some(flags.at(row)?),
            None => None,
        };
        let (text, pattern, replacement) = (texts.at(row)?, patterns.at(row)?, replacements.at(row)?);
        Some(Substitution { text, pattern, replacement, flags })
    };
    let crude = batch.measure(|row| substitution(row).map_or(0, |found| found.crude_bytes()).max(literals));
    crude.or_else(|_| {
        let mut compiled: HashMap<Cow<str>, Option<Regex>> = HashMap::new();
        batch.measure(|row| {
            let Some(found) = substitution(row) else { return literals };
            let pattern = found.whole_pattern();
            let regex = compiled.entry(pattern).or_insert_with_key(|pattern| Regex::new(pattern).ok());
            // The function itself refuses what is no pattern.
            regex.as_ref().map_or(0, |regex| found.bytes(regex)).max(literals)
        })
    })
}

/// One row of `regexp_replace`.
struct Substitution<'a> {
    text: &'a str,
    pattern: &'a str,
    replacement: &'a str,
    flags: Option<&'a str>,
}

impl<'a> Substitution<'a> {
    fn everywhere(&self) -> bool {
        self.flags.is_some_and(|flags| flags.contains('g'))
    }

    /// The pattern with the flags in it, as the function writes them.
    fn whole_pattern(&self) -> Cow<'a, str> {
        match self.flags {
            None | Some("g") => Cow::Borrowed(self.pattern),
            Some(flags) => Cow::Owned(format!("(?{}){}", flags.replace('g', ""), self.pattern)),
        }
    }

    /// How often the replacement may repeat a part of what was found: `$1`, `${name}`, `\1`, `\\1`.
    fn references(&self) -> u64 {
        let mut before = None;
        let mut references = 0_u64;
        for character in self.replacement.chars() {
            if matches!(character, '$' | '\\') && before != Some(character) {
                references = references.saturating_add(1);
            }
            before = Some(character);
        }
        references
    }

    /// As if the pattern matched before every byte and at the end.
    fn crude_bytes(&self) -> u64 {
        let text = length(self.text);
        let matches = if self.everywhere() { text.saturating_add(1) } else { 1 };
        let repeated = self.references().saturating_mul(text);
        matches.saturating_mul(length(self.replacement)).saturating_add(repeated).saturating_add(text)
    }

    fn bytes(&self, regex: &Regex) -> u64 {
        let (replacement, references) = (length(self.replacement), self.references());
        let (mut removed, mut added) = (0_u64, 0_u64);
        for found in regex.find_iter(self.text).take(if self.everywhere() { usize::MAX } else { 1 }) {
            let found = found.len() as u64;
            removed = removed.saturating_add(found);
            added = added.saturating_add(references.saturating_mul(found)).saturating_add(replacement);
        }
        length(self.text).saturating_sub(removed).saturating_add(added)
    }
}

/// The bytes of the widest character.
fn widest(text: &str) -> u64 {
    text.chars().map(char::len_utf8).max().unwrap_or(0) as u64
}
