//! What is known of a column beside its Arrow type: whether somebody declared it, and which texts are values of it.
//!
//! An author who declares a type chose what it keeps; an inference did not. And `uuid` and `json` are texts to the engine.

use crate::in_words::in_words;
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, FieldRef};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::sync::Arc;

/// What marks a field whose type is declared.
const DECLARED: &str = "qtool.declared";

/// What marks a field of texts of one form, beside the form's name.
const FORM: &str = "qtool.form";
const UUID: &str = "uuid";
const JSON: &str = "json";

/// The longest value that is checked: no number, time or UUID is longer.
const LONGEST: usize = 256;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::tables) enum Form {
    /// As a text, between quotes in JSON.
    Text,
    /// As a number of JSON.
    Number,
}

in_words! {
    /// Why a value is none of its type: the rest of a sentence that begins with the value.
    pub(in crate::engine::tables) struct Misfit;
}

/// The field as one whose type is declared.
pub(in crate::engine::tables) fn declared(field: &Field) -> Field {
    let ty = match field.data_type() {
        DataType::List(item) => DataType::List(Arc::new(declared(item))),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(|field| Arc::new(declared(field))).collect()),
        ty => ty.clone(),
    };
    field.clone().with_data_type(ty).with_metadata(HashMap::from([(DECLARED.to_owned(), String::new())]))
}

/// The field as one that is declared to be of that type.
pub(in crate::engine::tables) fn declared_as(field: &Field, wanted: &Type) -> Field {
    with_form(&declared(field), wanted)
}

fn with_form(field: &Field, wanted: &Type) -> Field {
    let form = match (field.data_type(), wanted) {
        (DataType::List(item), Type::List(inner)) => {
            let ty = DataType::List(Arc::new(with_form(item, inner)));
            return field.clone().with_data_type(ty);
        }
        (DataType::Struct(fields), Type::Struct(inner)) => {
            let of = |field: &FieldRef| inner.iter().find(|(name, _)| name == field.name());
            let marked = |field: &FieldRef| {
                of(field).map_or_else(|| Arc::clone(field), |(_, ty)| Arc::new(with_form(field, ty)))
            };
            return field.clone().with_data_type(DataType::Struct(fields.iter().map(marked).collect()));
        }
        (DataType::Utf8, Type::Uuid) => UUID,
        (DataType::Utf8, Type::Json) => JSON,
        _ => return field.clone(),
    };
    let mut metadata = field.metadata().clone();
    metadata.insert(FORM.to_owned(), form.to_owned());
    field.clone().with_metadata(metadata)
}

/// Whether the field's type is declared, and not inferred.
pub(super) fn is_declared(field: &Field) -> bool {
    field.metadata().contains_key(DECLARED)
}

fn form_of(field: &Field) -> Option<&str> {
    field.metadata().get(FORM).map(String::as_str)
}

/// Whether any text is a value of the field.
pub(super) fn takes_any_text(field: &Field) -> bool {
    *field.data_type() == DataType::Utf8 && form_of(field).is_none()
}

/// How many bytes of a value are looked at.
pub(super) fn longest(field: &Field) -> usize {
    if form_of(field) == Some(JSON) { usize::MAX } else { LONGEST }
}

/// Whether a field of texts takes `true` and `false` of JSON, as they are written.
pub(super) fn takes_booleans(field: &Field) -> bool {
    *field.data_type() == DataType::Utf8 && is_declared(field) && form_of(field) != Some(UUID)
}

/// Checks a value of a field of texts. Numbers of JSON are read as they are written, where a text is declared.
///
/// Errors: it is none of the form that the field's texts have.
pub(super) fn check(text: &str, form: Form, field: &Field) -> Result<(), Misfit> {
    let no_value = |ty: &str| Err(Misfit::from(format!("which is not a value of type {ty}")));
    match (form_of(field), form) {
        (Some(UUID), Form::Text) if is_uuid(text) => Ok(()),
        (Some(UUID), Form::Text) if is_uuid(&text.to_ascii_lowercase()) => {
            Err("which is a UUID with capitals, and would not equal one in small letters; declare `text`".into())
        }
        (Some(UUID), _) => no_value(UUID),
        (Some(JSON), Form::Text) if serde_json::from_str::<IgnoredAny>(text).is_err() => no_value(JSON),
        (_, Form::Text) => Ok(()),
        (_, Form::Number) if !is_declared(field) => no_value("text"),
        // What is cut off here may be a number.
        (_, Form::Number) if text.len() >= LONGEST || is_number(text) => Ok(()),
        (_, Form::Number) => Err("which is no number as JSON has them".into()),
    }
}

fn is_uuid(text: &str) -> bool {
    let is_hyphen = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let fits = |(at, byte): (usize, u8)| {
        if is_hyphen(at) { byte == b'-' } else { matches!(byte, b'0'..=b'9' | b'a'..=b'f') }
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

/// Whether JSON takes a text for a number: the reader takes whatever has the characters of one.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = whole == "0" || !whole.starts_with('0');
    are_digits(whole) && is_plain && fraction.is_none_or(are_digits) && exponent.is_none_or(are_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ty: &Type) -> Field {
        declared_as(&Field::new("a", DataType::Utf8, true), ty)
    }

    #[test]
    fn a_uuid_has_36_characters_in_small_letters() {
        let uuid = text(&Type::Uuid);
        assert_eq!(check("123e4567-e89b-12d3-a456-426614174000", Form::Text, &uuid), Ok(()));
        for other in ["xyz", "", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", "7"] {
            assert!(check(other, Form::Text, &uuid).is_err(), "{other}");
        }
        let why = check("123E4567-e89b-12d3-a456-426614174000", Form::Text, &uuid).unwrap_err().to_string();
        assert!(why.starts_with("which is a UUID with capitals"), "{why}");
        assert!(check("7", Form::Number, &uuid).is_err());
    }

    #[test]
    fn a_json_text_is_one_value() {
        let json = text(&Type::Json);
        for value in ["{\"a\": [1, null]}", "7", "\"x\"", " null "] {
            assert_eq!(check(value, Form::Text, &json), Ok(()), "{value}");
        }
        for other in ["", "{", "{a: 1}", "x", "1 2"] {
            assert!(check(other, Form::Text, &json).is_err(), "{other}");
        }
    }

    #[test]
    fn a_declared_text_takes_numbers_as_they_are_written() {
        for number in ["1", "-0", "1.10", "1e3", "2.5E-7", "123456789012345678901234567890"] {
            assert_eq!(check(number, Form::Number, &text(&Type::Text)), Ok(()), "{number}");
        }
        for other in ["01", "1-2", "1.", ".5", "+1", "1e", "-"] {
            assert!(check(other, Form::Number, &text(&Type::Text)).is_err(), "{other}");
        }
        assert!(check("1", Form::Number, &Field::new("a", DataType::Utf8, true)).is_err());
    }

    #[test]
    fn forms_are_those_of_items_and_fields() {
        let item = Field::new_list_field(DataType::Utf8, true);
        let list = Field::new("a", DataType::List(Arc::new(item)), true);
        let marked = declared_as(&list, &Type::List(Box::new(Type::Uuid)));
        let DataType::List(item) = marked.data_type() else { panic!("no list") };
        assert!(is_declared(item) && check("xyz", Form::Text, item).is_err());
    }
}
