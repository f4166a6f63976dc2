//! The part of Jinja that has a form here: texts, `{{ name }}` with `quote` or `urlencode`, and `{% if name %}`.

use std::fmt;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    /// What stands there.
    Text(String),
    /// The value of a parameter.
    Value {
        /// Its name there.
        name: String,
        /// What is done to it.
        filter: Filter,
    },
    /// What is there where a parameter is neither empty, zero nor false: texts and values.
    When {
        /// The name of the parameter.
        name: String,
        /// What is there then.
        then: Vec<Node>,
    },
}

/// What is done to a value before it is put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    /// Nothing.
    Nothing,
    /// It becomes one word of a shell, or one for each item of a list.
    Quote,
    /// It becomes a part of an address.
    UrlEncode,
}

/// Why a template has no form here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TemplateFlaw {
    /// `{{ … }}` is more than a name and one of the filters.
    Expression(String),
    /// `{% … %}` is no `if` of a name.
    Tag(String),
    /// A condition in a condition.
    Nested,
    /// Something is not closed, or closed and not open.
    Unclosed(&'static str),
}

impl fmt::Display for TemplateFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateFlaw::Expression(inside) => {
                write!(f, "`{{{{ {inside} }}}}` is more than a name with `quote` or `urlencode`")
            }
            TemplateFlaw::Tag(inside) => write!(f, "`{{% {inside} %}}` is no `if` of one parameter"),
            TemplateFlaw::Nested => f.write_str("a condition stands in a condition"),
            TemplateFlaw::Unclosed(what) => write!(f, "`{what}` has no other half"),
        }
    }
}

/// Reads a template, with the line breaks that MCC's settings of Jinja keep: none behind a tag, and no spaces
/// between the beginning of a line and one.
///
/// Errors: the first part that has no form here.
pub(crate) fn parsed(template: &str) -> Result<Vec<Node>, TemplateFlaw> {
    let mut reader = Reader { rest: template, done: Vec::new(), open: None };
    while !reader.rest.is_empty() {
        reader.step()?;
    }
    if reader.open.is_some() {
        return Err(TemplateFlaw::Unclosed("{% if %}"));
    }
    Ok(reader.done)
}

struct Reader<'a> {
    rest: &'a str,
    /// What is read of the block that is open, or of all.
    done: Vec<Node>,
    /// The condition of the open block, and what stands before it.
    open: Option<(String, Vec<Node>)>,
}

impl Reader<'_> {
    fn step(&mut self) -> Result<(), TemplateFlaw> {
        let opening = ["{{", "{%", "{#"].iter().filter_map(|sign| self.rest.find(sign)).min();
        let Some(at) = opening else {
            let text = std::mem::take(&mut self.rest);
            self.text(text.to_owned());
            return Ok(());
        };
        let before = self.rest.get(..at).unwrap_or_default().to_owned();
        let sign = self.rest.get(at..at + 2).unwrap_or_default();
        let (close, name) = match sign {
            "{{" => ("}}", "{{"),
            "{%" => ("%}", "{%"),
            _ => ("#}", "{#"),
        };
        let inside = self.rest.get(at + 2..).unwrap_or_default();
        let length = inside.find(close).ok_or(TemplateFlaw::Unclosed(name))?;
        let said = inside.get(..length).unwrap_or_default();
        let mut rest = inside.get(length + close.len()..).unwrap_or_default();
        let is_value = name == "{{";
        if !is_value {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        let before = match said.strip_prefix('-') {
            Some(_) => before.trim_end().to_owned(),
            None if is_value => before,
            None => self.without_indent(before),
        };
        if said.ends_with('-') {
            rest = rest.trim_start();
        }
        self.text(before);
        self.rest = rest;
        let said = said.strip_prefix(['-', '+']).unwrap_or(said);
        let said = said.strip_suffix(['-', '+']).unwrap_or(said).trim();
        match name {
            "{{" => self.value(said),
            "{%" => self.tag(said),
            _ => Ok(()),
        }
    }

    /// The text without the spaces between the beginning of its last line and a tag.
    fn without_indent(&self, text: String) -> String {
        let bare = text.trim_end_matches([' ', '\t']);
        let is_first = bare.is_empty() && self.done.is_empty() && self.open.is_none();
        if bare.ends_with('\n') || is_first { bare.to_owned() } else { text }
    }

    fn text(&mut self, text: String) {
        if !text.is_empty() {
            self.done.push(Node::Text(text));
        }
    }

    fn value(&mut self, said: &str) -> Result<(), TemplateFlaw> {
        let (name, filter) = match said.split_once('|') {
            None => (said, Filter::Nothing),
            Some((name, filter)) => match filter.trim() {
                "quote" => (name.trim(), Filter::Quote),
                "urlencode" => (name.trim(), Filter::UrlEncode),
                _ => return Err(TemplateFlaw::Expression(said.to_owned())),
            },
        };
        if !is_identifier(name) {
            return Err(TemplateFlaw::Expression(said.to_owned()));
        }
        self.done.push(Node::Value { name: name.to_owned(), filter });
        Ok(())
    }

    fn tag(&mut self, said: &str) -> Result<(), TemplateFlaw> {
        if said == "endif" {
            let (name, before) = self.open.take().ok_or(TemplateFlaw::Unclosed("{% endif %}"))?;
            let then = std::mem::replace(&mut self.done, before);
            if !then.is_empty() {
                self.done.push(Node::When { name, then });
            }
            return Ok(());
        }
        let condition = said.strip_prefix("if").filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim);
        match condition.filter(|name| is_identifier(name)) {
            None => Err(TemplateFlaw::Tag(said.to_owned())),
            Some(_) if self.open.is_some() => Err(TemplateFlaw::Nested),
            Some(name) => {
                self.open = Some((name.to_owned(), std::mem::take(&mut self.done)));
                Ok(())
            }
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let is_word = super::variable::is_name(name);
    is_word && !["not", "true", "false", "none", "True", "False", "None", "loop"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(template: &str) -> String {
        fn nodes(all: &[Node]) -> String {
            let each = all.iter().map(|node| match node {
                Node::Text(text) => format!("{text:?}"),
                Node::Value { name, filter: Filter::Nothing } => name.clone(),
                Node::Value { name, filter } => format!("{name}|{filter:?}"),
                Node::When { name, then } => format!("{name}?[{}]", nodes(then)),
            });
            each.collect::<Vec<_>>().join(" ")
        }
        parsed(template).map_or_else(|flaw| flaw.to_string(), |all| nodes(&all))
    }

    #[test]
    fn what_has_a_form_is_read() {
        for (template, read) in [
            ("", ""),
            ("wc -l {{ file | quote }}", "\"wc -l \" file|Quote"),
            ("a{{b}}c", "\"a\" b \"c\""),
            ("{{ q|urlencode }}", "q|UrlEncode"),
            ("grep {% if r %}-r {% endif %}{{ p }}", "\"grep \" r?[\"-r \"] p"),
            ("a{# said aside #}b", "\"a\" \"b\""),
            ("{% if a %}{% endif %}x", "\"x\""),
            ("a {%- if b %} c {%- endif %} d", "\"a\" b?[\" c\"] \" d\""),
            ("a\n  {% if b %}\n  -c\n  {% endif %}\nd", "\"a\\n\" b?[\"  -c\\n\"] \"d\""),
        ] {
            assert_eq!(shape(template), read, "{template}");
        }
    }

    #[test]
    fn all_else_is_refused_with_what_it_is() {
        for (template, words) in [
            ("{{ a | join(',') }}", "is more than a name"),
            ("{{ a.b }}", "is more than a name"),
            ("{{ 'x' | quote }}", "is more than a name"),
            ("{{ a | default('x') | quote }}", "is more than a name"),
            ("{% for f in files %}x{% endfor %}", "is no `if` of one parameter"),
            ("{% if not a %}x{% endif %}", "is no `if` of one parameter"),
            ("{% if a == 'b' %}x{% endif %}", "is no `if` of one parameter"),
            ("{% if a %}x{% else %}y{% endif %}", "`{% else %}` is no"),
            ("{% if a %}{% if b %}x{% endif %}{% endif %}", "a condition stands in a condition"),
            ("{% if a %}x", "has no other half"),
            ("x{% endif %}", "has no other half"),
            ("{{ a", "`{{` has no other half"),
        ] {
            assert!(shape(template).contains(words), "{template}: {}", shape(template));
        }
    }
}
