//! Database servers of tests: those that `tests/databases/servers.sh` starts, and says the addresses of.

use crate::cases::block_on;
use mysql_async::prelude::Queryable;
use std::error::Error;
use std::io::Write;
use tokio_postgres::NoTls;

/// The variable that says where PostgreSQL is.
pub(crate) const POSTGRES: &str = "QTOOL_TEST_POSTGRES";

/// The variable that says where MariaDB is.
const MARIADB: &str = "QTOOL_TEST_MARIADB";

/// The words in the names of the tests that need a server, each with its product and the variable that says where it is.
const NEEDS: [(&str, &str, &str); 3] =
    [("postgres", "PostgreSQL", POSTGRES), ("mysql", "MySQL", MARIADB), ("mariadb", "MariaDB", MARIADB)];

/// Says which tests are left out.
pub(crate) fn say_what_is_left_out() {
    for (_, server, variable) in NEEDS.into_iter().filter(|(_, _, variable)| std::env::var_os(variable).is_none()) {
        let how = "tests/databases/servers.sh starts one";
        // Nobody may read it.
        let _ = writeln!(std::io::stderr(), "tests over {server} are left out: {variable} names no server; {how}");
    }
}

/// Whether a test needs a server that is not there.
pub(crate) fn is_left_out(name: &str) -> bool {
    NEEDS.iter().any(|(word, _, variable)| name.contains(word) && std::env::var_os(variable).is_none())
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

/// Runs statements in MariaDB, as its administrator.
pub(crate) fn run_in_mariadb(statements: &str) -> Result<(), Box<dyn Error>> {
    let (address, statements) = (std::env::var(MARIADB)?, statements.to_owned());
    let outcome = block_on(async move {
        let mut connection = mysql_async::Conn::from_url(address).await?;
        connection.query_drop(statements).await?;
        connection.disconnect().await
    });
    outcome.map_err(Into::into)
}

/// The first value that a statement gives, as a text.
pub(crate) fn asked_of_mariadb(statement: &str) -> Result<String, Box<dyn Error>> {
    let (address, statement) = (std::env::var(MARIADB)?, statement.to_owned());
    let value: Option<String> = block_on(async move {
        let mut connection = mysql_async::Conn::from_url(address).await?;
        let value = connection.query_first(statement).await?;
        connection.disconnect().await?;
        Ok::<_, mysql_async::Error>(value)
    })?;
    Ok(value.unwrap_or_default())
}
