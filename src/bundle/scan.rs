//! What must not be in a bundle: secrets, and paths of the machine it was made on.

mod base64;

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Something that must not leave the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// What it looks like, in words; never the text itself.
    pub what: String,
    /// Where it begins in the text that was looked at, in bytes.
    pub start: usize,
    /// One past its end.
    pub end: usize,
}

/// What is known of the machine that builds.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    /// Paths of folders: the project's, the user's own.
    pub folders: Vec<String>,
    /// Variables of the environment whose names speak of secrets, with their values.
    pub secrets: Vec<(String, String)>,
}

/// A value of the environment that is shorter is too common to be told from other words.
const SHORTEST: usize = 8;
/// What the names of variables that hold secrets have in them.
const SECRET_PARTS: [&str; 14] = [
    "SECRET",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "API_KEY",
    "APIKEY",
    "ACCESSKEY",
    "PRIVATE",
    "CREDENTIAL",
    "BEARER",
    "CONNECTION_STRING",
    "CONN_STR",
    "WEBHOOK",
];
/// Words that such names are made of.
const SECRET_WORDS: [&str; 12] =
    ["KEY", "KEYS", "AUTH", "DSN", "CRED", "CREDS", "PW", "JWT", "SAS", "OTP", "COOKIE", "PIN"];
/// What such a word ends in: `DB_PASS`, `MYSQL_PWD`, `PGPASS`.
const SECRET_ENDS: [&str; 4] = ["PASS", "PWD", "DSN", "PASSCODE"];
/// Where a shell is.
const FOLDERS: [&str; 2] = ["PWD", "OLDPWD"];

impl Machine {
    /// Takes what is telling from the environment.
    pub fn of(folders: impl IntoIterator<Item = String>, variables: impl Iterator<Item = (String, String)>) -> Machine {
        let is_secret = |(name, value): &(String, String)| {
            let of_name = speaks_of_secrets(name) && !is_word(value);
            value.len() >= SHORTEST && (of_name || forms(value).next().is_some())
        };
        // The root folder, or one of a single letter, is in every path.
        let folders = folders.into_iter().filter(|folder| folder.trim_end_matches('/').len() > 2);
        Machine { folders: folders.collect(), secrets: variables.filter(is_secret).collect() }
    }
}

fn speaks_of_secrets(name: &str) -> bool {
    let name = name.to_uppercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    let of_word = |word: &str| SECRET_WORDS.contains(&word) || SECRET_ENDS.iter().any(|end| word.ends_with(end));
    !FOLDERS.contains(&name.as_str()) && (SECRET_PARTS.iter().any(|part| name.contains(part)) || words.any(of_word))
}

/// Whether a value is a word that people write, or a path: no secret, whatever a variable is called. Several words are
/// one.
fn is_word(value: &str) -> bool {
    let plain = value.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '-' | '.' | '/'));
    plain && (value.contains('/') || value.split(['_', '-', '.']).count() < 4)
}

/// Texts that are secrets wherever they stand. The forms are those that their makers publish for scanners.
static FORMS: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    let forms = [
        (r"-----BEGIN [A-Z ]*PRIVATE KEY-----", "a private key"),
        (r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b", "an access key of AWS"),
        (r"\bgh[pousr]_[A-Za-z0-9]{36,}\b", "a token of GitHub"),
        (r"\bgithub_pat_[A-Za-z0-9_]{40,}", "a token of GitHub"),
        (r"\bglpat-[A-Za-z0-9_-]{20,}", "a token of GitLab"),
        (r"\bsk-(?:proj-|ant-[a-z0-9]+-|svcacct-)?[A-Za-z0-9_]{20,}", "an API key"),
        (r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}", "a key of Stripe"),
        (r"\bwhsec_[A-Za-z0-9+/=]{16,}", "a signing secret of Stripe"),
        (r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", "an API key of SendGrid"),
        (r"\bnpm_[A-Za-z0-9]{36}\b", "a token of npm"),
        (r"\bpypi-AgEI[A-Za-z0-9_-]{20,}", "a token of PyPI"),
        (r"\bhf_[A-Za-z0-9]{30,}\b", "a token of Hugging Face"),
        (r"\bdapi[0-9a-f]{32}\b", "a token of Databricks"),
        (r"\bdop_v1_[0-9a-f]{64}\b", "a token of DigitalOcean"),
        (r"\bhttps://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}", "a webhook of Slack"),
        (r"\bxox[abprs]-[A-Za-z0-9-]{10,}", "a token of Slack"),
        (r"\bAIza[0-9A-Za-z_-]{35}\b", "an API key of Google"),
        (r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}", "a signed token (JWT)"),
        (r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/:@]+@", "a password in a URL"),
        (r"\b[\w.-]+:[^\s:@/]+@(?:tcp|unix)\(", "a password in a DSN"),
        (
            r"(?i)\b(?:host|server|data source|dbname|user|user id|uid)\s*=[^\n]{0,200}?[;\s](?:password|pwd)\s*=\s*[^\s;'<]{4,}",
            "a password in a DSN",
        ),
        (r"(?i)\bauthorization:\s*(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{12,}", "an authorization header"),
        (r"(?i)[?&](?:sig|x-amz-signature|x-goog-signature)=[A-Za-z0-9%+/=_-]{16,}", "a signed URL"),
        (r"(?i)\bAccountKey=[A-Za-z0-9+/=]{20,}", "a key of an Azure account"),
        (r"(?i)\bSharedAccessKey=[A-Za-z0-9+/=]{20,}", "a key of an Azure service"),
    ];
    forms.iter().filter_map(|(form, what)| Some((Regex::new(form).ok()?, *what))).collect()
});

/// What in a text is a secret by its form: what it is, and where.
fn forms(text: &str) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    FORMS.iter().flat_map(move |(form, what)| form.find_iter(text).map(|found| (*what, found.range())))
}

/// Everything in a text that must not leave the machine, in the order it stands there; what is in base64 too.
pub fn scan(text: &str, machine: &Machine) -> Vec<Leak> {
    let mut leaks = plain_leaks(text, machine);
    for (place, decoded) in base64::texts(text) {
        let inside = plain_leaks(&decoded, machine);
        leaks.extend(inside.into_iter().map(|leak| Leak {
            what: format!("{}, in base64", leak.what),
            start: place.start,
            end: place.end,
        }));
    }
    leaks.sort_by(|a, b| (a.start, b.end).cmp(&(b.start, a.end)));
    // The longest at each place says enough.
    let mut end = 0;
    leaks.retain(|leak| {
        let is_new = leak.start >= end;
        end = end.max(leak.end);
        is_new
    });
    leaks
}

/// The same as it stands there.
fn plain_leaks(text: &str, machine: &Machine) -> Vec<Leak> {
    let of_form =
        |(what, place): (&str, Range<usize>)| Leak { what: what.to_owned(), start: place.start, end: place.end };
    let mut leaks: Vec<Leak> = forms(text).map(of_form).collect();
    let mut find = |wanted: &str, what: &dyn Fn() -> String| {
        // A folder ends where its name does; so does a value.
        let ends = |at: usize| !text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(char::is_alphanumeric);
        let starts =
            |at: usize| !text.get(..at).and_then(|rest| rest.chars().next_back()).is_some_and(char::is_alphanumeric);
        leaks.extend(
            text.match_indices(wanted)
                .filter(|(start, _)| starts(*start) && ends(start + wanted.len()))
                .map(|(start, _)| Leak { what: what(), start, end: start + wanted.len() }),
        );
    };
    for folder in &machine.folders {
        find(folder, &|| "a folder of this machine".to_owned());
    }
    for (name, value) in &machine.secrets {
        find(value, &|| format!("the value of the environment variable {name}"));
    }
    leaks
}
