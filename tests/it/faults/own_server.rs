//! A database server that a test has for itself, and may kill.

use crate::cases::block_on;
use crate::servers::{run_at_mariadb, run_at_postgres};
use std::any::Any;
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Who asks, and with which password.
const USER: &str = "canary_user";
pub(super) const PASSWORD: &str = "canary%20password";

/// What starts servers.
const SCRIPT: &str = "tests/databases/servers.sh";

/// Which server it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Postgres,
    Mariadb,
}

/// It is killed at the end, too.
pub(super) struct OwnServer {
    pub(super) kind: Kind,
    /// Where it listens: `127.0.0.1:1234`.
    pub(super) place: String,
    /// The address for its administrator.
    administrator: String,
    folder: tempfile::TempDir,
}

impl Kind {
    /// What `type` of a source is.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Postgres => "postgres",
            Kind::Mariadb => "mysql",
        }
    }

    fn script_word(self) -> &'static str {
        match self {
            Kind::Postgres => "postgres",
            Kind::Mariadb => "mariadb",
        }
    }

    fn database(self) -> &'static str {
        match self {
            Kind::Postgres => "postgres",
            Kind::Mariadb => "shop",
        }
    }

    /// A word that is sent when a table is asked about.
    pub(super) fn word_of_descriptions(self) -> &'static str {
        match self {
            Kind::Postgres => "pg_catalog.pg_class",
            Kind::Mariadb => "information_schema",
        }
    }

    /// The statements that make the table.
    pub(super) fn table(self) -> &'static str {
        match self {
            Kind::Postgres => {
                "CREATE TABLE canary_t (id int PRIMARY KEY); INSERT INTO canary_t VALUES (1); \
                 GRANT SELECT ON canary_t TO canary_user"
            }
            Kind::Mariadb => "CREATE TABLE canary_t (id int PRIMARY KEY); INSERT INTO canary_t VALUES (1)",
        }
    }

    fn setup(self) -> &'static str {
        match self {
            Kind::Postgres => {
                "CREATE ROLE canary_user LOGIN PASSWORD 'canary password'; \
                 CREATE VIEW canary_slow AS SELECT 1 AS id, pg_sleep(30)::text AS waited; \
                 GRANT SELECT ON canary_slow TO canary_user;"
            }
            Kind::Mariadb => {
                "CREATE USER canary_user@'%' IDENTIFIED BY 'canary password'; \
                 GRANT SELECT, SHOW VIEW ON shop.* TO canary_user@'%'; \
                 CREATE ALGORITHM = TEMPTABLE VIEW canary_slow AS SELECT sleep(30) + 1 AS id;"
            }
        }
    }
}

impl OwnServer {
    /// A new one, with a table.
    pub(super) fn start(kind: Kind) -> Result<OwnServer, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        script(&format!("start-{}", kind.script_word()), &folder)?;
        let variables = std::fs::read_to_string(folder.path().join("env"))?;
        let variable = |ending: &str| {
            let name = format!("export QTOOL_TEST_{}{ending}='", kind.script_word().to_uppercase());
            let line = variables.lines().find_map(|line| line.strip_prefix(&name)?.strip_suffix('\''));
            line.map(str::to_owned).ok_or_else(|| format!("no {name} in {variables}"))
        };
        let server = OwnServer { kind, place: variable("_TCP")?, administrator: variable("")?, folder };
        server.run(&[kind.setup(), kind.table()].concat())?;
        Ok(server)
    }

    /// Runs statements, as its administrator.
    pub(super) fn run(&self, statements: &str) -> Result<(), Box<dyn Error>> {
        match self.kind {
            Kind::Postgres => run_at_postgres(&self.administrator, statements),
            Kind::Mariadb => run_at_mariadb(&self.administrator, statements),
        }
    }

    /// The address of who asks, on a host.
    pub(super) fn address(&self, host: &str, password: &str) -> String {
        let port = self.place.rsplit(':').next().unwrap_or_default();
        self.address_at(&format!("{host}:{port}"), password)
    }

    /// The same at a place.
    pub(super) fn address_at(&self, place: &str, password: &str) -> String {
        format!("{}://{USER}:{password}@{place}/{}", self.kind.name(), self.kind.database())
    }

    /// The certificates of who vouches for it; `None` where there are none.
    pub(super) fn authority(&self) -> Option<PathBuf> {
        let file = self.folder.path().join(self.kind.script_word()).join("ca.pem");
        file.exists().then_some(file)
    }

    pub(super) fn kill(&self) -> Result<(), Box<dyn Error>> {
        script(&format!("stop-{}", self.kind.script_word()), &self.folder)
    }

    pub(super) fn run_again(&self) -> Result<(), Box<dyn Error>> {
        script(&format!("run-{}", self.kind.script_word()), &self.folder)
    }

    /// Takes connections until there are no more, and has them as long as what is returned lives.
    pub(super) fn take_all_connections(&self) -> Result<Vec<Box<dyn Any + Send>>, Box<dyn Error>> {
        let (kind, address) = (self.kind, self.address("127.0.0.1", PASSWORD));
        let taken = block_on(async move {
            let mut taken: Vec<Box<dyn Any + Send>> = Vec::new();
            loop {
                match kind {
                    Kind::Postgres => match tokio_postgres::connect(&address, tokio_postgres::NoTls).await {
                        Ok((client, connection)) => {
                            tokio::spawn(connection);
                            taken.push(Box::new(client));
                        }
                        Err(error) => return (taken, error.code().map(|code| code.code().to_owned())),
                    },
                    Kind::Mariadb => match mysql_async::Conn::from_url(&address).await {
                        Ok(connection) => taken.push(Box::new(connection)),
                        Err(mysql_async::Error::Server(error)) => return (taken, Some(error.code.to_string())),
                        Err(_) => return (taken, None),
                    },
                }
            }
        });
        match taken {
            (taken, Some(code)) if ["53300", "1040"].contains(&code.as_str()) => Ok(taken),
            (_, code) => Err(format!("the connections ended with {code:?}").into()),
        }
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // It may be killed already.
        let _ = self.kill();
    }
}

/// Has the script do something; what it starts goes on behind it.
fn script(what: &str, folder: &tempfile::TempDir) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(SCRIPT);
    let outcome = command.arg(what).arg(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    if outcome.success() { Ok(()) } else { Err(format!("{SCRIPT} {what}: {outcome}").into()) }
}
