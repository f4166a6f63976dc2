//! What a server of MySQL says of a table.

use super::super::driver::Described;
use super::super::error::SourceError;
use mysql_async::{Conn, Error};

/// Describes a table as it is now.
pub(super) async fn table(_conn: &mut Conn, source: &str, name: &[String]) -> Result<Described, SourceError> {
    Err(SourceError::NoTable { source: source.to_owned(), table: name.join("."), near: None })
}

/// A number for what the columns of a table are; `None` where there is no such table. It is asked in the transaction that
/// has read the rows.
pub(super) async fn version(_conn: &mut Conn, _name: &[String]) -> Result<Option<u64>, Error> {
    Ok(None)
}
