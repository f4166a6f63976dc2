//! The body of a request of curl: a text, or JSON with values in it.

use super::super::quoting::{escaped, placeholder};
use super::super::word::Piece;
use super::address::Texts;
use super::flaw::Flaw;
use super::kind::Kind;
use serde_json::{Map, Value};

/// A body of JSON whose values are typed where they stand outside of quotes.
///
/// Errors: it is no JSON once its values are in it.
pub(super) fn json(pieces: &[Piece], texts: &mut Texts<'_>) -> Result<Value, Flaw> {
    let (mut written, mut is_text) = (String::new(), false);
    for piece in pieces {
        match piece {
            Piece::Text(part) => {
                let mut is_escaped = false;
                for letter in part.chars() {
                    is_text ^= letter == '"' && !is_escaped;
                    is_escaped = letter == '\\' && !is_escaped;
                }
                written.push_str(&escaped(part));
            }
            Piece::Value { name, .. } if is_text => written.push_str(
                &texts
                    .always(std::slice::from_ref(piece))
                    .map_err(|flaw| Flaw::other(format!("`{name}` in the body: {flaw}")))?,
            ),
            Piece::Value { name, .. } => {
                let parameter = texts.signature.take(name).ok_or_else(|| Flaw::unknown(name))?;
                if matches!(parameter.kind, Kind::Text) {
                    return Err(Flaw::other(format!("`{name}`, a text, stands in the body as JSON of its own")));
                }
                written.push_str(&Value::from(placeholder(&parameter.name)).to_string());
                texts.uses.needed(vec![name.clone()]);
            }
            Piece::Variable(name) => return Err(Flaw::other(format!("the variable `{name}` stands in the body"))),
            Piece::When { name, .. } => {
                return Err(Flaw::other(format!("the condition on `{name}` covers a part of the body")));
            }
        }
    }
    serde_json::from_str(&written).map_err(|_| Flaw::other("its body is no JSON"))
}

/// A body of all parameters.
pub(super) fn of_all(texts: &mut Texts<'_>) -> Value {
    texts.signature.take_all();
    let each = texts.signature.parameters.iter().map(|one| (one.theirs.clone(), placeholder(&one.name).into()));
    Value::Object(each.collect::<Map<String, Value>>())
}
