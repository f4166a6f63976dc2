//! What a manifest runs fits its parameters, its columns and what it says of its effects.

use super::schema_cost;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, codes};
use crate::infer::{TypedParameter, TypedQuery};
use crate::name::shown_name;
use crate::project::argument::{Piece, lone_name, names_in};
use crate::project::{Execution, OutputConfig, OutputForm, ProgramConfig, Project};
use crate::source::Spanned;
use crate::syntax::{ParsedQuery, ProgramText, RunPart};
use crate::ty::Type;
use indexmap::IndexMap;
use serde_json::Value;
use std::path::{Component, Path};

/// Programs that run code which is an argument, each with the options in front of it.
const INTERPRETERS: [(&str, &[&str]); 34] = [
    ("sh", &["-c"]),
    ("bash", &["-c"]),
    ("dash", &["-c"]),
    ("ash", &["-c"]),
    ("zsh", &["-c"]),
    ("ksh", &["-c"]),
    ("fish", &["-c", "--command"]),
    ("busybox", &["-c"]),
    ("python", &["-c"]),
    ("pypy", &["-c"]),
    ("perl", &["-e", "-E"]),
    ("ruby", &["-e"]),
    ("node", &["-e", "--eval", "-p", "--print", "-r", "--require", "--import", "--loader"]),
    ("deno", &["eval"]),
    ("bun", &["-e", "--eval"]),
    ("php", &["-r"]),
    ("lua", &["-e"]),
    ("Rscript", &["-e"]),
    ("osascript", &["-e"]),
    ("pwsh", &["-c", "-Command", "-command"]),
    ("powershell", &["-c", "-Command", "-command"]),
    ("env", &["-S", "--split-string"]),
    ("rbash", &["-c"]),
    ("gawk", &["-e", "--source"]),
    ("make", &["--eval"]),
    ("gdb", &["-ex", "-eval-command"]),
    ("vim", &["-c", "--cmd"]),
    ("nvim", &["-c", "--cmd"]),
    ("flock", &["-c", "--command"]),
    ("script", &["-c", "--command"]),
    ("git", &["-c"]),
    ("tar", &["--to-command", "--checkpoint-action", "-I", "--use-compress-program"]),
    ("find", &["-exec", "-execdir", "-ok", "-okdir"]),
    ("psql", &["-c", "--command"]),
];
/// Programs whose first argument that is no option is code, with their options that take values, and how many, and those that take the
/// code from a file.
const OF_CODE: [OfCode; 5] = [
    ("awk", &[("-v", 1), ("-F", 1)], &["-f"]),
    ("gawk", &[("-v", 1), ("-F", 1)], &["-f", "--file"]),
    ("mawk", &[("-v", 1), ("-F", 1)], &["-f"]),
    ("sed", &[("-l", 1)], &["-f", "--file"]),
    (
        "jq",
        &[("--arg", 2), ("--argjson", 2), ("--slurpfile", 2), ("--rawfile", 2), ("--indent", 1)],
        &["-f", "--from-file"],
    ),
];

type OfCode = (&'static str, &'static [(&'static str, usize)], &'static [&'static str]);

/// Checks a manifest whose parameters and columns have types.
pub(super) struct Manifest<'a> {
    pub(super) project: &'a Project,
    pub(super) query: &'a ParsedQuery,
    pub(super) program: &'a ProgramText,
    pub(super) typed: &'a TypedQuery,
}

impl Manifest<'_> {
    /// Reports all that does not fit.
    pub(super) fn check(&self, sink: &mut Diagnostics) {
        self.check_program(sink);
        for part in &self.program.run {
            self.check_part(part, sink);
        }
        self.check_code(sink);
        check_rows(self.query, &self.config().output, OutputForm::Text, sink);
        let told = (self.config().success.as_deref(), &self.config().exit_codes);
        check_exit_codes(self.query, told, sink);
        check_environment(self.query, &self.config().execution, sink);
        check_effects(self.query, (&self.config().execution, self.typed), sink);
        check_policies(self.project, self.query, &self.config().execution, sink);
    }

    fn config(&self) -> &ProgramConfig {
        &self.program.config
    }

    fn parameter(&self, name: &str) -> Option<&TypedParameter> {
        self.typed.parameters.iter().find(|one| one.declaration.name == name)
    }

    /// The program is the same at every call.
    fn check_program(&self, sink: &mut Diagnostics) {
        let Some(first) = self.program.run.first() else { return };
        let is_text = |pieces: &[Piece]| matches!(pieces, [Piece::Text(text)] if !text.trim().is_empty());
        let is_plain = !first.together && first.condition.is_none();
        if !is_plain || !first.arguments.first().is_some_and(|argument| is_text(&argument.value)) {
            let why = "the program is a name or a path, the same at every call";
            sink.push(
                codes::invalid_program(first.span, why).help("write it first: `run: [python3, scripts/report.py]`"),
            );
        }
    }

    fn check_part(&self, part: &RunPart, sink: &mut Diagnostics) {
        if let Some(condition) = &part.condition
            && let Some(parameter) = self.parameter(&condition.value)
            && parameter.ty != Type::Boolean
        {
            let why = format!("`if` needs a boolean, and `{}` is {}", condition.value, parameter.ty);
            sink.push(codes::invalid_program(condition.span, &why));
        }
        let mut has_optional = false;
        for argument in &part.arguments {
            for name in names_in(&argument.value) {
                let Some(parameter) = self.parameter(name) else { continue };
                let may_be_null = parameter.declaration.may_be_null();
                has_optional |= may_be_null;
                if may_be_null && !part.together {
                    sink.push(codes::argument_without_value(argument.span, name));
                }
            }
            self.check_list(argument, sink);
            self.check_own_values(argument, sink);
        }
        let names = || part.arguments.iter().flat_map(|argument| names_in(&argument.value));
        if part.together && names().next().is_none() {
            sink.push(codes::list_that_stays(part.span, "a list without a placeholder is never left out"));
        } else if part.together && !has_optional {
            sink.push(codes::list_that_stays(part.span, "no parameter in this list is optional: it is never left out"));
        }
    }

    /// What is the argument where nobody sends anything is no option.
    fn check_own_values(&self, argument: &Spanned<Vec<Piece>>, sink: &mut Diagnostics) {
        let Some(Piece::Value { name, .. }) = argument.value.first() else { return };
        let mut before =
            self.program.run.iter().flat_map(|part| &part.arguments).take_while(|one| one.span != argument.span);
        if before.any(|one| matches!(&one.value[..], [Piece::Text(text)] if text == "--")) {
            return;
        }
        let Some(parameter) = self.parameter(name) else { return };
        let config = &parameter.declaration.config;
        for (key, value) in [("default", &config.default), ("fixed", &config.fixed)] {
            let is_option = value.as_ref().and_then(|value| value.as_str()).is_some_and(|text| text.starts_with('-'));
            if is_option {
                let why = format!("the program would read `{name}` as an option: it begins with `-`");
                let told = codes::invalid_program(parameter.declaration.span_of(key), &why);
                sink.push(told.help(format!("write `--` before it in `run`, or `--{name}=<< {name} >>`")));
            }
        }
    }

    /// A list is several arguments, and so is one by itself.
    fn check_list(&self, argument: &Spanned<Vec<Piece>>, sink: &mut Diagnostics) {
        let lone = lone_name(&argument.value);
        for name in names_in(&argument.value) {
            let Some(TypedParameter { ty: Type::List(item), .. }) = self.parameter(name) else { continue };
            if matches!(**item, Type::List(_)) {
                let why = format!("`{name}` is a list of lists, and arguments are one list");
                sink.push(codes::invalid_program(argument.span, &why).help("send it as `json`"));
            } else if lone.is_none() {
                let why = format!("`{name}` is a list: it stands by itself, and each item is an argument");
                sink.push(codes::invalid_program(argument.span, &why));
            }
        }
    }

    /// No value of a caller is code of an interpreter.
    fn check_code(&self, sink: &mut Diagnostics) {
        let arguments: Vec<&Spanned<Vec<Piece>>> = self.program.run.iter().flat_map(|part| &part.arguments).collect();
        let mut interpreter: Option<(String, &[&str])> = None;
        let mut of_code: Option<(&OfCode, usize)> = None;
        let mut before: Option<String> = None;
        for argument in arguments {
            let text = text_of(&argument.value);
            let has_value = names_in(&argument.value).next().is_some();
            let is_bare =
                text.as_deref().is_some_and(|text| !text.is_empty() && text.chars().all(|letter| letter == '-'));
            if is_bare && has_value {
                let why = "a value of a caller would choose which option this is";
                sink.push(
                    codes::invalid_program(argument.span, why).help("write the option, and its value behind `=`"),
                );
            }
            if let Some((name, options)) = &interpreter {
                let behind =
                    before.as_deref().and_then(|before| options.iter().find(|option| is_option(before, option)));
                let glued = text.as_deref().and_then(|text| options.iter().find(|option| begins_with(text, option)));
                if let Some(option) = behind.or(glued).filter(|_| has_value) {
                    sink.push(codes::value_in_code(argument.span, name, option));
                }
            }
            if let Some((program, skipped)) = of_code.take() {
                let (name, options, files) = program;
                let takes =
                    |text: &str| options.iter().find(|(option, _)| *option == text).map_or(0, |(_, count)| *count);
                match text.as_deref() {
                    _ if skipped > 0 => of_code = Some((program, skipped - 1)),
                    Some(text) if files.contains(&text) => {}
                    Some(text) if text.starts_with('-') => of_code = Some((program, takes(text))),
                    _ if has_value => sink.push(codes::value_in_code(argument.span, name, "…")),
                    _ => {}
                }
            }
            if let Some(text) = text.as_deref().filter(|_| !has_value) {
                let base = text.rsplit('/').next().unwrap_or_default();
                let bare = base.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
                let bare = bare.strip_suffix(".exe").unwrap_or(bare);
                if let Some((name, options)) = INTERPRETERS.iter().find(|(name, _)| *name == bare) {
                    interpreter = Some(((*name).to_owned(), options));
                } else if let Some(program) = OF_CODE.iter().find(|(name, ..)| *name == bare) {
                    of_code = Some((program, 0));
                }
            }
            before = text;
        }
    }
}

/// What callers are told of exit codes is told of failures.
pub(super) fn check_exit_codes(
    query: &ParsedQuery,
    (success, exit_codes): (Option<&[i32]>, &IndexMap<String, String>),
    sink: &mut Diagnostics,
) {
    let success = success.unwrap_or(&[0]);
    for (code, message) in exit_codes {
        let place = query.document.key_span(&["exit_codes", code]);
        match code.parse::<i32>() {
            Ok(number) if (0..=255).contains(&number) && number.to_string() == *code => {
                if success.contains(&number) {
                    let why = format!("{number} is no failure, and nobody is told anything of it");
                    sink.push(codes::invalid_program(place, &why).help("`success` says which codes are no failure"));
                }
            }
            _ => sink.push(codes::invalid_program(place, "an exit code is a number from 0 to 255")),
        }
        if message.trim().is_empty() {
            let place = query.document.value_span(&["exit_codes", code]);
            sink.push(codes::invalid_program(place, "this says nothing to the caller"));
        }
    }
}

/// Only a JSON document has rows that a pointer leads to, and a schema.
pub(super) fn check_rows(query: &ParsedQuery, output: &OutputConfig, usual: OutputForm, sink: &mut Diagnostics) {
    let form = output.form.unwrap_or(usual);
    check_schema(query, output, form, sink);
    if output.rows.is_some() && !matches!(form, OutputForm::Json | OutputForm::Document | OutputForm::Any) {
        let why = "`rows` points into a JSON document, and the output is none";
        sink.push(codes::invalid_program(query.document.key_span(&["rows"]), why));
    }
}

/// What a document is held to can be held to.
fn check_schema(query: &ParsedQuery, output: &OutputConfig, form: OutputForm, sink: &mut Diagnostics) {
    let Some(schema) = &output.output_schema else { return };
    let place = query.document.key_span(&["output_schema"]);
    let is_document = match form {
        OutputForm::Document | OutputForm::Any => true,
        OutputForm::Json => query.header.columns.is_empty(),
        OutputForm::Text | OutputForm::Ndjson | OutputForm::Csv => false,
    };
    if !is_document {
        let told = codes::invalid_program(place, "this is the schema of a JSON document, and the output is none");
        return sink.push(told.help("say `output: json` without `columns`"));
    }
    let why = match schema_cost::flaw(schema) {
        Some(why) => Some(format!("the schema {why}")),
        // Where it is published, it is a part of another one, whose definitions are its own.
        None if refers_elsewhere(schema) => Some("it may refer to its own `$defs` alone, as `#/$defs/name`".to_owned()),
        None => jsonschema::validator_for(schema).err().map(|error| format!("this is no JSON Schema: {error}")),
    };
    if let Some(why) = why {
        sink.push(codes::invalid_program(place, &why));
    }
}

/// Whether something in a schema refers to what is none of its definitions.
fn refers_elsewhere(schema: &Value) -> bool {
    let is_elsewhere = |(key, value): (&String, &Value)| match key.as_str() {
        "$ref" => value.as_str().is_none_or(|to| !to.starts_with("#/$defs/")),
        "$dynamicRef" | "$anchor" | "$id" => true,
        _ => refers_elsewhere(value),
    };
    match schema {
        Value::Object(map) => map.iter().any(is_elsewhere),
        Value::Array(items) => items.iter().any(refers_elsewhere),
        _ => false,
    }
}

/// The variables of its environment have names.
pub(super) fn check_environment(query: &ParsedQuery, execution: &Execution, sink: &mut Diagnostics) {
    let is_name = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    for name in execution.env.keys().filter(|name| !is_name(name)) {
        let place = query.document.key_span(&["env", name]);
        let why = format!("`{}` is no name of a variable: letters, digits and `_`, no digit first", shown_name(name));
        sink.push(codes::invalid_program(place, &why));
    }
    for (at, pattern) in execution.passthrough.iter().enumerate() {
        if !is_name(&pattern.replace('*', "x")) {
            let place = query.document.value_span(&["passthrough", &at.to_string()]);
            sink.push(codes::invalid_program(place, "a name of a variable, or a pattern of one with `*`"));
        }
    }
}

/// What it says of its effects agrees with what it may do.
pub(super) fn check_effects(
    query: &ParsedQuery,
    (execution, typed): (&Execution, &TypedQuery),
    sink: &mut Diagnostics,
) {
    let annotations = typed.annotations;
    if annotations.read_only && !execution.writes.is_empty() {
        let place = query.document.value_span(&["annotations", "read_only"]);
        let written = query.document.key_span(&["writes"]);
        let why = "a tool that only reads writes no folder";
        sink.push(codes::invalid_program(place, why).also(written, "it may write these"));
    }
    if annotations.read_only && annotations.destructive {
        let place = query.document.value_span(&["annotations", "destructive"]);
        sink.push(codes::invalid_program(place, "what only reads destroys nothing"));
    }
    if query.header.cache_ttl.is_some() && !annotations.read_only {
        let place = query.document.key_span(&["cache_ttl"]);
        let why = "the result of a program that may change something is not kept for the next call";
        sink.push(
            codes::invalid_program(place, why).help("say that it only reads: `annotations: { read_only: true }`"),
        );
    }
}

/// No program reads the data of a table that callers see in parts.
pub(super) fn check_policies(project: &Project, query: &ParsedQuery, execution: &Execution, sink: &mut Diagnostics) {
    let reads = execution.reads.iter().enumerate().map(|(at, path)| ("reads", at, path));
    let writes = execution.writes.iter().enumerate().map(|(at, path)| ("writes", at, path));
    for (key, at, path) in reads.chain(writes) {
        for table in project.file.policies.keys().filter(|table| project.file.is_policied(table)) {
            let Some(data) = project.file.local_path(table) else { continue };
            if is_within(data, path) || is_within(path, data) {
                let place = query.document.value_span(&[key, &at.to_string()]);
                let why = format!("the program could read table `{table}` past its policy");
                let told = Diagnostic::at(Code::BypassedPolicy, place, why);
                sink.push(told.note(format!("its data lies in `{}`", shown_name(data))));
            }
        }
    }
}

/// Rows have columns, and nothing else has.
pub(super) fn check_columns(query: &ParsedQuery, form: OutputForm, typed: &TypedQuery, sink: &mut Diagnostics) {
    let columns = &query.header.columns;
    if matches!(form, OutputForm::Ndjson | OutputForm::Csv) && columns.is_empty() {
        let why = "rows need columns: nothing else says what they are of";
        let help = "declare each with its type: `columns: { city: { type: text }, degrees: { type: double } }`";
        sink.push(codes::invalid_program(query.document.value_span(&["output"]), why).help(help));
    }
    let is_there = |name: &String| typed.columns.iter().any(|column| column.name == *name);
    for name in columns.keys().filter(|name| !is_there(name)) {
        let why = format!("a text or a document is one column, and has none called `{}`", shown_name(name));
        let help = "say which rows there are: `output: json`, `ndjson` or `csv`";
        sink.push(codes::invalid_program(query.document.key_span(&["columns", name]), &why).help(help));
    }
}

/// The text of an argument as far as it begins with one; `None` where a value comes first.
fn text_of(pieces: &[Piece]) -> Option<String> {
    match pieces.first() {
        Some(Piece::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Whether an argument is an option, also behind others in one word: `-lc`.
fn is_option(argument: &str, option: &str) -> bool {
    let letter = option.strip_prefix('-').filter(|rest| rest.len() == 1);
    let is_word = argument.starts_with('-') && !argument.starts_with("--");
    argument == option || letter.is_some_and(|letter| is_word && argument.ends_with(letter))
}

/// Whether an argument begins with an option, and its value follows in the same word: `-e…`, `--eval=…`.
fn begins_with(argument: &str, option: &str) -> bool {
    argument.strip_prefix(option).is_some_and(|rest| !option.starts_with("--") || rest.starts_with('='))
}

/// Whether a path lies in another one, or is it.
fn is_within(path: &str, folder: &str) -> bool {
    let plain = |path: &str| -> Vec<String> {
        let parts = Path::new(path).components().filter(|part| !matches!(part, Component::CurDir));
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    // What is behind the first sign of a pattern may be anything.
    let until_pattern = path.split(['*', '?', '[', '{']).next().unwrap_or_default();
    let (path, folder) = (plain(until_pattern), plain(folder));
    path.starts_with(&folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_code_are_seen() {
        assert!(is_option("-c", "-c") && is_option("-lc", "-c") && is_option("--eval", "--eval"));
        assert!(!is_option("--exec", "-c") && !is_option("-x", "-c"));
        assert!(
            begins_with("-eprint", "-e") && begins_with("--eval=", "--eval") && !begins_with("--evaluate", "--eval")
        );
    }

    #[test]
    fn paths_lie_in_others() {
        assert!(is_within("data/a.csv", "data") && is_within("./data/*.csv", "data") && is_within("data", "."));
        assert!(!is_within("data2/a.csv", "data"));
    }
}
