//! Values that nobody is to see: they are found in whatever form somebody writes them down again.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;

/// A secret shorter than that would be found in any text.
const SHORT: usize = 6;
/// What stands in the place of one.
const HIDDEN: &str = "…";
/// How a line of a key begins that says what the key is.
const FRAME: &str = "-----";

/// Base64, with or without its end filled up.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Some secrets.
#[derive(Debug, Clone, Default)]
pub(super) struct Secrets {
    /// What they look like in a text, the longest first.
    forms: Vec<String>,
}

impl Secrets {
    /// These values, but for those that are too short to be found.
    pub(super) fn of(values: impl IntoIterator<Item = String>) -> Secrets {
        let mut forms: Vec<String> = values.into_iter().flat_map(forms_of).collect();
        forms.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        forms.dedup();
        Secrets { forms }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// A text without them.
    pub(super) fn hidden(&self, text: &str) -> String {
        self.forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), HIDDEN))
    }

    /// The JSON text of a value without them, wherever they stood: as a key, in a text, in an address.
    pub(super) fn hidden_in_json(&self, text: &str) -> String {
        self.forms.iter().fold(text.to_owned(), |text, form| text.replace(&escaped(form), HIDDEN))
    }

    /// Whether one of them stands in some bytes.
    pub(super) fn stand_in(&self, bytes: &[u8]) -> bool {
        self.forms.iter().any(|form| bytes.windows(form.len()).any(|window| window == form.as_bytes()))
    }

    /// Whether one of them stands in a text of Base64 in a value: nothing can be put in its place there.
    pub(super) fn stand_encoded_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => decoded(text).is_some_and(|bytes| self.stand_in(&bytes)),
            Value::Array(items) => items.iter().any(|item| self.stand_encoded_in(item)),
            Value::Object(fields) => fields.values().any(|field| self.stand_encoded_in(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

/// What a secret looks like in a text: as it is, as JSON and Python write it, also within another such text, as it stands in an
/// address, and, of several lines, line by line.
fn forms_of(secret: String) -> Vec<String> {
    if secret.len() < SHORT {
        return Vec::new();
    }
    let lines = secret.lines().map(str::trim).filter(|line| line.len() >= SHORT && !line.starts_with(FRAME));
    let mut forms: Vec<String> = lines.filter(|line| *line != secret).map(str::to_owned).collect();
    forms.push(secret);
    let in_addresses: Vec<String> = forms.iter().flat_map(|form| in_addresses(form)).collect();
    for _ in 0..2 {
        let written: Vec<String> = forms.iter().flat_map(|form| written(form)).collect();
        forms.extend(written);
        forms.sort();
        forms.dedup();
    }
    forms.extend(in_addresses);
    forms
}

/// Which letters stand for themselves in an address, besides those of ASCII and digits: for RFC 3986 (Go, `quote` of Python with
/// `safe=''`), for `quote`, for `encodeURIComponent` and `encodeURI` of JavaScript, and for forms.
const PLAIN_IN_ADDRESSES: [&str; 5] = ["-._~", "-._~/", "-._~!*'()", "-._~!*'();,/?:@&=+$#", "-._*"];

/// A text as it stands in an address: in upper and in lower case, with a space as `%20` and as `+`.
fn in_addresses(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for plain in PLAIN_IN_ADDRESSES {
        for space in ["%20", "+"] {
            let [mut upper, mut lower] = <[String; 2]>::default();
            for byte in text.bytes() {
                let letter = char::from(byte);
                let (one, other) = match letter {
                    ' ' => (space.to_owned(), space.to_owned()),
                    letter if letter.is_ascii_alphanumeric() || plain.contains(letter) => {
                        (letter.into(), letter.into())
                    }
                    _ => (format!("%{byte:02X}"), format!("%{byte:02x}")),
                };
                upper.push_str(&one);
                lower.push_str(&other);
            }
            all.extend([upper, lower]);
        }
    }
    all
}

/// A text as others write it down: as JSON, also with `/` escaped, as `json_encode` of PHP does, and as Python's `repr`; each also by
/// those that know ASCII alone.
fn written(text: &str) -> [String; 6] {
    let json = escaped(text);
    let slashed = json.replace('/', "\\/");
    let python = python(text);
    let (ascii_json, ascii_slashed) = (ascii(&json), ascii(&slashed));
    let ascii_python = python.chars().map(in_python).collect();
    [json, slashed, python, ascii_json, ascii_slashed, ascii_python]
}

/// A text as `repr` of Python writes it, without the quotes around it.
fn python(text: &str) -> String {
    let has_both = text.contains('\'') && text.contains('"');
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\'' if has_both => out.push_str("\\'"),
            letter => out.push(letter),
        }
    }
    out
}

/// A letter as `ascii` of Python writes it.
fn in_python(letter: char) -> String {
    match u32::from(letter) {
        0..0x80 => letter.to_string(),
        code @ 0x80..0x100 => format!("\\x{code:02x}"),
        code @ 0x100..0x1_0000 => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
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

/// A text as JSON writes it, without the quotes around it.
fn escaped(text: &str) -> String {
    let written = Value::from(text).to_string();
    written.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&written).to_owned()
}

/// The same as those write it that know ASCII alone.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_ascii() {
            true => out.push(letter),
            false => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
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
            let python = format!("{{'k': '{}'}}", escaped(secret).replace("\\\"", "\""));
            for text in [secret.to_owned(), json.clone(), ascii(&json), twice.clone(), ascii(&twice), python] {
                let told = secrets.hidden(&text);
                assert!(told.contains(HIDDEN), "{told}");
                for part in ["secret-1", "word-1", "word-🔑1", "MIIE", "BBBB"] {
                    assert!(!told.contains(part), "{told}");
                }
                // The same within an answer.
                let answer = json!({ "text": text }).to_string();
                let told: Value = serde_json::from_str(&secrets.hidden_in_json(&answer)).unwrap();
                assert!(told["text"].as_str().unwrap().contains(HIDDEN), "{told}");
            }
        }
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
    }
}
