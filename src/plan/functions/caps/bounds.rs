//! Which functions have a limit, and what works out whether a call keeps it.

use super::batch::Batch;
use super::lists::{array_repeat, array_replace, array_resize, array_to_string};
use super::patterns::Search;
use super::ranges::range;
use super::texts::{pad, regexp_replace, repeat, replace};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

/// How the size of a result, or the time that it takes, follows from the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cap {
    Repeat,
    Pad,
    Replace,
    Pattern(Search),
    ArrayRepeat,
    ArrayResize,
    ArrayToString,
    Range,
    Levenshtein,
    Trim,
    Find,
    HasAll,
    /// Those that put their arguments together.
    Whole,
    ArrayReplace,
}

impl Cap {
    pub(super) fn of(function: &str) -> Option<Cap> {
        match function {
            "repeat" => Some(Cap::Repeat),
            "lpad" | "rpad" => Some(Cap::Pad),
            "replace" => Some(Cap::Replace),
            "regexp_like" | "regexp_match" | "regexp_extract" => Some(Cap::Pattern(Search::First)),
            "regexp_instr" => Some(Cap::Pattern(Search::Nth)),
            "regexp_count" => Some(Cap::Pattern(Search::Count)),
            "regexp_replace" => Some(Cap::Pattern(Search::Replace)),
            "array_repeat" => Some(Cap::ArrayRepeat),
            "array_resize" => Some(Cap::ArrayResize),
            "array_to_string" => Some(Cap::ArrayToString),
            "range" | "generate_series" => Some(Cap::Range),
            "levenshtein" => Some(Cap::Levenshtein),
            "btrim" | "ltrim" | "rtrim" => Some(Cap::Trim),
            "strpos" => Some(Cap::Find),
            "array_has_all" | "array_has_any" => Some(Cap::HasAll),
            "array_append" | "array_concat" | "array_prepend" | "array_union" | "arrays_zip" | "concat"
            | "concat_ws" | "make_array" | "map" | "named_struct" | "overlay" | "struct" => Some(Cap::Whole),
            "array_replace" | "array_replace_all" | "array_replace_n" => Some(Cap::ArrayReplace),
            _ => None,
        }
    }

    pub(super) fn check(self, batch: &Batch, args: &[ColumnarValue]) -> Result<()> {
        match (self, args) {
            (Cap::Repeat, [text, count]) => repeat(batch, text, count),
            (Cap::Pad, [text, length, fill @ ..]) => pad(batch, text, length, fill.first()),
            (Cap::Replace, [text, from, to]) => replace(batch, text, from, to),
            (Cap::Pattern(Search::Replace), [text, pattern, replacement, flags @ ..]) => {
                regexp_replace(batch, text, pattern, replacement, flags.first())
            }
            (Cap::ArrayRepeat, [element, count]) => array_repeat(batch, element, count),
            (Cap::ArrayResize, [list, size, fill @ ..]) => array_resize(batch, list, size, fill.first()),
            (Cap::ArrayToString, [list, delimiter, null @ ..]) => array_to_string(batch, list, delimiter, null.first()),
            (Cap::Range, args) => range(batch, args),
            (Cap::Whole, args) => batch.put_together(args),
            (Cap::ArrayReplace, [list, from, to, ..]) => array_replace(batch, list, from, to),
            // The others make no more than they get, and the function itself refuses any other number of arguments.
            _ => Ok(()),
        }
    }
}
