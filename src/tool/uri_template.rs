//! Templates of URIs, as far as they are known here (RFC 6570): `{name}` stands for a text without a slash, `{+name}` and `{name*}`
//! for any. A URI that means something else once it is decoded fits none.

use regex::Regex;
use std::fmt;

/// The longest URI that is looked at, in bytes.
const LONGEST: usize = 2_048;
/// How often a text may be percent-encoded over itself.
const MOST_DECODED: usize = 4;

/// A template of URIs.
#[derive(Debug, Clone)]
pub struct UriTemplate {
    fits: Regex,
    /// By group: whether what stands there may have slashes in it.
    any: Vec<bool>,
}

/// Why a text is no template that is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateFlaw {
    /// It does not begin with a scheme.
    NoScheme,
    /// A bracket has no other.
    Unclosed,
    /// An expression is of a kind that is not known.
    Expression(String),
    /// It is too long.
    TooLong,
}

impl fmt::Display for TemplateFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateFlaw::NoScheme => f.write_str("it does not begin with a scheme, such as `docs://`"),
            TemplateFlaw::Unclosed => f.write_str("one of its brackets has no other"),
            TemplateFlaw::Expression(written) => {
                write!(f, "`{{{written}}}` is not known: `{{name}}`, `{{+name}}` and `{{name*}}` are")
            }
            TemplateFlaw::TooLong => f.write_str("it is too long"),
        }
    }
}

impl std::error::Error for TemplateFlaw {}

impl UriTemplate {
    /// Reads a template.
    ///
    /// Errors: it has expressions that are not known here, or could stand for URIs of any scheme.
    pub fn parse(written: &str) -> Result<UriTemplate, TemplateFlaw> {
        if written.len() > LONGEST {
            return Err(TemplateFlaw::TooLong);
        }
        if scheme(written.split('{').next().unwrap_or_default()).is_none() {
            return Err(TemplateFlaw::NoScheme);
        }
        let (mut pattern, mut any, mut rest) = (String::from(r"\A"), Vec::new(), written);
        while let Some((before, behind)) = rest.split_once('{') {
            let (expression, more) = behind.split_once('}').ok_or(TemplateFlaw::Unclosed)?;
            pattern.push_str(&literal(before)?);
            let is_any = takes_slashes(expression).ok_or_else(|| TemplateFlaw::Expression(shortened(expression)))?;
            pattern.push_str(if is_any { "(.+)" } else { "([^/?#]+)" });
            any.push(is_any);
            rest = more;
        }
        pattern.push_str(&literal(rest)?);
        pattern.push_str(r"\z");
        let fits = Regex::new(&pattern).map_err(|_| TemplateFlaw::TooLong)?;
        Ok(UriTemplate { fits, any })
    }

    /// Whether a URI is one of the template, whatever may be decoded of it: no part of it is `.` or `..`, and no slash is hidden.
    pub fn fits(&self, uri: &str) -> bool {
        if uri.len() > LONGEST || uri.chars().any(is_harmful) {
            return false;
        }
        let Some(groups) = self.fits.captures(uri) else { return false };
        let Some(plain) = decoded(uri) else { return false };
        let hides_nothing = groups.iter().skip(1).zip(&self.any).all(|(group, is_any)| {
            let value = group.map(|group| group.as_str()).unwrap_or_default();
            *is_any || decoded(value).is_some_and(|value| !value.contains('/'))
        });
        hides_nothing && !has_steps(&plain)
    }
}

/// The scheme of a URI, with which it begins (RFC 3986, 3.1).
pub fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let is_one = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_one.then_some(scheme)
}

/// What stands between expressions, as a pattern.
fn literal(text: &str) -> Result<String, TemplateFlaw> {
    if text.contains('}') { Err(TemplateFlaw::Unclosed) } else { Ok(regex::escape(text)) }
}

/// Whether an expression stands for texts with slashes; `None` of one that is not known.
fn takes_slashes(expression: &str) -> Option<bool> {
    let (name, is_any) = match (expression.strip_prefix('+'), expression.strip_suffix('*')) {
        (Some(name), _) => (name.strip_suffix('*').unwrap_or(name), true),
        (None, Some(name)) => (name, true),
        (None, None) => (expression, false),
    };
    let is_name = name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    is_name.then_some(is_any)
}

fn shortened(text: &str) -> String {
    text.chars().take(64).collect()
}

fn is_harmful(c: char) -> bool {
    c.is_control() || c.is_whitespace() || c == '\\'
}

/// Whether a part of a path leads elsewhere than it says.
fn has_steps(plain: &str) -> bool {
    let mut parts = plain.split(['/', '?', '#']).map(|part| part.split(';').next().unwrap_or_default());
    parts.any(|part| matches!(part, "." | ".."))
}

/// A text with nothing percent-encoded any more; `None` where that is no text, or hides what does harm.
fn decoded(text: &str) -> Option<String> {
    // A sign of it that encodes nothing is no text of a URI.
    let mut text = decoded_once(text, |_| None)?;
    for _ in 1..MOST_DECODED {
        // What is left may have been meant as it is.
        let once = decoded_once(&text, Some)?;
        if once == text {
            return (!text.chars().any(|c| c.is_control() || c == '\\')).then_some(text);
        }
        text = once;
    }
    None
}

/// The text with one layer of percent-encoding off; what stands where a sign encodes nothing is for the caller to say.
fn decoded_once(text: &str, stray: impl Fn(u8) -> Option<u8>) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        bytes.push(match (byte, behind) {
            (b'%', [high, low, more @ ..]) if digit(*high).is_some() && digit(*low).is_some() => {
                rest = more;
                digit(*high)? * 16 + digit(*low)?
            }
            (b'%', _) => stray(*byte)?,
            (byte, _) => *byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(template: &str, uri: &str) -> bool {
        UriTemplate::parse(template).unwrap().fits(uri)
    }

    #[test]
    fn a_name_stands_for_one_part_of_a_path() {
        for uri in [
            "docs://guide/start",
            "docs://guide/a.b-c_1",
            "docs://guide/caf%C3%A9",
            "docs://guide/...",
            "docs://guide/a%20b",
            "docs://guide/100%25",
        ] {
            assert!(fits("docs://guide/{page}", uri), "{uri}");
        }
        for uri in [
            "docs://guide/",
            "docs://guide/a/b",
            "docs://guide/..",
            "docs://guide/.",
            "docs://guide/%2e%2e",
            "docs://guide/%252e%252E",
            "docs://guide/a%2Fb",
            "docs://guide/a%252fb",
            "docs://guide/a%5cb",
            "docs://guide/a\\b",
            "docs://guide/a?b",
            "docs://guide/a#b",
            "docs://guide/a b",
            "docs://guide/a\n",
            "docs://guide/%0a",
            "docs://guide/%00",
            "docs://guide/%zz",
            "docs://guide/%2",
            "docs://guide/%ff",
            "docs://guide/%252e%25%32e",
            "docs://guide/..%25/x",
            "docs://guide/..;x",
            "DOCS://guide/a",
            "file://guide/a",
            "xdocs://guide/a",
        ] {
            assert!(!fits("docs://guide/{page}", uri), "{uri}");
        }
        assert!(!fits("docs://{a}{b}/x", "docs://../x"));
        assert!(fits("docs://{a}/{b}.md", "docs://x/y.md") && !fits("docs://{a}/{b}.md", "docs://x/y/z.md"));
    }

    #[test]
    fn a_name_with_a_sign_stands_for_any_path_that_leads_down() {
        for template in ["file:///docs/{+path}", "file:///docs/{path*}"] {
            assert!(fits(template, "file:///docs/a/b.md"), "{template}");
            for uri in [
                "file:///docs/",
                "file:///docs/../x",
                "file:///docs/a/%2e%2e/x",
                "file:///docs/a%2f..%2fx",
                "file:///etc/x",
            ] {
                assert!(!fits(template, uri), "{template} {uri}");
            }
        }
    }

    #[test]
    fn other_expressions_are_told() {
        let flaw = |written: &str| UriTemplate::parse(written).unwrap_err();
        for expression in ["?q", "&q", "#x", "/x", ".x", ";x", "a,b", "x:3", "", "x y", "+", "*"] {
            let written = format!("docs://{{{expression}}}");
            assert_eq!(flaw(&written), TemplateFlaw::Expression(expression.to_owned()), "{written}");
        }
        for written in ["docs://{a", "docs://a}"] {
            assert_eq!(flaw(written), TemplateFlaw::Unclosed);
        }
        for written in ["{+uri}", "{scheme}://x", "docs", "://x", "do cs://{x}"] {
            assert_eq!(flaw(written), TemplateFlaw::NoScheme, "{written}");
        }
    }

    #[test]
    fn a_scheme_is_what_a_uri_begins_with() {
        assert_eq!(
            ["docs://a", "a+b:c", "1a:b", "a b:c", "abc"].map(scheme),
            [Some("docs"), Some("a+b"), None, None, None]
        );
    }
}
