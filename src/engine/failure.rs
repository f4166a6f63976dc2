//! What went wrong in the engine, as an agent is told of it.

use crate::engine::code::CallCode;
use crate::engine::error::{CallError, Detail};
use crate::engine::limits::A_QUERY_MAY_TAKE;
use crate::engine::sources::SourceError;
use crate::plan::added_spans::PART_OF_A_DAY;
use crate::plan::engine_words::{
    flaw_of_a_pattern, is_about_a_mixed_width, is_about_a_pattern, is_about_a_size, is_about_a_step,
    is_about_a_writing_format, is_about_an_overflow, is_about_position_zero, is_about_the_range_of_timestamps,
    is_beyond_its_digits, is_of_an_arrow_file,
};
use crate::plan::frames::DISTANCE_BELOW_ZERO;
use crate::plan::functions::{IS_LARGER, NO_JSON, NO_PATH, NO_READING_FORMAT, NO_TIME_IN_FORMAT, TOO_MANY_STEPS};
use crate::plan::similar_to::NO_PATTERN;
use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use std::io;

/// What is told of arguments where nothing more is known.
const UNFIT: &str = "the query cannot be run with these arguments";
/// What stands behind other messages, since the values of a call may be the reason.
const FOR_THESE: &str = " for these arguments";

fn unfit_arguments() -> CallError {
    CallError::new(CallCode::QueryFailed, UNFIT).hint("check their values against the descriptions")
}

/// The error as it is told of a tool that takes no arguments.
pub(super) fn without_arguments(mut error: CallError) -> CallError {
    if error.message == UNFIT {
        return CallError {
            message: "the query cannot be run over the data that there is".to_owned(),
            hint: None,
            ..error
        };
    }
    if let Some(message) = error.message.strip_suffix(FOR_THESE) {
        error.message = message.to_owned();
    }
    error
}

fn overflow() -> CallError {
    CallError::new(CallCode::Overflow, "a number in the query became too large for these arguments")
}

fn failed_cast() -> CallError {
    CallError::new(CallCode::CastFailed, "a value in the query cannot be converted to the type it is used as")
}

fn beyond_timestamps() -> CallError {
    CallError::new(
        CallCode::CastFailed,
        "a day or a time in the query is outside of what a timestamp holds, 1677-09-22 to 2262-04-11",
    )
}

fn unreadable_data() -> CallError {
    CallError::new(CallCode::UnreadableData, "a file of the tool's data cannot be read; the server's log says why")
}

/// Whether the operating system failed while a file was read, and not while rows were put aside.
fn is_of_reading(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// What an agent is told of a database that fails.
pub(super) fn of_a_database(error: SourceError) -> CallError {
    engine_error(DataFusionError::External(Box::new(error)))
}

/// What an agent can do something about is told; the rest is for the log.
pub(super) fn engine_error(mut error: DataFusionError) -> CallError {
    // Which rule met it first depends on whether the plan was kept.
    while let DataFusionError::Context(_, inner) = error {
        error = *inner;
    }
    let detail = error.strip_backtrace();
    let told = match error.find_root() {
        DataFusionError::ResourcesExhausted(why) if why.contains(TOO_MANY_STEPS) => Some(
            CallError::new(CallCode::TooExpensive, "a function in the query takes too long for values of this size")
                .hint("send shorter values"),
        ),
        DataFusionError::ResourcesExhausted(_) => Some(
            CallError::new(CallCode::OutOfMemory, "the query needs more memory than it may take")
                .hint("narrow the arguments"),
        ),
        DataFusionError::Plan(why) if why.contains(DISTANCE_BELOW_ZERO) => Some(
            CallError::new(CallCode::QueryFailed, "a distance of a window frame is below 0 for these arguments")
                .hint("send a number or an interval that is not below 0"),
        ),
        // The plan was fine before the arguments were put into it.
        DataFusionError::Execution(why) | DataFusionError::Plan(why) => Some(refused_value(why, &detail)),
        _ if is_about_position_zero(&detail) => Some(
            CallError::new(CallCode::QueryFailed, "a position in the query is 0 for these arguments")
                .hint("positions are counted from 1, or from -1 at the end"),
        ),
        _ if is_about_a_pattern(&detail) => Some(wrong_pattern(&detail)),
        _ if is_about_a_writing_format(&detail) => Some(
            CallError::new(
                CallCode::QueryFailed,
                "a time in the query cannot be written in the format that is asked for",
            )
            .hint("write it in the form of strftime, such as `%Y-%m-%d %H:%M`"),
        ),
        _ if is_about_a_mixed_width(&detail) => Some(
            CallError::new(CallCode::QueryFailed, "a width of time in the query has months beside days or hours")
                .hint("send months alone, such as \"P1M\", or days and hours alone"),
        ),
        _ if is_about_a_size(&detail) => Some(
            CallError::new(CallCode::QueryFailed, "a size that the query gives to a list is below 0, or too large")
                .hint("send a number that is at least 0"),
        ),
        // Whether it is implemented is known when the tool is compiled, but for the values.
        DataFusionError::NotImplemented(_) => Some(unfit_arguments()),
        _ if is_about_a_step(&detail) => Some(unfit_arguments()),
        DataFusionError::ArrowError(inner, _) => arrow_failure(inner),
        DataFusionError::ObjectStore(_) | DataFusionError::ParquetError(_) => Some(unreadable_data()),
        DataFusionError::IoError(error) if is_of_reading(error) => Some(unreadable_data()),
        DataFusionError::External(error) => error.downcast_ref().map(source_failure),
        _ => None,
    };
    let detail = whose(&error, detail);
    CallError { detail: Some(detail), ..told.unwrap_or_else(|| CallError::internal("")) }
}

/// What is told of a failure of a database: never where it is, nor what it says.
fn source_failure(error: &SourceError) -> CallError {
    match error {
        SourceError::Down { .. } => {
            let message = "a database that the tool reads cannot be reached; the server's log says why";
            CallError::new(CallCode::SourceUnavailable, message).hint("call again later")
        }
        // Calling again does not help.
        SourceError::Refusing { .. } | SourceError::OutsideRoots { .. } => CallError::new(
            CallCode::SourceUnavailable,
            "a database that the tool reads lets nobody in until its operator changes something; the server's log says what",
        ),
        SourceError::NoTable { .. } | SourceError::Changed { .. } => CallError::new(
            CallCode::DataChanged,
            "a table that the tool reads is not what it was; the server's log says more",
        ),
        SourceError::Busy { .. } | SourceError::Written => {
            CallError::new(CallCode::DataChanged, "a database that the tool reads is being written").hint("call again")
        }
        SourceError::Exhausted { .. } => {
            CallError::new(CallCode::Busy, "a database that the tool reads has too many queries")
                .hint("call again later")
        }
        SourceError::Forbidden { .. } | SourceError::Denied { .. } => CallError::new(
            CallCode::SourceUnavailable,
            "a database that the tool reads does not let it; the server's log says what its operator can do",
        ),
        SourceError::Misfit(_) => CallError::new(
            CallCode::UnreadableData,
            "a value in the tool's data is none of its column's type; the server's log says which",
        ),
        SourceError::Cancelled => CallError::new(CallCode::Timeout, "the query was given up"),
        SourceError::TooLarge { .. } => {
            CallError::new(CallCode::TooExpensive, "a value or a row of the tool's data is too large")
        }
        SourceError::TooManyValues { most, .. } => {
            CallError::new(CallCode::InvalidArgument, "the arguments have more values than the tool's database takes")
                .hint(format!("send shorter lists: of {most} values in all"))
        }
        SourceError::TooManyDigits { .. } => {
            CallError::new(CallCode::InvalidArgument, "a number has more digits than the tool's database keeps of one")
                .hint("send numbers of at most 15 digits")
        }
        SourceError::Anonymous { .. } => CallError::new(CallCode::NotPermitted, "the caller may not use this tool"),
        SourceError::Overflow { .. } => overflow(),
        SourceError::Refused { .. } => {
            CallError::new(CallCode::DataChanged, "what the tool reads is not what it was; the server's log says more")
        }
        SourceError::UnreadArgument { parameter, .. } => {
            let message = format!("the value of `{parameter}` is none that the tool's database can read there");
            CallError::about(CallCode::InvalidArgument, parameter, message)
                .hint("check it against the description of the parameter")
        }
        SourceError::UnreadValue { .. } | SourceError::Unfit { .. } | SourceError::Failing { .. } => unfit_arguments(),
        SourceError::Violated { rule, columns, .. } => {
            let message = format!("the database refuses the change: {}", rule.told(columns));
            CallError::new(CallCode::ChangeRefused, message).hint("nothing was changed")
        }
        SourceError::Serialization { .. } => {
            CallError::new(CallCode::Busy, "other changes were in the way of this one, again and again")
                .hint("nothing was changed: call again")
        }
        SourceError::Other { .. } => CallError::internal(""),
    }
}

/// What is told of an error of Arrow; `None` of one that is no matter of the arguments or the data.
fn arrow_failure(error: &ArrowError) -> Option<CallError> {
    match error {
        ArrowError::DivideByZero => {
            Some(CallError::new(CallCode::DivisionByZero, "the query divides by zero for these arguments"))
        }
        ArrowError::ParseError(why) | ArrowError::InvalidArgumentError(why) if is_of_an_arrow_file(why) => {
            Some(unreadable_data())
        }
        ArrowError::IoError(_, error) if is_of_reading(error) => Some(unreadable_data()),
        ArrowError::CastError(why) | ArrowError::ParseError(why) | ArrowError::ArithmeticOverflow(why)
            if is_about_the_range_of_timestamps(why) =>
        {
            Some(beyond_timestamps())
        }
        ArrowError::CastError(_) | ArrowError::ParseError(_) => Some(failed_cast()),
        ArrowError::InvalidArgumentError(why) if is_beyond_its_digits(why) => Some(overflow()),
        ArrowError::ComputeError(why) if is_about_an_overflow(why) => Some(overflow()),
        ArrowError::ComputeError(_) | ArrowError::InvalidArgumentError(_) => Some(unfit_arguments()),
        ArrowError::CsvError(_)
        | ArrowError::JsonError(_)
        | ArrowError::AvroError(_)
        | ArrowError::IpcError(_)
        | ArrowError::ParquetError(_) => Some(unreadable_data()),
        ArrowError::ArithmeticOverflow(_) => Some(overflow()),
        _ => None,
    }
}

/// A failure inside the engine that is no matter of the arguments.
pub(super) fn internal_error(error: &DataFusionError) -> CallError {
    CallError::failed(detail_of(error))
}

/// What is behind a call that failed, with whose words it is in.
pub(super) fn detail_of(error: &DataFusionError) -> Detail {
    whose(error, error.strip_backtrace())
}

fn whose(error: &DataFusionError, text: String) -> Detail {
    if let DataFusionError::External(error) = error.find_root()
        && let Some(error) = error.downcast_ref::<SourceError>()
    {
        return match error.own_words() {
            Some(says) => Detail::Database { told: error.to_string(), says: says.to_owned() },
            None => Detail::Own(error.to_string()),
        };
    }
    match own_words(error.find_root()) {
        Some(own) => Detail::Own(own.to_owned()),
        None => Detail::Engine(text),
    }
}

/// What our functions say of a value that they refuse.
const OWN: [&str; 6] = [PART_OF_A_DAY, NO_PATTERN, NO_JSON, NO_PATH, NO_TIME_IN_FORMAT, NO_READING_FORMAT];

/// What is told of a value that a function refuses.
fn refused_value(why: &str, detail: &str) -> CallError {
    let refused = |message: &str| CallError::new(CallCode::QueryFailed, message);
    if why.contains(PART_OF_A_DAY) {
        return refused("an interval that the query adds to a date has a part below a day")
            .hint("send an interval of whole days, such as \"P1D\"");
    }
    if is_about_a_pattern(detail) {
        return wrong_pattern(detail);
    }
    if is_about_the_range_of_timestamps(detail) {
        return beyond_timestamps();
    }
    if is_about_an_overflow(why) {
        return overflow();
    }
    if let Some((_, flaw)) = why.split_once(NO_JSON) {
        return refused(&format!("a text that the query reads as JSON is none{flaw}"));
    }
    if why.contains(NO_PATH) {
        return refused("a path into JSON is none").hint("write it as in `$.lines[0].name`, or send the key alone");
    }
    if why.contains(NO_TIME_IN_FORMAT) {
        return CallError::new(
            CallCode::CastFailed,
            "a text in the query is no point in time in the format of the query",
        );
    }
    if why.contains(NO_READING_FORMAT) {
        return refused("a format that texts are read in is none")
            .hint("write it in the form of strftime, without a zone");
    }
    unfit_arguments()
}

/// What functions and limits of ours fail with: the engine hands their words on as its own.
fn own_words(root: &DataFusionError) -> Option<&str> {
    match root {
        DataFusionError::ResourcesExhausted(why)
            if [TOO_MANY_STEPS, IS_LARGER, A_QUERY_MAY_TAKE].iter().any(|own| why.contains(own)) =>
        {
            Some(why)
        }
        DataFusionError::Execution(why) | DataFusionError::Plan(why) if OWN.iter().any(|own| why.contains(own)) => {
            Some(why)
        }
        _ => None,
    }
}

/// What is told of a pattern.
fn wrong_pattern(detail: &str) -> CallError {
    let wrong = |message: String| CallError::new(CallCode::InvalidPattern, message);
    let own =
        detail.split_once(NO_PATTERN).and_then(|(_, why)| Some(why.strip_prefix(": ")?.lines().next()?.to_owned()));
    match flaw_of_a_pattern(detail).or(own.filter(|why| !why.contains("too long"))) {
        Some(why) => wrong(format!("a pattern in the query is no regular expression: {why}"))
            .hint("correct the pattern; a character that stands for itself is escaped, as in `\\(`"),
        None => wrong("a pattern in the query is no regular expression, or too large".to_owned())
            .hint("send a shorter or simpler pattern"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_words_are_not_those_of_the_engine() {
        let of = |error: DataFusionError| engine_error(error).detail.map(|detail| detail.told());
        let own = DataFusionError::ResourcesExhausted(format!("levenshtein {TOO_MANY_STEPS}"));
        assert_eq!(of(own).as_deref(), Some("levenshtein takes too many steps for values of this size"));
        let own = DataFusionError::Execution(format!("{PART_OF_A_DAY}: x")).context("optimizer rule");
        assert_eq!(of(own), Some(format!("{PART_OF_A_DAY}: x")));
        let own = DataFusionError::Execution(NO_PATH.to_owned());
        assert_eq!(internal_error(&own).detail.map(|detail| detail.told()).as_deref(), Some(NO_PATH));
        let divided = DataFusionError::ArrowError(Box::new(ArrowError::DivideByZero), None);
        assert!(of(divided).is_some_and(|told| told.starts_with("the engine says: ")));
    }

    #[test]
    fn a_value_that_is_refused_is_told() {
        let of = |why: String| engine_error(DataFusionError::Execution(why)).line();
        let told = of(format!("{NO_JSON}: expected value at line 1 column 1"));
        assert!(told.contains("reads as JSON is none: expected value at line 1 column 1"), "{told}");
        assert!(of(format!("`$.*` {NO_PATH}")).contains("a path into JSON is none"));
        assert!(of(NO_TIME_IN_FORMAT.to_owned()).starts_with("cast-failed"));
        assert!(of("something else".to_owned()).contains("cannot be run with these arguments"));
    }

    #[test]
    fn a_tool_without_arguments_is_told_of_none() {
        let of = |error: DataFusionError| without_arguments(engine_error(error)).line();
        let other = of(DataFusionError::Execution("something else".to_owned()));
        assert_eq!(other, "query-failed: the query cannot be run over the data that there is");
        let large = of(DataFusionError::ArrowError(Box::new(ArrowError::ArithmeticOverflow(String::new())), None));
        assert_eq!(large, "overflow: a number in the query became too large");
    }

    #[test]
    fn a_value_that_a_function_has_no_answer_for_is_no_fault_of_the_server() {
        let of = |error: DataFusionError| engine_error(error).code;
        assert_eq!(of(DataFusionError::NotImplemented("for n: 3".to_owned())), CallCode::QueryFailed);
        let size = "array_resize: failed to convert size to usize".to_owned();
        assert_eq!(of(DataFusionError::Internal(size)), CallCode::QueryFailed);
        let digits = "100.50 is too large to store in a Decimal128 of precision 3".to_owned();
        let digits = ArrowError::InvalidArgumentError(digits);
        assert_eq!(of(DataFusionError::ArrowError(Box::new(digits), None)), CallCode::Overflow);
        let average = "Arithmetic Overflow in AvgAccumulator".to_owned();
        assert_eq!(of(DataFusionError::Execution(average)), CallCode::Overflow);
        let day = "Overflow happened on: 2932896 * 86400000000000".to_owned();
        let day = of(DataFusionError::ArrowError(Box::new(ArrowError::ArithmeticOverflow(day)), None));
        assert_eq!(day, CallCode::CastFailed);
    }

    #[test]
    fn a_pattern_is_told_what_is_wrong_in_it() {
        let of = |pattern: &str| {
            let why = regex::Regex::new(pattern).err().map(|error| error.to_string()).unwrap_or_default();
            wrong_pattern(&format!("Compute error: Regular expression did not compile: {why}")).line()
        };
        assert!(of("a(b").contains("no regular expression: unclosed group;"), "{}", of("a(b"));
        let own =
            wrong_pattern(&format!("Execution error: {NO_PATTERN}: it ends with the character that escapes")).line();
        assert!(own.contains(": it ends with the character that escapes;"), "{own}");
        let large = of(r"(\w{1000}){1000}");
        assert!(large.contains("too large"), "{large}");
    }
}
