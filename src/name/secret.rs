//! What speaks of a secret: keys of other programs for the addresses and passwords of databases, and texts that hold one.

/// The keys, in lower case and with `_` between words. What ends in `_env` names a variable, and is none.
const KEYS: [&str; 36] = [
    "access_key",
    "access_token",
    "api_key",
    "apikey",
    "auth",
    "auth_token",
    "conn",
    "conn_str",
    "conn_string",
    "connection",
    "connection_string",
    "connection_uri",
    "connection_url",
    "connectionstring",
    "conninfo",
    "connstr",
    "credential",
    "credentials",
    "database_url",
    "db_url",
    "dsn",
    "jdbc_url",
    "key",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "pw",
    "pwd",
    "secret",
    "secret_key",
    "sslpassword",
    "token",
    "uri",
    "url",
];

/// Whether the value of a key of a database is none to be shown.
pub fn is_key_of_secret(key: &str) -> bool {
    KEYS.contains(&key.trim().to_lowercase().replace(['-', ' '], "_").as_str())
}

/// Whether a text is an address with a name or a password in it, a list of settings with a password, or a key itself.
pub fn holds_secret(text: &str) -> bool {
    if text.contains("PRIVATE KEY--") {
        return true;
    }
    let behind = text.split_once("://").map(|(_, behind)| behind);
    let lower = text.to_lowercase();
    let is_setting = ["password", "passwd", "pwd", "sig", "token"].iter().any(|key| {
        let mut behind = lower.split(key).skip(1);
        behind.any(|rest| rest.trim_start().starts_with('='))
    });
    behind.is_some_and(|behind| behind.contains('@')) || is_setting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_texts_that_hold_secrets_are_told_from_others() {
        assert!(KEYS.is_sorted_by(|one, next| one < next));
        for key in ["password", "Connection-String", "URL", "dsn"] {
            assert!(is_key_of_secret(key), "{key}");
        }
        for key in ["path", "type", "url_env", "password_env", "max_idle_connections"] {
            assert!(!is_key_of_secret(key), "{key}");
        }
        for text in [
            "postgres://me:pass@db/shop",
            "postgres://me@db",
            "host=db password = pass",
            "Server=db;Pwd=pass",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            assert!(holds_secret(text), "{text}");
        }
        for text in ["data/shop.sqlite", "sqlite:///data/shop.sqlite", "data/me@home.sqlite", "data/passwords.sqlite"] {
            assert!(!holds_secret(text), "{text}");
        }
    }
}
