//! What of the tools no test has tried: only calls that returned a result count.
//!
//! Counted are tools; parameters that a call gave; the values that an author lists for one; optional clauses, once
//! there and once left out; and choices. Values that a query of allowed values gave are data, and not counted.

use crate::engine::bind::Arguments;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use crate::tool::{Parameter, Tool};
use crate::ty::Type;
use regex::Regex;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// How much was tried.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Coverage {
    /// Tools that were called.
    pub tools: Share,
    /// Parameters that were given.
    pub parameters: Share,
    /// Listed values that were given.
    pub values: Share,
    /// Optional clauses that were there, and that were left out.
    pub clauses: Share,
    /// Choices that were made.
    pub choices: Share,
    /// What was not tried, by tool.
    pub gaps: Vec<Gap>,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Those that were tried.
    pub tried: usize,
    /// All.
    pub all: usize,
}

/// What of a tool was not tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gap {
    /// The tool.
    pub tool: String,
    /// What.
    #[serde(flatten)]
    pub untried: Untried,
}

/// Something that no test has tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "untried", rename_all = "snake_case")]
pub enum Untried {
    /// The tool returned no result to any test.
    Tool,
    /// A parameter that no call gives.
    Parameter {
        /// Its name.
        parameter: String,
    },
    /// Values of a parameter that no call gives.
    Values {
        /// Its name.
        parameter: String,
        /// Those values.
        values: Vec<Value>,
    },
    /// Choices that no call makes.
    Choices {
        /// The parameter that chooses.
        parameter: String,
        /// Those choices.
        choices: Vec<String>,
    },
    /// An optional clause that is left out of every call.
    ClausePresent {
        /// The parameters that it needs.
        parameters: Vec<String>,
    },
    /// An optional clause that is part of every call.
    ClauseAbsent {
        /// The parameters that it needs.
        parameters: Vec<String>,
    },
}

impl Share {
    fn count(&mut self, tried: bool) {
        self.all += 1;
        self.tried += usize::from(tried);
    }
}

impl Coverage {
    /// What calls of tools have tried. `calls` are those that returned a result, by tool.
    pub fn of<'a>(tools: impl IntoIterator<Item = &'a Tool>, calls: &[(&str, &Arguments)]) -> Coverage {
        let mut coverage = Coverage::default();
        for tool in tools {
            let calls: Vec<&Arguments> =
                calls.iter().filter(|(name, _)| *name == tool.contract.name).map(|(_, arguments)| *arguments).collect();
            coverage.take(tool, &calls);
        }
        coverage
    }

    fn take(&mut self, tool: &Tool, calls: &[&Arguments]) {
        self.tools.count(!calls.is_empty());
        let mut untried = Vec::new();
        for parameter in tool.contract.published() {
            untried.extend(self.parameter(parameter, calls));
        }
        for parameters in clauses(tool) {
            untried.extend(self.clause(tool, parameters, calls));
        }
        if calls.is_empty() {
            untried = vec![Untried::Tool];
        }
        self.gaps.extend(untried.into_iter().map(|untried| Gap { tool: tool.contract.name.clone(), untried }));
    }

    fn parameter(&mut self, parameter: &Parameter, calls: &[&Arguments]) -> Vec<Untried> {
        let name = || parameter.name.clone();
        let is_given = calls.iter().any(|call| given(parameter, call).is_some());
        self.parameters.count(is_given);
        let mut untried = Vec::new();
        if !is_given {
            untried.push(Untried::Parameter { parameter: name() });
        }
        let had: Vec<Value> = calls.iter().flat_map(|call| values(parameter, call)).collect();
        let missing = |share: &mut Share, all: &[Value]| -> Vec<Value> {
            let has = |value: &Value| had.contains(value);
            all.iter().for_each(|value| share.count(has(value)));
            all.iter().filter(|value| !has(value)).cloned().collect()
        };
        if !parameter.choices.is_empty() {
            let keys: Vec<Value> = parameter.choices.iter().map(|choice| Value::from(choice.key.as_str())).collect();
            let choices = missing(&mut self.choices, &keys);
            let choices: Vec<String> = choices.iter().filter_map(|key| key.as_str().map(str::to_owned)).collect();
            if !choices.is_empty() {
                untried.push(Untried::Choices { parameter: name(), choices });
            }
        } else if let Some(all) = listed(parameter) {
            let item = item(&parameter.ty);
            let all: Vec<Value> = all.iter().map(|value| item.canonical(value)).collect();
            let values = missing(&mut self.values, &all);
            if !values.is_empty() {
                untried.push(Untried::Values { parameter: name(), values });
            }
        }
        untried
    }

    fn clause(&mut self, tool: &Tool, parameters: Vec<String>, calls: &[&Arguments]) -> Vec<Untried> {
        let needed: Vec<&Parameter> = parameters.iter().filter_map(|name| tool.contract.parameter(name)).collect();
        // With values that always are there, it is no option of the caller.
        if needed.iter().all(|parameter| always_has_value(parameter)) {
            return Vec::new();
        }
        let has_value =
            |parameter: &&Parameter, call: &Arguments| always_has_value(parameter) || given(parameter, call).is_some();
        let is_there = |call: &&Arguments| needed.iter().all(|parameter| has_value(parameter, call));
        let (present, absent) = (calls.iter().any(is_there), calls.iter().any(|call| !is_there(call)));
        self.clauses.count(present);
        self.clauses.count(absent);
        let present = (!present).then(|| Untried::ClausePresent { parameters: parameters.clone() });
        let absent = (!absent).then_some(Untried::ClauseAbsent { parameters });
        present.into_iter().chain(absent).collect()
    }
}

/// The values that an author lists.
fn listed(parameter: &Parameter) -> Option<&Vec<Value>> {
    let constraints = &parameter.constraints;
    constraints.allowed_values.as_ref().filter(|_| !constraints.any_unit && parameter.allowed_query.is_none())
}

fn item(ty: &Type) -> &Type {
    match ty {
        Type::List(item) => item,
        ty => ty,
    }
}

/// What a call gives for a parameter; an explicit null is nothing.
fn given<'a>(parameter: &Parameter, call: &'a Arguments) -> Option<&'a Value> {
    call.get(&parameter.name).filter(|value| !value.is_null())
}

/// Whether a call has a value for it, whatever it gives.
fn always_has_value(parameter: &Parameter) -> bool {
    parameter.required
        || parameter.default.is_some()
        || parameter.default_expression.is_some()
        || parameter.from.is_some()
}

/// The values that a call has for a parameter, its default included; of a list, its items.
fn values(parameter: &Parameter, call: &Arguments) -> Vec<Value> {
    let value = given(parameter, call).or(parameter.default.as_ref());
    let decoded = match (value, &parameter.ty) {
        // Models send lists as texts, and so may tests.
        (Some(Value::String(text)), Type::List(_)) => serde_json::from_str(text).ok(),
        (value, _) => value.cloned(),
    };
    let item = item(&parameter.ty);
    match decoded {
        Some(Value::Array(items)) if matches!(parameter.ty, Type::List(_)) => {
            items.iter().map(|value| item.canonical(value)).collect()
        }
        Some(value) => vec![item.canonical(&value)],
        None => Vec::new(),
    }
}

/// The optional clauses of a tool and of what it selects from, each by the parameters it needs.
fn clauses(tool: &Tool) -> BTreeSet<Vec<String>> {
    // A clause is a call of a marker, whose last argument lists its placeholders: `'$1 $3'`.
    static SLOTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"'(\$\d+(?: \$\d+)*)' \)").ok());
    let statements = tool.statements().map(|(_, statement)| statement);
    let name = |slot: &str| {
        let at: usize = slot.strip_prefix('$')?.parse().ok()?;
        Some(tool.contract.placeholders.get(at.checked_sub(1)?)?.parameter.clone())
    };
    let of = |statement: &str| -> Vec<Vec<String>> {
        if !statement.contains(OPTIONAL_AND) && !statement.contains(OPTIONAL_OR) {
            return Vec::new();
        }
        let slots = SLOTS.iter().flat_map(|slots| slots.captures_iter(statement));
        let names = |found: regex::Captures<'_>| {
            let mut names: Vec<String> = found.get(1)?.as_str().split(' ').map(name).collect::<Option<_>>()?;
            names.sort();
            names.dedup();
            Some(names)
        };
        slots.filter_map(names).collect()
    };
    statements.flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{ProjectFile, QueryFile};
    use crate::source::Sources;
    use crate::yaml::Document;
    use serde_json::json;

    const QUERY: &str = "/*---
name: q
params:
  status: { allowed_values: [open, closed, lost] }
  order:
    choices: { newest: id DESC, oldest: id }
    default: newest
---*/
SELECT id FROM (VALUES (1, 'open', 2), (2, 'closed', 3)) AS t (id, status, size)
WHERE id > << least: int >> [[ AND status IN << status >> ]] [[ AND size BETWEEN << low: int >> AND << high: int >> ]]
ORDER BY << order >>
LIMIT 5";

    fn tool() -> Tool {
        let mut sources = Sources::default();
        let id = sources.add("qtool.yaml", "name: p");
        let file = sources.get(id).unwrap();
        let mut sink = crate::diagnostic::Diagnostics::default();
        let document = Document::parse(file, file.whole(), &mut sink).unwrap();
        let file: ProjectFile = serde_json::from_value(document.value.clone()).unwrap();
        let query = QueryFile::alone(sources.add("queries/q.sql", QUERY), "q");
        let project = crate::project::Project {
            sources,
            file,
            document,
            queries: vec![query],
            prompts: Vec::new(),
            catalog: Default::default(),
            allowed_values: Default::default(),
            statements: Default::default(),
            records: Default::default(),
            upstreams: Default::default(),
        };
        let mut compiled = crate::compile::compile(&project, sink);
        assert_eq!(compiled.errors, 0, "{:?}", compiled.diagnostics);
        compiled.tools.remove(0)
    }

    fn gaps(calls: &[Value]) -> (Coverage, Vec<Value>) {
        let calls: Vec<_> = calls.iter().map(|call| ("q", call.as_object().unwrap())).collect();
        let coverage = Coverage::of([&tool()], &calls);
        let gaps = coverage.gaps.iter().map(|gap| serde_json::to_value(&gap.untried).unwrap()).collect();
        (coverage, gaps)
    }

    #[test]
    fn what_no_call_tries_is_told() {
        let (coverage, untried) =
            gaps(&[json!({"least": 0, "status": ["open"]}), json!({"least": 0, "low": 1, "high": null})]);
        assert_eq!(
            untried,
            [
                json!({"untried": "values", "parameter": "status", "values": ["closed", "lost"]}),
                json!({"untried": "parameter", "parameter": "high"}),
                json!({"untried": "parameter", "parameter": "order"}),
                json!({"untried": "choices", "parameter": "order", "choices": ["oldest"]}),
                json!({"untried": "clause_present", "parameters": ["high", "low"]}),
            ]
        );
        let share = |tried, all| Share { tried, all };
        assert_eq!((coverage.tools, coverage.parameters), (share(1, 1), share(3, 5)));
        assert_eq!((coverage.values, coverage.clauses, coverage.choices), (share(1, 3), share(3, 4), share(1, 2)));
    }

    #[test]
    fn nothing_is_left_where_all_was_tried() {
        let all = [
            json!({"least": 0, "status": ["open", "closed"], "low": 1, "high": 2, "order": "oldest"}),
            json!({"least": 0, "status": "[\"lost\"]"}),
            json!({"least": 0}),
        ];
        assert_eq!(gaps(&all).1, Vec::<Value>::new());
        assert_eq!(gaps(&[]).1, [json!({"untried": "tool"})]);
    }
}
