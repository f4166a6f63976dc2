//! How many tokens a model reads: of a tool's definition, and of the largest result that it can have.
//!
//! Definitions are counted by OpenAI's tokenizer `o200k_base`. Every provider has its own; for JSON and English the
//! others differ by about a tenth. Results are reckoned from types and limits, because nobody knows the data.

use super::mcp;
use crate::project::TableFormat;
use crate::tool::{Contract, Output, OutputColumn};
use crate::ty::Type;

/// Bytes of a result for a token, where all that is known is how many bytes there may be: digits and short words.
const BYTES_PER_TOKEN: u64 = 3;
/// What a format has around a value of a row.
const AROUND_A_VALUE: u64 = 1;

/// The tokens of a text.
pub fn count(text: &str) -> u64 {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u64
}

/// The tokens of a tool as `tools/list` has it.
pub fn of_definition(tool: &Contract) -> u64 {
    count(&serde_json::to_string(&mcp::tool(tool)).unwrap_or_default())
}

/// The most tokens that a result of the tool's text can have: its rows of the widest values, or as many as the bytes of
/// a result hold where nothing else bounds them.
pub fn of_largest_result(tool: &Contract, max_bytes: u64) -> u64 {
    let by_bytes = max_bytes.div_ceil(BYTES_PER_TOKEN);
    let row = tool.columns().iter().map(widest).try_fold(0_u64, |sum, column| Some(sum + column? + AROUND_A_VALUE));
    // Of columns that nobody knows, the bytes of a result are all that bounds them.
    let row = row.filter(|_| matches!(tool.output, Output::Columns(_)));
    let by_rows = || Some(row?.saturating_mul(tool.result_limit.rows()?));
    let names: u64 =
        tool.columns().iter().map(|column| column.name.len() as u64).sum::<u64>().div_ceil(BYTES_PER_TOKEN);
    let names = match tool.table_format {
        // Every row names its columns.
        TableFormat::Structured => names.saturating_mul(tool.result_limit.rows().unwrap_or(u64::MAX)),
        TableFormat::Markdown | TableFormat::Toon | TableFormat::Csv => names,
    };
    by_rows().map_or(by_bytes, |rows| rows.saturating_add(names).min(by_bytes))
}

/// The tokens of the widest value of a column; `None` where a value has no bound. Three digits are a token.
fn widest(column: &OutputColumn) -> Option<u64> {
    Some(match &column.ty {
        Type::Boolean => 1,
        Type::Date => 6,
        Type::Time => 8,
        Type::Timestamp(_) | Type::Timestamptz(_) => 14,
        Type::Uuid => 24,
        Type::Real | Type::Double => 8,
        Type::Decimal(precision, _) => u64::from(*precision).div_ceil(3) + 2,
        ty if ty.is_integer() => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_counted_as_the_tokenizer_does() {
        // https://platform.openai.com/tokenizer
        assert_eq!(count("Hello, world!"), 4);
        assert_eq!(count(""), 0);
    }
}
