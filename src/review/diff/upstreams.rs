//! Tools of other servers: which one is called, with which values, what is masked, and what its server says of it.

use super::Found;
use crate::review::change::Kind;
use crate::tool::{Output, Tool, UpstreamCall};
use serde::Serialize;
use serde_json::Value;

/// Compares what two tools call that are of other servers.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    answers(before, after, found);
    let (Some(old), Some(new)) = (before.upstream(), after.upstream()) else { return };
    for ((what, was), (_, is)) in calls(old).into_iter().zip(calls(new)) {
        if was != is {
            found.push_texts(Kind::UpstreamChanged, Some(what), Some(&was), Some(&is));
        }
    }
    if old.said != new.said {
        let said = |call: &UpstreamCall| call.said.clone();
        let (was, is) = (said(old), said(new));
        found.push_texts(Kind::UpstreamDefinitionChanged, Some("description"), was.as_deref(), is.as_deref());
    }
    // Also of what `qtool.yaml` replaces: a tool that is described anew may do something new.
    if old.digest != new.digest {
        let digest = |call: &UpstreamCall| call.digest.chars().take(12).collect::<String>();
        found.push(Kind::UpstreamDefinitionChanged, None, (Some(digest(old)), Some(digest(new))));
    }
}

/// What is called, by the keys of a snapshot.
fn calls(call: &UpstreamCall) -> [(&'static str, String); 10] {
    [
        ("upstream", call.upstream.clone()),
        ("remote", call.remote.clone()),
        ("cwd", text(&call.cwd)),
        ("env", text(&call.env)),
        ("headers", text(&call.headers)),
        ("auth", text(&call.auth)),
        ("elicitation", call.elicitation.to_string()),
        ("sampling", call.sampling.to_string()),
        ("arguments", text(&call.arguments)),
        ("mask", text(&call.mask)),
    ]
}

fn text(value: &impl Serialize) -> String {
    match serde_json::to_value(value).unwrap_or_default() {
        Value::Array(items) if items.is_empty() => "nothing".to_owned(),
        Value::Object(map) if map.is_empty() => "nothing".to_owned(),
        Value::Null => "nothing".to_owned(),
        value => value.to_string(),
    }
}

/// Compares the schemas of the data that answers have.
fn answers(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let schema = |tool: &Tool| match &tool.contract.output {
        Output::Passed { schema } => Some(schema.as_ref().map_or_else(|| "none".to_owned(), sorted)),
        _ => None,
    };
    let (Some(was), Some(is)) = (schema(before), schema(after)) else { return };
    if was != is {
        found.push_texts(Kind::OutputSchemaChanged, None, Some(&was), Some(&is));
    }
}

/// A schema whose keys are in the order of the alphabet, which says nothing.
pub(super) fn sorted(schema: &Value) -> String {
    let mut schema = schema.clone();
    schema.sort_all_objects();
    schema.to_string()
}
