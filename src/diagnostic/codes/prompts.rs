//! The constructors of what is said about prompts: their front matter, arguments and templates.

use super::{list, unquoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::name::{is_legal, near, shown_name, snake_case};
use crate::source::Span;

/// A prompt file that is no prompt.
pub fn invalid_prompt(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidPrompt, place, format!("invalid prompt: {why}"))
}

/// A prompt file that does not begin with `---`.
pub fn no_front_matter(place: Span) -> Diagnostic {
    invalid_prompt(place, "the file has no front matter")
        .help("begin the file with a line `---`, the `description`, and another line `---`")
}

/// A prompt file that begins with a line that is nearly `---`.
pub fn nearly_front_matter(place: Span) -> Diagnostic {
    invalid_prompt(place, "the file has no front matter").fix("begin the file with a line `---`", place, "---")
}

/// Front matter that never ends. `nearly` is a line that may be its end.
pub fn unclosed_front_matter(open: Span, nearly: Option<Span>) -> Diagnostic {
    let diagnostic = invalid_prompt(open, "the front matter is not closed").label("opened here");
    match nearly {
        Some(line) => diagnostic.fix("end it with a line `---`", line, "---"),
        None => diagnostic.help("end it with a line `---`"),
    }
}

/// A variable of a template that is no argument. `known` are those that are.
pub fn undeclared_argument<'a>(place: Span, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
    let diagnostic = invalid_prompt(place, &format!("`{}` is not among its arguments", shown_name(name)));
    match near(name, known.clone()) {
        Some(near) => diagnostic.similar_name("an argument", near, place, near.name),
        None if known.clone().next().is_none() => diagnostic.help("declare it under `arguments` in the front matter"),
        None => diagnostic
            .note(format!("the arguments are {}", list(known)))
            .help("declare it under `arguments` in the front matter"),
    }
}

/// A tool that there is not. `known` are those that there are.
pub fn unknown_tool_of_prompt<'a>(place: Span, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
    let diagnostic = invalid_prompt(place, &format!("there is no tool `{}`", shown_name(name)));
    match near(name, known) {
        Some(near) => diagnostic.similar_name("a tool", near, place, near.name),
        None => diagnostic.help("name tools as `qtool list` does"),
    }
}

/// An argument that the template does not use. `used` are the variables that it has.
pub fn unused_argument(place: Span, name: &str, used: &[&str]) -> Diagnostic {
    let diagnostic = invalid_prompt(place, &format!("argument `{}` is declared but never used", shown_name(name)))
        .label("the template has no variable of this name");
    match near(name, used.iter().copied()) {
        Some(near) => {
            // Either may be the one that is misspelt.
            let near = if is_legal(name) { near.doubtful() } else { unquoted(near, place) };
            diagnostic.similar_name("a variable", near, place, near.name)
        }
        None => diagnostic
            .help(format!("remove the declaration, or write `{{{{ {} }}}}` into the template", shown_name(name))),
    }
}

/// A default of an argument that every call must give.
pub fn default_of_required_argument(place: Span, name: &str) -> Diagnostic {
    invalid_prompt(place, &format!("argument `{}` has a default, but is required", shown_name(name)))
        .note("an argument is required unless it says `required: false`")
        .help("add `required: false`, or remove the default")
}

/// A prompt name that is not legal.
pub fn invalid_prompt_name(place: Span, raw: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidName, place, format!("`{}` cannot be a prompt name", shown_name(raw)))
        .note("a prompt is asked for by the snake_case of its name: a letter a to z first, then letters, digits and `_`, 64 at most")
        .help("give a `name` in the front matter, and the wording as `title`")
}

/// An argument name that is not legal.
pub fn invalid_argument_name(place: Span, raw: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::InvalidName, place, format!("`{}` cannot be an argument name", shown_name(raw)))
            .note("names are a letter a to z first, then letters a to z, digits and `_`, 64 at most");
    let snake = snake_case(raw);
    // The template must be changed with it: a person decides.
    if is_legal(&snake) { diagnostic.fix("write it in snake_case", place, snake) } else { diagnostic }
}
