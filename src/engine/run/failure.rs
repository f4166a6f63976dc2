//! What went wrong in the engine, as an agent is told of it.

use crate::engine::error::CallError;
use crate::infer::functions::TOO_MANY_STEPS;
use arrow::error::ArrowError;
use datafusion::common::DataFusionError;

fn unfit_arguments() -> CallError {
    CallError::new("query-failed", "the query cannot be run with these arguments")
        .hint("check their values against the descriptions")
}

fn unreadable_data() -> CallError {
    CallError::new("unreadable-data", "a file of the tool's data cannot be read; the server's log says why")
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
            CallError::new("too-expensive", "a function in the query takes too long for values of this size")
                .hint("send shorter values"),
        ),
        DataFusionError::ResourcesExhausted(_) => Some(
            CallError::new("out-of-memory", "the query needs more memory than it may take")
                .hint("narrow the arguments"),
        ),
        // LIKE and the regular expressions compile their pattern when they see it.
        _ if ["build regex", "regex parse error", "egular expression"].iter().any(|words| detail.contains(words)) => {
            Some(
                CallError::new("invalid-pattern", "a pattern in the query is no regular expression, or too large")
                    .hint("send a shorter or simpler pattern"),
            )
        }
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            ArrowError::DivideByZero => {
                Some(CallError::new("division-by-zero", "the query divides by zero for these arguments"))
            }
            ArrowError::CastError(_) | ArrowError::ParseError(_) => Some(CallError::new(
                "cast-failed",
                "a value in the query cannot be converted to the type it is used as",
            )),
            ArrowError::ComputeError(_) | ArrowError::InvalidArgumentError(_) => Some(unfit_arguments()),
            ArrowError::CsvError(_)
            | ArrowError::JsonError(_)
            | ArrowError::AvroError(_)
            | ArrowError::IpcError(_)
            | ArrowError::ParquetError(_) => Some(unreadable_data()),
            ArrowError::ArithmeticOverflow(_) => {
                Some(CallError::new("overflow", "a number in the query became too large for these arguments"))
            }
            _ => None,
        },
        DataFusionError::ObjectStore(_) | DataFusionError::ParquetError(_) => Some(unreadable_data()),
        // The plan was fine before the arguments were put into it.
        DataFusionError::Execution(_) | DataFusionError::Plan(_) => Some(unfit_arguments()),
        _ => None,
    };
    match told {
        Some(told) => CallError { detail: Some(detail), ..told },
        None => CallError::internal(detail),
    }
}
