//! What is searched for: a text or a regular expression, in the one form in which texts are compared with it.

use crate::engine::bind::BoundCall;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::plan::functions::pattern_match;
use crate::project::flaw_of_regex;
use arrow::datatypes::DataType;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, cast, lit};
use datafusion::prelude::ident;
use regex::{Regex, RegexBuilder};

/// The most that a compiled pattern may take, in bytes. Matching is linear in the text, whatever the pattern.
const MOST_BYTES: usize = 256 << 10;
/// How deep a pattern may be nested.
const DEEPEST: u32 = 50;
/// Characters of a snippet on each side of the match.
const AROUND: usize = 60;
/// The longest match that is shown whole, in characters.
const LONGEST_MATCH: usize = 200;
/// What stands around a match. No format has a meaning for it.
const MARKS: (char, char) = ('«', '»');

/// What a call searches for.
pub(super) struct Sought {
    regex: Regex,
}

impl Sought {
    /// Reads the arguments of a search.
    ///
    /// Errors: the pattern is no regular expression, or a larger one than may be.
    pub(super) fn of_call(call: &BoundCall) -> Result<Sought, CallError> {
        let written = call.text("pattern").unwrap_or_default();
        let is_regex = call.text("mode").as_deref() == Some("regex");
        let pattern = if is_regex { written } else { regex::escape(&written) };
        let is_exact = call.boolean("case_sensitive").unwrap_or(false);
        // Said within the pattern, as the engine reads it too.
        let pattern = if is_exact { pattern } else { format!("(?i){pattern}") };
        let built = RegexBuilder::new(&pattern).size_limit(MOST_BYTES).nest_limit(DEEPEST).build();
        match built {
            Ok(regex) => Ok(Sought { regex }),
            Err(error) => {
                let message = format!("the argument `pattern` is no regular expression: {}", flaw_of_regex(&error));
                let error = CallError::about(CallCode::InvalidPattern, "pattern", message);
                Err(error.hint("correct it, or search for the text itself with `mode` literal"))
            }
        }
    }

    /// Whether a column of texts has a match.
    pub(super) fn is_in_column(&self, column: &str) -> Expr {
        let text = cast(ident(column), DataType::Utf8);
        let pattern = lit(self.regex.as_str().to_owned());
        Expr::ScalarFunction(ScalarFunction::new_udf(pattern_match(), vec![text, pattern]))
    }

    /// The text around the first match, which is marked; `None` where there is none.
    pub(super) fn snippet(&self, text: &str) -> Option<String> {
        let found = self.regex.find(text)?;
        let (before, behind) = (text.get(..found.start())?, text.get(found.end()..)?);
        let mut out = String::new();
        let start = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
        if start > 0 {
            out.push('…');
        }
        out.push_str(before.get(start..)?);
        out.push(MARKS.0);
        out.extend(found.as_str().chars().take(LONGEST_MATCH));
        if found.as_str().chars().nth(LONGEST_MATCH).is_some() {
            out.push('…');
        }
        out.push(MARKS.1);
        out.extend(behind.chars().take(AROUND));
        if behind.chars().nth(AROUND).is_some() {
            out.push('…');
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought(pattern: &str) -> Sought {
        Sought { regex: Regex::new(pattern).unwrap() }
    }

    #[test]
    fn a_snippet_shows_what_stands_around_the_first_match() {
        assert_eq!(sought("b+").snippet("abbc abb").as_deref(), Some("a«bb»c abb"));
        assert_eq!(sought("x").snippet("abc"), None);
        let long = format!("{}ö{}", "ä".repeat(100), "ü".repeat(100));
        let expected = format!("…{}«ö»{}…", "ä".repeat(60), "ü".repeat(60));
        assert_eq!(sought("ö").snippet(&long), Some(expected));
        let cut = sought("a+").snippet(&"a".repeat(300)).unwrap();
        assert_eq!(cut, format!("«{}…»", "a".repeat(200)));
    }

    #[test]
    fn an_empty_match_is_marked_where_it_is() {
        assert_eq!(sought("^").snippet("abc").as_deref(), Some("«»abc"));
        assert_eq!(sought("$").snippet("").as_deref(), Some("«»"));
    }
}
