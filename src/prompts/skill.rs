//! Skills of records: what a folder of records tells agents to do. They are prompts, with `{name}` where an argument stands.
//!
//! The form is that of Folio 0.1.8: what it refuses is refused, and in the text nothing but its placeholders is read.

use super::{Prompt, PromptActors, PromptArgument, WORDS_OF_TEMPLATES, front_matter, in_words};
use crate::diagnostic::{Diagnostics, codes};
use crate::name;
use crate::project::{PromptFile, RecordToolKind, SkillHeader, SkillOf};
use crate::source::{SourceFile, Sources, Span};
use crate::yaml::{Document, Shape};
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<SkillHeader>);

/// What Folio calls what is done with records, and the tool that does it here.
const OPERATIONS: [(&str, Option<RecordToolKind>); 11] = [
    ("get_contract", Some(RecordToolKind::GetContract)),
    ("list_records", Some(RecordToolKind::List)),
    ("get_record", Some(RecordToolKind::Get)),
    ("query", Some(RecordToolKind::Query)),
    ("upsert_records", Some(RecordToolKind::Upsert)),
    ("delete_records", Some(RecordToolKind::Delete)),
    ("provenance", Some(RecordToolKind::History)),
    ("materialize", Some(RecordToolKind::Materialize)),
    ("materialization_status", Some(RecordToolKind::Status)),
    ("list_skills", None),
    ("run_script", None),
];

/// Compiles a skill; `None` where the file has errors. Its prompt is named after the records and the skill.
pub(super) fn compile_skill(
    (prompt, of): (&PromptFile, &SkillOf),
    sources: &Sources,
    tools: &[&str],
    sink: &mut Diagnostics,
) -> Option<(Prompt, Span)> {
    let file = sources.get(prompt.file)?;
    let errors = sink.errors();
    let extent = front_matter::extent(file, sink)?;
    let document = Document::parse(file, extent.yaml, sink)?;
    let header: SkillHeader = document.read(&SHAPE, sink)?;
    let place = document.value_span(&["name"]);
    check_name(&header, prompt, place, sink);
    check_arguments(&header, &document, sink);
    let body = file.slice(extent.template);
    let template = template_of(body, (file, extent.template), &header, sink);
    let named: Vec<(&str, Option<String>)> = header
        .tools
        .iter()
        .flatten()
        .enumerate()
        .filter_map(|(at, operation)| match OPERATIONS.iter().find(|(known, _)| known == operation) {
            Some((known, kind)) => {
                let tool = of.tools.iter().find(|(own, _)| Some(*own) == *kind);
                Some((*known, tool.map(|(_, name)| name.clone())))
            }
            None => {
                let place = document.value_span(&["tools", &at.to_string()]);
                sink.push(codes::unknown_tool_of_prompt(place, operation, OPERATIONS.iter().map(|(known, _)| *known)));
                None
            }
        })
        .collect();
    if sink.errors() > errors {
        return None;
    }
    // Those that there are not here are no reason to keep it from anybody.
    let there: Vec<(&str, String)> = named
        .into_iter()
        .filter_map(|(known, tool)| Some((known, tool.filter(|tool| tools.contains(&tool.as_str()))?)))
        .collect();
    let name = name::snake_case(&format!("{}_{}", of.records, header.name));
    let argument = |argument: &crate::project::SkillArgument| PromptArgument {
        name: argument.name.clone(),
        description: argument.description.clone(),
        required: argument.required,
        // Who does not say it sees that it is missing.
        default: (!argument.required).then(|| format!("{{{}}}", argument.name)),
    };
    let made = Prompt {
        title: in_words(&name),
        description: Some(header.description.trim().to_owned()),
        arguments: header.arguments.iter().map(argument).collect(),
        tools: there.iter().map(|(_, tool)| tool.clone()).collect(),
        actors: header.allowed_actors.map(|patterns| PromptActors { patterns, usual: of.actor.clone() }),
        template: template + &told_tools(&there),
        name,
    };
    Some((made, place))
}

/// What the tools are called here that the text speaks of.
fn told_tools(tools: &[(&str, String)]) -> String {
    let told: Vec<String> = tools.iter().map(|(known, tool)| format!("`{known}` is `{tool}`")).collect();
    if told.is_empty() { String::new() } else { format!("\n\nThe tools: {}.\n", told.join(", ")) }
}

fn check_name(header: &SkillHeader, prompt: &PromptFile, place: Span, sink: &mut Diagnostics) {
    let name = header.name.as_str();
    let is_fine = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_fine {
        let why = format!("`{name}` is no name of a skill: small letters, digits and hyphens, a letter first");
        sink.push(codes::invalid_prompt(place, &why));
    } else if name != prompt.stem {
        let why = format!("the skill is called `{name}`, and its file `{}.md`", prompt.stem);
        sink.push(codes::invalid_prompt(place, &why).help("give both the same name"));
    }
}

fn check_arguments(header: &SkillHeader, document: &Document, sink: &mut Diagnostics) {
    for (at, argument) in header.arguments.iter().enumerate() {
        let place = document.value_span(&["arguments", &at.to_string(), "name"]);
        let name = argument.name.as_str();
        if !name::is_legal(name) {
            sink.push(codes::invalid_argument_name(place, name));
        } else if WORDS_OF_TEMPLATES.contains(&name) {
            sink.push(codes::invalid_prompt(place, &format!("`{name}` means something else in a template")));
        } else if header.arguments.iter().take(at).any(|other| other.name == name) {
            sink.push(codes::invalid_prompt(place, &format!("argument `{name}` is there twice")));
        }
    }
}

/// The text as a template: its placeholders are variables, and nothing else of it means anything.
fn template_of(text: &str, (file, span): (&SourceFile, Span), header: &SkillHeader, sink: &mut Diagnostics) -> String {
    let text = text.trim_start_matches(['\n', '\r']);
    let skipped = file.slice(span).len() - text.len();
    let declared = || header.arguments.iter().map(|argument| argument.name.as_str());
    let mut template = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        template.push_str(before);
        let inside = from.get(1..).unwrap_or_default();
        let end = inside.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
        let name = end.and_then(|end| inside.get(..end)).unwrap_or_default();
        let is_placeholder = name.starts_with(|c: char| c.is_ascii_lowercase())
            && inside.get(name.len()..).is_some_and(|rest| rest.starts_with('}'));
        if !is_placeholder {
            template.push_str("{{ '{' }}");
            rest = inside;
            continue;
        }
        if !declared().any(|known| known == name) {
            let at = span.start + skipped + text.len() - from.len();
            sink.push(codes::undeclared_argument(file.span(at, at + name.len() + 2), name, declared()));
        }
        template.push_str(&format!("{{{{ {name} }}}}"));
        rest = inside.get(name.len() + 1..).unwrap_or_default();
    }
    template + rest
}
