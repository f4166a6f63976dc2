//! What went wrong in the engine, as an agent is told of it.

use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::plan::added_spans::PART_OF_A_DAY;
use crate::plan::engine_words::{is_about_a_pattern, is_of_an_arrow_file};
use crate::plan::frames::DISTANCE_BELOW_ZERO;
use crate::plan::functions::TOO_MANY_STEPS;
use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use std::io;

fn unfit_arguments() -> CallError {
    CallError::new(CallCode::QueryFailed, "the query cannot be run with these arguments")
        .hint("check their values against the descriptions")
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
        DataFusionError::Execution(why) if why.contains(PART_OF_A_DAY) => Some(
            CallError::new(CallCode::QueryFailed, "an interval that the query adds to a date has a part below a day")
                .hint("send an interval of whole days, such as \"P1D\""),
        ),
        DataFusionError::Plan(why) if why.contains(DISTANCE_BELOW_ZERO) => Some(
            CallError::new(CallCode::QueryFailed, "a distance of a window frame is below 0 for these arguments")
                .hint("send a number or an interval that is not below 0"),
        ),
        _ if is_about_a_pattern(&detail) => Some(
            CallError::new(CallCode::InvalidPattern, "a pattern in the query is no regular expression, or too large")
                .hint("send a shorter or simpler pattern"),
        ),
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            ArrowError::DivideByZero => {
                Some(CallError::new(CallCode::DivisionByZero, "the query divides by zero for these arguments"))
            }
            ArrowError::ParseError(why) | ArrowError::InvalidArgumentError(why) if is_of_an_arrow_file(why) => {
                Some(unreadable_data())
            }
            ArrowError::IoError(_, error) if is_of_reading(error) => Some(unreadable_data()),
            ArrowError::CastError(_) | ArrowError::ParseError(_) => Some(CallError::new(
                CallCode::CastFailed,
                "a value in the query cannot be converted to the type it is used as",
            )),
            ArrowError::ComputeError(_) | ArrowError::InvalidArgumentError(_) => Some(unfit_arguments()),
            ArrowError::CsvError(_)
            | ArrowError::JsonError(_)
            | ArrowError::AvroError(_)
            | ArrowError::IpcError(_)
            | ArrowError::ParquetError(_) => Some(unreadable_data()),
            ArrowError::ArithmeticOverflow(_) => {
                Some(CallError::new(CallCode::Overflow, "a number in the query became too large for these arguments"))
            }
            _ => None,
        },
        DataFusionError::ObjectStore(_) | DataFusionError::ParquetError(_) => Some(unreadable_data()),
        DataFusionError::IoError(error) if is_of_reading(error) => Some(unreadable_data()),
        // The plan was fine before the arguments were put into it.
        DataFusionError::Execution(_) | DataFusionError::Plan(_) => Some(unfit_arguments()),
        _ => None,
    };
    match told {
        Some(told) => CallError { detail: Some(detail), ..told },
        None => CallError::internal(detail),
    }
}
