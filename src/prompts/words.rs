//! The words in a template's tags with their places: minijinja tells which variables a template has, but not where.
//!
//! Reads tags only roughly (a `}}` in a text ends one). What is found decides where a message points, and where
//! minijinja's own analysis is too strict, whether there is one; never what is rendered.

use std::ops::Range;

/// The words of a template.
pub(super) struct Words<'t> {
    found: Vec<Word<'t>>,
}

struct Word<'t> {
    start: usize,
    text: &'t str,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// May be a variable; keywords of the language are such words too.
    Variable,
    /// What `set` gives a value.
    Target,
    /// An attribute, a filter, or the name of an argument.
    Other,
}

impl<'t> Words<'t> {
    /// Reads a template.
    pub(super) fn of(template: &'t str) -> Words<'t> {
        let mut words = Words { found: Vec::new() };
        let mut at = 0;
        while let Some((inside, next)) = next_tag(template, at) {
            words.read_tag(template.get(inside.clone()).unwrap_or_default(), inside.start);
            at = next;
        }
        words
    }

    /// Where a variable is used first, in bytes of the template.
    pub(super) fn place(&self, variable: &str) -> Option<Range<usize>> {
        let word = self.found.iter().find(|word| word.text == variable && word.role == Role::Variable)?;
        Some(word.start..word.start + word.text.len())
    }

    /// Whether the template itself gives the variable a value somewhere.
    pub(super) fn is_set(&self, variable: &str) -> bool {
        self.found.iter().any(|word| word.text == variable && word.role == Role::Target)
    }

    fn read_tag(&mut self, tag: &'t str, start: usize) {
        let mut chars = tag.char_indices().peekable();
        let (mut last_sign, mut last_word) = (' ', "");
        while let Some((at, c)) = chars.next() {
            if c == '"' || c == '\'' {
                while let Some((_, inside)) = chars.next() {
                    match inside {
                        '\\' => {
                            chars.next();
                        }
                        _ if inside == c => break,
                        _ => {}
                    }
                }
                (last_sign, last_word) = (c, "");
            } else if is_of_word(c) {
                let rest = tag.get(at..).unwrap_or_default();
                let length = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
                let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
                let after = after.trim_start();
                while chars.next_if(|(next, _)| *next < at + text.len()).is_some() {}
                let is_named = after.starts_with('=') && !after.starts_with("==");
                let role = match last_sign {
                    _ if last_word == "set" => Role::Target,
                    '.' | '|' => Role::Other,
                    _ if is_named => Role::Other,
                    _ => Role::Variable,
                };
                self.found.push(Word { start: start + at, text, role });
                (last_sign, last_word) = (' ', text);
            } else if !c.is_whitespace() {
                (last_sign, last_word) = (c, "");
            }
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The inside of the next tag (empty for a comment) and where to go on.
fn next_tag(template: &str, from: usize) -> Option<(Range<usize>, usize)> {
    let rest = template.get(from..)?;
    let (open, close) = rest.match_indices('{').find_map(|(at, _)| {
        let close = match rest.as_bytes().get(at + 1)? {
            b'{' => "}}",
            b'%' => "%}",
            b'#' => "#}",
            _ => return None,
        };
        Some((at, close))
    })?;
    let start = from + open + 2;
    let end = template.get(start..)?.find(close).map_or(template.len(), |length| start + length);
    let inside = if close == "#}" { start..start } else { start..end };
    Some((inside, (end + close.len()).min(template.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'t>(template: &'t str, variable: &str) -> Option<(usize, &'t str)> {
        let place = Words::of(template).place(variable)?;
        Some((place.start, template.get(place)?))
    }

    #[test]
    fn a_variable_is_found_in_tags_only() {
        assert_eq!(shown("region: é {{ region }}", "region"), Some((14, "region")));
        assert_eq!(shown("{# region #}{% if region %}{% endif %}", "region"), Some((18, "region")));
        assert_eq!(shown("{{ 'region' ~ \"a \\\" region\" }}{{region}}", "region"), Some((32, "region")));
        assert_eq!(shown("{{ x.region }}{{ x|region }}{{ f(region=1) }}", "region"), None);
        assert_eq!(shown("{{ regions == region }}", "region"), Some((14, "region")));
        assert_eq!(shown("{% if region == 'x' %}", "region"), Some((6, "region")));
        assert_eq!(shown("{ region } {", "region"), None);
        assert_eq!(shown("{{ region", "region"), Some((3, "region")));
    }

    #[test]
    fn what_set_gives_a_value_is_told_from_what_is_used() {
        let words = Words::of("{%- set place = region|upper %}{{ place }}");
        assert!(words.is_set("place") && !words.is_set("region"));
        assert_eq!(words.place("place"), Some(34..39));
        assert_eq!(words.place("region"), Some(16..22));
        let again = Words::of("{% set region = region|upper %}");
        assert!(again.is_set("region") && again.place("region") == Some(16..22));
    }
}
