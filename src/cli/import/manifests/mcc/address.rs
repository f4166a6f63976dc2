//! The address of a request with values in it: what stands in its path, and the pairs of its query.

use super::super::quoting::{escaped, placeholder};
use super::super::word::Piece;
use super::flaw::Flaw;
use super::kind::Kind;
use super::signature::Signature;
use super::uses::{Uses, check_others, names, scalar};
use serde_json::{Map, Value};

/// The texts of a request as they come together.
pub(super) struct Texts<'a> {
    /// The parameters of the tool.
    pub(super) signature: &'a mut Signature,
    /// The places of their values.
    pub(super) uses: Uses,
    /// The pairs of the query.
    pub(super) query: Map<String, Value>,
}

impl Texts<'_> {
    /// The address without its query, which is added to the pairs.
    ///
    /// Errors: it is none of the web, a value or variable stands where none can, or a pair is there twice.
    pub(super) fn address(&mut self, pieces: &[Piece]) -> Result<String, Flaw> {
        let Some(Piece::Text(first)) = pieces.first() else {
            return Err(Flaw::other("the address begins with a value"));
        };
        let rest = first.strip_prefix("https://").or_else(|| first.strip_prefix("http://"));
        let rest = rest.ok_or_else(|| Flaw::other("its address does not begin with `http://` or `https://`"))?;
        let end = rest.find(['/', '?', '#']);
        if end.is_none() && pieces.len() > 1 {
            return Err(Flaw::other("the host of the address is a value, and hosts are the same at every call"));
        }
        if rest.get(..end.unwrap_or(rest.len())).unwrap_or_default().contains('@') {
            return Err(Flaw::other("its address has a name and a password: write the header `Authorization`"));
        }
        let (path, query) = at_sign(pieces, '?');
        let (path, _) = at_sign(&path, '#');
        for piece in &path {
            match piece {
                Piece::Variable(name) => {
                    return Err(Flaw::other(format!("the variable `{name}` stands in the path of the address")));
                }
                Piece::When { name, .. } => {
                    return Err(Flaw::other(format!("the condition on `{name}` covers a part of the path")));
                }
                Piece::Text(text) if text.contains(char::is_whitespace) => {
                    return Err(Flaw::other("its address has a space in it"));
                }
                Piece::Text(_) | Piece::Value { .. } => {}
            }
        }
        let (query, _) = at_sign(&query, '#');
        self.pairs(&query, None)?;
        self.always(&path)
    }

    /// The text of what is there in every call.
    ///
    /// Errors: a condition is in it, or a value has no form in a text.
    pub(super) fn always(&mut self, pieces: &[Piece]) -> Result<String, Flaw> {
        self.uses.needed(names(pieces));
        self.text(pieces)
    }

    fn text(&mut self, pieces: &[Piece]) -> Result<String, Flaw> {
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(part) => text.push_str(&escaped(part)),
                Piece::Variable(name) => text.push_str(&format!("${{{name}}}")),
                Piece::Value { name, .. } => text.push_str(&placeholder(&scalar(name, self.signature)?)),
                Piece::When { name, .. } => {
                    return Err(Flaw::other(format!("the condition on `{name}` covers a part of a text")));
                }
            }
        }
        Ok(text)
    }

    /// Adds the pairs of a query, with `&` between. `when`: the parameter that must have a value for them.
    ///
    /// Errors: a name is a value or is there twice, or a condition covers something else than pairs.
    pub(super) fn pairs(&mut self, pieces: &[Piece], when: Option<&str>) -> Result<(), Flaw> {
        let (mut pair, mut is_closed) = (Vec::new(), false);
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    for (at, part) in text.split('&').enumerate() {
                        if at > 0 {
                            self.coded_pair(&std::mem::take(&mut pair), when)?;
                            is_closed = false;
                        }
                        if !part.is_empty() {
                            pair.push(Piece::Text(part.to_owned()));
                        }
                        if is_closed && !pair.is_empty() {
                            return Err(Flaw::other("a condition covers a part of a pair of the query"));
                        }
                    }
                }
                Piece::When { name, then } => {
                    let begins = matches!(then.first(), Some(Piece::Text(text)) if text.starts_with('&'));
                    if !begins && (is_closed || !pair.is_empty()) {
                        return Err(Flaw::other(format!(
                            "the condition on `{name}` covers a part of a pair of the query"
                        )));
                    }
                    self.coded_pair(&std::mem::take(&mut pair), when)?;
                    self.pairs(then, Some(name))?;
                    is_closed = !matches!(then.last(), Some(Piece::Text(text)) if text.ends_with('&'));
                }
                other if is_closed => {
                    let name = names(std::slice::from_ref(other)).join("");
                    return Err(Flaw::other(format!("`{name}` follows a condition without `&`")));
                }
                other => pair.push(other.clone()),
            }
        }
        self.coded_pair(&pair, when)
    }

    /// A pair whose texts are percent-encoded.
    fn coded_pair(&mut self, pieces: &[Piece], when: Option<&str>) -> Result<(), Flaw> {
        let (name, value) = at_sign(pieces, '=');
        let decoded: Result<Vec<Piece>, Flaw> = value
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => decode(&text).map(Piece::Text),
                other => Ok(other),
            })
            .collect();
        match name.as_slice() {
            [] if pieces.is_empty() => Ok(()),
            [Piece::Text(name)] => self.pair(&decode(name)?, &decoded?, when),
            _ => Err(Flaw::other("the name of a pair of the query is a value")),
        }
    }

    /// Adds a pair.
    ///
    /// Errors: it is there twice, or a value has no form in it.
    pub(super) fn pair(&mut self, name: &str, value: &[Piece], when: Option<&str>) -> Result<(), Flaw> {
        let text = match when {
            None => self.always(value)?,
            Some(condition) => match self.when(condition, value)? {
                Some(text) => text,
                None => return Ok(()),
            },
        };
        match self.query.insert(name.to_owned(), text.into()) {
            None => Ok(()),
            Some(_) => Err(Flaw::other(format!("`{name}` stands twice in the query"))),
        }
    }

    /// The text of a pair under a condition; `None` where it is never there.
    fn when(&mut self, condition: &str, value: &[Piece]) -> Result<Option<String>, Flaw> {
        let parameter = self.signature.take(condition).ok_or_else(|| Flaw::unknown(condition))?;
        let (kind, always) = (parameter.kind, parameter.always());
        match always {
            Some(true) => return self.always(value).map(Some),
            Some(false) => return Ok(None),
            None => {}
        }
        if kind == Kind::Boolean || !names(value).iter().any(|name| name == condition) {
            return Err(Flaw::other(format!("the condition on `{condition}` covers a pair without its value")));
        }
        check_others(condition, value, self.signature)?;
        self.uses.optional(condition);
        self.text(value).map(Some)
    }
}

/// What stands before the first sign of a kind and behind it, outside of values and conditions.
pub(super) fn at_sign(pieces: &[Piece], sign: char) -> (Vec<Piece>, Vec<Piece>) {
    let (mut before, mut behind, mut is_behind) = (Vec::new(), Vec::new(), false);
    for piece in pieces {
        let split = match piece {
            Piece::Text(text) if !is_behind => text.split_once(sign),
            _ => None,
        };
        let Some((left, right)) = split else {
            if is_behind {
                behind.push(piece.clone())
            } else {
                before.push(piece.clone())
            }
            continue;
        };
        is_behind = true;
        before.extend((!left.is_empty()).then(|| Piece::Text(left.to_owned())));
        behind.extend((!right.is_empty()).then(|| Piece::Text(right.to_owned())));
    }
    (before, behind)
}

/// A text of a query without its encoding.
fn decode(text: &str) -> Result<String, Flaw> {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| {
            byte.and_then(|byte| char::from(byte).to_digit(16)).and_then(|digit| u8::try_from(digit).ok())
        };
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => match (digit(rest.next()), digit(rest.next())) {
                (Some(high), Some(low)) => high * 16 + low,
                _ => return Err(Flaw::other("a `%` of the query has no two digits behind it")),
            },
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| Flaw::other("a text of the query is no UTF-8"))
}

#[cfg(test)]
mod tests;
