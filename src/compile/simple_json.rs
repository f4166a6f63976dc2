//! A program in Fractalic's convention fits what its manifest says, and it is known what it takes.

use super::programs::{check_effects, check_environment, check_exit_codes, check_policies, check_rows};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{OutputForm, Project, SimpleJsonConfig};
use crate::syntax::ParsedQuery;
use serde_json::{Value, json};

/// Checks a program whose parameters have types.
pub(super) struct SimpleJson<'a> {
    pub(super) project: &'a Project,
    pub(super) query: &'a ParsedQuery,
    pub(super) program: &'a SimpleJsonConfig,
    pub(super) typed: &'a TypedQuery,
}

impl SimpleJson<'_> {
    /// Reports all that does not fit.
    pub(super) fn check(&self, sink: &mut Diagnostics) {
        let (query, program) = (self.query, self.program);
        self.check_texts(sink);
        self.check_any_arguments(sink);
        if program.interpreter.is_some() && !program.is_python() {
            let place = query.document.key_span(&["interpreter"]);
            let why = "the program is no script of Python, and no interpreter runs it";
            sink.push(codes::invalid_program(place, why).help("write what runs it first: `simple_json: [node, …]`"));
        }
        check_rows(query, &program.output, OutputForm::Json, sink);
        check_exit_codes(query, (program.success.as_deref(), &program.exit_codes), sink);
        check_environment(query, &program.execution, sink);
        check_effects(query, (&program.execution, self.typed), sink);
        check_policies(self.project, query, &program.execution, sink);
    }

    fn check_texts(&self, sink: &mut Diagnostics) {
        let place = self.query.document.value_span(&["simple_json"]);
        if self.program.texts().first().is_none_or(|text| text.trim().is_empty()) {
            let why = "this names no program";
            sink.push(codes::invalid_program(place, why).help("write its path: `simple_json: scripts/greet.py`"));
        }
        if self.program.texts().iter().any(|text| text.contains("<<")) {
            let why = "no value is put into these texts: the program gets all of them as one JSON object";
            sink.push(codes::invalid_program(place, why).help("`run` takes arguments with placeholders"));
        }
    }

    fn check_any_arguments(&self, sink: &mut Diagnostics) {
        if !self.program.any_arguments {
            return;
        }
        let document = &self.query.document;
        let place = document.key_span(&["any_arguments"]);
        if let Some(key) = ["params", "params_from", "rules", "expose"].into_iter().find(|key| document.has(&[key])) {
            let why = format!("with any arguments, `{key}` says nothing: each is handed on as it is sent");
            sink.push(codes::invalid_program(place, &why).also(document.key_span(&[key]), "this is checked of none"));
        }
        // Its author knows.
        let is_locked = place.file != self.query.file;
        if is_locked {
            let place = document.value_span(&["simple_json"]);
            sink.push(codes::undeclared_parameters(place, &self.query.name.value));
        }
    }
}

/// The schema of arguments that may be any.
pub(super) fn any_arguments() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": true})
}
