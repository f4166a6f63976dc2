//! [SARIF] 2.1.0, the format that code hosts and editors exchange findings in: one document with one run.
//!
//! Written as plain JSON: of the crates that have its types, the living one brings a code generator and far more than
//! the dozen objects that are needed here. The rules are those that were found, each with its page of the book.
//!
//! [SARIF]: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

use super::{Place, in_words, path_of, severity_name};
use crate::diagnostic::{Code, Diagnostic, Help};
use crate::source::{Sources, Span};
use serde_json::{Value, json};

/// Where a finding without a place is shown: GitHub refuses a document with a result that has none.
const FALLBACK: &str = "qtool.yaml";

/// What the paths are relative to; whoever reads the document knows where that is.
const ROOT: &str = "%SRCROOT%";

/// The document, without a line break at its end.
pub(super) fn document(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = diagnostics.iter().map(|diagnostic| result(diagnostic, &codes, sources)).collect();
    let driver = json!({ "name": "qtool", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    // Strings, numbers and lists only: this serialisation has no way to fail.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

fn rule(code: Code) -> Value {
    let page = without_links_into_the_book(code.page());
    let about = first_paragraph(&page);
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": first_sentence(&about) },
        "fullDescription": { "text": about },
        "help": {
            "text": format!("{about}\n`qtool explain {code}` shows an example and its correction."),
            "markdown": page,
        },
        "defaultConfiguration": { "level": severity_name(code.severity()) },
    })
}

/// The first paragraph below the heading of a page, on one line.
fn first_paragraph(page: &str) -> String {
    let lines = page.lines().skip_while(|line| line.starts_with('#') || line.trim().is_empty());
    lines.take_while(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join(" ")
}

fn first_sentence(paragraph: &str) -> &str {
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph.get(..end).unwrap_or(paragraph)
}

/// The page with links to other pages as plain words: where the document is read, they lead nowhere.
fn without_links_into_the_book(page: &str) -> String {
    let mut parts = page.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let link = part.split_once(')').filter(|(target, _)| is_page(target));
        match out.rfind('[').zip(link) {
            Some((open, (_, rest))) => {
                out.remove(open);
                out.push_str(rest);
            }
            None => {
                out.push_str("](");
                out.push_str(part);
            }
        }
    }
    out
}

/// Whether a link leads to another page of the book.
fn is_page(target: &str) -> bool {
    !target.contains("://") && target.split('#').next().is_some_and(|path| path.ends_with(".md"))
}

fn result(diagnostic: &Diagnostic, codes: &[Code], sources: &Sources) -> Value {
    let place = diagnostic.primary.as_ref().and_then(|label| physical_location(label.span, sources));
    let place = place.unwrap_or_else(|| {
        let path = path_of(diagnostic, sources).unwrap_or_else(|| sources.shown(FALLBACK));
        json!({ "artifactLocation": artifact(&path), "region": { "startLine": 1 } })
    });
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": codes.binary_search(&diagnostic.code).ok(),
        "level": severity_name(diagnostic.severity),
        "message": message(&in_words(diagnostic)),
        "locations": [{ "physicalLocation": place }],
    });
    let related: Vec<Value> = diagnostic
        .secondary
        .iter()
        .filter_map(|label| {
            let place = physical_location(label.span, sources)?;
            Some(json!({ "physicalLocation": place, "message": message(&label.text) }))
        })
        .collect();
    let fixes: Vec<Value> = diagnostic.helps.iter().filter_map(|help| fix(help, sources)).collect();
    for (key, list) in [("relatedLocations", related), ("fixes", fixes)] {
        if let Some(result) = result.as_object_mut()
            && !list.is_empty()
        {
            result.insert(key.to_owned(), Value::Array(list));
        }
    }
    result
}

/// A suggestion with edits, which lie in one file.
fn fix(help: &Help, sources: &Sources) -> Option<Value> {
    let path = sources.get(help.edits.first()?.span.file)?.shown();
    let replacements: Vec<Value> = help
        .edits
        .iter()
        .filter_map(|edit| {
            let place = Place::of(edit.span, sources)?;
            Some(json!({ "deletedRegion": region(&place), "insertedContent": { "text": edit.replacement } }))
        })
        .collect();
    Some(json!({
        "description": message(&help.text),
        "artifactChanges": [{ "artifactLocation": artifact(path), "replacements": replacements }],
    }))
}

/// A text in which nothing is to be filled in: `{0}` would be an argument.
fn message(text: &str) -> Value {
    json!({ "text": text.replace('{', "{{").replace('}', "}}") })
}

fn physical_location(span: Span, sources: &Sources) -> Option<Value> {
    let place = Place::of(span, sources)?;
    Some(json!({ "artifactLocation": artifact(place.path), "region": region(&place) }))
}

fn artifact(path: &str) -> Value {
    json!({ "uri": uri(path), "uriBaseId": ROOT })
}

/// Lines and columns from 1, the end behind the last character: as ours.
fn region(place: &Place<'_>) -> Value {
    json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    })
}

/// A relative path as a relative reference: whatever is not plainly part of one is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document about one file, read back.
    fn read(diagnose: impl FnOnce(&dyn Fn(&str) -> Span) -> Vec<Diagnostic>) -> Value {
        read_below("", diagnose)
    }

    /// The same, where the project lies in a folder of the working directory.
    fn read_below(base: &str, diagnose: impl FnOnce(&dyn Fn(&str) -> Span) -> Vec<Diagnostic>) -> Value {
        let mut sources = Sources::default();
        sources.show_below(base);
        let id = sources.add("queries/größe, alle.sql", "SELECT 'größe',\n  'é' AS é, statuss\nFROM orders");
        let file = sources.get(id).unwrap();
        let span = |text: &str| {
            let start = file.text.find(text).unwrap();
            file.span(start, start + text.len())
        };
        serde_json::from_str(&document(&diagnose(&span), &sources)).unwrap()
    }

    #[test]
    fn a_finding_has_its_rule_its_words_and_its_place_in_characters() {
        let document = read(|span| {
            let place = span("statuss");
            let unknown = Diagnostic::at(Code::UnknownColumn, place, "column `statuss` not found")
                .label("unknown column")
                .also(span("orders"), "this table")
                .note("a fact")
                .fix("a column with a similar name exists", place, "status");
            let described = Diagnostic::at(Code::MissingDescription, span("SELECT"), "tool `a` has no description");
            vec![described, unknown]
        });
        assert_eq!(document["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
        assert_eq!(document["version"], "2.1.0");
        assert_eq!(document["runs"].as_array().unwrap().len(), 1);
        let run = &document["runs"][0];
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        assert_eq!(run["tool"]["driver"]["name"], "qtool");
        assert_eq!(run["tool"]["driver"]["version"], env!("CARGO_PKG_VERSION"));

        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["unknown-column", "missing-description"]);
        assert_eq!(rules[0]["help"]["markdown"], Code::UnknownColumn.page());
        assert_eq!(rules[1]["defaultConfiguration"]["level"], "warning");

        let results = run["results"].as_array().unwrap();
        assert_eq!(results[0]["ruleIndex"], 1);
        assert_eq!(results[0]["level"], "warning");
        assert_eq!(results[0].get("relatedLocations"), None);
        assert_eq!(results[0].get("fixes"), None);

        let artifact = json!({ "uri": "queries/gr%C3%B6%C3%9Fe%2C%20alle.sql", "uriBaseId": "%SRCROOT%" });
        let region = json!({ "startLine": 2, "startColumn": 13, "endLine": 2, "endColumn": 20 });
        let table = json!({ "startLine": 3, "startColumn": 6, "endLine": 3, "endColumn": 12 });
        assert_eq!(
            results[1],
            json!({
                "ruleId": "unknown-column",
                "ruleIndex": 0,
                "level": "error",
                "message": {
                    "text": "column `statuss` not found\nunknown column\nnote: a fact\n\
                             help: a column with a similar name exists: `status`",
                },
                "locations": [{ "physicalLocation": { "artifactLocation": artifact, "region": region } }],
                "relatedLocations": [{
                    "physicalLocation": { "artifactLocation": artifact, "region": table },
                    "message": { "text": "this table" },
                }],
                "fixes": [{
                    "description": { "text": "a column with a similar name exists" },
                    "artifactChanges": [{
                        "artifactLocation": artifact,
                        "replacements": [{ "deletedRegion": region, "insertedContent": { "text": "status" } }],
                    }],
                }],
            })
        );
    }

    #[test]
    fn an_insertion_deletes_nothing() {
        let document = read(|span| {
            let place = span("FROM").before();
            vec![Diagnostic::at(Code::InvalidClause, place, "none").certain_fix("begin", place, "true ")]
        });
        let fix = &document["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
        let region = json!({ "startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 1 });
        assert_eq!(*fix, json!({ "deletedRegion": region, "insertedContent": { "text": "true " } }));
    }

    #[test]
    fn a_finding_without_a_place_is_shown_at_its_file_or_the_project_file() {
        for (base, path, uri) in [
            ("", None, "qtool.yaml"),
            ("", Some("queries/b.sql"), "queries/b.sql"),
            ("some shops/p3/", None, "some%20shops/p3/qtool.yaml"),
            ("some shops/p3/", Some("queries/b.sql"), "some%20shops/p3/queries/b.sql"),
        ] {
            let nowhere = Diagnostic::nowhere(Code::NotUtf8, "not UTF-8");
            let diagnostic = Diagnostic { path: path.map(str::to_owned), ..nowhere };
            let document = read_below(base, |_| vec![diagnostic]);
            let locations = &document["runs"][0]["results"][0]["locations"];
            let artifact = json!({ "uri": uri, "uriBaseId": "%SRCROOT%" });
            let place = json!({ "artifactLocation": artifact, "region": { "startLine": 1 } });
            assert_eq!(*locations, json!([{ "physicalLocation": place }]));
        }
    }

    #[test]
    fn all_paths_are_seen_from_the_working_directory() {
        let document = read_below("p3/", |span| {
            let place = span("statuss");
            vec![Diagnostic::at(Code::UnknownColumn, place, "none").fix("so", place, "status")]
        });
        let uri = "p3/queries/gr%C3%B6%C3%9Fe%2C%20alle.sql";
        let result = &document["runs"][0]["results"][0];
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], uri);
        assert_eq!(result["fixes"][0]["artifactChanges"][0]["artifactLocation"]["uri"], uri);
    }

    #[test]
    fn braces_in_a_message_are_doubled() {
        let document = read(|span| {
            let place = span("statuss");
            let diagnostic = Diagnostic::at(Code::InvalidValue, place, "found `{a: {0}}`").label("a {");
            vec![diagnostic.also(place, "{1}").fix("write {}", place, "{}")]
        });
        let result = &document["runs"][0]["results"][0];
        let text = "found `{{a: {{0}}}}`\na {{\nhelp: write {{}}: `{{}}`";
        assert_eq!(result["message"]["text"], text);
        assert_eq!(result["relatedLocations"][0]["message"]["text"], "{{1}}");
        assert_eq!(result["fixes"][0]["description"]["text"], "write {{}}");
        let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
        assert_eq!(change["insertedContent"]["text"], "{}", "not a message");
    }

    #[test]
    fn links_into_the_book_become_plain_words() {
        let page = "See [`lints`](../project-file.md#lints), [a](b.md) and [web](https://a.b/c.md#d).\n`[1](2)`";
        let plain = "See `lints`, a and [web](https://a.b/c.md#d).\n`[1](2)`";
        assert_eq!(without_links_into_the_book(page), plain);
        for code in Code::ALL {
            let plain = without_links_into_the_book(code.page());
            let links = plain.split("](").skip(1).filter(|rest| !rest.starts_with("https://"));
            assert_eq!(links.collect::<Vec<_>>(), Vec::<&str>::new(), "{code}");
        }
    }

    #[test]
    fn a_run_without_findings_has_an_empty_list_of_them() {
        let document = read(|_| Vec::new());
        let run = &document["runs"][0];
        assert_eq!(run["results"], json!([]));
        assert_eq!(run["tool"]["driver"]["rules"], json!([]));
    }

    #[test]
    fn every_rule_has_a_short_description_of_one_sentence() {
        for code in Code::ALL {
            let rule = rule(*code);
            let short = rule["shortDescription"]["text"].as_str().unwrap();
            assert!(short.ends_with('.') && !short.contains('\n') && short.len() > 10, "{code}: {short}");
            assert!(rule["fullDescription"]["text"].as_str().unwrap().starts_with(short), "{code}");
        }
    }
}
