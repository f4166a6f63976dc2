//! A tool as it is kept beside its query, for people who review and for the next comparison:
//! `snapshots/tools/<tool>.snap`.
//!
//! insta's file format (a header, `---`, the content: <https://insta.rs/docs/snapshot-files/>), so that the tools that
//! people have for snapshots read it. The content is YAML: what is published, then how it is found. Statements are
//! written in the one form that comparison knows, with the parameters' names in them, so that another layout of a query
//! changes nothing here. What is left out has its default.

mod form;
mod layout;
mod lost;
pub mod offered;
mod statement;
mod yaml;

use super::on_large_stack;
use crate::tool::Tool;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt;

/// What is told of a tool beside the tool itself. Nothing of it is compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The query file, e.g. `queries/late_flights.sql`.
    pub source: &'a str,
    /// How many tokens its definition takes of a model's context.
    pub tokens: Option<usize>,
    /// The optimised plan in short.
    pub plan: Option<&'a str>,
}

/// Why a snapshot cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// It is none, or one of another version.
    Malformed(String),
    /// It is that of another tool: somebody copied or renamed the file.
    Another(String),
    /// It says something that this version of qtool does not know.
    Later(String),
    /// Its content is not what was written: somebody changed it by hand, or merged two of them.
    Edited,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Malformed(why) => f.write_str(why),
            Unread::Another(tool) => write!(f, "it is the snapshot of the tool `{tool}`"),
            Unread::Later(key) => write!(f, "this version of qtool does not know its key `{key}`"),
            Unread::Edited => f.write_str("its content was changed after it was written: `contract` is another one"),
        }
    }
}

impl std::error::Error for Unread {}

const CONTRACT: &str = "contract";
const TOKENS: &str = "tokens";
const PLAN: &str = "plan";

/// Writes the snapshot of a tool.
pub fn write(tool: &Tool, about: &About<'_>) -> String {
    let body = on_large_stack(|| body(tool));
    let mut out =
        format!("---\nsource: {}\nexpression: tools.{}\n---\n", yaml::scalar(about.source), tool.contract.name);
    out.push_str(&body);
    out.push_str(&format!("{CONTRACT}: {}\n", hash(&body)));
    if let Some(tokens) = about.tokens {
        out.push_str(&format!("{TOKENS}: {tokens}\n"));
    }
    if let Some(plan) = about.plan {
        out.push_str(&yaml::entry(PLAN, &plan.into()));
    }
    out
}

/// What a tool's snapshot says as `contract`: SHA-256 of all that is compared, in hexadecimal digits.
pub fn contract(tool: &Tool) -> String {
    hash(&on_large_stack(|| body(tool)))
}

/// Reads a tool back: as it was, with its statements in the one form, which run as those that were written.
///
/// Errors: the text is no snapshot of a tool, or was changed by hand.
pub fn read(text: &str) -> Result<Tool, Unread> {
    let content = content(text);
    let cut = content.find(&format!("\n{CONTRACT}: ")).map(|at| at + 1);
    let Some((body, rest)) = cut.and_then(|at| content.split_at_checked(at)) else {
        return Err(Unread::Malformed(format!("there is no `{CONTRACT}` in it")));
    };
    let written = rest.lines().next().and_then(|line| line.strip_prefix(CONTRACT)?.strip_prefix(": "));
    if written.map(str::trim_end) != Some(hash(body).as_str()) {
        return Err(Unread::Edited);
    }
    let value = yaml::read(body).map_err(Unread::Malformed)?;
    on_large_stack(|| {
        let tool = form::read(value.clone()).map_err(Unread::Malformed)?;
        // What is not understood may be what protects: it does not fall away in silence.
        match lost::first(&value, &Value::Object(form::write(&tool))) {
            Some(key) => Err(Unread::Later(key)),
            None => Ok(tool),
        }
    })
}

/// Reads the tool of that name back, as [`read`] does.
///
/// Errors: those of [`read`], and that the snapshot is of another tool.
pub fn read_named(name: &str, text: &str) -> Result<Tool, Unread> {
    let tool = read(text)?;
    if tool.contract.name == name { Ok(tool) } else { Err(Unread::Another(tool.contract.name)) }
}

/// What of a snapshot counts: without the header, which names the file, and what is told beside.
pub fn content(text: &str) -> &str {
    let content = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map(|(_, content)| content);
    content.unwrap_or(text)
}

fn body(tool: &Tool) -> String {
    yaml::write(&form::write(tool))
}

fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

#[cfg(test)]
mod tests;
