//! Servers that read backslashes and quotes otherwise where nobody says how: by the settings of a role, and of every
//! connection of a user.

use crate::servers::{asked_at_mariadb, run_in_mariadb, run_in_postgres};
use std::error::Error;

/// The classes whose strings are read otherwise there.
pub(super) const CLASSES: [&str; 7] =
    ["quotes", "backslashes", "comments", "statement_ends", "dollar_quotes", "like_patterns", "identifiers"];

/// The tables, as in the other projects.
const TABLES: &str = "\
tables:
  narrow: { source: shop, table: hostile.narrow }
  large: { source: shop, table: hostile.large }
  secrets: { source: shop, table: hostile.secrets }
  wide: { source: shop, table: hostile.wide }
  wide_secrets: { source: shop, table: hostile.secrets }
  filed: { path: data/filed.parquet }
";

/// The user whose settings they are.
const USER: &str = "hostile_reader";

/// The project, with a line for the source.
fn project(source: &str) -> String {
    format!(
        "name: hostile-values-otherwise\ndefaults: {{ result_limit: none }}\nsources:\n  shop: {{ {source}, user: {USER} }}\n{TABLES}"
    )
}

/// Makes a role for whom a backslash escapes what follows it, and gives the project that it reads.
pub(super) fn of_postgres() -> Result<String, Box<dyn Error>> {
    run_in_postgres(&format!(
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{USER}') THEN CREATE ROLE {USER} LOGIN; END IF; END $$; \
         ALTER ROLE {USER} SET standard_conforming_strings = off; ALTER ROLE {USER} SET backslash_quote = on; \
         GRANT USAGE ON SCHEMA hostile TO {USER}; GRANT SELECT ON ALL TABLES IN SCHEMA hostile TO {USER};"
    ))?;
    let folder = std::env::var("QTOOL_TEST_POSTGRES_DIR")?;
    let address = std::env::var("QTOOL_TEST_POSTGRES_TCP")?;
    let port = address.rsplit(':').next().unwrap_or_default();
    Ok(project(&format!("type: postgres, host: {folder}, port: {port}, database: postgres")))
}

/// A user of MariaDB for whom a backslash is a letter, and a text in double quotes a name. What was set is unset at the end.
pub(super) struct OfMariadb;

impl OfMariadb {
    pub(super) fn set() -> Result<OfMariadb, Box<dyn Error>> {
        run_in_mariadb(&format!(
            "CREATE OR REPLACE USER {USER}@localhost; GRANT SELECT ON hostile.* TO {USER}@localhost; \
             SET GLOBAL init_connect = \"SET sql_mode = IF(CURRENT_USER() LIKE '{USER}@%', 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES', @@sql_mode)\""
        ))?;
        let set = OfMariadb;
        let folder = std::env::var("QTOOL_TEST_MARIADB_DIR")?;
        let address = format!("mysql://{USER}@localhost/hostile?socket={folder}/mariadb.sock");
        let mode = asked_at_mariadb(&address, "SELECT @@sql_mode")?;
        if !mode.contains("NO_BACKSLASH_ESCAPES") {
            return Err(format!("its mode is {mode}").into());
        }
        Ok(set)
    }

    /// The project that the user reads.
    pub(super) fn project(&self) -> Result<String, Box<dyn Error>> {
        let folder = std::env::var("QTOOL_TEST_MARIADB_DIR")?;
        Ok(project(&format!("type: mysql, host: {folder}/mariadb.sock, database: hostile")))
    }
}

impl Drop for OfMariadb {
    fn drop(&mut self) {
        // What is left of it concerns nobody else.
        let _ = run_in_mariadb("SET GLOBAL init_connect = ''");
    }
}
