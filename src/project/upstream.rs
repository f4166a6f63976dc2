//! `upstreams` of `qtool.yaml`: other MCP servers, which of their tools are tools of the project, and which of their prompts and
//! resources are passed on.

use super::appearance::AnnotationsConfig;
use super::bound::BoundFrom;
use super::inclusion::matches_text;
use super::limits::ByteSize;
use super::settings::Timeout;
use super::upstream_offers::{LockedPrompt, LockedResource, LockedTemplate, digest_of};
use crate::name::snake_case;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Another MCP server, which of its tools are tools of the project, and what else of it is passed on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpstreamConfig {
    /// The program that is the server, and its arguments: `[npx, -y, "@modelcontextprotocol/server-everything"]`. It is spoken with
    /// over its standard input and output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub command: Vec<String>,
    /// Variables of the program's environment; values may have variables of the server's in them: `{ TOKEN: "${TOKEN}" }`. Beside
    /// them it has those that programs need to run at all.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub env: IndexMap<String, String>,
    /// The folder that the program runs in, below the project. Default: that of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub cwd: Option<String>,
    /// Where the server answers over streamable HTTP: `https://tools.example.com/mcp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub url: Option<String>,
    /// Headers of each request; values may have variables of the server's in them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// How qtool shows who it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<UpstreamAuth>,
    /// Patterns of the tools that are taken, by their names there; `*` stands for any letters. It may be left out where `prompts` or
    /// `resources` says what is taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-expected" = "a list of patterns such as `[get_*, search]`, or `['*']`"))]
    pub include: Vec<String>,
    /// Patterns of the prompts that are passed on, by their names there. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-expected" = "a list of patterns such as `[review_*]`, or `['*']`"))]
    pub prompts: Vec<String>,
    /// Patterns of the resources that are passed on, by their URIs and the templates of URIs there. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-expected" = "a list of patterns such as `['docs://guide/*']`, or `['*']`"))]
    pub resources: Vec<String>,
    /// Patterns of the tools that are left out, though `include` takes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which tools are left out: without `exclude` all that `include` names are taken"))]
    pub exclude: Vec<String>,
    /// What stands before the names of its tools and prompts here. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), regex(pattern = r"^[a-z][a-z0-9_]*$"))]
    pub prefix: Option<String>,
    /// What is different of single tools here, by their names there.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub overrides: IndexMap<String, UpstreamToolConfig>,
    /// Whether what the server says of the effects of its tools is believed. Default: false: they are taken for tools that may change
    /// and destroy something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trust_annotations: bool,
    /// What a caller's token must be good for: without all of these its tools, prompts and
    /// resources are neither listed nor to be had over HTTP.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which scopes a caller needs: without `scopes` every caller sees and calls them"))]
    pub scopes: Vec<String>,
    /// Words to group tools by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub tags: Vec<String>,
    /// Whether questions of the server to a person are passed on to whoever calls, where their client can ask. Default: false: they are
    /// declined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elicitation: bool,
    /// Whether the server may ask the model of whoever calls, where their client lets it. Default: false: that is declined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sampling: bool,
    /// How many calls the server gets at a time; more wait for their turn. Where questions are passed on, each call has a
    /// connection of its own, which is a program of its own where the server is one. Default: 8, and 4 where questions are passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub concurrency: Option<u16>,
    /// How long a call may take, with the time that people take for an answer. Default: that of `defaults`, else 30s, and 5m where
    /// questions are passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// How long a start and the first exchange may take. Default: 30s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_timeout: Option<Timeout>,
    /// How long what the server said of its tools is taken to hold, before it is asked again. It is asked sooner where it was started
    /// anew, or tells that something has changed. Default: 10s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recheck: Option<Timeout>,
    /// The largest answer. Default: that of `limits`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<ByteSize>,
}

/// How qtool shows who it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpstreamAuth {
    /// The token that is sent as `Authorization: Bearer …`: `"${GITHUB_TOKEN}"`.
    #[schemars(length(min = 1))]
    pub bearer: String,
}

/// What is different of a tool here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpstreamToolConfig {
    /// What it is called here, whole. Default: its name there in snake_case, behind the prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// Its name for people, in the place of that there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub title: Option<String>,
    /// What it does, in the place of what is said there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub description: Option<String>,
    /// What is different of its parameters, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub params: IndexMap<String, UpstreamParamConfig>,
    /// What is known of its effects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<AnnotationsConfig>,
    /// What a caller's token must be good for, in the place of what the server's tools ask for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which scopes a caller needs: without `scopes` those of the server hold"))]
    pub scopes: Vec<String>,
    /// More words to group tools by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub tags: Vec<String>,
    /// How long a call may take. Default: that of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// The largest answer. Default: that of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<ByteSize>,
    /// Most calls a second of one caller. Default: as many as the server allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub calls_per_second: Option<u32>,
    /// Whether a person is asked for arguments that are missing, where the client of whoever calls can ask. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask: bool,
    /// What nobody sees of its answers: JSON Pointers into their data, where `*` stands for any key or place: `/users/*/email`. What is
    /// there is a `…`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(regex(pattern = r"^(/([^~/]|~[01])*)+$")))]
    #[schemars(extend("x-keep" = "say what is masked: without `mask` every caller sees all of an answer"))]
    pub mask: Vec<String>,
}

/// What is different of a parameter of a tool here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpstreamParamConfig {
    /// What it is called here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// What it means, in the place of what is said there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub description: Option<String>,
    /// What is sent where the agent sends nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// What is always sent: the agent neither sees nor sends it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-keep" = "say the value: without `fixed` it is the agent's to choose"))]
    pub fixed: Option<Value>,
    /// Where the value comes from, instead of from the agent: `claim.NAME`, `header.NAME` or `env.NAME`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<BoundFrom>,
    /// Whether it is never sent, and the agent does not see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-keep" = "say that it is hidden: without `hidden` it is the agent's to choose"))]
    pub hidden: bool,
    /// What must hold of the value beside what is asked for there, as JSON Schema: `{ enum: [open, closed] }`, `{ maximum: 50 }`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-keep" = "say what is allowed: without `narrow` all is that the server allows"))]
    pub narrow: Option<Map<String, Value>>,
}

/// A `null` that is said is a value.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl UpstreamConfig {
    /// Whether a tool of that name there is taken.
    pub fn takes(&self, name: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches_text(pattern, name));
        any(&self.include) && !any(&self.exclude)
    }

    /// Whether a prompt of that name there is passed on.
    pub fn takes_prompt(&self, name: &str) -> bool {
        self.prompts.iter().any(|pattern| matches_text(pattern, name))
    }

    /// Whether a resource of that URI there is passed on, or those of that template of URIs.
    pub fn takes_resource(&self, uri: &str) -> bool {
        self.resources.iter().any(|pattern| matches_text(pattern, uri))
    }

    /// Whether something of it is passed on beside its tools.
    pub fn offers(&self) -> bool {
        !self.prompts.is_empty() || !self.resources.is_empty()
    }

    /// What a prompt of that name there is called here.
    pub fn prompt_name_here(&self, name: &str) -> String {
        format!("{}{}", self.prefix.as_deref().unwrap_or_default(), snake_case(name))
    }

    /// What a tool of that name there is called here.
    pub fn name_here(&self, name: &str) -> String {
        match self.overrides.get(name).and_then(|own| own.name.as_ref()) {
            Some(own) => own.clone(),
            None => self.prompt_name_here(name),
        }
    }

    /// Why it cannot be asked, whatever the server says: nothing or too much says where it is, or the address is none.
    pub fn flaw_of_reach(&self) -> Option<String> {
        match (self.command.first(), &self.url) {
            (Some(_), Some(_)) => {
                Some("a server is a program or an address: it has a `command` or a `url`, and not both".to_owned())
            }
            (None, None) => Some("nothing says where the server is: it has a `command` or a `url`".to_owned()),
            (Some(_), None) => self
                .cwd
                .as_deref()
                .filter(|cwd| leads_out(cwd))
                .map(|_| "the folder of a program lies below the project".to_owned()),
            (None, Some(url)) => flaw_of_url(url),
        }
    }

    /// Whether any questions of the server are passed on.
    pub fn passes_questions_on(&self) -> bool {
        self.elicitation || self.sampling
    }

    /// The texts that may have variables in them, with the keys that lead to them.
    pub fn texts(&self) -> Vec<(Vec<&str>, &str)> {
        let env = self.env.iter().map(|(name, text)| (vec!["env", name.as_str()], text.as_str()));
        let headers = self.headers.iter().map(|(name, text)| (vec!["headers", name.as_str()], text.as_str()));
        let auth = self.auth.iter().map(|auth| (vec!["auth", "bearer"], auth.bearer.as_str()));
        env.chain(headers).chain(auth).collect()
    }
}

fn leads_out(path: &str) -> bool {
    use std::path::{Component, Path};
    Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Why a text is no address of a server.
fn flaw_of_url(text: &str) -> Option<String> {
    let url = match url::Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.host_str().is_some() => url,
        _ => return Some("the address begins with `https://` or `http://`, and names a host".to_owned()),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Some("a name or a password in an address is shown to everybody who reads it".to_owned());
    }
    url.fragment().map(|_| "what stands behind `#` is never sent".to_owned())
}

/// What is known of the servers of a project.
#[derive(Debug, Clone, Default)]
pub struct KnownUpstreams {
    /// What they said of their tools, as it is locked, by their names.
    pub locked: IndexMap<String, LockedUpstream>,
    /// Why those could not be asked that are not locked, in words for an author.
    pub unasked: IndexMap<String, String>,
}

/// What a server said of the tools that are taken, as it is locked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LockedUpstream {
    /// The name of the server, where it tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The version of the server, where it tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The tools, by name.
    pub tools: Vec<LockedTool>,
    /// The names of those that were not taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// The prompts that are taken, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<LockedPrompt>,
    /// The names of those that were not taken, where some were to be.
    #[serde(default, rename = "otherPrompts", skip_serializing_if = "Vec::is_empty")]
    pub other_prompts: Vec<String>,
    /// The resources that are taken, by URI.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<LockedResource>,
    /// The templates of URIs that are taken.
    #[serde(default, rename = "resourceTemplates", skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<LockedTemplate>,
    /// The URIs and templates of those that were not taken, where some were to be.
    #[serde(default, rename = "otherResources", skip_serializing_if = "Vec::is_empty")]
    pub other_resources: Vec<String>,
}

/// What a server said of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedTool {
    /// The name that it is called by there.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The JSON Schema of the data of its answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What the server claims of its effects, in the words of the protocol: `readOnlyHint`, …
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub annotations: Map<String, Value>,
}

impl LockedTool {
    /// A digest of all that is said of it, whatever the order of keys.
    pub fn digest(&self) -> String {
        digest_of(self)
    }
}

impl LockedUpstream {
    /// A tool by its name there.
    pub fn tool(&self, name: &str) -> Option<&LockedTool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tools_are_taken_by_patterns_and_called_in_snake_case() {
        let config: UpstreamConfig = serde_json::from_value(json!({
            "command": ["x"], "include": ["get*", "echo"], "exclude": ["getSecret"], "prefix": "every_",
            "overrides": {"echo": {"name": "say"}}
        }))
        .unwrap();
        let taken = ["getSum", "getSecret", "echo", "Echo", "forget"].map(|name| config.takes(name));
        assert_eq!(taken, [true, false, true, false, false]);
        assert_eq!([config.name_here("getSum"), config.name_here("echo")], ["every_get_sum", "say"]);
    }

    #[test]
    fn a_lock_of_tools_alone_says_nothing_of_prompts_and_resources() {
        let text = r#"{"server":"s","version":"1","tools":[],"others":["a"]}"#;
        let locked: LockedUpstream = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&locked).unwrap(), text);
    }

    #[test]
    fn prompts_and_resources_are_passed_on_where_they_are_chosen() {
        let config: UpstreamConfig = serde_json::from_value(json!({
            "command": ["x"], "prompts": ["review*"], "resources": ["docs://guide/*"], "prefix": "docs_"
        }))
        .unwrap();
        assert_eq!(["reviewAll", "preview", ""].map(|name| config.takes_prompt(name)), [true, false, false]);
        let uris = ["docs://guide/a", "docs://guide/{page}", "docs://other", "xdocs://guide/a"];
        assert_eq!(uris.map(|uri| config.takes_resource(uri)), [true, true, false, false]);
        assert_eq!(config.prompt_name_here("reviewAll"), "docs_review_all");
        assert!(!config.takes("reviewAll") && !UpstreamConfig::default().takes_prompt(""));
    }

    #[test]
    fn the_order_of_keys_is_no_part_of_a_definition() {
        let tool = |schema: &str| LockedTool {
            name: "a".to_owned(),
            input_schema: serde_json::from_str(schema).unwrap(),
            ..LockedTool::default()
        };
        let (one, two) =
            (tool(r#"{"type":"object","x":[1,{"a":1,"b":2}]}"#), tool(r#"{"x":[1,{"b":2,"a":1}],"type":"object"}"#));
        assert_eq!(one.digest(), two.digest());
        assert_ne!(one.digest(), tool(r#"{"type":"object"}"#).digest());
    }
}
