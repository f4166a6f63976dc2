//! MCP Toolbox's tools.yaml: one mapping with `sources` and `tools`, or a document with a `kind` for each. What an author
//! wrote of a tool and has a form here is carried over; all else is listed.

mod parameter;

use super::statement::{Named, rewrite};
use crate::in_words::in_words;
use crate::name::{is_legal, snake_case};
use parameter::Parameter;
use serde_json::{Map, Value};
use sqlparser::dialect::GenericDialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Tokenizer};

in_words! {
    /// Why a text is no tools.yaml.
    pub(super) struct NoTools;
}

/// What was made of a file.
#[derive(Debug, Default)]
pub(super) struct Imported {
    pub queries: Vec<Query>,
    /// The names of toolsets, with those of their tools.
    pub toolsets: Vec<(String, Vec<String>)>,
    /// The tables that the statements read, as far as they can be told.
    tables: Vec<String>,
    /// What could not be carried over, a line each.
    pub left: Vec<String>,
}

/// A query file.
#[derive(Debug)]
pub(super) struct Query {
    /// The name of the file, without its ending.
    pub name: String,
    pub text: String,
}

/// Something with a name, of a kind: `sources`, `tools`.
struct Entry {
    kind: String,
    name: String,
    body: Map<String, Value>,
}

/// Reads a tools.yaml.
pub(super) fn read(text: &str) -> Result<Imported, NoTools> {
    // To Toolbox, `n` and `off` are texts.
    let options = serde_yaml::options! { strict_booleans: true };
    let documents: Vec<Value> = serde_yaml::from_multiple_with_options(text, options).map_err(|error| {
        let words = error.without_snippet().to_string();
        NoTools::from(words.lines().next().unwrap_or_default())
    })?;
    let mut imported = Imported::default();
    let entries: Vec<Entry> = documents.into_iter().flat_map(entries).collect();
    if !entries.iter().any(|entry| entry.kind == "tool") {
        return Err("it has no tools".into());
    }
    entries.iter().for_each(|entry| imported.take(entry));
    Ok(imported)
}

/// What a document declares: itself, where it has a `kind`, else all below its keys.
fn entries(document: Value) -> Vec<Entry> {
    let Value::Object(map) = document else { return Vec::new() };
    if let Some(kind) = map.get("kind").and_then(Value::as_str) {
        let name = map.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        return vec![Entry { kind: kind.trim_end_matches('s').to_owned(), name, body: map }];
    }
    let mut found = Vec::new();
    for (kind, below) in map {
        let kind = kind.trim_end_matches('s').to_owned();
        let Value::Object(below) = below else { continue };
        for (name, body) in below {
            let body = match body {
                Value::Object(body) => body,
                // A toolset is a list of tools.
                list => Map::from_iter([("tools".to_owned(), list)]),
            };
            found.push(Entry { kind: kind.clone(), name, body });
        }
    }
    found
}

impl Imported {
    fn take(&mut self, entry: &Entry) {
        let name = &entry.name;
        match entry.kind.as_str() {
            "tool" => self.tool(entry),
            "source" => {
                let ty = text(&entry.body, "type").or_else(|| text(&entry.body, "kind")).unwrap_or("unknown");
                let how = "tables are files: write its rows to Parquet or CSV";
                self.left.push(format!("source `{name}` ({ty}): {how}"));
            }
            "toolset" | "group" => {
                let tools = entry.body.get("tools").and_then(Value::as_array);
                let tools = tools.into_iter().flatten().filter_map(Value::as_str).map(snake_case).collect();
                self.toolsets.push((snake_case(name), tools));
            }
            kind => {
                let how = if kind.starts_with("auth") {
                    "say under `auth` in qtool.yaml whose tokens are taken"
                } else {
                    "it has no form here"
                };
                self.left.push(format!("{kind} `{name}`: {how}"));
            }
        }
    }

    fn tool(&mut self, entry: &Entry) {
        let (name, body) = (snake_case(&entry.name), &entry.body);
        let shown = format!("tool `{}`", entry.name);
        let ty = text(body, "type").or_else(|| text(body, "kind")).unwrap_or("unknown");
        let Some(statement) = text(body, "statement").map(|text| text.trim().trim_end_matches(';').trim_end()) else {
            return self.left.push(format!("{shown} ({ty}): it has no SQL statement of its own"));
        };
        if !is_legal(&name) {
            return self.left.push(format!("{shown}: the name cannot be one of a tool"));
        }
        let first = statement.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_uppercase();
        if !["SELECT", "WITH", "VALUES", "FROM", ""].contains(&first.as_str()) {
            return self.left.push(format!("{shown}: {first} is no query, and tools here only read"));
        }
        if let Some(why) = writes(statement) {
            return self.left.push(format!("{shown}: {why}, and tools here only read"));
        }
        let parameters = self.parameters(body, &shown);
        let named: Vec<Named<'_>> =
            parameters.iter().map(|one| Named { theirs: &one.theirs, written: one.written() }).collect();
        let rewritten = rewrite(statement, &named);
        for unknown in &rewritten.unknown {
            self.left.push(format!("{shown}: `{unknown}` belongs to no parameter"));
        }
        let mut header = vec![("description".to_owned(), body.get("description").cloned().unwrap_or_default())];
        let mut settings = Map::new();
        for (at, parameter) in parameters.iter().enumerate() {
            if !rewritten.used.contains(&at) {
                self.left.push(format!("{shown}: parameter `{}` is not used by its statement", parameter.theirs));
                continue;
            }
            let is_spliced = rewritten.spliced.contains(&at);
            let (setting, left) = parameter.settings(is_spliced);
            self.left.extend(left.into_iter().map(|left| format!("{shown}: parameter `{}`: {left}", parameter.theirs)));
            settings.insert(parameter.name.clone(), Value::Object(setting));
        }
        self.access(body, &shown, &mut header);
        if !settings.is_empty() {
            header.push(("params".to_owned(), Value::Object(settings)));
        }
        self.tables.extend(tables(statement));
        self.queries.push(Query { name, text: format!("/*---\n{}---*/\n{}\n", yaml(&header), rewritten.text) });
    }

    /// The parameters of a tool: those of values, and behind them those that are spliced into the statement.
    fn parameters(&mut self, body: &Map<String, Value>, shown: &str) -> Vec<Parameter> {
        let listed = |key: &str| body.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut found = Vec::new();
        for value in listed("parameters").iter().chain(&listed("templateParameters")) {
            match Parameter::read(value) {
                Some(parameter) => found.push(parameter),
                None => {
                    let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
                    let what = if name.is_empty() { "without a name".to_owned() } else { format!("`{name}`") };
                    self.left.push(format!("{shown}: parameter {what} has no name that it can have here"));
                }
            }
        }
        found
    }

    /// Who may call a tool, and the settings that have no form here.
    fn access(&mut self, body: &Map<String, Value>, shown: &str, header: &mut Vec<(String, Value)>) {
        if let Some(scopes) =
            body.get("scopesRequired").filter(|scopes| scopes.as_array().is_some_and(|all| !all.is_empty()))
        {
            header.push(("scopes".to_owned(), scopes.clone()));
        }
        let known = [
            "kind",
            "type",
            "name",
            "source",
            "description",
            "statement",
            "parameters",
            "templateParameters",
            "scopesRequired",
            "authRequired",
            "annotations",
        ];
        if body.get("authRequired").and_then(Value::as_array).is_some_and(|all| !all.is_empty()) {
            self.left.push(format!(
                "{shown}: it asks for a token, and is anybody's here until `auth` in qtool.yaml says whose tokens are taken"
            ));
        }
        for key in body.keys().filter(|key| !known.contains(&key.as_str())) {
            self.left.push(format!("{shown}: `{key}` has no form here"));
        }
    }

    /// A qtool.yaml for a project that has none.
    pub(super) fn project_text(&self, name: &str) -> String {
        let mut tables = self.tables.clone();
        tables.sort();
        tables.dedup();
        let mut text = format!("name: {}\n", Value::from(name));
        if !tables.is_empty() {
            text.push_str("# Where the rows of each table lie: Parquet, CSV, JSON, Arrow or Avro.\ntables:\n");
            tables.iter().for_each(|table| text.push_str(&format!("  {table}: {{ path: data/{table}.parquet }}\n")));
        }
        let has = |tool: &&String| self.queries.iter().any(|query| query.name == **tool);
        let sets: Vec<(&String, Vec<&String>)> =
            self.toolsets.iter().map(|(name, tools)| (name, tools.iter().filter(has).collect())).collect();
        let sets: Vec<_> = sets.into_iter().filter(|(name, tools)| !tools.is_empty() && is_legal(name)).collect();
        if !sets.is_empty() {
            text.push_str("toolsets:\n");
            for (name, tools) in sets {
                let tools: Vec<&str> = tools.into_iter().map(String::as_str).collect();
                text.push_str(&format!("  {name}: {{ tools: [{}] }}\n", tools.join(", ")));
            }
        }
        text
    }
}

/// Why a statement that begins as a query is none: it has another one behind it, or changes data in a part of it. One that
/// cannot be split into words is for `check` to refuse.
fn writes(statement: &str) -> Option<String> {
    let tokens = Tokenizer::new(&GenericDialect {}, statement).tokenize().ok()?;
    let tokens: Vec<Token> = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    if tokens.contains(&Token::SemiColon) {
        return Some("it has several statements".to_owned());
    }
    tokens.windows(2).find_map(|pair| match pair {
        [Token::LParen | Token::RParen, Token::Word(word)] if word.quote_style.is_none() => {
            let changes = [Keyword::INSERT, Keyword::UPDATE, Keyword::DELETE, Keyword::MERGE, Keyword::TRUNCATE];
            changes.contains(&word.keyword).then(|| format!("{} is no query", word.value.to_uppercase()))
        }
        _ => None,
    })
}

/// The names behind FROM and JOIN that can be those of tables, without those that WITH gives.
fn tables(statement: &str) -> Vec<String> {
    let words: Vec<&str> = statement
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';'))
        .filter(|word| !word.is_empty())
        .collect();
    let is = |word: &str, wanted: &[&str]| wanted.contains(&word.to_uppercase().as_str());
    let given: Vec<String> = words
        .windows(2)
        .filter_map(|pair| match pair {
            [name, word] if is(word, &["AS"]) => Some(name.to_lowercase()),
            _ => None,
        })
        .collect();
    let named = words.windows(2).filter_map(|pair| match pair {
        [word, name] if is(word, &["FROM", "JOIN"]) => Some(name.rsplit('.').next().unwrap_or(name)),
        _ => None,
    });
    named
        .map(|name| name.trim_matches(['"', '`']).to_lowercase())
        .filter(|name| is_legal(name) && !given.contains(name))
        .collect()
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key).and_then(Value::as_str)
}

/// Keys and values as YAML: what is below is written as JSON, which YAML is a form of.
fn yaml(entries: &[(String, Value)]) -> String {
    let mut out = String::new();
    for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
        match (key.as_str(), value) {
            ("params", Value::Object(params)) => {
                out.push_str("params:\n");
                params.iter().for_each(|(name, setting)| out.push_str(&format!("  {name}: {}\n", json(setting))));
            }
            (_, Value::String(text)) => out.push_str(&format!("{key}: {}\n", json(&Value::from(text.trim())))),
            _ => out.push_str(&format!("{key}: {}\n", json(value))),
        }
    }
    out
}

/// A value as JSON in one line, which cannot end the comment that the header is.
fn json(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| match key.as_str() {
                    // These words would be no texts.
                    "true" | "false" | "null" => format!("'{key}': {}", json(value)),
                    _ => format!("{key}: {}", json(value)),
                })
                .collect();
            if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
        }
        Value::Array(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        other => other.to_string().replace("*/", "*\\/"),
    }
}

#[cfg(test)]
mod tests;
