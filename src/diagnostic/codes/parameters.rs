//! The constructors of what is said about parameters: their settings, defaults, choices and values.

use super::{list, unquoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::name::{is_legal, near, shown_name};
use crate::source::Span;
use crate::ty::Type;

/// A parameter without evidence of its type, which texts are added to. `signs` are those that add them.
pub fn added_texts(place: Span, name: &str, signs: Vec<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::CannotInferType, place, format!("cannot infer the type of parameter `{name}`"));
    let edits = signs.into_iter().map(|sign| (sign, "||".to_owned())).collect();
    diagnostic
        .label("a text is added to it")
        .note("`+` adds numbers and times")
        .fixes("texts are joined by `||`", edits)
}

/// A group of parameters that `qtool.yaml` does not have.
pub fn unknown_group(place: Span, name: &str, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownGroup, place, format!("unknown group `{}`", shown_name(name)));
    match near(name, known.iter().map(String::as_str)) {
        Some(near) => diagnostic.similar_name("a group", near, place, near.name),
        None => diagnostic.help("declare it under `param_groups` in qtool.yaml"),
    }
}

/// A parameter that is declared, and that only rules speak of.
pub fn parameter_of_rules(place: Span, name: &str) -> Diagnostic {
    Diagnostic::at(Code::UnusedParameter, place, format!("parameter `{}` is used by rules alone", shown_name(name)))
        .label("no placeholder of the statement has this name")
        .note("a rule checks parameters of the statement; it makes none")
        .help("use it as a placeholder of the statement, or remove it and the rule")
}

/// Choices that cannot be.
pub fn invalid_choice(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidChoice, place, format!("invalid choice: {why}"))
}

/// Two choices with which a query is not the same tool.
pub fn choices_differ(place: Span, what: &str, other: Span, other_what: &str) -> Diagnostic {
    Diagnostic::at(Code::ChoicesDiffer, place, "the choices make different tools")
        .label(what)
        .also(other, other_what)
        .note("the published columns and parameters hold for every choice")
}

/// A parameter that is declared and never used.
pub fn unused_parameter(place: Span, name: &str, used: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::at(
        Code::UnusedParameter,
        place,
        format!("parameter `{}` is declared but never used", shown_name(name)),
    )
    .label("no placeholder has this name");
    match near(name, used.iter().copied()) {
        Some(near) => {
            // Where both are names that parameters can have, either may be the one that is misspelt.
            let near = if is_legal(name) { near.doubtful() } else { unquoted(near, place) };
            diagnostic.similar_name("a placeholder", near, place, near.name)
        }
        None => diagnostic.help("remove the declaration, or use it as a placeholder"),
    }
}

/// A new name for a parameter that the query does not have. `known` are those that it has.
pub fn unknown_parameter<'a>(
    place: Span,
    name: &str,
    query: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::UnknownParameter, place, format!("`{query}` has no parameter `{}`", shown_name(name)));
    match near(name, known.clone()) {
        Some(near) => diagnostic.similar_name("a parameter", near, place, near.name),
        None if known.clone().next().is_none() => diagnostic.help(format!("`{query}` has no parameters")),
        None => diagnostic.help(format!("its parameters are {}", list(known))),
    }
}

/// One setting of one parameter, written in two ways.
pub fn conflicting_configuration(name: &str, key: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::at(Code::ConflictingConfiguration, second, format!("parameter `{name}` has two settings of `{key}`"))
        .label("says something else")
        .also(first, "first set here")
        .help("one name has one configuration; keep one of them, or use two parameters")
}

/// A default that is none of the parameter's values.
pub fn invalid_default(place: Span, name: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidDefault, place, format!("invalid default of parameter `{name}`: {why}"))
}

/// Adds what to do where a number of days was meant, and an interval was found. `edit` is where `: type` belongs.
pub fn or_days(diagnostic: Diagnostic, edit: Span) -> Diagnostic {
    let diagnostic = diagnostic.note("beside a date, a parameter without a type is an interval");
    diagnostic.fix("declare a number of days as an int", edit, ": int")
}

/// A default that is not among the allowed values. `allowed` is where those stand.
pub fn default_not_allowed(place: Span, name: &str, default: &str, allowed: Span) -> Diagnostic {
    Diagnostic::at(
        Code::DefaultNotAllowed,
        place,
        format!("the default {default} of parameter `{name}` is not among its allowed values"),
    )
    .also(allowed, "the allowed values")
}

/// Adds the value that was probably meant, where there is one. `written` is the text that stands at the place, in quotes
/// or not; absent where something else stands there.
pub fn did_you_mean(diagnostic: Diagnostic, written: Option<&str>, near: Option<&str>) -> Diagnostic {
    let Some(near) = near else { return diagnostic };
    let text = format!("did you mean `{near}`?");
    let place = diagnostic.primary.as_ref().map(|label| label.span);
    match place.zip(written).and_then(|(place, written)| inside_of_quotes(place, written, near)) {
        Some(inside) => diagnostic.fix(text, inside, near),
        None => diagnostic.help(text),
    }
}

/// Suggests what is certainly meant by a text, as an edit where it can stand there as it is.
pub fn meant(diagnostic: Diagnostic, written: &str, meant: Option<&str>) -> Diagnostic {
    let Some(meant) = meant else { return diagnostic };
    let place = diagnostic.primary.as_ref().map(|label| label.span);
    // A text of these signs, with a letter or a digit at both ends, needs no quotes where another one had none.
    let is_bare = meant.starts_with(|c: char| c.is_ascii_alphanumeric())
        && meant.ends_with(|c: char| c.is_ascii_alphanumeric())
        && meant.contains(|c: char| c.is_ascii_alphabetic())
        && meant.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '/' | '-' | '_'));
    let inside = place.and_then(|place| match place.end.checked_sub(place.start)?.checked_sub(written.len())? {
        0 if is_bare => Some(place),
        2 if is_bare => Some(Span { start: place.start + 1, end: place.end - 1, ..place }),
        _ => None,
    });
    let text = format!("write `{meant}`");
    match inside {
        Some(inside) => diagnostic.fix(text, inside, meant),
        None => diagnostic.help(text),
    }
}

/// Where a text stands without its quotes, if another one can stand there as it is.
fn inside_of_quotes(place: Span, written: &str, other: &str) -> Option<Span> {
    let is_plain = other.starts_with(|c: char| c.is_ascii_alphabetic())
        && other.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !["true", "false", "null"].contains(&other.to_lowercase().as_str());
    let fits_in_quotes = !other.contains(['\'', '"', '\\']) && !other.contains(char::is_control);
    match place.end.checked_sub(place.start)?.checked_sub(written.len())? {
        0 if is_plain => Some(place),
        2 if fits_in_quotes => Some(Span { start: place.start + 1, end: place.end - 1, ..place }),
        _ => None,
    }
}

/// An allowed value or example that is none of the parameter's values.
pub fn invalid_allowed_value(place: Span, name: &str, what: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidAllowedValue, place, format!("invalid {what} of parameter `{name}`: {why}"))
}

/// An allowed value that is the same as one before. `before` is the one that stands right in front of it.
pub fn repeated_allowed_value(name: &str, value: &str, first: Span, before: Span, place: Span) -> Diagnostic {
    let diagnostic = invalid_allowed_value(place, name, "allowed value", &format!("{value} is listed already"))
        .label("the same value")
        .also(first, "listed here");
    let is_apart = before.file == place.file && before.end <= place.start;
    if is_apart {
        let from = Span { start: before.end, ..place };
        diagnostic.fix("list it once", from, "")
    } else {
        diagnostic.help("list it once")
    }
}

/// A constraint that does not fit. `key` is its name.
pub fn invalid_constraint(place: Span, name: &str, key: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidConstraint, place, format!("invalid `{key}` of parameter `{name}`: {why}"))
}

/// A constraint that values of this type do not have. `own` are those that they have.
pub fn constraint_of_another_type((place, key): (Span, &str), name: &str, ty: &Type, own: &[&str]) -> Diagnostic {
    let known = match own {
        [only] => format!("the only constraint of {ty} is `{only}`"),
        several => format!("the constraints of {ty} are {}", list(several.iter().copied())),
    };
    invalid_constraint(place, name, key, &format!("it does not apply to {ty}")).note(known)
}
