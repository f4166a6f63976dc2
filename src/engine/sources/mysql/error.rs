//! temp
use super::super::error::SourceError;
pub(super) fn source_error(_error: &mysql_async::Error, source: &str, (_table, _is_authored): (&str, bool)) -> SourceError {
    SourceError::Busy { source: source.to_owned() }
}
