//! Tells what of a project's tools does not suit a provider or a client.

use super::finding::{Finding, Severity};
use super::measure::Measure;
use super::{Lowered, Profile, limits, lower_tool, names};
use crate::emit::{description, mcp};
use crate::tool::Contract;
use serde_json::Value;

/// Checks the tools of a server, in their order; what is about all of them comes last. The server's name is the one
/// that it has in the client's configuration.
pub fn check(server_name: &str, tools: &[Contract], profile: Profile) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tools.iter().flat_map(|tool| of_tool(server_name, tool, profile)).collect();
    findings.extend(too_many(tools.len(), profile));
    findings
}

fn of_tool(server: &str, tool: &Contract, profile: Profile) -> Vec<Finding> {
    let finding = |severity, what: String, hint: &str| Finding {
        tool: Some(tool.name.clone()),
        severity,
        what,
        hint: Some(hint.to_owned()),
    };
    let schema = mcp::input_schema(tool);
    let parameters = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let misnamed = parameters.filter_map(|(name, _)| names::parameter(name, profile));
    let mut findings: Vec<Finding> = names::tool(server, &tool.name, profile)
        .into_iter()
        .chain(misnamed)
        .map(|one| finding(one.severity, one.what, one.hint))
        .collect();
    if let Some(what) = description::description_of(tool).and_then(|text| too_long(&text, profile)) {
        findings.push(finding(Severity::Warning, what, "say the most important first, and less"));
    }
    let lowered = lower_tool(tool, profile);
    if !lowered.unsayable.is_empty() {
        let names = lowered.unsayable.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let what = format!("strict mode has no schema for {names}");
        findings.push(finding(Severity::Warning, what, "the tool is emitted without strict mode"));
        return findings;
    }
    if profile == Profile::OpenAiStrict {
        let excess = Measure::of(&lowered.schema).excess();
        findings.extend(excess.into_iter().map(|what| finding(Severity::Error, what, "list fewer values")));
    }
    if let Some(what) = in_words(&lowered) {
        findings.push(finding(Severity::Note, what, "the server enforces it all the same"));
    }
    findings
}

/// The restrictions that the client's model only reads of.
fn in_words(lowered: &Lowered) -> Option<String> {
    let restrictions: Vec<String> = lowered
        .moved
        .iter()
        .filter(|moved| moved.restricts())
        .map(|moved| format!("`{}` of `{}`", moved.keyword, moved.parameter))
        .collect();
    (!restrictions.is_empty()).then(|| format!("said in words only: {}", restrictions.join(", ")))
}

fn too_long(description: &str, profile: Profile) -> Option<String> {
    let (length, unit, most) = match profile {
        Profile::OpenAi | Profile::OpenAiStrict => {
            (description.chars().count(), "characters; Chat Completions takes", limits::OPENAI_DESCRIPTION)
        }
        Profile::Claude => (description.len(), "bytes; Claude Code cuts it behind", limits::CLAUDE_CODE_DESCRIPTION),
        Profile::Gemini | Profile::Cursor => return None,
    };
    (length > most).then(|| format!("the description has {length} {unit} {most}"))
}

fn too_many(tools: usize, profile: Profile) -> Option<Finding> {
    let (most, severity, who) = match profile {
        Profile::OpenAi | Profile::OpenAiStrict => (limits::OPENAI_TOOLS, Severity::Error, "OpenAI takes"),
        Profile::Gemini => (limits::GEMINI_TOOLS, Severity::Error, "Gemini takes"),
        Profile::Cursor => (limits::CURSOR_TOOLS, Severity::Warning, "some versions of Cursor send"),
        Profile::Claude => return None,
    };
    (tools > most).then(|| Finding {
        tool: None,
        severity,
        what: format!("there are {tools} tools; {who} {most} at most"),
        hint: Some("serve them apart, as toolsets".to_owned()),
    })
}
