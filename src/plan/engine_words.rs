//! What DataFusion, Arrow and the parser say when they fail, wherever something is decided by their words. An upgrade may
//! change them, so they stand here and nowhere else, and a test has the real engine say each of them. What is not known
//! here is told in general words.

pub mod sentence;

/// The name of a table that the planner does not find, of what it says with a place.
pub fn missing_table(message: &str) -> Option<&str> {
    message.strip_prefix("table '")?.strip_suffix("' not found")
}

/// The column of an outer row whose field the planner refuses, as it is written.
pub fn outer_record(message: &str) -> Option<&str> {
    let (_, column) = message.split_once(OUTER_RECORD)?;
    column.lines().next()
}

const OUTER_RECORD: &str = "Nested identifiers are not yet supported for OuterReferenceColumn ";

/// Whether the position of `nth_value` is 0.
pub fn is_about_position_zero(text: &str) -> bool {
    text.contains(POSITION_ZERO)
}

const POSITION_ZERO: &str = "Nth value indices are 1 based";

/// Whether a number has more digits than the decimal that it is to be.
pub fn is_beyond_its_digits(text: &str) -> bool {
    BEYOND_DIGITS.iter().any(|words| text.contains(words))
}

const BEYOND_DIGITS: [&str; 2] = [" is too large to store in a Decimal", " is too small to store in a Decimal"];

/// What speaks of a subquery, in small letters.
const OF_SUBQUERIES: [&str; 6] = ["subquery", OUTER_COLUMN, "outer reference", "outer_ref", "correlated", "exists("];
/// A column of the query around a subquery, as it is printed, in small letters.
const OUTER_COLUMN: &str = "outerreference";

/// Whether a message, in small letters, is about a subquery.
pub fn is_about_a_subquery(lower: &str) -> bool {
    OF_SUBQUERIES.iter().any(|words| lower.contains(words))
}

/// Whether a message, in small letters, names a column of the query around a subquery.
pub fn has_outer_column(lower: &str) -> bool {
    lower.contains(OUTER_COLUMN)
}

/// Whether there is no operator for an expression: what is printed of it are the engine's insides.
pub fn lacks_an_operator(text: &str) -> bool {
    text.contains(NO_OPERATOR)
}

/// Whether a subquery that is a value stands where the engine has none, such as the condition of a join.
pub fn is_about_a_misplaced_value(text: &str) -> bool {
    text.contains(MISPLACED_VALUE)
}

/// It begins with "C" or "Unc".
const MISPLACED_VALUE: &str = "orrelated scalar subquery can only be used";

/// Whether a text names what the engine makes of a subquery that it joins.
pub fn names_a_joined_subquery(text: &str) -> bool {
    text.contains(JOINED_SUBQUERY)
}

const JOINED_SUBQUERY: &str = "__correlated_sq";

/// Whether a text that should be an interval is none.
pub fn is_about_an_interval(text: &str) -> bool {
    text.contains(NO_INTERVAL)
}

const NO_INTERVAL: &str = "Invalid input syntax for type interval";

/// Whether a time cannot be written in a format.
pub fn is_about_a_writing_format(text: &str) -> bool {
    text.contains(NO_WRITING_FORMAT)
}

const NO_WRITING_FORMAT: &str = "Cast error: Format error";

/// Whether numbers that should make a date make none.
pub fn is_about_a_day(text: &str) -> bool {
    text.contains(NO_DATE)
}

const NO_DATE: &str = "Unable to parse date";

/// What is said of a day or a time that a timestamp has no room for.
const OF_RANGE: [&str; 5] = [
    "exceeds the representable i64 range",
    "Overflow converting ",
    "error: Timestamp ",
    " is out of range of nanosecond timestamps",
    "can be represented as nanoseconds",
];
/// What is said of each of them where nanoseconds are counted, and of nothing else: those of a day.
const NANOSECONDS_OF_A_DAY: &str = " * 86400000000000";

/// Whether a day or a time is outside of what a timestamp holds.
pub fn is_about_the_range_of_timestamps(text: &str) -> bool {
    OF_RANGE.iter().any(|words| text.contains(words)) || text.trim_end().ends_with(NANOSECONDS_OF_A_DAY)
}

/// What functions say of a number that has no room in its type.
const OF_OVERFLOW: [&str; 5] = [
    "Overflow happened on ",
    "Arithmetic Overflow in AvgAccumulator",
    "Decimal overflow while applying ",
    "Array overflow on abs(",
    "Signed integer overflow",
];

/// Whether a function has computed a number that is too large.
pub fn is_about_an_overflow(text: &str) -> bool {
    OF_OVERFLOW.iter().any(|words| text.contains(words))
}

/// Whether the width of a time bucket has months beside days or hours.
pub fn is_about_a_mixed_width(text: &str) -> bool {
    text.contains(MIXED_WIDTH)
}

const MIXED_WIDTH: &str = "stride does not support combination of month";

/// Whether a list is given a size that it cannot have.
pub fn is_about_a_size(text: &str) -> bool {
    text.contains(NO_SIZE)
}

const NO_SIZE: &str = "array_resize: ";

/// Whether a step between the items of a list is too large.
pub fn is_about_a_step(text: &str) -> bool {
    text.contains(NO_STEP)
}

const NO_STEP: &str = "array_slice got invalid stride";

const NO_OPERATOR: &str = "Physical plan does not support logical expression";

/// What compiling a pattern fails with, of LIKE and of regular expressions: they see it when they run.
const OF_PATTERNS: [&str; 3] = ["build regex", "regex parse error", "egular expression"];

/// Whether a pattern is none, or too large.
pub fn is_about_a_pattern(text: &str) -> bool {
    OF_PATTERNS.iter().any(|words| text.contains(words))
}

/// What is wrong in a pattern; `None` where it is too large, or nothing is told. The words are those of the library of patterns
/// and hold nothing of the pattern, which may be the author's. The place is left out: what was compiled may have grown out
/// of what was written.
pub fn flaw_of_a_pattern(text: &str) -> Option<String> {
    // Some of it comes as it would be written in Rust.
    let text = text.replace("\\n", "\n");
    let (_, told) = text.split_once(PATTERN_FLAW)?;
    let why = told.lines().find_map(|line| line.trim_start().strip_prefix("error: "))?;
    let why: String = why.chars().take_while(|c| !c.is_control()).take(100).collect();
    Some(why.trim_end_matches(['"', ')']).to_owned())
}

/// What stands in front of a pattern that is none.
const PATTERN_FLAW: &str = "regex parse error:";

/// What is said of arrays that only readers of Arrow and Avro make without looking: their buffers are those of the file.
const OF_ARRAYS: [&str; 15] = [
    "Offset invariant failure",
    "Need at least ",
    "Misaligned buffers[",
    "Error converting offset[",
    "null_count value (",
    "Encountered non UTF-8 data",
    "Invalid UTF8 sequence at string index",
    "incomplete utf-8 byte sequence",
    "Encountered non-UTF-8 data",
    "First offset ",
    "Last offset ",
    "Invalid buffer ",
    "Value at position ",
    "null_bit_buffer size too small",
    "for an array exceeds length",
];

/// What readers of Arrow files say of what stands around the arrays.
const OF_ARROW_FILES: [&str; 4] =
    ["Unable to get root as", "Invalid metadata length", "Invalid footer length", "Arrow file does not"];

/// Whether the text is that of a reader of Arrow files: a value of a query is never said so of.
pub fn is_of_an_arrow_file(text: &str) -> bool {
    OF_ARRAYS.iter().chain(&OF_ARROW_FILES).any(|words| text.contains(words))
}

/// A CSV value that does not have its column's type: the value, the type, the column from 0, the line from 0.
pub const CSV_VALUE: &str = r"^.*?Error while parsing value '(.*?)' as type '(.*?)' for column (\d+) at line (\d+)";
/// A CSV line of another length than those before: their length, its own, the line.
pub const CSV_LENGTH: &str = r"Expected (\d+) records, found (\d+) records at line (\d+)";
/// A CSV line of another length than the schema: the line, the number of columns, its own length.
pub const CSV_FIELDS: &str = r"incorrect number of fields for line (\d+), expected (\d+) got (.*)$";
/// A CSV line with bytes that are no UTF-8, as the inference says it and as the reader does: the line.
pub const CSV_ENCODING: [&str; 2] =
    [r"(?i)invalid UTF-8 in field .* at line (\d+)", r"invalid UTF-8 data for line (\d+)"];
/// A JSON value that does not have its column's type: the column, what is wrong.
pub const JSON_FIELD: &str = r"whilst decoding field '(.*?)': (.*)$";
/// What begins the text of a whole row of a file.
pub const ROW_DATA: &str = ". Row data";

/// What the parser puts in front of its words, and the place behind them.
const PARSER: (&str, &str) = ("sql parser error: ", " at Line: ");

/// The parser's words without the place, of a text that the author has not written in this form.
pub fn without_place(text: &str) -> &str {
    let (before, place) = PARSER;
    let words = text.strip_prefix(before).unwrap_or(text);
    words.split(place).next().unwrap_or(words)
}

/// The kinds of errors that an author meets who writes a condition.
const KINDS_OF_CONDITIONS: [&str; 3] =
    ["Schema error: ", "Error during planning: ", "This feature is not implemented: "];

/// The first line without the kind of the error.
pub fn without_kind(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    KINDS_OF_CONDITIONS.iter().find_map(|kind| line.strip_prefix(kind)).unwrap_or(line)
}

#[cfg(test)]
mod tests;
