//! Database servers of tests: those that `tests/databases/servers.sh` starts, and says the addresses of.

use crate::cases::block_on;
use mysql_async::prelude::Queryable;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use tokio_postgres::NoTls;

/// The variable that says where PostgreSQL is.
pub(crate) const POSTGRES: &str = "QTOOL_TEST_POSTGRES";

/// The variable that says where PgBouncer is, before the same PostgreSQL.
pub(crate) const PGBOUNCER: &str = "QTOOL_TEST_PGBOUNCER";

/// The variable that says where MariaDB is.
const MARIADB: &str = "QTOOL_TEST_MARIADB";

/// The words in the names of the tests that need a server, each with its product and the variable that says where it is.
const NEEDS: [(&str, &str, &str); 4] = [
    ("postgres", "PostgreSQL", POSTGRES),
    ("pgbouncer", "PgBouncer", PGBOUNCER),
    ("mysql", "MySQL", MARIADB),
    ("mariadb", "MariaDB", MARIADB),
];

/// The variables that name the folders of servers, in which there are certificates.
const FOLDERS: [(&str, &str); 2] = [("PostgreSQL", "QTOOL_TEST_POSTGRES_DIR"), ("MariaDB", "QTOOL_TEST_MARIADB_DIR")];

/// The word in the names of the tests that need geometries in PostgreSQL.
const POSTGIS: &str = "postgis";

/// The words in the names of the tests whose programs and servers are written in Python.
const IN_PYTHON: [&str; 2] = ["/programs/", "/upstreams/"];

/// Says which tests are left out.
pub(crate) fn say_what_is_left_out() {
    for (_, server, variable) in NEEDS.into_iter().filter(|(_, _, variable)| std::env::var_os(variable).is_none()) {
        let how = "tests/databases/servers.sh starts one";
        // Nobody may read it.
        let _ = writeln!(std::io::stderr(), "tests over {server} are left out: {variable} names no server; {how}");
    }
    for (server, variable) in FOLDERS {
        if std::env::var_os(variable).is_some_and(|folder| !Path::new(&folder).join("ca.pem").exists()) {
            let _ =
                writeln!(std::io::stderr(), "tests of TLS over {server} are left out: {variable} has no certificates");
        }
    }
    if !has_python() {
        let _ = writeln!(std::io::stderr(), "tests of programs and of other servers are left out: there is no python3");
    }
    if std::env::var_os(POSTGRES).is_some() && !has_postgis() {
        let _ = writeln!(std::io::stderr(), "tests of geometries are left out: PostgreSQL has no PostGIS");
    }
}

/// Whether a test needs a server that is not there, or what that does not have.
pub(crate) fn is_left_out(name: &str) -> bool {
    NEEDS.iter().any(|(word, _, variable)| name.contains(word) && std::env::var_os(variable).is_none())
        || name.contains(POSTGIS) && !has_postgis()
        || IN_PYTHON.iter().any(|word| name.contains(word)) && !has_python()
}

/// Whether there is a Python to run what is written in it.
fn has_python() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| std::process::Command::new("python3").arg("--version").output().is_ok())
}

/// Whether PostgreSQL has PostGIS.
fn has_postgis() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    let asked = "SELECT count(*)::text FROM pg_available_extensions WHERE name = 'postgis'";
    *HAS.get_or_init(|| asked_of_postgres(asked).is_ok_and(|found| found == "1"))
}

/// Runs statements in PostgreSQL, as its administrator.
pub(crate) fn run_in_postgres(statements: &str) -> Result<(), Box<dyn Error>> {
    run_at_postgres(&std::env::var(POSTGRES)?, statements)
}

/// Makes a database of PostgreSQL that has what the statements make, and nothing else; says its address.
pub(crate) fn database_of_postgres(name: &str, statements: &str) -> Result<String, Box<dyn Error>> {
    // Each by itself: neither is one in a transaction, which several at once are.
    run_in_postgres(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
    run_in_postgres(&format!("CREATE DATABASE {name}"))?;
    let address = std::env::var(POSTGRES)?.replacen("/postgres?", &format!("/{name}?"), 1);
    run_at_postgres(&address, statements)?;
    Ok(address)
}

/// Runs statements in the PostgreSQL that an address names.
pub(crate) fn run_at_postgres(address: &str, statements: &str) -> Result<(), Box<dyn Error>> {
    let (address, statements) = (address.to_owned(), statements.to_owned());
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
    asked_at_postgres(&std::env::var(POSTGRES)?, statement)
}

/// The first value that a statement gives to whom an address names.
pub(crate) fn asked_at_postgres(address: &str, statement: &str) -> Result<String, Box<dyn Error>> {
    let (address, statement) = (address.to_owned(), statement.to_owned());
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
    run_at_mariadb(&std::env::var(MARIADB)?, statements)
}

/// Runs statements in the MariaDB that an address names.
pub(crate) fn run_at_mariadb(address: &str, statements: &str) -> Result<(), Box<dyn Error>> {
    let (address, statements) = (address.to_owned(), statements.to_owned());
    let outcome = block_on(async move {
        let mut connection = mysql_async::Conn::from_url(address).await?;
        connection.query_drop(statements).await?;
        connection.disconnect().await
    });
    outcome.map_err(Into::into)
}

/// Makes a database of MariaDB that has what the statements make, and nothing else; says its address.
pub(crate) fn database_of_mariadb(name: &str, statements: &str) -> Result<String, Box<dyn Error>> {
    run_in_mariadb(&format!("DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}; USE {name};\n{statements}"))?;
    Ok(std::env::var(MARIADB)?.replacen("/shop?", &format!("/{name}?"), 1))
}

/// The first value that a statement gives, as a text.
pub(crate) fn asked_of_mariadb(statement: &str) -> Result<String, Box<dyn Error>> {
    asked_at_mariadb(&std::env::var(MARIADB)?, statement)
}

/// The first value that a statement gives to whom an address names, as a text.
pub(crate) fn asked_at_mariadb(address: &str, statement: &str) -> Result<String, Box<dyn Error>> {
    let (address, statement) = (address.to_owned(), statement.to_owned());
    let value: Option<String> = block_on(async move {
        let mut connection = mysql_async::Conn::from_url(address).await?;
        let value = connection.query_first(statement).await?;
        connection.disconnect().await?;
        Ok::<_, mysql_async::Error>(value)
    })?;
    Ok(value.unwrap_or_default())
}
