//! The constructors of what is said about manifests of programs.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A placeholder of a manifest that is not closed.
pub fn unclosed_placeholder_of_manifest(place: Span) -> Diagnostic {
    Diagnostic::at(Code::UnclosedPlaceholder, place, "the placeholder is not closed")
        .label("`<<` without `>>`")
        .help("close it with `>>`, or write `<<<<` where the signs themselves are meant")
}

/// A placeholder of a manifest that says more than the name of a parameter.
pub fn placeholder_with_type(place: Span, name: &str) -> Diagnostic {
    Diagnostic::at(
        Code::InvalidPlaceholder,
        place,
        "invalid placeholder: in a manifest it is a name, and all else stands under `params`",
    )
    .label("more than a name")
    .fix(
        format!("write the name alone, and say the rest under `params: {{ {name}: … }}`"),
        place,
        format!("<< {name} >>"),
    )
}

/// A parameter of a program that no type is declared of. `edit` declares one.
pub fn parameter_without_type(place: Span, name: &str, edits: Vec<(&str, Span, String)>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::CannotInferType, place, format!("parameter `{name}` has no type"))
        .label("nothing says what it is")
        .note("a program says nothing of its arguments: their types are declared under `params`");
    if edits.is_empty() {
        return diagnostic.help(format!("declare it: `params: {{ {name}: {{ type: text }} }}`"));
    }
    edits.into_iter().enumerate().fold(diagnostic, |diagnostic, (at, (ty, span, text))| {
        let how = if at == 0 { "declare its type".to_owned() } else { format!("or `{ty}`") };
        diagnostic.fix(how, span, text)
    })
}

/// A column of a program's output that no type is declared of.
pub fn program_column_without_type(place: Span, column: &str) -> Diagnostic {
    Diagnostic::at(Code::UnsupportedType, place, format!("column `{column}` has no type"))
        .label("nothing says of which type it is")
        .help(format!("declare it: `{column}: {{ type: text }}`"))
}

/// What a manifest runs cannot be run so.
pub fn invalid_program(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidProgram, place, why)
}

/// A value of a caller in code that an interpreter runs.
pub fn value_in_code(place: Span, interpreter: &str, option: &str) -> Diagnostic {
    invalid_program(place, &format!("a value of a caller would be code that `{interpreter} {option}` runs"))
        .label("whatever is sent here is executed")
        .help(
            "call a program of its own, which takes the value as an argument: a script, with the interpreter before it",
        )
}

/// An argument that is there with no value.
pub fn argument_without_value(place: Span, name: &str) -> Diagnostic {
    invalid_program(
        place,
        &format!("parameter `{name}` may have no value, and then nobody can say what this argument is"),
    )
    .label("optional, and in no list of its own")
    .help(format!("put what belongs together into a list, which is left out with it: `[--{name}, << {name} >>]`"))
    .help("or give it a default, or make it required")
}

/// A list of arguments that is never left out.
pub fn list_that_stays(place: Span, why: &str) -> Diagnostic {
    invalid_program(place, why).help("write its arguments among the others, without a list of their own")
}

/// A program that would not run on this machine.
pub fn unrunnable_program(place: Span, tool: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UnrunnableProgram, place, format!("`{tool}` would not run on this machine: {why}"))
}

/// A function that says something else of itself than what is locked.
pub fn changed_function(place: Span, tool: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UnrunnableProgram, place, format!("the function of `{tool}` is not what was locked: {why}"))
}

/// A manifest without anything that runs.
pub fn nothing_runs(place: Span) -> Diagnostic {
    Diagnostic::at(Code::MissingKey, place, "the manifest says nothing that runs")
        .help("`run: [program, argument]` runs a program, `http: { url: … }` asks a web service, `python: module:function` calls a function, `simple_json: scripts/tool.py` a program of Fractalic's convention")
}

/// A manifest with two things that run.
pub fn two_that_run(place: Span, first: Span, (one, other): (&str, &str)) -> Diagnostic {
    invalid_program(place, &format!("a tool has `{one}` or `{other}`, and not both")).also(first, "this runs, too")
}

/// A key that says something of another kind of what runs.
pub fn key_of_other_runs(place: Span, key: &str, kind: &str) -> Diagnostic {
    Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{key}`")).label(format!("says nothing of `{kind}`"))
}

/// A function of which nobody knows what it takes.
pub fn undescribed_function(place: Span, function: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UndescribedFunction, place, format!("nobody knows what `{function}` takes: {why}"))
        .help("mend that, and it is asked again; one that cannot be asked has its parameters declared: `params: { city: { type: text } }`")
}

/// A program in Fractalic's convention that does not say what it takes.
pub fn undescribed_program(place: Span, program: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UndescribedProgram, place, format!("nobody knows what `{program}` takes: {why}"))
}

/// A program whose parameters nobody declares.
pub fn undeclared_parameters(place: Span, tool: &str) -> Diagnostic {
    let why = format!("nobody declares what `{tool}` takes: any arguments are handed on");
    Diagnostic::at(Code::UndeclaredParameters, place, why)
        .label("dumps no schema of its parameters")
        .note("an agent is told of no argument, and none is checked")
        .help("declare them: `params: { city: { type: text } }`")
        .help("or say that this is meant: `any_arguments: true`")
}
