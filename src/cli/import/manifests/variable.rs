//! `$NAME` and `${NAME}` in texts of others.

/// What stands at a `$`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Dollar {
    /// A variable, and how many bytes it has.
    Variable(String, usize),
    /// Something that a shell would do: `$(…)`, `$1`, `${a:-b}`.
    Shell,
    /// The sign itself.
    Sign,
}

/// What stands at the beginning of a text that begins with `$`.
pub(crate) fn dollar(text: &str) -> Dollar {
    let rest = text.strip_prefix('$').unwrap_or_default();
    if let Some(inside) = rest.strip_prefix('{') {
        let name = inside.split('}').next().unwrap_or_default();
        let is_closed = inside.len() > name.len();
        return if is_closed && is_name(name) {
            Dollar::Variable(name.to_owned(), name.len() + 3)
        } else {
            Dollar::Shell
        };
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = rest.get(..end).unwrap_or_default();
    match rest.chars().next() {
        _ if is_name(name) => Dollar::Variable(name.to_owned(), name.len() + 1),
        Some(c) if c.is_ascii_digit() || matches!(c, '(' | '$' | '?' | '@' | '*' | '#' | '!' | '-' | '\'' | '"') => {
            Dollar::Shell
        }
        _ => Dollar::Sign,
    }
}

/// The name of the variable that a text is, and nothing else.
pub(crate) fn lone_variable(text: &str) -> Option<String> {
    match dollar(text) {
        Dollar::Variable(name, length) if text.starts_with('$') && length == text.len() => Some(name),
        _ => None,
    }
}

/// Whether a text has a variable in it.
pub(crate) fn has_variable(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| matches!(dollar(text.get(at..).unwrap_or_default()), Dollar::Variable(..)))
}

/// The text with all its variables in the form `${NAME}`.
pub(crate) fn in_braces(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('$') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let length = match dollar(rest) {
            Dollar::Variable(name, length) => {
                out.push_str(&format!("${{{name}}}"));
                length
            }
            Dollar::Shell | Dollar::Sign => {
                out.push('$');
                1
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether a text is the name of a variable.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_told_from_what_a_shell_does() {
        for (text, read) in [
            ("$A1_b-", Dollar::Variable("A1_b".to_owned(), 5)),
            ("${A}x", Dollar::Variable("A".to_owned(), 4)),
            ("${A:-b}", Dollar::Shell),
            ("${A", Dollar::Shell),
            ("$(ls)", Dollar::Shell),
            ("$1", Dollar::Shell),
            ("$", Dollar::Sign),
            ("$ x", Dollar::Sign),
            ("$/", Dollar::Sign),
        ] {
            assert_eq!(dollar(text), read, "{text}");
        }
        assert_eq!(in_braces("a $B ${C} 5$ $1"), "a ${B} ${C} 5$ $1");
        assert_eq!(lone_variable("${KEY}").as_deref(), Some("KEY"));
        assert!(lone_variable("x").is_none() && lone_variable("x$A").is_none() && lone_variable("$A$B").is_none());
        assert!(has_variable("x${A}") && !has_variable("5$ $(x)"));
    }
}
