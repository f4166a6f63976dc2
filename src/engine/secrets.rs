//! Values that nobody is to see: they are found in whatever form somebody writes them down again.
//!
//! Each library escapes other letters. So a text is read back instead, as often as something in it is escaped, and looked through each
//! time: no form of a secret has to be known.

mod base64_run;
mod view;

use aho_corasick::AhoCorasick;
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64_run::base64_runs;
use serde_json::{Map, Value};
use std::fmt;
use std::ops::Range;
use view::{Escapes, View};

/// A secret shorter than that would be found in any text.
const SHORT: usize = 6;
/// What stands in the place of one.
const HIDDEN: &str = "…";
/// How a line of a key begins that says what the key is.
const FRAME: &str = "-----";
/// How often a text is read back: JSON in JSON in an address is three times.
const MOST_LEVELS: usize = 5;

/// Base64, with or without its end filled up.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Where a part of a text came from.
type Source<'a> = &'a dyn Fn(Range<usize>) -> Range<usize>;
/// What looks through a text.
type Look<'a> = dyn FnMut(&[u8], Source<'_>) + 'a;

/// Some secrets.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    /// What finds them, all in one pass; `None` where there are none.
    finder: Option<AhoCorasick>,
    /// How what may be a letter or a byte is read back: both ways, where that makes a difference.
    escapes: &'static [Escapes],
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// These values, but for those that are too short to be found.
    pub(super) fn of(values: impl IntoIterator<Item = String>) -> Secrets {
        let mut values: Vec<String> = values.into_iter().flat_map(looked_for).collect();
        values.sort();
        values.dedup();
        let is_ascii = values.iter().all(|value| value.is_ascii());
        let escapes: &[Escapes] =
            if is_ascii { &[Escapes::OfLetters] } else { &[Escapes::OfLetters, Escapes::OfBytes] };
        // One can only not be made of more texts than any environment holds.
        let finder = (!values.is_empty()).then(|| AhoCorasick::new(&values).ok()).flatten();
        Secrets { finder, escapes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.finder.is_none()
    }

    /// A text without them.
    pub(super) fn hidden(&self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        let mut at = 0;
        for place in self.places(text.as_bytes()) {
            let (start, end) = (text.floor_char_boundary(place.start), text.ceil_char_boundary(place.end));
            told.push_str(text.get(at..start).unwrap_or_default());
            told.push_str(HIDDEN);
            at = end;
        }
        told.push_str(text.get(at..).unwrap_or_default());
        told
    }

    /// A value without them, wherever they stood: as a key, in a text, as a number.
    pub(super) fn hidden_in(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.hidden(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.hidden_in(item)).collect(),
            Value::Object(fields) => {
                let field = |(key, value): (String, Value)| (self.hidden(&key), self.hidden_in(value));
                Value::Object(fields.into_iter().map(field).collect::<Map<_, _>>())
            }
            Value::Number(number) if self.stand_in(number.to_string().as_bytes()) => Value::from(HIDDEN),
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }

    /// Whether one of them stands in a text that is nothing but Base64: it may be the bytes of a picture, and nothing can be put in its
    /// place there.
    pub(super) fn stand_encoded_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => decoded(text).is_some_and(|bytes| self.stand_in(&bytes)),
            Value::Array(items) => items.iter().any(|item| self.stand_encoded_in(item)),
            Value::Object(fields) => fields.values().any(|field| self.stand_encoded_in(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Whether one of them stands in some bytes.
    fn stand_in(&self, bytes: &[u8]) -> bool {
        !self.places(bytes).is_empty()
    }

    /// Where they stand, in order, and apart from each other.
    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let Some(finder) = &self.finder else { return Vec::new() };
        let mut found = Vec::new();
        self.at_each_level(bytes, &mut |level, source| {
            found.extend(finder.find_overlapping_iter(level).map(|one| source(one.range())));
            let holds_one = |within: &[u8]| {
                let mut holds_one = false;
                self.at_each_level(within, &mut |level, _| holds_one |= finder.is_match(level));
                holds_one
            };
            found.extend(
                base64_runs(level)
                    .filter(|run| run.decoded().any(|within| holds_one(&within)))
                    .map(|run| source(run.place)),
            );
        });
        found.sort_by_key(|place| place.start);
        let mut apart: Vec<Range<usize>> = Vec::new();
        for place in found {
            match apart.last_mut() {
                Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
                _ => apart.push(place),
            }
        }
        apart
    }

    /// Shows a text as it is, and as it is read back, as often as something in it is escaped; with what tells where a part of it came from.
    fn at_each_level(&self, bytes: &[u8], look: &mut Look<'_>) {
        look(bytes, &|place| place);
        for escapes in self.escapes {
            let mut view = View::decoded(bytes, *escapes);
            for _ in 0..MOST_LEVELS {
                let Some(now) = view else { break };
                look(now.bytes(), &|place| now.source(place));
                view = now.again(*escapes);
            }
        }
    }
}

/// What is looked for of a secret: it, what is left of it where something in it looks escaped and is read back, how it stands in a form,
/// and, of several lines, each line.
fn looked_for(secret: String) -> Vec<String> {
    let lines = secret.lines().map(str::trim).filter(|line| !line.starts_with(FRAME));
    let mut all: Vec<String> = lines.map(str::to_owned).collect();
    all.push(secret);
    for escapes in [Escapes::OfLetters, Escapes::OfBytes] {
        let read_back = all.iter().filter_map(|one| View::decoded(one.as_bytes(), escapes));
        let read_back: Vec<String> =
            read_back.filter_map(|view| String::from_utf8(view.bytes().to_vec()).ok()).collect();
        all.extend(read_back);
    }
    let in_forms: Vec<String> = all.iter().filter(|one| one.contains(' ')).map(|one| one.replace(' ', "+")).collect();
    all.extend(in_forms);
    all.retain(|one| one.len() >= SHORT);
    all
}

/// The bytes of a text of Base64, in either alphabet, also in lines or as a `data:` URL.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let text = match text.strip_prefix("data:") {
        Some(url) => url.split_once(";base64,")?.1,
        None => text,
    };
    let plain = |letter: char| match letter {
        '-' => '+',
        '_' => '/',
        letter => letter,
    };
    let text: String = text.chars().filter(|letter| !letter.is_ascii_whitespace()).map(plain).collect();
    BASE64.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KEY: &str = "-----BEGIN KEY-----\nMIIEvQIBADAN\nBBBBCCCC\n-----END KEY-----";

    #[test]
    fn secrets_are_found_however_they_are_written() {
        for secret in ["plainsecret-1", "pass\"word-1", "pass\\word-1", "pässword-🔑1", KEY] {
            let secrets = Secrets::of([secret.to_owned()]);
            let json = json!({ "k": secret }).to_string();
            let twice = json!({ "t": json }).to_string();
            let thrice = json!({ "t": twice }).to_string();
            let python = format!("{{'k': '{}'}}", secret.replace('\\', "\\\\").replace('\n', "\\n"));
            for text in [secret.to_owned(), json.clone(), ascii(&json), twice.clone(), ascii(&twice), thrice, python] {
                let told = secrets.hidden(&text);
                assert!(told.contains(HIDDEN), "{told}");
                for part in ["secret-1", "word-1", "word-🔑1", "MIIE", "BBBB"] {
                    assert!(!told.contains(part), "{told}");
                }
                // The same within an answer, also as a key.
                let answer = secrets.hidden_in(json!({ text.clone(): { "text": [text] } }));
                assert_eq!(answer, json!({ told.clone(): { "text": [told] } }));
            }
        }
    }

    /// As those write it that know ASCII alone.
    fn ascii(text: &str) -> String {
        let letter = |letter: char| match letter.is_ascii() {
            true => letter.to_string(),
            false => letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
        };
        text.chars().map(letter).collect()
    }

    /// As `repr` and `ascii` of Python 3.11, and `json_encode` of PHP 8, write them.
    #[test]
    fn secrets_are_found_as_other_languages_write_them() {
        for (secret, text) in [
            (r#"pa"ss\word-1"#, r#"{'k': 'pa"ss\\word-1'}"#),
            (r#"it's-a-"quote"-1"#, r#"{'k': 'it\'s-a-"quote"-1'}"#),
            ("pässword-1", r"'p\xe4ssword-1'"),
            ("emoji😀word-1", r"'emoji\U0001f600word-1'"),
            ("a/b+cdef-1", r#"{"k":"a\/b+cdef-1"}"#),
            ("ä/b+cdef-1", r#"{"k":"\u00e4\/b+cdef-1"}"#),
            // Go, PHP with `JSON_HEX_*`, .NET, bytes of Python, and HTML.
            ("p&ss<word>-1", r#"{"k":"p\u0026ss\u003cword\u003e-1"}"#),
            ("a/b+cdef==-1", r#"{"k":"a/b\u002Bcdef\u003D\u003D-1"}"#),
            ("pässword-1", r"b'p\xc3\xa4ssword-1'"),
            ("p&ss<wo'rd>-1", "<b>p&amp;ss&lt;wo&#39;rd&gt;-1</b> &amp; more"),
            // What looks escaped itself.
            ("a%2Fb\"cdef-1", r#"{"k":"a%2Fb\"cdef-1"}"#),
            ("a%2Fb&amp;cdef-1", "?k=a%252Fb%26amp%3Bcdef-1"),
        ] {
            let told = Secrets::of([secret.to_owned()]).hidden(text);
            assert!(told.contains(HIDDEN) && !told.contains("-1"), "{told}");
        }
    }

    /// As `quote` and `quote_plus` of Python 3.11, and `encodeURIComponent` of Node 22, write them.
    #[test]
    fn secrets_are_found_in_addresses() {
        for (secret, text) in [
            ("a/b+cdef==1", "https://h/?key=a%2Fb%2Bcdef%3D%3D1"),
            ("a/b+cdef==1", "https://h/a/b%2Bcdef%3D%3D1"),
            ("a/b+cdef==1", "https://h/?key=a%2fb%2bcdef%3d%3d1"),
            ("pass word(1)!1", "?key=pass+word%281%29%211"),
            ("pass word(1)!1", "?key=pass%20word(1)!1"),
            ("pässword:1", "https://u:p%C3%A4ssword%3A1@h"),
            // `PathEscape` of Go, passwords of `URL` in JavaScript, yarl, each letter, twice.
            ("a/b+cdef==1", "https://h/a%2Fb+cdef==1"),
            ("a/b+cdef==1", "https://u:a%2Fb+cdef%3D%3D1@h/"),
            ("a/b+cdef==1", "https://h/?q=a/b%2Bcdef%3D=1"),
            ("abcdef1", "%61%62%63%64%65%66%31"),
            ("a/b+cdef==1", "a%252Fb%252bcdef%253D%253D1"),
            ("one line\nand another: 1", "https://h/?k=one%20line%0Aand%20another:%201&x=2"),
        ] {
            let told = Secrets::of([secret.to_owned()]).hidden(text);
            assert!(told.contains(HIDDEN) && !told.contains('1'), "{told}");
        }
    }

    #[test]
    fn lines_of_a_key_are_found_by_themselves() {
        let secrets = Secrets::of([KEY.to_owned()]);
        assert_eq!(secrets.hidden("INFO MIIEvQIBADAN"), "INFO …");
        assert_eq!(secrets.hidden("-----BEGIN KEY-----"), "-----BEGIN KEY-----");
        assert!(Secrets::of(["short".to_owned()]).is_empty());
    }

    #[test]
    fn secrets_are_found_in_base64() {
        let secrets = Secrets::of(["plainsecret-1".to_owned()]);
        for before in ["", "a", "ab"] {
            let data = BASE64.encode(format!("{before}plainsecret-1"));
            assert!(secrets.stand_encoded_in(&json!([{"type": "image", "data": data}])));
        }
        let data = BASE64.encode("??>plainsecret-1");
        let (first, rest) = data.split_at(8);
        let (wrapped, safe) = (format!("{first}\n{rest}"), data.replace('/', "_").replace('+', "-"));
        for text in [wrapped, safe, format!("data:image/png;base64,{data}")] {
            assert!(secrets.stand_encoded_in(&json!(text)), "{text}");
        }
        assert!(!secrets.stand_encoded_in(&json!({"data": BASE64.encode("other"), "n": 1})));
        // Within a text, it is replaced.
        for before in ["", "u:", "user:"] {
            let data = BASE64.encode(format!("{before}plainsecret-1"));
            for text in [format!("Basic {data}="), format!("b64={data}%3D%3D&x"), json!({ "k": data }).to_string()] {
                let told = secrets.hidden(&text);
                assert!(told.contains(HIDDEN) && !told.contains(data.get(4..12).unwrap()), "{told}");
            }
        }
    }

    /// As clients of OAuth 2 (RFC 6749, 2.3.1), documents in PHP, JWT, MIME and YAML have them.
    #[test]
    fn secrets_are_found_escaped_and_in_lines_within_base64() {
        let secrets = Secrets::of(["a/b+cdef==plain-1".to_owned()]);
        let basic = BASE64.encode("client:a%2Fb%2Bcdef%3D%3Dplain-1");
        let json = BASE64.encode(r#"{"k": "a\/b+cdef==plain-1"}"#);
        let long = BASE64.encode("Authorization: some and other words, a/b+cdef==plain-1, and some more");
        let (first, rest) = long.split_at(41);
        let texts = [
            format!("Basic {basic}"),
            format!("token {json}"),
            format!("eyJhbGciOiJub25lIn0.{}.sig", json.trim_end_matches('=')),
            format!("the key is:\n{first}\n{rest}\nthanks"),
            format!("key: |\n    {first}\r\n    {rest}\n"),
            json!({ "d": format!("{first}\n{rest}") }).to_string(),
        ];
        for text in texts {
            let told = secrets.hidden(&text);
            let left = [&basic, &json, &long].map(|one| one.get(one.len() / 2..one.len() / 2 + 8).unwrap());
            assert!(told.contains(HIDDEN) && !left.iter().any(|part| told.contains(*part)), "{told}");
        }
    }

    /// What has no secret in it stays as it is, byte for byte.
    #[test]
    fn texts_without_secrets_stay() {
        let secrets = Secrets::of(["plainsecret-1".to_owned(), "pässword: 1".to_owned()]);
        for text in
            ["100 % of C:\\plain\\new & \\u12 %zz &; &#xffffffff; \\ud83d \\x9", "", "\\", "%", "&", "é\\u00e9%C3%A9"]
        {
            assert_eq!(secrets.hidden(text), text);
        }
        assert_eq!(secrets.hidden("é%C3%A9 plainsecret%2D1 é\\u00e9"), "é%C3%A9 … é\\u00e9");
        assert_eq!(secrets.hidden_in(json!({"n": 1.5, "t": [true, null]})), json!({"n": 1.5, "t": [true, null]}));
    }
}
