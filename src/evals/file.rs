//! Evaluation files → evaluations, checked against the tools: what could never pass is told before a model is asked.

mod argument;

use super::Eval;
use super::expectation::{Expectation, Expected, Published};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, codes};
use crate::name::{near, shown_name};
use crate::project::{EvalConfig, EvalFile, EvalFileConfig, ExpectedArgument};
use crate::source::{Sources, Span};
use crate::tool::Tool;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};
use crate::yaml::{Document, Shape};
use argument::Reader;
use serde_json::Value;
use std::sync::LazyLock;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<EvalFileConfig>);

/// Most answers of a model where a file does not say.
const MAX_TURNS: u64 = 8;

/// Compiles evaluation files: the evaluations in the order of the files, and what there is to say. One with errors is
/// left out. `time_zone` is the project's.
pub fn compile(
    files: &[EvalFile],
    sources: &Sources,
    tools: &[Tool],
    time_zone: &TimeZoneName,
) -> (Vec<Eval>, Diagnostics) {
    let mut sink = Diagnostics::default();
    let mut compiled: Vec<(Eval, Span)> = Vec::new();
    for one in files {
        let Some(file) = sources.get(one.file) else { continue };
        let Some(document) = Document::parse(file, file.whole(), &mut sink) else { continue };
        let Some(config) = document.read::<EvalFileConfig>(&SHAPE, &mut sink) else { continue };
        let whole = file.span(0, 0);
        let mut push = |name: String, place: Span, eval: Option<Eval>, sink: &mut Diagnostics| match compiled
            .iter()
            .find(|(other, _)| other.name == name)
        {
            Some((_, other)) => sink.push(codes::name_collision(place, &name, "another evaluation", *other)),
            None => compiled.extend(eval.map(|eval| (eval, place))),
        };
        let checker = Checker { document: &document, case: None, tools, time_zone };
        match (&config.eval.question, config.cases.is_empty()) {
            (Some(_), false) => {
                let place = document.key_span(&["question"]);
                let both = Diagnostic::at(Code::InvalidValue, place, "a file with `cases` has no question of its own");
                sink.push(both.help("move it below `cases`, under a name"));
            }
            (_, true) => {
                let eval = checker.eval(one.stem.clone(), config.eval, whole, &mut sink);
                push(one.stem.clone(), whole, eval, &mut sink);
            }
            (None, false) => {
                for (case, own) in config.cases {
                    let place = document.key_span(&["cases", &case]);
                    let name = format!("{}/{case}", one.stem);
                    let checker = Checker { case: Some(&case), ..checker };
                    let eval = checker.eval(name.clone(), own.or(&config.eval), place, &mut sink);
                    push(name, place, eval, &mut sink);
                }
            }
        }
    }
    (compiled.into_iter().map(|(eval, _)| eval).collect(), sink)
}

/// Checks one evaluation.
#[derive(Clone, Copy)]
struct Checker<'a> {
    document: &'a Document,
    case: Option<&'a str>,
    tools: &'a [Tool],
    time_zone: &'a TimeZoneName,
}

impl<'a> Checker<'a> {
    fn eval(&self, name: String, config: EvalConfig, place: Span, sink: &mut Diagnostics) -> Option<Eval> {
        let errors = sink.errors();
        if config.question.is_none() {
            sink.push(codes::missing_key(place, "question"));
        }
        let must_call = config.must_call.unwrap_or_default();
        let must_not_call = config.must_not_call.unwrap_or_default();
        let arguments = config.arguments.unwrap_or_default();
        self.check_tools("must_call", &must_call, sink);
        self.check_tools("must_not_call", &must_not_call, sink);
        for (at, tool) in must_not_call.iter().enumerate() {
            if must_call.contains(tool) || arguments.contains_key(tool) {
                let place = self.value(&["must_not_call", &at.to_string()]);
                let message = format!("`{}` must be called and must not", shown_name(tool));
                sink.push(Diagnostic::at(Code::InvalidValue, place, message).help("remove it from one of them"));
            }
        }
        if let Some(most) = config.max_calls.filter(|most| *most < must_call.len() as u64) {
            let expected = format!("a number of at least {}, as so many tools must be called", must_call.len());
            sink.push(codes::invalid_value(self.value(&["max_calls"]), &expected, &format!("`{most}`")));
        }
        if must_call.is_empty() && must_not_call.is_empty() && arguments.is_empty() && config.max_calls.is_none() {
            let missing = codes::missing_key(place, "must_call");
            sink.push(missing.note("an evaluation that expects nothing always passes"));
        }
        let mut expected = Vec::new();
        for (tool, parameters) in &arguments {
            let Some(tool) = self.known(tool, self.key(&["arguments", tool]), sink) else { continue };
            let read = parameters
                .iter()
                .filter_map(|(name, argument)| Some((name.clone(), self.argument(tool, name, argument, sink)?)));
            expected.push(Expected { arguments: read.collect(), tool: tool.contract.name.clone() });
        }
        let question = config.question.filter(|_| sink.errors() == errors)?;
        Some(Eval {
            name,
            question,
            system: config.system,
            must_call,
            must_not_call,
            arguments: expected,
            max_calls: config.max_calls,
            max_turns: config.max_turns.unwrap_or(MAX_TURNS),
            repetitions: config.repetitions.unwrap_or(1),
            threshold: config.threshold.unwrap_or(1.0),
        })
    }

    /// The whole path of a key: in the case, or where the case does not say it, in the file.
    fn path<'p>(&self, path: &[&'p str]) -> Vec<&'p str>
    where
        'a: 'p,
    {
        if let (Some(case), Some(first)) = (self.case, path.first())
            && self.document.has(&["cases", case, first])
        {
            return ["cases", case].into_iter().chain(path.iter().copied()).collect();
        }
        path.to_vec()
    }

    fn key(&self, path: &[&str]) -> Span {
        self.document.key_span(&self.path(path))
    }

    fn value(&self, path: &[&str]) -> Span {
        self.document.value_span(&self.path(path))
    }

    fn check_tools(&self, key: &str, names: &[String], sink: &mut Diagnostics) {
        for (at, name) in names.iter().enumerate() {
            self.known(name, self.value(&[key, &at.to_string()]), sink);
        }
    }

    /// The tool of that name; that there is none is reported.
    fn known(&self, name: &str, place: Span, sink: &mut Diagnostics) -> Option<&'a Tool> {
        let found = self.tools.iter().find(|tool| tool.contract.name == name);
        if found.is_none() {
            let diagnostic =
                Diagnostic::at(Code::InvalidValue, place, format!("there is no tool `{}`", shown_name(name)));
            sink.push(match near(name, self.tools.iter().map(|tool| tool.contract.name.as_str())) {
                // Written in quotes, the place is longer than the name.
                Some(near) if place.end - place.start == name.len() => {
                    diagnostic.similar_name("a tool", near, place, near.name)
                }
                Some(near) => diagnostic.help(format!("a tool with a similar name exists: `{}`", near.name)),
                None => diagnostic.help("name tools as `qtool list` does"),
            });
        }
        found
    }

    fn argument(
        &self,
        tool: &Tool,
        name: &str,
        argument: &ExpectedArgument,
        sink: &mut Diagnostics,
    ) -> Option<Expectation> {
        let path = ["arguments", tool.contract.name.as_str(), name];
        let Some(parameter) = Published::of(tool, name) else {
            let is_set = |known: &str| self.document.has(&self.path(&["arguments", &tool.contract.name, known]));
            sink.push(codes::unknown_key(self.key(&path), name, &Published::names(tool), &is_set));
            return None;
        };
        let strictness = if tool.contract.strict { Strictness::Strict } else { Strictness::Lax };
        let coercion = Coercion { strictness, time_zone: self.time_zone.clone() };
        let reader = Reader { checker: self, path, parameter: &parameter, coercion };
        match &argument.0 {
            Value::Object(condition) if reader.is_condition(condition) => reader.condition(condition, sink),
            value => reader.literal(value, sink),
        }
    }
}
