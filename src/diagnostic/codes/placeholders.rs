//! The constructors of what is said about how placeholders are written.

use crate::diagnostic::{Code, Diagnostic};
use crate::name::{RESERVED, is_legal, shown_name, snake_case};
use crate::source::Span;

/// `<<` without `>>`. `last` is the last word that seems to belong to it.
pub fn unclosed_placeholder(open: Span, last: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::UnclosedPlaceholder, open, "the placeholder is not closed").label("`<<` without `>>`");
    match last {
        Some(last) => diagnostic.fix("close it", last.after(), " >>"),
        None => diagnostic.help("write `<< name >>`"),
    }
}

/// A placeholder that does not follow the grammar.
pub fn invalid_placeholder(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidPlaceholder, place, format!("invalid placeholder: {why}"))
        .note("a placeholder is `<< name >>`, `<< name: type >>`, `<< name = default >>`, `<< name: type = default >>` or `<< name? >>`, `<< name?: type >>`")
}

/// A placeholder of another system.
pub fn raw_placeholder(place: Span, written: &str) -> Diagnostic {
    let name = snake_case(name_in(written));
    let diagnostic =
        Diagnostic::at(Code::RawPlaceholder, place, format!("`{}` is not a placeholder of qtool", shown_name(written)))
            .label("not a placeholder");
    if !is_legal(&name) {
        return diagnostic.help("write `<< name >>`");
    }
    let (text, replacement) = ("write it with its name", format!("<< {name} >>"));
    if RESERVED.contains(&name.as_str()) {
        diagnostic.fix(text, place, replacement)
    } else {
        diagnostic.certain_fix(text, place, replacement)
    }
}

/// The name in a placeholder of another system: `{{ name }}`, `:name`, `%(name)s`, `<name>`.
pub fn name_in(written: &str) -> &str {
    if written.starts_with('%') && !written.starts_with("%(") {
        // `%s` tells a type.
        return "";
    }
    let written = written.strip_prefix("%(").and_then(|rest| rest.split_once(')')).map_or(written, |(name, _)| name);
    written.trim_matches(|c: char| c.is_whitespace() || "$?:@#{}<>".contains(c))
}
