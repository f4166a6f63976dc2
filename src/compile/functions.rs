//! A function in Python fits its parameters, and what its manifest says of its effects.

use super::programs::{check_effects, check_environment, check_policies, check_rows};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{OutputForm, Project, PythonConfig, Returns};
use crate::syntax::ParsedQuery;

/// Checks a function whose parameters have types.
pub(super) struct Function<'a> {
    pub(super) project: &'a Project,
    pub(super) query: &'a ParsedQuery,
    pub(super) python: &'a PythonConfig,
    pub(super) typed: &'a TypedQuery,
}

impl Function<'_> {
    /// Reports all that does not fit.
    pub(super) fn check(&self, sink: &mut Diagnostics) {
        let place = self.query.document.value_span(&["python"]);
        if !is_target(&self.python.python) {
            let why = "a function is named `module:function`, `file.py:function` or `module:Class.method`";
            sink.push(codes::invalid_program(place, why));
        }
        if self.python.execution.limits.cpu.is_some() {
            let place = self.query.document.key_span(&["limits", "cpu"]);
            let why = "a worker stays, and its processor time is that of all its calls";
            sink.push(codes::invalid_program(place, why).help("`timeout` bounds each call"));
        }
        check_rows(self.query, &self.python.output, OutputForm::Json, sink);
        self.check_returns(sink);
        let execution = &self.python.execution;
        check_environment(self.query, execution, sink);
        check_effects(self.query, (execution, self.typed), sink);
        check_policies(self.project, self.query, execution, sink);
    }
}

impl Function<'_> {
    /// What is said of what it returns fits its columns.
    fn check_returns(&self, sink: &mut Diagnostics) {
        let returns = self.python.returns;
        let form = self.python.output.form.unwrap_or(OutputForm::Json);
        let columns = self.query.header.columns.len();
        let why = match returns {
            Returns::Rows => return,
            _ if form != OutputForm::Json => "this says something of JSON alone",
            Returns::Value if columns != 1 => "a value is that of one column",
            Returns::Optional if columns == 0 => "without columns, `None` is the `result` of one row",
            _ => return,
        };
        let place = self.query.document.value_span(&["returns"]);
        let told = codes::invalid_program(place, why);
        sink.push(match returns {
            Returns::Value if columns == 0 => told.help("declare it: `columns: { result: { type: bigint } }`"),
            _ => told,
        });
    }
}

/// Whether a text names a function.
fn is_target(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
            && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let Some((module, function)) = text.rsplit_once(':') else { return false };
    let is_file = module.strip_suffix(".py").is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'));
    let is_module = module.split('.').all(is_name);
    (is_file || is_module) && function.split('.').count() <= 2 && function.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::is_target;

    #[test]
    fn functions_are_named_by_module_or_file() {
        for text in ["weather:forecast", "a.b.c:f", "scripts/weather.py:forecast", "m:Class.method", "_m:_f"] {
            assert!(is_target(text), "{text}");
        }
        for text in ["weather", "weather.forecast", "a b:f", "m:f()", ":f", "m:", "m:a.b.c", "a/b:f", ".py:f", "1m:f"] {
            assert!(!is_target(text), "{text}");
        }
    }
}
