//! Which variables of the server let somebody in.

use crate::name::holds_secret;
use crate::project::speaks_of_secrets;

/// What names of variables end in, or are, that let somebody in.
const NAMES: [&str; 13] = [
    "TOK",
    "PASS",
    "PWD",
    "PAT",
    "CREDS",
    "CRED",
    "COOKIE",
    "SESSION",
    "AUTH",
    "AUTHORIZATION",
    "SOCK",
    "JWT",
    "WEBHOOK",
];
/// What keys of services begin with.
const KEYS: [&str; 17] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "AKIA",
    "ASIA",
    "AIza",
    "xox",
    "eyJ",
    "Bearer ",
    "Basic ",
];

/// Whether a variable seems to let somebody in, by its name or its value.
fn looks_secret(name: &str, value: &str) -> bool {
    let name = name.to_uppercase();
    let is_named = NAMES.iter().any(|word| name.ends_with(word)) || name.split('_').any(|part| NAMES.contains(&part));
    let is_key = KEYS.iter().any(|key| value.trim().starts_with(key))
        || value.contains("hooks.slack.com/")
        || value.contains("PRIVATE KEY-----");
    // A long word of letters and digits with nothing else is no path and no sentence.
    let is_random = value.len() >= 32
        && value.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_+=".contains(letter))
        && value.chars().any(|letter| letter.is_ascii_digit())
        && value.chars().any(|letter| letter.is_ascii_alphabetic());
    is_named || is_key || is_random
}

/// Whether a variable lets somebody in, or may: by its name, or by what it holds.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    speaks_of_secrets(name) || holds_secret(value) || looks_secret(name, value)
}

#[cfg(test)]
mod tests {
    use super::looks_secret;

    #[test]
    fn keys_of_services_are_seen() {
        for (name, value) in [
            ("GH", "ghp_0123456789"),
            ("X", "sk-ant-api03-abc"),
            ("A", "AKIAIOSFODNN7EXAMPLE"),
            ("J", "eyJhbGciOiJIUzI1NiJ9.e30.x"),
            ("PGPASS", "x"),
            ("SSH_AUTH_SOCK", "/tmp/agent"),
            ("H", "https://hooks.slack.com/services/T0/B0/x"),
            ("R", "0123456789abcdef0123456789abcdef"),
        ] {
            assert!(looks_secret(name, value), "{name}");
        }
        for (name, value) in [
            ("LANG", "C.UTF-8"),
            ("DATA", "/srv/data/of/the/project/with/a/long/path1"),
            ("N", "12"),
            ("PATH", "/usr/bin"),
        ] {
            assert!(!looks_secret(name, value), "{name}");
        }
    }
}
