//! Database servers of tests: those that `tests/databases/servers.sh` starts, and says the addresses of.

use crate::cases::block_on;
use std::error::Error;
use std::io::Write;
use tokio_postgres::NoTls;

/// The variable that says where PostgreSQL is.
pub(crate) const POSTGRES: &str = "QTOOL_TEST_POSTGRES";

/// Whether there is a server of PostgreSQL.
pub(crate) fn has_postgres() -> bool {
    std::env::var_os(POSTGRES).is_some()
}

/// Says which tests are left out.
pub(crate) fn say_what_is_left_out() {
    if !has_postgres() {
        let what = "tests over PostgreSQL are left out";
        // Nobody may read it.
        let _ =
            writeln!(std::io::stderr(), "{what}: {POSTGRES} names no server; tests/databases/servers.sh starts one");
    }
}

/// Whether a test needs a server that is not there.
pub(crate) fn is_left_out(name: &str) -> bool {
    name.contains("postgres") && !has_postgres()
}

/// Runs statements in PostgreSQL, as its administrator.
pub(crate) fn run_in_postgres(statements: &str) -> Result<(), Box<dyn Error>> {
    let (address, statements) = (std::env::var(POSTGRES)?, statements.to_owned());
    let outcome = block_on(async move {
        let (client, connection) = tokio_postgres::connect(&address, NoTls).await?;
        let connection = tokio::spawn(connection);
        let outcome = client.batch_execute(&statements).await;
        drop(client);
        connection.abort();
        outcome
    });
    outcome.map_err(|error| match error.as_db_error() {
        Some(told) => told.to_string().into(),
        None => error.into(),
    })
}

/// The first value that a statement gives.
pub(crate) fn asked_of_postgres(statement: &str) -> Result<String, Box<dyn Error>> {
    let (address, statement) = (std::env::var(POSTGRES)?, statement.to_owned());
    let row = block_on(async move {
        let (client, connection) = tokio_postgres::connect(&address, NoTls).await?;
        let connection = tokio::spawn(connection);
        let row = client.query_one(&statement, &[]).await;
        drop(client);
        connection.abort();
        row
    })?;
    Ok(row.get(0))
}
