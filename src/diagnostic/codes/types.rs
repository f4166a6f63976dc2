//! Types of parameters.

use super::super::{Code, Diagnostic};
use super::lints::{A_VALUE, choice_of_columns};
use crate::name::{Near, means_a_column};
use crate::source::{Span, Spanned};
use crate::ty::{NAMES, Type, UnknownType};

/// A parameter without evidence of its type. `edit` is where `: type` belongs, `likely` are types that could stand there,
/// the likeliest first.
pub fn cannot_infer_type(place: Span, edit: Span, name: &str, likely: &[&str]) -> Diagnostic {
    let message = format!("cannot infer the type of parameter `{name}`");
    let mut asked = Diagnostic::at(Code::CannotInferType, place, message).label("nothing here says what it is");
    if means_a_column(name) {
        asked = asked.note(A_VALUE).help(choice_of_columns(name));
    }
    if name.contains('.') {
        return asked.help(type_of_field(name, likely.first().copied().unwrap_or("text")));
    }
    likely.iter().enumerate().fold(asked, |asked, (at, ty)| {
        let how = if at == 0 { "write the type behind the name".to_owned() } else { format!("or `{ty}`") };
        asked.fix(how, edit, format!(": {ty}"))
    })
}

/// Where the type of a field of a list of rows is written, whose placeholder is the list's.
pub(super) fn type_of_field(name: &str, ty: &str) -> String {
    format!("write its type in the header: `params: {{ {name}: {{ type: {ty} }} }}`")
}

/// Two uses of one parameter that ask for different types.
pub fn conflicting_types(name: &str, first: &Spanned<Type>, second: &Spanned<Type>) -> Diagnostic {
    let message = format!("parameter `{name}` is used as {} and as {}", first.value, second.value);
    Diagnostic::at(Code::ConflictingTypes, second.span, message)
        .label(format!("asks for {}", second.value))
        .also(first.span, format!("asks for {}", first.value))
        .help("use two parameters, or cast one of the uses")
}

/// A use that asks for another type than the declared one.
/// `fits`: the used type would do everywhere.
pub fn declared_type_conflicts(name: &str, declared: &Spanned<Type>, used: &Spanned<Type>, fits: bool) -> Diagnostic {
    let message = format!("parameter `{name}` is declared {} and used as {}", declared.value, used.value);
    let diagnostic = Diagnostic::at(Code::ConflictingTypes, used.span, message)
        .label(format!("asks for {}", used.value))
        .also(declared.span, "declared here");
    match &declared.value {
        Type::List(item) if **item == used.value => {
            diagnostic.help(format!("for a list of them, write `IN << {name} >>` without brackets around it"))
        }
        _ if fits => diagnostic.fix("declare the type that is used", declared.span, used.value.to_string()),
        _ => diagnostic.help("use two parameters, or cast one of the uses"),
    }
}

/// A type name that does not exist, or that cannot have the arguments it has.
pub fn unknown_type(place: Span, unknown: &UnknownType) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownType, place, unknown.to_string());
    if unknown.limits.is_some() {
        return diagnostic;
    }
    with_meant(diagnostic.label("unknown type"), place, unknown)
}

/// Adds what a type is called here that a cast names; `place` is that of the name.
pub fn with_meant(diagnostic: Diagnostic, place: Span, unknown: &UnknownType) -> Diagnostic {
    let written = unknown.written.as_str();
    match &unknown.meant {
        Some(meant) => {
            // What stands in quotes may need them.
            let is_bare = place.end.checked_sub(place.start) == Some(written.len());
            let text = if is_bare { meant.text.clone() } else { format!("{:?}", meant.text) };
            match meant.likeness {
                Some(likeness) => diagnostic.similar_word("a type", Near { written, name: &text, likeness }, place),
                None => diagnostic.fix(format!("here it is called `{}`", meant.text), place, text),
            }
        }
        None => {
            let all: Vec<String> = NAMES.iter().map(|name| format!("`{name}`")).collect();
            diagnostic.note(format!("the types are {}, a list `T[]` and `struct(a T, …)`", all.join(", ")))
        }
    }
}
