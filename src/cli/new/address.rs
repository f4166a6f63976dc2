//! The address of a server, as it is typed behind `--from`: what of it may be told, and what the project calls it.

use crate::catalog::DatabaseKind;
use std::fmt;

/// The ways in which addresses begin, and whose they are.
const SCHEMES: [(&str, DatabaseKind); 4] = [
    ("postgres", DatabaseKind::Postgres),
    ("postgresql", DatabaseKind::Postgres),
    ("mysql", DatabaseKind::Mysql),
    ("mariadb", DatabaseKind::Mysql),
];

/// Options that say where a server is and how it is spoken to. Others may be secrets, and are not repeated.
const SAFE_OPTIONS: [&str; 12] = [
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "sslmode",
    "sslrootcert",
    "connect_timeout",
    "target_session_attrs",
    "socket",
    "ssl-mode",
    "ssl-ca",
];

/// What stands where a password is.
const PASSWORD: &str = "PASSWORD";

/// An address. It may hold a password, which nothing but a connection is told.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Address(String);

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address(…)")
    }
}

/// The parts of an address; none of them is decoded.
struct Parts<'a> {
    scheme: &'a str,
    user: &'a str,
    has_password: bool,
    servers: &'a str,
    database: &'a str,
    options: Vec<(&'a str, &'a str)>,
}

impl Address {
    /// An address of a server, and whose it is; `None` where the text is none.
    pub(super) fn parse(text: &str) -> Option<(Address, DatabaseKind)> {
        let (scheme, _) = text.split_once("://")?;
        let (_, kind) = SCHEMES.iter().find(|(known, _)| *known == scheme)?;
        Some((Address(text.to_owned()), *kind))
    }

    /// All of it.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    fn parts(&self) -> Parts<'_> {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", &self.0));
        let (place, options) = rest.split_once('?').unwrap_or((rest, ""));
        // Whatever stands before the last `@` is the user and the password, also where a letter in there is out of place.
        let (person, place) = place.rsplit_once('@').unwrap_or(("", place));
        let (user, password) = person.split_once(':').map_or((person, None), |(user, password)| (user, Some(password)));
        let (servers, database) = place.split_once('/').unwrap_or((place, ""));
        let options: Vec<(&str, &str)> = options.split('&').filter_map(|option| option.split_once('=')).collect();
        let has_password = password.is_some() || options.iter().any(|(name, _)| *name == "password");
        Parts { scheme, user, has_password, servers, database, options }
    }

    /// The name of the database, as it is written; empty where the address says none.
    pub(super) fn database(&self) -> &str {
        let Parts { database, options, .. } = self.parts();
        match options.iter().find(|(name, _)| *name == "dbname") {
            Some((_, name)) if database.is_empty() => name,
            _ => database,
        }
    }

    /// The address as it may be told. A word stands for the password.
    pub(super) fn told_address(&self) -> String {
        let Parts { scheme, user, has_password, servers, database, options } = self.parts();
        let person = match (user, has_password) {
            ("", false) => String::new(),
            (user, true) => format!("{user}:{PASSWORD}@"),
            (user, false) => format!("{user}@"),
        };
        let options = options.iter().filter(|(name, _)| SAFE_OPTIONS.contains(name));
        let options: Vec<String> = options.map(|(name, value)| format!("{name}={value}")).collect();
        let options = if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) };
        let database = if database.is_empty() { String::new() } else { format!("/{database}") };
        format!("{scheme}://{person}{servers}{database}{options}")
    }

    /// What sets a variable to the address in a shell.
    pub(super) fn export_line(&self, variable: &str) -> String {
        let remark = if self.parts().has_password { "  # with its password" } else { "" };
        let address: String = self.told_address().chars().filter(|letter| !letter.is_control()).collect();
        format!("export {variable}='{}'{remark}", address.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_told() {
        for (typed, told) in [
            ("postgres://reader@db.example/shop", "postgres://reader@db.example/shop"),
            ("postgres://reader:geheim@db.example:5433/shop", "postgres://reader:PASSWORD@db.example:5433/shop"),
            ("postgresql://a:ge/heim@b:geheim@h,i/shop", "postgresql://a:PASSWORD@h,i/shop"),
            (
                "postgres://h/shop?user=a&password=geheim&sslmode=verify-full",
                "postgres://:PASSWORD@h/shop?user=a&sslmode=verify-full",
            ),
            ("postgres://h/shop?sslpassword=geheim&odd=geheim", "postgres://h/shop"),
            ("postgres:///shop?host=/run/postgresql", "postgres:///shop?host=/run/postgresql"),
            ("mysql://reader:geheim@db.example:3307/shop?odd=geheim", "mysql://reader:PASSWORD@db.example:3307/shop"),
            (
                "mariadb://reader@localhost/shop?socket=/run/m.sock",
                "mariadb://reader@localhost/shop?socket=/run/m.sock",
            ),
        ] {
            let (address, _) = Address::parse(typed).unwrap();
            assert_eq!(address.told_address(), told);
            assert_eq!(address.database(), "shop", "{typed}");
            assert!(!format!("{address:?}{}", address.export_line("SHOP_URL")).contains("geheim"));
        }
        assert_eq!(Address::parse("mssql://h/shop"), None);
        assert_eq!(Address::parse("mariadb://h/shop").map(|(_, kind)| kind), Some(DatabaseKind::Mysql));
        let line = Address::parse("postgres://o'neil:geheim@h/shop").unwrap().0.export_line("SHOP_URL");
        assert_eq!(line, "export SHOP_URL='postgres://o'\\''neil:PASSWORD@h/shop'  # with its password");
    }
}
