//! What the places of a value mean for its parameter: it is required where it always stands in something, and optional
//! where something is left out without it.

use super::super::word::Piece;
use super::flaw::Flaw;
use super::kind::Kind;
use super::parameter::Presence;
use super::signature::Signature;

/// The places of values.
#[derive(Debug, Default)]
pub(super) struct Uses {
    optional: Vec<String>,
    needed: Vec<String>,
}

impl Uses {
    /// Something is left out without a value of this parameter.
    pub(super) fn optional(&mut self, name: &str) {
        self.optional.push(name.to_owned());
    }

    /// These always stand there.
    pub(super) fn needed(&mut self, names: Vec<String>) {
        self.needed.extend(names);
    }

    /// Says of each parameter whether it is required.
    ///
    /// Errors: one is both.
    pub(super) fn settle(self, signature: &mut Signature) -> Result<(), Flaw> {
        for name in &self.optional {
            if self.needed.contains(name) {
                return Err(Flaw::other(format!("`{name}` stands both under a condition on it and without one")));
            }
            if let Some(parameter) = signature.take(name) {
                parameter.presence = Presence::Optional;
            }
        }
        for name in &self.needed {
            let Some(parameter) = signature.take(name) else { continue };
            if parameter.presence == Presence::Optional {
                parameter.presence = Presence::Required;
                signature.note(format!("`{name}` is required here: there, it is `None` without a value"));
            }
        }
        Ok(())
    }
}

/// The values in a word, by the names of their parameters.
pub(super) fn names(word: &[Piece]) -> Vec<String> {
    let name = |piece: &Piece| match piece {
        Piece::Value { name, .. } => Some(name.clone()),
        _ => None,
    };
    word.iter().filter_map(name).collect()
}

/// The values in words under a condition, beside that which it is on, are there in every call.
///
/// Errors: one is not.
pub(super) fn check_others(name: &str, word: &[Piece], signature: &mut Signature) -> Result<(), Flaw> {
    for other in names(word).into_iter().filter(|other| other != name) {
        let parameter = signature.take(&other).ok_or_else(|| Flaw::unknown(&other))?;
        if !parameter.has_value() {
            let why = format!("`{other}`, which may have no value, stands in the condition on `{name}`");
            return Err(Flaw::other(why));
        }
    }
    Ok(())
}

/// The name here of a value that stands in a text.
///
/// Errors: there is no such parameter, or Python writes such values in a form of its own.
pub(super) fn scalar(name: &str, signature: &mut Signature) -> Result<String, Flaw> {
    let parameter = signature.take(name).ok_or_else(|| Flaw::unknown(name))?;
    let (kind, ours) = (parameter.kind, parameter.name.clone());
    match kind {
        Kind::Dict => return Err(Flaw::other(format!("`{name}` is a dict, which Python writes in a form of its own"))),
        Kind::List | Kind::ListOf(_) => {
            return Err(Flaw::other(format!("`{name}` is a list, and no word of its own with `quote`")));
        }
        Kind::Boolean => signature.note(format!("`{name}` is written `true` here, and `True` there")),
        Kind::Text | Kind::Integer | Kind::Float => {}
    }
    Ok(ours)
}
