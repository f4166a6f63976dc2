//! Values that nobody is to see: they are found in whatever form somebody writes them down again.
//!
//! Each library escapes other letters. So a text is read back instead, as often as something in it is escaped, and looked through each
//! time: no form of a secret has to be known.

mod view;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use memchr::memmem;
use serde_json::{Map, Value};
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
    GeneralPurposeConfig::new().with_encode_padding(false).with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Some secrets.
#[derive(Debug, Clone, Default)]
pub(super) struct Secrets {
    /// What is looked for.
    values: Vec<String>,
    /// What stands in Base64 for each of them, wherever it begins between others.
    encoded: Vec<String>,
}

impl Secrets {
    /// These values, but for those that are too short to be found.
    pub(super) fn of(values: impl IntoIterator<Item = String>) -> Secrets {
        let mut values: Vec<String> = values.into_iter().flat_map(looked_for).collect();
        values.sort();
        values.dedup();
        let mut encoded: Vec<String> = values.iter().flat_map(|value| within_base64(value.as_bytes())).collect();
        encoded.sort();
        encoded.dedup();
        Secrets { values, encoded }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
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
        let mut found = Vec::new();
        self.look(bytes, &|place| place, &mut found);
        let is_ascii = self.values.iter().all(|value| value.is_ascii());
        let all = [Escapes::OfLetters, Escapes::OfBytes];
        for escapes in all.into_iter().take(if is_ascii { 1 } else { 2 }) {
            let mut view = View::decoded(bytes, escapes);
            for _ in 0..MOST_LEVELS {
                let Some(now) = view else { break };
                self.look(now.bytes(), &|place| now.source(place), &mut found);
                view = now.again(escapes);
            }
        }
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

    fn look(&self, bytes: &[u8], source: &dyn Fn(Range<usize>) -> Range<usize>, found: &mut Vec<Range<usize>>) {
        for value in &self.values {
            let starts = memmem::find_iter(bytes, value.as_bytes());
            found.extend(starts.map(|start| source(start..start + value.len())));
        }
        for value in &self.encoded {
            let starts = memmem::find_iter(bytes, value.as_bytes());
            found.extend(starts.map(|start| source(whole_base64(bytes, start..start + value.len()))));
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

/// What stands for some bytes within Base64, in either alphabet: without the letters that also stand for what is before and behind them.
fn within_base64(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    for before in 0..3_usize {
        let text = BASE64.encode([vec![0; before], bytes.to_vec()].concat());
        let whole = (before * 8).div_ceil(6)..(before + bytes.len()) * 8 / 6;
        let part = text.get(whole).unwrap_or_default();
        all.extend([part.to_owned(), part.replace('+', "-").replace('/', "_")]);
    }
    all
}

/// The text of Base64 that a part of it stands in.
fn whole_base64(bytes: &[u8], part: Range<usize>) -> Range<usize> {
    let is_of_it = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let before = bytes.get(..part.start).unwrap_or_default().iter().rev().take_while(is_of_it).count();
    let behind = bytes.get(part.end..).unwrap_or_default().iter().take_while(is_of_it).count();
    part.start - before..part.end + behind
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
