//! `sources` of `qtool.yaml`: the databases that tables lie in.

use super::bound::BoundFrom;
use super::inclusion::Inclusion;
use super::settings::Timeout;
use crate::catalog::DatabaseKind;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How many connections are kept where nothing is said.
const CONNECTIONS: u32 = 16;

/// How many connections to a server there are at most where nothing is said.
const SERVER_CONNECTIONS: u32 = 8;

/// How long it may take until there is a connection to a server where nothing is said.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A database, by its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SourceConfig {
    /// A file of SQLite.
    Sqlite(SqliteConfig),
    /// A server of PostgreSQL.
    Postgres(PostgresConfig),
    /// A server of MySQL or MariaDB.
    Mysql(MysqlConfig),
}

/// A file of SQLite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SqliteConfig {
    /// The file, relative to the project.
    pub path: String,
    /// How many connections are kept open for the next queries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_idle_connections: Option<u32>,
    /// Which of its tables are tables of the project by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Inclusion>,
    /// Where the keys of calls are kept that change data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<IdempotencyConfig>,
}

impl SqliteConfig {
    /// How many connections are kept open for the next queries.
    pub fn max_idle_connections(&self) -> usize {
        self.max_idle_connections.unwrap_or(CONNECTIONS).max(1) as usize
    }
}

/// Where a server is: the variable that holds its address, or the parts of that. Which of both, is checked with the places.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerAddress {
    /// The variable that holds the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url_env: Option<String>,
    /// The name of the machine, or the folder of its sockets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The port that it listens at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// The database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The variable that holds the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_env: Option<String>,
}

impl ServerAddress {
    /// An address that a variable holds.
    pub fn of_variable(variable: &str) -> ServerAddress {
        ServerAddress { url_env: Some(variable.to_owned()), ..ServerAddress::default() }
    }

    /// The variables that it is made of, each with what that is.
    fn variables(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let secrets = [(&self.url_env, "address"), (&self.password_env, "password")];
        secrets.into_iter().filter_map(|(variable, what)| Some((variable.as_deref()?, what)))
    }
}

/// A server of PostgreSQL.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostgresConfig {
    /// Where it is.
    #[serde(flatten)]
    pub address: ServerAddress,
    /// How the connection is made secret, and who the server must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsConfig>,
    /// Whether statements are kept in the server by name, which a pooler that shares connections does not bear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_statements: Option<bool>,
    /// How many connections there are at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
    /// How long it may take until there is a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_timeout: Option<Timeout>,
    /// Which of its tables are tables of the project by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Inclusion>,
    /// The settings that each transaction has, by which the rules of the database choose the rows of a caller.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub session: IndexMap<String, BoundFrom>,
    /// Where the keys of calls are kept that change data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<IdempotencyConfig>,
}

impl PostgresConfig {
    /// How many connections there are at most.
    pub fn max_connections(&self) -> usize {
        self.max_connections.unwrap_or(SERVER_CONNECTIONS).max(1) as usize
    }

    /// How long it may take until there is a connection.
    pub fn connect_timeout(&self) -> Duration {
        self.connect_timeout.map_or(CONNECT_TIMEOUT, |timeout| timeout.0)
    }

    /// Whether statements are kept in the server by name.
    pub fn has_named_statements(&self) -> bool {
        self.named_statements.unwrap_or(true)
    }
}

/// A server of MySQL or MariaDB.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MysqlConfig {
    /// Where it is.
    #[serde(flatten)]
    pub address: ServerAddress,
    /// How the connection is made secret, and who the server must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsConfig>,
    /// How many connections there are at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
    /// How long it may take until there is a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_timeout: Option<Timeout>,
    /// Which of its tables are tables of the project by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Inclusion>,
    /// Where the keys of calls are kept that change data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<IdempotencyConfig>,
}

impl MysqlConfig {
    /// How many connections there are at most.
    pub fn max_connections(&self) -> usize {
        self.max_connections.unwrap_or(SERVER_CONNECTIONS).max(1) as usize
    }

    /// How long it may take until there is a connection.
    pub fn connect_timeout(&self) -> Duration {
        self.connect_timeout.map_or(CONNECT_TIMEOUT, |timeout| timeout.0)
    }
}

/// Where the keys of calls are kept that change data, with what these calls have answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdempotencyConfig {
    /// The table in the same database, with its schema where it has one: `id`, `arguments`, `answer` and `at`.
    #[schemars(length(min = 1))]
    pub table: String,
    /// How long a key is kept, e.g. `1h`. Default: `24h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Timeout>,
}

/// How long keys are kept where nothing is said.
const KEEP: Duration = Duration::from_secs(24 * 60 * 60);

impl IdempotencyConfig {
    /// How long a key is kept.
    pub fn keep(&self) -> Duration {
        self.keep.map_or(KEEP, |keep| keep.0)
    }
}

/// How a connection is made secret. Paths are relative to the project. Without it, the certificate and the name of a server
/// are checked, unless it is on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// What is checked of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<TlsMode>,
    /// The file of the certificates that vouch for the server, in PEM. Default: those that the machine trusts.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say which file vouches for the server: `ca: certs/ca.pem`"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<String>,
    /// The file of the certificate of the client, in PEM.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say which file the client shows: `cert: certs/client.pem`"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert: Option<String>,
    /// The variable that holds its key, in PEM.
    #[schemars(extend("x-keep" = "say which variable holds the key: `key_env: SHOP_KEY`"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
}

/// What is checked of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TlsMode {
    /// The certificate and the name of the server.
    VerifyFull,
    /// The certificate, whatever name it is for.
    VerifyCa,
    /// Nothing: anybody on the way can be the server. It is encrypted where the server can, and nobody sees to it.
    Insecure,
    /// Nothing, and nothing is encrypted. For servers of this machine alone.
    Disable,
}

/// What `qtool.yaml` may say of a database: the keys of all types. Which of them a type has is checked with their places.
#[derive(JsonSchema)]
#[schemars(rename = "SourceConfig", deny_unknown_fields)]
#[allow(
    dead_code,
    reason = "the schema of `SourceConfig`: a list of alternatives would tell mistakes in the words of all"
)]
struct SourceKeys {
    /// What the database is.
    #[schemars(rename = "type")]
    ty: DatabaseKind,
    /// SQLite: the file, relative to the project.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say where the file lies, relative to the project: `path: data/shop.sqlite`"))]
    path: Option<String>,
    /// SQLite: how many connections are kept open for the next queries. Default: 16.
    #[schemars(range(min = 1, max = 200))]
    #[schemars(extend("x-expected" = "a whole number from 1 to 200"))]
    max_idle_connections: Option<u32>,
    /// PostgreSQL and MySQL: the variable that holds the address, as in `postgres://reader@db.example/shop`.
    #[schemars(extend("x-keep" = "say which variable holds the address: `url_env: SHOP_URL`"))]
    url_env: Option<String>,
    /// PostgreSQL and MySQL: the name of the server, or the folder of its sockets, in the place of `url_env`.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say which server it is: `host: db.example`"))]
    host: Option<String>,
    /// PostgreSQL and MySQL: the port of the server, beside `host`. Default: 5432, and 3306 of MySQL.
    #[schemars(range(min = 1, max = 65_535))]
    #[schemars(extend("x-expected" = "the number of a port, from 1 to 65535"))]
    port: Option<u16>,
    /// PostgreSQL and MySQL: the database on the server, beside `host`.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say which database it is: `database: shop`"))]
    database: Option<String>,
    /// PostgreSQL and MySQL: who asks the server, beside `host`.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say who asks: `user: reader`"))]
    user: Option<String>,
    /// PostgreSQL and MySQL: the variable that holds the password of `user`. Default: no password.
    #[schemars(extend("x-keep" = "say which variable holds the password: `password_env: SHOP_PASSWORD`"))]
    password_env: Option<String>,
    /// PostgreSQL and MySQL: how the connection is made secret, and who the server must be.
    tls: Option<TlsConfig>,
    /// PostgreSQL: whether statements are kept in the server by name. `false` behind a pooler that shares connections.
    /// Default: true.
    named_statements: Option<bool>,
    /// PostgreSQL and MySQL: how many connections there are at most. Default: 8.
    #[schemars(range(min = 1, max = 200))]
    #[schemars(extend("x-expected" = "a whole number from 1 to 200"))]
    max_connections: Option<u32>,
    /// PostgreSQL and MySQL: how long it may take until there is a connection. Default: 5s.
    connect_timeout: Option<Timeout>,
    /// Which of its tables are tables of the project without a line under `tables`. Default: none.
    tables: Option<Inclusion>,
    /// PostgreSQL: the settings that each transaction has, by which the rules of the database choose the rows of a caller:
    /// `session: { app.tenant: claim.tenant_id }`. Without their values, no tool that reads the source is called.
    session: Option<IndexMap<String, BoundFrom>>,
    /// Where the keys of calls are kept that change data, so that none is made twice. Default: nowhere.
    idempotency: Option<IdempotencyConfig>,
}

impl SourceConfig {
    /// What kind of database it is.
    pub fn kind(&self) -> DatabaseKind {
        match self {
            SourceConfig::Sqlite(_) => DatabaseKind::Sqlite,
            SourceConfig::Postgres(_) => DatabaseKind::Postgres,
            SourceConfig::Mysql(_) => DatabaseKind::Mysql,
        }
    }

    /// The keys that databases of a kind have, beside those that all have.
    pub fn own_keys(kind: DatabaseKind) -> &'static [&'static str] {
        match kind {
            DatabaseKind::Sqlite => &["path", "max_idle_connections", "idempotency"],
            DatabaseKind::Postgres => &[
                "url_env",
                "host",
                "port",
                "database",
                "user",
                "password_env",
                "tls",
                "named_statements",
                "max_connections",
                "connect_timeout",
                "session",
                "idempotency",
            ],
            DatabaseKind::Mysql => &[
                "url_env",
                "host",
                "port",
                "database",
                "user",
                "password_env",
                "tls",
                "max_connections",
                "connect_timeout",
                "idempotency",
            ],
        }
    }

    /// Which of its tables are tables of the project by themselves.
    pub fn inclusion(&self) -> Option<&Inclusion> {
        match self {
            SourceConfig::Sqlite(sqlite) => sqlite.tables.as_ref(),
            SourceConfig::Postgres(postgres) => postgres.tables.as_ref(),
            SourceConfig::Mysql(mysql) => mysql.tables.as_ref(),
        }
    }

    /// The variables that hold what the database is opened by, each with what that is.
    pub fn variables(&self) -> Vec<(&str, &'static str)> {
        let (address, tls) = match self {
            SourceConfig::Sqlite(_) => return Vec::new(),
            SourceConfig::Postgres(postgres) => (&postgres.address, &postgres.tls),
            SourceConfig::Mysql(mysql) => (&mysql.address, &mysql.tls),
        };
        let key = tls.as_ref().and_then(|tls| tls.key_env.as_deref());
        address.variables().chain(key.map(|key| (key, "private key"))).collect()
    }

    /// Where the keys of calls are kept that change data.
    pub fn idempotency(&self) -> Option<&IdempotencyConfig> {
        match self {
            SourceConfig::Sqlite(sqlite) => sqlite.idempotency.as_ref(),
            SourceConfig::Postgres(postgres) => postgres.idempotency.as_ref(),
            SourceConfig::Mysql(mysql) => mysql.idempotency.as_ref(),
        }
    }

    /// The settings that say who a transaction is for, with where their values come from.
    pub fn session(&self) -> impl Iterator<Item = (&String, &BoundFrom)> {
        let session = match self {
            SourceConfig::Sqlite(_) | SourceConfig::Mysql(_) => None,
            SourceConfig::Postgres(postgres) => Some(&postgres.session),
        };
        session.into_iter().flatten()
    }

    /// The file that the data lies in, as it is written; `None` where a server has it.
    pub fn local_path(&self) -> Option<&str> {
        match self {
            SourceConfig::Sqlite(sqlite) => Some(&sqlite.path),
            SourceConfig::Postgres(_) | SourceConfig::Mysql(_) => None,
        }
    }
}

impl JsonSchema for SourceConfig {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        SourceKeys::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SourceKeys::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys that databases of all kinds have.
    const COMMON: [&str; 2] = ["type", "tables"];

    #[test]
    fn every_key_is_of_a_kind() {
        let schema = crate::yaml::Shape::of::<SourceConfig>();
        let mut known: Vec<&str> = schema.keys().filter(|key| !COMMON.contains(key)).collect();
        let mut own: Vec<&str> = DatabaseKind::ALL.into_iter().flat_map(SourceConfig::own_keys).copied().collect();
        known.sort_unstable();
        own.sort_unstable();
        own.dedup();
        assert_eq!(own, known);
    }
}
