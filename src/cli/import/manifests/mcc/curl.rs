//! `curl` of a tool of MCC: a request, from the options that say what it is.

use super::super::jinja::parsed;
use super::super::shell_words::split;
use super::super::word::{Entry, Piece};
use super::address::Texts;
use super::body;
use super::flaw::Flaw;
use super::signature::Signature;
use super::uses::Uses;
use serde_json::{Map, Value, json};

/// What an option of curl says of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Nothing,
    NothingOf,
    Output,
    Header,
    HeaderOf(&'static str),
    Method,
    Head,
    Data,
    DataToEncode,
    DataInQuery,
    Json,
    Address,
}

/// The options that have a form here, or change nothing of the request.
const OPTIONS: [(&str, &str, Says); 26] = [
    ("-s", "--silent", Says::Nothing),
    ("-S", "--show-error", Says::Nothing),
    ("-L", "--location", Says::Nothing),
    ("-f", "--fail", Says::Nothing),
    ("-g", "--globoff", Says::Nothing),
    ("-v", "--verbose", Says::Nothing),
    ("-N", "--no-buffer", Says::Nothing),
    ("", "--compressed", Says::Nothing),
    ("", "--fail-with-body", Says::Nothing),
    ("-m", "--max-time", Says::NothingOf),
    ("", "--connect-timeout", Says::NothingOf),
    ("", "--retry", Says::NothingOf),
    ("", "--max-redirs", Says::NothingOf),
    ("-o", "--output", Says::Output),
    ("-H", "--header", Says::Header),
    ("-A", "--user-agent", Says::HeaderOf("User-Agent")),
    ("-e", "--referer", Says::HeaderOf("Referer")),
    ("-X", "--request", Says::Method),
    ("-I", "--head", Says::Head),
    ("-d", "--data", Says::Data),
    ("", "--data-raw", Says::Data),
    ("", "--data-ascii", Says::Data),
    ("", "--data-urlencode", Says::DataToEncode),
    ("-G", "--get", Says::DataInQuery),
    ("", "--json", Says::Json),
    ("", "--url", Says::Address),
];

/// What stands under `http`. `sends_all`: all parameters are sent as a body of JSON.
///
/// Errors: an option has no form here, or its values have none.
pub(super) fn request(curl: &str, sends_all: bool, signature: &mut Signature) -> Result<Map<String, Value>, Flaw> {
    let curl = curl.trim();
    let is_address = curl.starts_with("http://") || curl.starts_with("https://");
    // MCC puts quotes around an address that stands by itself.
    let entries = split(&parsed(&if is_address { format!("'{curl}'") } else { curl.to_owned() })?)?;
    let texts = Texts { signature, uses: Uses::default(), query: Map::new() };
    let mut reader = Reader {
        texts,
        words: Vec::new(),
        method: None,
        address: None,
        headers: Map::new(),
        data: Vec::new(),
        in_query: false,
    };
    for entry in entries {
        match entry {
            Entry::Word(word) => reader.words.push(word),
            Entry::When { name, .. } => {
                return Err(Flaw::other(format!("the condition on `{name}` covers an option of curl")));
            }
        }
    }
    reader.words.reverse();
    while let Some(word) = reader.words.pop() {
        reader.word(word)?;
    }
    reader.request(sends_all)
}

/// A piece of what is sent.
struct Data {
    pieces: Vec<Piece>,
    says: Says,
}

struct Reader<'a> {
    texts: Texts<'a>,
    /// What is left of the words, the next one last.
    words: Vec<Vec<Piece>>,
    method: Option<String>,
    address: Option<Vec<Piece>>,
    headers: Map<String, Value>,
    data: Vec<Data>,
    in_query: bool,
}

impl Reader<'_> {
    fn word(&mut self, word: Vec<Piece>) -> Result<(), Flaw> {
        let option = match word.first() {
            Some(Piece::Text(text)) if text.len() > 1 && text.starts_with('-') => text.clone(),
            _ => return self.set_address(word),
        };
        if option.starts_with("--") {
            let found = OPTIONS.iter().find(|(_, long, _)| word.len() == 1 && *long == option);
            let (.., says) = found.ok_or_else(|| Flaw::other(format!("option `{option}` of curl has no form here")))?;
            return self.option(*says, None);
        }
        let letters = option.char_indices().skip(1);
        for (at, letter) in letters {
            let found =
                OPTIONS.iter().find(|(short, ..)| short.strip_prefix('-') == Some(letter.encode_utf8(&mut [0; 4])));
            let (.., says) =
                found.ok_or_else(|| Flaw::other(format!("option `-{letter}` of curl has no form here")))?;
            let behind = option.get(at + letter.len_utf8()..).unwrap_or_default();
            if matches!(says, Says::Nothing | Says::Head | Says::DataInQuery) {
                self.option(*says, None)?;
                continue;
            }
            let rest = word.iter().skip(1).cloned();
            let glued: Vec<Piece> = if behind.is_empty() { Vec::new() } else { vec![Piece::Text(behind.to_owned())] };
            let glued: Vec<Piece> = glued.into_iter().chain(rest).collect();
            return self.option(*says, (!glued.is_empty()).then_some(glued));
        }
        if word.len() > 1 { Err(Flaw::other(format!("a value stands behind option `{option}`"))) } else { Ok(()) }
    }

    /// Takes an option. `glued`: its value, where it stands in the same word.
    fn option(&mut self, says: Says, glued: Option<Vec<Piece>>) -> Result<(), Flaw> {
        match says {
            Says::Nothing => return Ok(()),
            Says::Head => self.method = Some("HEAD".to_owned()),
            Says::DataInQuery => self.in_query = true,
            _ => {
                let value = glued.or_else(|| self.words.pop());
                let value = value.ok_or_else(|| Flaw::other("an option of curl has no value behind it"))?;
                return self.valued(says, value);
            }
        }
        Ok(())
    }

    fn valued(&mut self, says: Says, value: Vec<Piece>) -> Result<(), Flaw> {
        match says {
            Says::Header => self.header(&value),
            Says::HeaderOf(name) => {
                let text = self.texts.always(&value)?;
                self.headers.insert(name.to_owned(), text.into());
                Ok(())
            }
            Says::Method => match value.as_slice() {
                [Piece::Text(method)] => {
                    self.method = Some(method.to_ascii_uppercase());
                    Ok(())
                }
                _ => Err(Flaw::other("the method is a value, and methods are the same at every call")),
            },
            Says::Output if value == [Piece::Text("-".to_owned())] => Ok(()),
            Says::Output => Err(Flaw::other("its answer is written to a file")),
            Says::Address => self.set_address(value),
            Says::Data | Says::DataToEncode | Says::Json => {
                if matches!(value.first(), Some(Piece::Text(text)) if text.starts_with('@')) {
                    return Err(Flaw::other("what it sends is read from a file or the standard input"));
                }
                self.data.push(Data { pieces: value, says });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn set_address(&mut self, word: Vec<Piece>) -> Result<(), Flaw> {
        match self.address.replace(word) {
            None => Ok(()),
            Some(_) => Err(Flaw::other("it has two addresses")),
        }
    }

    fn header(&mut self, pieces: &[Piece]) -> Result<(), Flaw> {
        let (name, value) = super::address::at_sign(pieces, ':');
        let [Piece::Text(name)] = name.as_slice() else {
            return Err(Flaw::other("the name of a header is a value"));
        };
        let value = self.texts.always(&value)?.trim().to_owned();
        if name.starts_with('@') || name.ends_with(';') || value.is_empty() {
            return Err(Flaw::other(format!("`{name}` is no header with a value")));
        }
        self.headers.insert(name.trim().to_owned(), value.into());
        Ok(())
    }

    fn request(mut self, sends_all: bool) -> Result<Map<String, Value>, Flaw> {
        let address = self.address.take().ok_or_else(|| Flaw::other("it has no address"))?;
        let url = self.texts.address(&address)?;
        let body = self.body(sends_all)?;
        let method = self.method.unwrap_or_else(|| if body.is_some() { "POST" } else { "GET" }.to_owned());
        self.texts.uses.settle(self.texts.signature)?;
        let mut request = Map::from_iter([("method".to_owned(), Value::from(method)), ("url".to_owned(), url.into())]);
        let parts = [("headers", Value::Object(self.headers)), ("query", Value::Object(self.texts.query))];
        request
            .extend(parts.into_iter().filter(|(_, part)| *part != json!({})).map(|(key, part)| (key.to_owned(), part)));
        request.extend(body.map(|body| ("body".to_owned(), body)));
        Ok(request)
    }

    fn body(&mut self, sends_all: bool) -> Result<Option<Value>, Flaw> {
        let data = std::mem::take(&mut self.data);
        if self.in_query {
            for one in &data {
                match one.says {
                    Says::DataToEncode => {
                        let (name, value) = super::address::at_sign(&one.pieces, '=');
                        match name.as_slice() {
                            [Piece::Text(name)] => self.texts.pair(name, &value, None)?,
                            _ => return Err(Flaw::other("the name of a pair of the query is a value")),
                        }
                    }
                    _ => self.texts.pairs(&one.pieces, None)?,
                }
            }
            return Ok(None);
        }
        match (data.as_slice(), sends_all) {
            ([], false) => Ok(None),
            ([], true) => {
                self.json_headers();
                Ok(Some(body::of_all(&mut self.texts)))
            }
            ([one], false) if one.says == Says::Json => {
                self.json_headers();
                body::json(&one.pieces, &mut self.texts).map(Some)
            }
            ([one], false) if one.says == Says::Data && self.is_json() => {
                body::json(&one.pieces, &mut self.texts).map(Some)
            }
            ([Data { pieces, says: Says::Data }], false) => match pieces.as_slice() {
                [Piece::Text(_)] => {
                    self.headers.entry("Content-Type").or_insert_with(|| "application/x-www-form-urlencoded".into());
                    self.texts.always(pieces).map(|text| Some(text.into()))
                }
                _ => Err(Flaw::other("it sends a form with values, and a body is JSON or a text here")),
            },
            _ => Err(Flaw::other("it sends a form of several parts, and a body is JSON or a text here")),
        }
    }

    fn json_headers(&mut self) {
        for name in ["Content-Type", "Accept"] {
            if !self.headers.keys().any(|known| known.eq_ignore_ascii_case(name)) {
                self.headers.insert(name.to_owned(), "application/json".into());
            }
        }
    }

    fn is_json(&self) -> bool {
        let is = |(name, value): (&String, &Value)| {
            name.eq_ignore_ascii_case("content-type") && value.as_str().is_some_and(|value| value.contains("json"))
        };
        self.headers.iter().any(is)
    }
}

#[cfg(test)]
mod tests;
