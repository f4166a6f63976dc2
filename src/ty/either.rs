//! `text | bigint`: a text that may be sent as a value of another type too.
//!
//! The parameter is a text: in SQL, in results and to all that asks for its type. The others say what else is taken for
//! one, each in the form that the type is published in.

use super::coerce::{Coercion, Strictness};
use super::{Type, UnknownType};
use serde_json::Value;

/// A declared type: what the parameter is, and what else an agent may send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The type.
    pub ty: Type,
    /// The others; none for most.
    pub also: Vec<Type>,
}

impl Declared {
    /// Reads `bigint`, or `text | bigint`.
    pub fn parse(text: &str) -> Result<Declared, UnknownType> {
        if !text.contains('|') {
            return Type::parse(text).map(|ty| Declared { ty, also: Vec::new() });
        }
        let types: Vec<Type> = text.split('|').map(Type::parse).collect::<Result<_, _>>()?;
        let texts = types.iter().filter(|ty| **ty == Type::Text).count();
        let also: Vec<Type> = types.into_iter().filter(|ty| *ty != Type::Text).collect();
        let is_plain = |ty: &Type| ty.is_integer() || matches!(ty, Type::Double | Type::Boolean);
        let twice = also.iter().enumerate().any(|(at, ty)| also.iter().take(at).any(|other| other == ty));
        if texts != 1 || also.is_empty() || twice || !also.iter().all(is_plain) {
            let limits =
                "of several types one is `text`, and the others are integers, `double` or `boolean`, each once";
            return Err(UnknownType { written: text.trim().to_owned(), limits: Some(limits.to_owned()), meant: None });
        }
        Ok(Declared { ty: Type::Text, also })
    }
}

/// What was sent as one of the other types, as the text that it stands for; `None` where it is of none of them.
pub fn as_text(also: &[Type], sent: &Value) -> Option<String> {
    let strict = Coercion { strictness: Strictness::Strict, ..Coercion::default() };
    // A text is what it says.
    let ty = also.iter().filter(|_| !sent.is_string()).find(|ty| ty.coerce(sent, &strict).is_ok())?;
    let told = ty.canonical(sent);
    Some(told.as_str().map_or_else(|| told.to_string(), str::to_owned))
}

/// A type as it is declared, with the others.
pub fn shown_types(ty: &Type, also: &[Type]) -> String {
    also.iter().fold(ty.to_string(), |all, other| format!("{all} | {other}"))
}

/// What a value must be that is of none of the types. `text` is what the text must be.
pub fn expected_types(text: String, also: &[Type]) -> String {
    also.iter().fold(text, |all, other| format!("{all} or {}", other.expectation()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_may_be_sent_as_a_number() {
        let declared = Declared::parse("bigint | text | boolean").unwrap();
        assert_eq!(shown_types(&declared.ty, &declared.also), "text | bigint | boolean");
        for (sent, text) in [
            (json!(42), Some("42")),
            (json!(-1), Some("-1")),
            (json!(true), Some("true")),
            (json!("042"), None),
            (json!(1.5), None),
            (json!([1]), None),
            (json!(null), None),
        ] {
            assert_eq!(as_text(&declared.also, &sent).as_deref(), text, "{sent}");
        }
        assert_eq!(as_text(&[], &json!(1)), None);
        let expected = expected_types("a string".to_owned(), &declared.also);
        assert!(expected.starts_with("a string or an integer"), "{expected}");
    }

    #[test]
    fn what_is_no_text_besides_is_refused() {
        for wrong in ["bigint | double", "text | date", "text | text", "text | int | int", "text |", "text | nothing"] {
            assert!(Declared::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Declared::parse("decimal(4,1)").unwrap().also, []);
    }
}
