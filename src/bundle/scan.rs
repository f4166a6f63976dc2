//! What must not be in a bundle: secrets, and paths of the machine it was made on.

use regex::Regex;
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
/// Words in the names of variables that hold secrets.
const SECRET_WORDS: [&str; 8] = ["SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE", "CREDENTIAL"];

impl Machine {
    /// Takes what is telling from the environment.
    pub fn of(folders: impl IntoIterator<Item = String>, variables: impl Iterator<Item = (String, String)>) -> Machine {
        let is_secret = |(name, value): &(String, String)| {
            let name = name.to_uppercase();
            // A word that people write is no secret, whatever a variable is called.
            let is_word = value.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '-' | '.' | '/'));
            value.len() >= SHORTEST
                && !is_word
                && (SECRET_WORDS.iter().any(|word| name.contains(word)) || name.ends_with("_KEY") || name == "KEY")
        };
        // The root folder, or one of a single letter, is in every path.
        let folders = folders.into_iter().filter(|folder| folder.trim_end_matches('/').len() > 2);
        Machine { folders: folders.collect(), secrets: variables.filter(is_secret).collect() }
    }
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
        (r"\bxox[abprs]-[A-Za-z0-9-]{10,}", "a token of Slack"),
        (r"\bAIza[0-9A-Za-z_-]{35}\b", "an API key of Google"),
        (r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}", "a signed token (JWT)"),
        (r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/:@]+@", "a password in a URL"),
        (r"(?i)[?&](?:sig|x-amz-signature|x-goog-signature)=[A-Za-z0-9%+/=_-]{16,}", "a signed URL"),
        (r"(?i)\bAccountKey=[A-Za-z0-9+/=]{20,}", "a key of an Azure account"),
    ];
    forms.iter().filter_map(|(form, what)| Some((Regex::new(form).ok()?, *what))).collect()
});

/// Everything in a text that must not leave the machine, in the order it stands there.
pub fn scan(text: &str, machine: &Machine) -> Vec<Leak> {
    let mut leaks: Vec<Leak> = FORMS
        .iter()
        .flat_map(|(form, what)| {
            form.find_iter(text).map(|found| Leak { what: (*what).to_owned(), start: found.start(), end: found.end() })
        })
        .collect();
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
