//! What tools and parameters may be called.

use super::finding::Severity;
use super::{Profile, limits};

/// Why a name does not do.
pub(super) struct Misnamed {
    pub(super) severity: Severity,
    pub(super) what: String,
    pub(super) hint: &'static str,
}

const SHORTER_TOOL: &str = "give the tool or the server a shorter name";
const OTHER_PARAMETER: &str = "give the parameter another name";

/// The characters of a name, and how many of them.
struct Rule {
    first: fn(char) -> bool,
    rest: fn(char) -> bool,
    most: usize,
}

impl Rule {
    fn broken_by(&self, name: &str) -> Option<String> {
        let length = name.chars().count();
        if length > self.most {
            return Some(format!("has {length} characters, and {} are the most", self.most));
        }
        let mut chars = name.chars();
        match chars.next().filter(|c| !(self.first)(*c)).or_else(|| chars.find(|c| !(self.rest)(*c))) {
            Some(wrong) => Some(format!("has the character {wrong:?} where it may not stand")),
            None if name.is_empty() => Some("is empty".to_owned()),
            None => None,
        }
    }
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn word_or_dash(c: char) -> bool {
    word(c) || c == '-'
}

fn word_dash_or_dot(c: char) -> bool {
    word_or_dash(c) || c == '.'
}

fn word_dash_dot_or_colon(c: char) -> bool {
    word_dash_or_dot(c) || c == ':'
}

/// Whether a tool of that server may be called so.
pub(super) fn tool(server: &str, name: &str, profile: Profile) -> Option<Misnamed> {
    let rule = match profile {
        Profile::OpenAi | Profile::OpenAiStrict => {
            Rule { first: word_or_dash, rest: word_or_dash, most: limits::OPENAI_NAME }
        }
        Profile::Claude | Profile::Cursor => {
            Rule { first: word_or_dash, rest: word_or_dash, most: limits::CLAUDE_NAME }
        }
        Profile::Gemini => Rule { first: letter, rest: word_dash_dot_or_colon, most: limits::GEMINI_NAME },
    };
    if let Some(why) = rule.broken_by(name) {
        return Some(error(format!("the name {why}"), SHORTER_TOOL));
    }
    let length = name.chars().count();
    let with_server = server.chars().count() + length;
    match profile {
        Profile::Claude => as_claude_code_calls_it(with_server),
        Profile::Gemini if length > limits::GEMINI_OLD_NAME => Some(warning(
            format!("the name has {length} characters; older versions of the API take {}", limits::GEMINI_OLD_NAME),
            SHORTER_TOOL,
        )),
        Profile::Cursor if with_server > limits::CURSOR_NAMES => Some(error(
            format!(
                "the names of server and tool have {with_server} characters together; {} are the most in Cursor",
                limits::CURSOR_NAMES
            ),
            SHORTER_TOOL,
        )),
        _ => None,
    }
}

/// Claude Code names a tool `mcp__<server>__<tool>`.
fn as_claude_code_calls_it(with_server: usize) -> Option<Misnamed> {
    let length = "mcp____".len() + with_server;
    let what = format!("the name in Claude Code, mcp__<server>__<tool>, has {length} characters");
    if length > limits::CLAUDE_NAME {
        return Some(error(format!("{what}, and {} are the most", limits::CLAUDE_NAME), SHORTER_TOOL));
    }
    let old = limits::CLAUDE_OLD_NAME;
    (length > old).then(|| warning(format!("{what}; older versions of the API take {old}"), SHORTER_TOOL))
}

/// Whether a parameter may be called so.
pub(super) fn parameter(name: &str, profile: Profile) -> Option<Misnamed> {
    let claude = Rule { first: word_dash_or_dot, rest: word_dash_or_dot, most: limits::CLAUDE_PARAMETER };
    let gemini = Rule { first: letter, rest: word, most: limits::GEMINI_PARAMETER };
    let (rule, refused) = match profile {
        Profile::OpenAi | Profile::OpenAiStrict => return None,
        Profile::Claude => (claude, error as fn(String, &'static str) -> Misnamed),
        Profile::Gemini | Profile::Cursor => (gemini, warning as fn(String, &'static str) -> Misnamed),
    };
    rule.broken_by(name).map(|why| refused(format!("the name of the parameter `{name}` {why}"), OTHER_PARAMETER))
}

fn error(what: String, hint: &'static str) -> Misnamed {
    Misnamed { severity: Severity::Error, what, hint }
}

fn warning(what: String, hint: &'static str) -> Misnamed {
    Misnamed { severity: Severity::Warning, what, hint }
}
