//! The last look at what agents will read, before it is put into an executable: nothing hides, nothing is endless, no
//! two names are one. The compiler warns of most of it at its place; what is shipped must be free of it, whoever
//! silenced the warning and wherever the text came from.

use crate::emit;
use crate::prompts::Prompt;
use crate::rules::instructing_description::{instruction, invisible};
use crate::tool::{Offered, Tool};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// The longest text that describes something, in characters. Clients cut at 2,000 and less.
const LONGEST_DESCRIPTION: usize = 8_192;
/// The longest of all other texts.
const LONGEST_TEXT: usize = 1_024;
/// The longest name of a tool or parameter: what every provider takes.
const LONGEST_NAME: usize = 64;

/// Something that must not be shipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Whose: ``tool `late_flights` ``.
    pub of: String,
    /// Where in it: `inputSchema.properties.carrier.description`.
    pub at: String,
    /// What is wrong, in words.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}` {}", self.of, self.at, self.what)
    }
}

/// Everything that is wrong with what these tools and prompts publish, and with what is passed on of other servers.
pub fn flaws(tools: &[Tool], prompts: &[Prompt], offered: &[Offered]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for tool in tools {
        let of = format!("tool `{}`", plain_text(&tool.contract.name));
        let mut look = Look { of: &of, instructs: true, flaws: &mut flaws };
        look.at("", &emit::mcp::tool(&tool.contract));
        look.name("name", &tool.contract.name);
        tool.contract.published().for_each(|parameter| look.name("inputSchema.properties", &parameter.name));
        let folded = folded(&tool.contract.name);
        if let Some(other) = names.insert(folded, &tool.contract.name) {
            look.push("name", &format!("is the same as `{}` where clients fold names", plain_text(other)));
        }
        let mut parameters: BTreeMap<String, &str> = BTreeMap::new();
        for parameter in tool.contract.published() {
            if let Some(other) = parameters.insert(self::folded(&parameter.name), &parameter.name) {
                let what = format!("is the same as `{}` where clients fold names", plain_text(other));
                look.push(&format!("inputSchema.properties.{}", plain_text(&parameter.name)), &what);
            }
        }
    }
    for prompt in prompts {
        let of = format!("prompt `{}`", plain_text(&prompt.name));
        // To instruct is what a prompt is for.
        Look { of: &of, instructs: false, flaws: &mut flaws }.at("", &json!(prompt));
    }
    for one in offered {
        for prompt in &one.prompts {
            let of = format!("prompt `{}`", plain_text(&prompt.name));
            let mut look = Look { of: &of, instructs: true, flaws: &mut flaws };
            look.name("name", &prompt.name);
            look.at("", &json!(prompt.locked));
        }
        let resources = one.resources.iter().map(|one| (&one.uri, json!(one)));
        let templates = one.templates.iter().map(|one| (&one.uri_template, json!(one)));
        for (uri, listed) in resources.chain(templates) {
            let of = format!("resource `{}`", plain_text(uri));
            Look { of: &of, instructs: true, flaws: &mut flaws }.at("", &listed);
        }
    }
    flaws
}

/// How clients fold names that take them for file names or words: case and separators do not count.
fn folded(name: &str) -> String {
    name.to_lowercase().chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).collect()
}

/// The text with every sign that cannot be seen written out.
fn plain_text(text: &str) -> String {
    let shown: String = text.chars().take(LONGEST_NAME).collect();
    shown.escape_debug().to_string()
}

struct Look<'a> {
    of: &'a str,
    instructs: bool,
    flaws: &'a mut Vec<Flaw>,
}

impl Look<'_> {
    fn push(&mut self, at: &str, what: &str) {
        self.flaws.push(Flaw { of: self.of.to_owned(), at: at.to_owned(), what: what.to_owned() });
    }

    fn name(&mut self, at: &str, name: &str) {
        let mut letters = name.chars();
        let is_word = letters.next().is_some_and(|first| first.is_ascii_lowercase() || first == '_')
            && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !is_word {
            self.push(at, &format!("holds `{}`, which is no name that every client takes", plain_text(name)));
        } else if name.len() > LONGEST_NAME {
            self.push(at, &format!("holds a name of {} characters: at most {LONGEST_NAME}", name.len()));
        }
    }

    fn at(&mut self, path: &str, value: &Value) {
        let below = |key: &str| if path.is_empty() { plain_text(key) } else { format!("{path}.{}", plain_text(key)) };
        match value {
            Value::String(text) => self.text(path, text),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(at, item)| self.at(&below(&at.to_string()), item))
            }
            Value::Object(map) => {
                for (key, value) in map {
                    if let Some((_, character)) = invisible(key) {
                        self.push(path, &format!("has a key with the invisible character {}", code(character)));
                    }
                    self.at(&below(key), value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, path: &str, text: &str) {
        if let Some((_, character)) = invisible(text) {
            self.push(path, &format!("holds the invisible character {}", code(character)));
        }
        let is_description = path.ends_with("description") || path.ends_with("template");
        if self.instructs && (is_description || path == "title") && instruction(text).is_some() {
            self.push(path, "instructs the model instead of describing");
        }
        let most = if is_description { LONGEST_DESCRIPTION } else { LONGEST_TEXT };
        let length = text.chars().count();
        if length > most {
            self.push(path, &format!("has {length} characters: at most {most}"));
        }
    }
}

fn code(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}
