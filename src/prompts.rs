//! Prompts: what a person asks an agent, with blanks to fill in. A `.md` file under `prompts/` becomes one.
//!
//! Pure, like the compiler: the files come in as texts. A prompt that compiled has no variable that is not an argument,
//! and no argument that it does not use. It does not know MCP.

mod error;
mod front_matter;
mod skill;
mod template;
mod words;

pub use error::{ArgumentProblem, PromptError};

use crate::diagnostic::{Diagnostics, codes};
use crate::name;
use crate::project::{PromptArgumentConfig, PromptFile, PromptHeader, is_actor_of};
use crate::source::{SourceFile, Sources, Span};
use crate::yaml::{Document, Shape};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::LazyLock;
use template::Flaw;
use words::Words;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<PromptHeader>);

/// Names that are legal, but mean something else inside of a template.
const WORDS_OF_TEMPLATES: [&str; 14] =
    ["and", "caller", "else", "false", "if", "in", "is", "loop", "none", "not", "or", "self", "super", "true"];

/// A compiled prompt file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The name it is asked for by: `[a-z][a-z0-9_]*`.
    pub name: String,
    /// The name as clients show it.
    pub title: String,
    /// What it asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What can be filled in, in the order of the front matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
    /// The tools that it is for: who cannot call all of them does not get it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Who gets it. Default: everybody who can call the tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actors: Option<PromptActors>,
    /// The text, as a Jinja template.
    pub template: String,
}

/// Who gets a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptActors {
    /// Names, and patterns with `*`, `?` and `[…]`.
    pub patterns: Vec<String>,
    /// Who a caller without a token is; nobody, where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual: Option<String>,
}

/// A blank of a prompt. Its values are texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptArgument {
    /// The name: `[a-z][a-z0-9_]*`.
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the prompt is refused without it.
    pub required: bool,
    /// The text where none is given; absent for the empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl Prompt {
    /// Whether a caller gets it, by the principal of the token.
    pub fn is_for(&self, principal: Option<&str>) -> bool {
        self.actors.as_ref().is_none_or(|actors| {
            let actor = principal.or(actors.usual.as_deref());
            actor.is_some_and(|actor| is_actor_of(&actors.patterns, actor))
        })
    }

    /// The text for some arguments; null is none.
    ///
    /// Errors: arguments that the prompt does not have, lacks, or that are no texts; a template that fails with them or
    /// grows too long.
    pub fn render(&self, arguments: &Map<String, Value>) -> Result<String, PromptError> {
        let values = self.values(arguments)?;
        template::write(&self.template, values).map_err(|error| PromptError::of(&error))
    }

    fn values(&self, arguments: &Map<String, Value>) -> Result<template::Context, PromptError> {
        let known: Vec<(&str, bool)> = self.arguments.iter().map(|one| (one.name.as_str(), one.required)).collect();
        check_sent(&known, arguments)?;
        let value = |argument: &PromptArgument| {
            let sent = arguments.get(&argument.name).and_then(Value::as_str).map(str::to_owned);
            (argument.name.clone(), sent.or_else(|| argument.default.clone()).unwrap_or_default())
        };
        Ok(self.arguments.iter().map(value).collect())
    }
}

/// Checks the arguments that were sent for a prompt that has these, each with whether it is required; null is none.
///
/// Errors: arguments that the prompt does not have, lacks, or that are no texts.
pub fn check_sent(known: &[(&str, bool)], arguments: &Map<String, Value>) -> Result<(), PromptError> {
    let names = || known.iter().map(|(name, _)| *name);
    let mut problems = Vec::new();
    for name in arguments.keys().filter(|name| !names().any(|known| known == name.as_str())) {
        let near = name::nearest(name, names()).map(str::to_owned);
        problems.push(ArgumentProblem::Unknown { name: name.clone(), near });
    }
    for (name, is_required) in known {
        let name = (*name).to_owned();
        match arguments.get(&name) {
            None | Some(Value::Null) if *is_required => problems.push(ArgumentProblem::Missing { name }),
            None | Some(Value::Null | Value::String(_)) => {}
            Some(_) => problems.push(ArgumentProblem::NotText { name }),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(PromptError::Arguments(problems)) }
}

/// Compiles prompt files: the prompts with the places of their names, sorted by name, and what there is to say. A file with errors is no
/// prompt.
/// `tools` are the names of all tools, also of those that have errors.
pub fn compile(files: &[PromptFile], sources: &Sources, tools: &[&str]) -> (Vec<(Prompt, Span)>, Diagnostics) {
    let mut sink = Diagnostics::default();
    let mut compiled: Vec<(Prompt, Span)> = Vec::new();
    for file in files {
        let compiled_file = match &file.skill_of {
            Some(of) => skill::compile_skill((file, of), sources, tools, &mut sink),
            None => compile_file(file, sources, tools, &mut sink),
        };
        let Some((prompt, place)) = compiled_file else { continue };
        match compiled.iter().find(|(other, _)| other.name == prompt.name) {
            Some((_, other)) => sink.push(codes::name_collision(place, &prompt.name, "another prompt", *other)),
            None => compiled.push((prompt, place)),
        }
    }
    compiled.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    (compiled, sink)
}

/// The prompt and where it is named; `None` where the file has errors.
fn compile_file(
    prompt: &PromptFile,
    sources: &Sources,
    tools: &[&str],
    sink: &mut Diagnostics,
) -> Option<(Prompt, Span)> {
    let file = sources.get(prompt.file)?;
    let errors = sink.errors();
    let extent = front_matter::extent(file, sink)?;
    // Both parts are looked at, whatever is wrong with the other.
    let document = Document::parse(file, extent.yaml, sink);
    let header: Option<PromptHeader> = document.as_ref().and_then(|document| document.read(&SHAPE, sink));
    let template = Template { file, span: extent.template, text: file.slice(extent.template) };
    let variables = template.variables(sink);
    let (document, header) = document.zip(header)?;
    let (raw, place) = named(prompt, &header, &document, file);
    let name = name::snake_case(raw);
    if !name::is_legal(&name) {
        sink.push(codes::invalid_prompt_name(place, raw));
    }
    check_arguments(&header, &document, sink);
    for (at, tool) in header.tools.iter().enumerate().filter(|(_, tool)| !tools.contains(&tool.as_str())) {
        let place = document.value_span(&["tools", &at.to_string()]);
        sink.push(codes::unknown_tool_of_prompt(place, tool, tools.iter().copied()));
    }
    if let Some(variables) = variables {
        template.check(&header, &document, &variables, sink);
    }
    if sink.errors() > errors {
        return None;
    }
    let trimmed = |text: String| text.trim().to_owned();
    let argument = |(name, config): (String, PromptArgumentConfig)| PromptArgument {
        name,
        required: config.is_required(),
        description: config.description.map(trimmed),
        default: config.default,
    };
    let title = header.title.or(header.name).unwrap_or_else(|| in_words(&name));
    let arguments = header.arguments.into_iter().map(argument).collect();
    let template = template.text.to_owned();
    let (description, tools) = (header.description.map(trimmed), header.tools);
    Some((Prompt { name, title, description, arguments, tools, actors: None, template }, place))
}

/// The name as it is written, and where: the path and the beginning of the file where the front matter gives none.
fn named<'a>(
    prompt: &'a PromptFile,
    header: &'a PromptHeader,
    document: &Document,
    file: &SourceFile,
) -> (&'a str, Span) {
    match &header.name {
        Some(name) => (name.as_str(), document.value_span(&["name"])),
        None => (prompt.stem.as_str(), file.span(0, 0)),
    }
}

/// A name that comes from a path, in words.
fn in_words(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn check_arguments(header: &PromptHeader, document: &Document, sink: &mut Diagnostics) {
    for (name, config) in &header.arguments {
        let place = document.key_span(&["arguments", name]);
        if !name::is_legal(name) {
            sink.push(codes::invalid_argument_name(place, name));
        } else if WORDS_OF_TEMPLATES.contains(&name.as_str()) {
            sink.push(codes::invalid_prompt(place, &format!("`{name}` means something else in a template")));
        }
        if config.default.is_some() && config.is_required() {
            let place = document.value_span(&["arguments", name, "default"]);
            sink.push(codes::default_of_required_argument(place, name));
        }
    }
}

/// The template of a file, with its place.
struct Template<'t> {
    file: &'t SourceFile,
    span: Span,
    text: &'t str,
}

impl Template<'_> {
    /// The variables that are to be arguments; `None` where it does not parse.
    fn variables(&self, sink: &mut Diagnostics) -> Option<Vec<String>> {
        if self.text.trim().is_empty() {
            sink.push(codes::invalid_prompt(self.span.before(), "the template is empty"));
            return None;
        }
        match template::variables(self.text) {
            Ok(variables) => Some(variables),
            Err(flaw) => {
                sink.push(codes::invalid_prompt(
                    self.place(&flaw),
                    &format!("the template does not parse: {}", flaw.why),
                ));
                None
            }
        }
    }

    /// Reports variables that are no arguments, arguments that are not used, and what can never be rendered.
    fn check(&self, header: &PromptHeader, document: &Document, variables: &[String], sink: &mut Diagnostics) {
        let errors = sink.errors();
        let words = Words::of(self.text);
        let declared = || header.arguments.keys().map(String::as_str);
        let used: Vec<&str> = variables.iter().map(String::as_str).collect();
        // To minijinja, what `set` defines inside of an `if` is not defined behind it; when it is rendered, it is.
        for name in used.iter().filter(|name| !header.arguments.contains_key(**name) && !words.is_set(name)) {
            let place = words.place(name).map_or(self.span.before(), |range| self.span_of(range.start, range.end));
            sink.push(codes::undeclared_argument(place, name, declared()));
        }
        // Nor is an argument used, to minijinja, that is replaced: `{% set region = region|upper %}`.
        for name in declared().filter(|name| !used.contains(name) && words.place(name).is_none()) {
            if name::is_legal(name) && !WORDS_OF_TEMPLATES.contains(&name) {
                sink.push(codes::unused_argument(document.key_span(&["arguments", name]), name, &used));
            }
        }
        if sink.errors() == errors {
            self.check_rendered(header, sink);
        }
    }

    /// Renders with all arguments, and with as few as possible: two ways through most templates.
    fn check_rendered(&self, header: &PromptHeader, sink: &mut Diagnostics) {
        let all = header.arguments.keys().map(|name| (name.clone(), name.clone())).collect();
        let few = header.arguments.iter().map(|(name, config)| {
            let value = if config.is_required() { name.clone() } else { config.default.clone().unwrap_or_default() };
            (name.clone(), value)
        });
        let flaw =
            template::lasting_failure(self.text, all).or_else(|| template::lasting_failure(self.text, few.collect()));
        if let Some(flaw) = flaw {
            sink.push(codes::invalid_prompt(self.place(&flaw), &flaw.why));
        }
    }

    fn place(&self, flaw: &Flaw) -> Span {
        self.span_of(flaw.range.start, flaw.range.end)
    }

    fn span_of(&self, start: usize, end: usize) -> Span {
        self.file.span(self.span.start + start, self.span.start + end)
    }
}

#[cfg(test)]
mod tests;
