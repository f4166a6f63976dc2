//! The environment of a program: what every program needs, what the manifest passes of the server's, and what it says.

use crate::engine::error::CallError;
use crate::engine::program_place::ProgramPlace;
use crate::engine::secret_variables::is_secret;
use crate::project::{Execution, UnfilledText, filled_text};
use indexmap::IndexMap;
use std::ffi::OsString;

/// What every program has of the server's environment.
const BASE: [&str; 5] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];
/// Where programs are looked for where the server has no `PATH`.
pub(super) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The largest file of variables.
const MOST: u64 = 1 << 20;

/// The variables of a program.
///
/// Errors: one that the manifest names is not set, or its file cannot be read.
pub(super) fn of_program(execution: &Execution, place: &ProgramPlace) -> Result<Vec<(OsString, OsString)>, CallError> {
    let mut all: IndexMap<OsString, OsString> = IndexMap::new();
    for name in BASE {
        if let Some(value) = std::env::var_os(name) {
            all.insert(name.into(), value);
        }
    }
    all.entry("PATH".into()).or_insert_with(|| PATH.into());
    for (name, value) in std::env::vars_os().filter(|(name, value)| passes(execution, place, name, value)) {
        all.insert(name, value);
    }
    if let Some(path) = &execution.env_file {
        for (name, value) in of_file(path, place)? {
            all.insert(name.into(), value.into());
        }
    }
    for (name, text) in &execution.env {
        let value = filled_text(text, &|name| std::env::var(name).ok()).map_err(|why| match why {
            UnfilledText::NotSet(of) => {
                CallError::internal(format!("`env` gives `{name}` the variable `{of}`, which is not set"))
            }
            UnfilledText::Unreadable(why) => CallError::internal(format!("`env` of `{name}`: {why}")),
        })?;
        if value.contains('\0') {
            return Err(CallError::internal(format!("`env` of `{name}` has the character U+0000 in it")));
        }
        all.insert(name.into(), value.into());
    }
    Ok(all.into_iter().collect())
}

/// Whether a variable of the server is passed. What `qtool.yaml` speaks of is the server's alone; what looks like a secret is
/// passed by its whole name alone.
fn passes(execution: &Execution, place: &ProgramPlace, name: &OsString, value: &OsString) -> bool {
    let (Some(name), value) = (name.to_str(), value.to_string_lossy()) else { return false };
    if place.withheld.iter().any(|withheld| withheld == name) {
        return false;
    }
    let mut patterns = execution.passthrough.iter();
    // What every program has of its own is not replaced by a pattern.
    let is_own = ["HOME", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_"].contains(&name);
    let is_secret = is_own || is_secret(name, &value);
    patterns.any(|pattern| pattern == name || !is_secret && is_like(pattern, name))
}

/// Whether a name is of a pattern, in which `*` stands for any letters.
fn is_like(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return false };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match left.split_once(part) {
            Some((_, behind)) => left = behind,
            None => return false,
        }
    }
    left.ends_with(last)
}

/// The variables of a file, a `NAME=value` on each line.
fn of_file(path: &str, place: &ProgramPlace) -> Result<Vec<(String, String)>, CallError> {
    let unread = |why: String| CallError::internal(format!("the file `{path}` of `env_file` cannot be read: {why}"));
    let roots = place.roots().map_err(|error| unread(error.to_string()))?;
    let file = roots.resolve_file(path).map_err(|error| unread(error.to_string()))?;
    let size = std::fs::metadata(&file).map_err(|error| unread(error.kind().to_string()))?.len();
    if size > MOST {
        return Err(unread(format!("it is larger than {} KiB", MOST >> 10)));
    }
    let text = std::fs::read_to_string(&file).map_err(|error| unread(error.kind().to_string()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if let Some(line) = line_of_dollar(text) {
        return Err(unread(format!(
            "line {line} has a `$`, which is filled in nowhere: write the value in single quotes, or the variable under `env`"
        )));
    }
    let variables = dotenvy::from_read_iter(text.as_bytes());
    variables.map(|one| one.map_err(|error| unread(kind_of(&error, text)))).collect()
}

/// The line of the first `$` that the reader of such files would take for a variable of its own, and often for an empty one.
fn line_of_dollar(text: &str) -> Option<usize> {
    let (mut quote, mut is_escaped, mut is_comment, mut line, mut before) = (None, false, false, 1, '\n');
    for c in text.chars() {
        match c {
            '\n' => (line, is_comment) = (line + 1, false),
            _ if is_comment => {}
            '#' if quote.is_none() && before.is_whitespace() => is_comment = true,
            '$' if !is_escaped && quote != Some('\'') => return Some(line),
            '\'' | '"' if quote.is_none() && !is_escaped => quote = Some(c),
            _ if quote == Some(c) && !is_escaped => quote = None,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped && quote != Some('\'');
        before = c;
    }
    None
}

/// What is wrong with a file of variables, without what is in it: that may be secret.
fn kind_of(error: &dotenvy::Error, text: &str) -> String {
    match error {
        dotenvy::Error::LineParse(line, at) => {
            let before = text.find(line.as_str()).and_then(|at| text.get(..at)).unwrap_or_default();
            let number = before.matches('\n').count() + 1;
            format!("line {number} is no `NAME=value` (character {at}): a value with spaces stands in quotes")
        }
        dotenvy::Error::Io(error) => error.kind().to_string(),
        _ => "it is none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dollar_that_would_be_lost_is_found() {
        for (text, line) in
            [("A=1\nB=a$b", 2), ("A=\"$X\"", 1), ("A=${X:-y}", 1), ("# $x\nA='$'\nB=\"it's $\"", 3), ("A='a\n$'$", 2)]
        {
            assert_eq!(line_of_dollar(text), Some(line), "{text}");
        }
        for text in ["A='a$b'", "A=1 # $x", "A=a\\$b", "A=b#c"] {
            assert_eq!(line_of_dollar(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_of_patterns() {
        for (pattern, name) in [("A_*", "A_B"), ("*", "X"), ("A*Z", "AZ"), ("*_URL", "MY_URL"), ("A*B*C", "AxBBC")] {
            assert!(is_like(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("A_*", "B_A"), ("A", "A"), ("A*A", "A"), ("*_URL", "URL"), ("A*B*C", "ACB")] {
            assert!(!is_like(pattern, name), "{pattern} {name}");
        }
    }
}
