//! What looks like a placeholder or an optional clause in a text: one of ours, or one of another system.

use crate::diagnostic::codes;
use crate::name::{RESERVED, is_legal, snake_case};

/// Something like a placeholder or an optional clause in a text.
pub(super) struct Mark {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) sign: Sign,
}

/// Whose signs a mark has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// `<< name >>`.
    Placeholder,
    /// `[[ AND … ]]`.
    Clause,
    /// A placeholder of another system.
    Foreign(Likelihood),
}

/// How likely it is that the signs of another system are meant as such.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likelihood {
    /// `{{ name }}`, `${name}`, `%(name)s`: hardly a text of its own.
    High,
    /// `:name`, `{name}`: a text as well as a placeholder.
    Low,
}

impl Mark {
    /// What is written.
    pub(super) fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// The name between the signs.
    pub(super) fn name<'a>(&self, text: &'a str) -> &'a str {
        let written = self.of(text);
        if let Sign::Foreign(_) = self.sign {
            return codes::name_in(written);
        }
        let inside = written.trim_start_matches('<').trim_start();
        inside.get(..word(inside)).unwrap_or_default()
    }

    /// The placeholder that is written for it outside of quotes, where there is one.
    pub(super) fn placeholder(&self, text: &str) -> Option<String> {
        if let Sign::Foreign(_) = self.sign {
            let name = snake_case(self.name(text));
            return (is_legal(&name) && !RESERVED.contains(&name.as_str())).then(|| format!("<< {name} >>"));
        }
        let written = self.of(text);
        let inside = written.strip_prefix("<<")?.strip_suffix(">>")?.trim();
        let rest = inside.strip_prefix(self.name(text))?.trim_start();
        let rest = rest.strip_prefix('?').unwrap_or(rest).trim_start();
        let is_one = rest.is_empty() || rest.starts_with(':') && !rest.contains(['=', '\'']);
        is_one.then(|| written.to_owned())
    }

    /// The same with a type, where it has none.
    pub(super) fn typed(&self, text: &str, ty: &str) -> Option<String> {
        let placeholder = self.placeholder(text)?;
        let inside = placeholder.strip_prefix("<<")?.strip_suffix(">>")?.trim();
        Some(if inside.contains(':') { placeholder } else { format!("<< {inside}: {ty} >>") })
    }
}

/// All marks of ours in a text, from left to right.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut at = 0;
    // One walk: with a search for each of the two signs, a text with many of one and none of the other is walked for each.
    while let Some(open) = text.get(at..).and_then(|rest| rest.find(['<', '['])) {
        let start = at + open;
        let Some(rest) = text.get(start..) else { break };
        if !rest.starts_with("<<") && !rest.starts_with("[[") {
            at = start + 1;
            continue;
        }
        let mark = mark(rest, start);
        at = mark.as_ref().map_or(start + 2, |mark| mark.end);
        found.extend(mark);
    }
    found
}

/// Most characters between the signs of a mark.
const LONGEST: usize = 300;

/// The mark that a text begins with, which stands at `start`.
fn mark(text: &str, start: usize) -> Option<Mark> {
    let inside = text.get(2..)?;
    // Where nothing closes, the end of a long text is not looked for again and again.
    let inside = inside.char_indices().nth(LONGEST).map_or(Some(inside), |(end, _)| inside.get(..end))?;
    let trimmed = inside.trim_start();
    let first = trimmed.get(..word(trimmed)).filter(|word| !word.is_empty())?;
    if text.starts_with("[[") {
        let is_clause = ["and", "or"].iter().any(|connective| first.eq_ignore_ascii_case(connective));
        let end = inside.find("]]").filter(|_| is_clause)?;
        return Some(Mark { start, end: start + end + 4, sign: Sign::Clause });
    }
    let end = inside.find(">>")?;
    // What stands on several lines is a parameter only where it is nothing but a name.
    let on_lines = |between: &str| between.contains('\n') && between.trim() != first;
    let is_one = inside.get(..end).is_some_and(|between| !between.contains("<<") && !on_lines(between));
    is_one.then_some(Mark { start, end: start + end + 4, sign: Sign::Placeholder })
}

/// Whether SQL may hold a placeholder of another system in a text.
pub(super) fn may_have_foreign(sql: &str) -> bool {
    ["{{", "${", "%(", "':", "'{"].iter().any(|sign| sql.contains(sign))
}

/// The placeholders of other systems in what stands between quotes, from left to right.
pub(super) fn foreign(inside: &str) -> Vec<Mark> {
    let whole = inside.trim();
    let start = inside.len() - inside.trim_start().len();
    let is_whole = |open: &str, closes: &[&str]| {
        let bare = whole.strip_prefix(open);
        let names = closes.iter().filter_map(|close| bare?.strip_suffix(close));
        names.into_iter().any(|name| !name.is_empty() && word(name) == name.len())
    };
    let all = |likelihood| vec![Mark { start, end: start + whole.len(), sign: Sign::Foreign(likelihood) }];
    // With letters behind it, this is a pattern as well: only a text that is nothing else is told.
    if is_whole("%(", &[")s", ")d", ")i", ")f"]) {
        return all(Likelihood::High);
    }
    if is_whole(":", &[""]) || is_whole("{", &["}"]) {
        return all(Likelihood::Low);
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = inside.get(at..).and_then(|rest| rest.find(['{', '$'])) {
        let start = at + open;
        let length = inside.get(start..).and_then(braces);
        at = start + length.unwrap_or(1);
        if length.is_some() {
            found.push(Mark { start, end: at, sign: Sign::Foreign(Likelihood::High) });
        }
    }
    found
}

/// How many bytes the `{{ name }}` or `${name}` has that a text begins with.
fn braces(text: &str) -> Option<usize> {
    [("{{", "}}"), ("${", "}")].iter().find_map(|(open, close)| {
        let inside = text.strip_prefix(open)?;
        let name = inside.trim_start();
        let behind = name.get(word(name)..).filter(|behind| behind.len() < name.len())?;
        let behind = behind.trim_start().strip_prefix(close)?;
        Some(text.len() - behind.len())
    })
}

/// How many bytes the word has that a text begins with.
fn word(text: &str) -> usize {
    let begins = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if begins { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_other_systems_are_seen_in_texts() {
        let seen = |inside: &str| -> Vec<(String, bool)> {
            let is_high = |mark: &Mark| mark.sign == Sign::Foreign(Likelihood::High);
            foreign(inside).iter().map(|mark| (mark.of(inside).to_owned(), is_high(mark))).collect()
        };
        let one = |text: &str, is_high| vec![(text.to_owned(), is_high)];
        assert_eq!(seen("{{ c }}"), one("{{ c }}", true));
        assert_eq!(seen("%{{c}}%"), one("{{c}}", true));
        assert_eq!(seen("${year}-01-01"), one("${year}", true));
        assert_eq!(seen(" %(c)s "), one("%(c)s", true));
        assert_eq!(seen(":c"), one(":c", false));
        assert_eq!(seen("{c}"), one("{c}", false));
        for none in
            ["%(c)s%", "a:c", ":c:", "::c", "{}", "{1,2}", "$1", "${1}", "{{ c", "{{ a b }}", "12:30", ": c", ""]
        {
            assert_eq!(seen(none), [], "{none}");
        }
    }

    #[test]
    fn a_mark_is_written_as_a_placeholder() {
        let written = |text: &str| marks(text).first().and_then(|mark| mark.placeholder(text));
        let typed = |text: &str| marks(text).first().and_then(|mark| mark.typed(text, "int"));
        assert_eq!(written("a << n >>").as_deref(), Some("<< n >>"));
        assert_eq!(typed("<<n?>> days").as_deref(), Some("<< n?: int >>"));
        assert_eq!(typed("<< n: text >>").as_deref(), Some("<< n: text >>"));
        assert_eq!((written("<< n = 1 >>"), written("<< a b >>")), (None, None));
        let text = "{{ orderId }}";
        assert_eq!(foreign(text).first().and_then(|mark| mark.placeholder(text)).as_deref(), Some("<< order_id >>"));
    }
}
