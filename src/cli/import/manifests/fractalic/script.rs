//! What the text of a script says of it, without running it: how it takes its arguments, and the schema that it
//! would print.

use super::literal::literal;
use serde_json::Value;

/// What a script prints its schema for.
const DUMP: &str = "--fractalic-dump-schema";
/// How far before the word a schema may begin, in brackets.
const MOST_BRACKETS: usize = 64;

/// How a script takes its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// As one JSON object in its first argument, and it answers to the question whether it does.
    Json,
    /// As options that `argparse` reads.
    Options,
    /// The text does not tell.
    Unknown,
}

/// How a script takes its arguments.
pub(super) fn takes(text: &str) -> Takes {
    match text {
        _ if text.contains("__test__") => Takes::Json,
        _ if text.contains("argparse") => Takes::Options,
        _ => Takes::Unknown,
    }
}

/// What a script would print of itself, where it stands in it as one literal: an object with `parameters`.
pub(super) fn schema(text: &str) -> Option<Value> {
    if !text.contains(DUMP) {
        return None;
    }
    let places = text.match_indices("\"parameters\"").chain(text.match_indices("'parameters'"));
    places.map(|(at, _)| at).find_map(|at| {
        let before = text.get(..at)?;
        let opened = before.rmatch_indices('{').map(|(at, _)| at).take(MOST_BRACKETS);
        opened.filter_map(|open| literal(text.get(open..)?)).find(has_parameters)
    })
}

fn has_parameters(said: &Value) -> bool {
    let parameters = said.get("parameters");
    parameters.is_some_and(|schema| schema.get("properties").is_some_and(Value::is_object))
}

/// The words that a script begins with: those of its first text in three quotes, or those behind `# description:`.
pub(super) fn description(text: &str) -> Option<String> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix('#') {
            let (line, behind) = comment.split_once('\n').unwrap_or((comment, ""));
            let (key, words) = line.split_once(':').unwrap_or((line, ""));
            if key.trim().eq_ignore_ascii_case("description") && !words.trim().is_empty() {
                return Some(words.trim().to_owned());
            }
            rest = behind;
            continue;
        }
        let quote = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote))?;
        let inside = rest.get(quote.len()..)?;
        let words: Vec<&str> = inside.split_once(quote)?.0.split_whitespace().collect();
        return (!words.is_empty()).then(|| words.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_in_the_text_is_found() {
        let text = "import sys\nPAYLOAD = {\"parameters\": build()}\ndef main():\n    if sys.argv[1] == \"--fractalic-dump-schema\":\n        print(json.dumps({\n            'description': 'Greets.', 'parameters': {'type': 'object', 'properties': {'name': {'type': 'string'}}, 'required': ['name']}\n        }))\n";
        assert_eq!(schema(text).unwrap()["parameters"]["required"], json!(["name"]));
        assert_eq!(schema(text).unwrap()["description"], "Greets.");
        assert_eq!(schema(&text.replace(DUMP, "--dump")), None);
        assert_eq!(schema(&text.replace("'string'", "kind()")), None);
    }

    #[test]
    fn words_at_the_beginning_describe_it() {
        for (text, words) in [
            ("#!/usr/bin/env python3\n\"\"\"Greets\n  people.\n\"\"\"\nimport x", Some("Greets people.")),
            ("# coding: utf-8\n# Description: Greets.\n", Some("Greets.")),
            ("'''One line.'''", Some("One line.")),
            ("import x\n\"\"\"Late.\"\"\"", None),
            ("", None),
            ("# alone", None),
            ("\"\"\"open", None),
        ] {
            assert_eq!(description(text).as_deref(), words, "{text}");
        }
    }

    #[test]
    fn the_text_tells_how_arguments_come() {
        assert_eq!(takes("if argv == '{\"__test__\": true}': # import argparse"), Takes::Json);
        assert_eq!(takes("import argparse"), Takes::Options);
        assert_eq!(takes("print(1)"), Takes::Unknown);
    }
}
