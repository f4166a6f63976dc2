//! Makes the tools of `upstreams`: each is what another MCP server said of it when that was locked, with what `qtool.yaml` changes.

mod arguments;
mod narrow;
pub(super) mod offered;

use super::DEFAULT_TIMEOUT;
use super::schema_cost;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_key_of_secret, is_legal, nearest, snake_case};
use crate::project::{
    AnnotationsConfig, Defaults, LockedTool, LockedUpstream, Project, ResultLimit, TableFormat, Timeout,
    UpstreamConfig, UpstreamToolConfig, has_variables, speaks_of_secrets,
};
use crate::rules::collisions::OF_DISCOVERY;
use crate::rules::instructing_description::{instruction, invisible};
use crate::source::Span;
use crate::syntax::ParsedQuery;
use crate::tool::{Annotations, Body, Clauses, Contract, Input, Output, Tool, UpstreamCall};
use arguments::Arguments;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The tools of all servers whose settings are sound and that are locked, in the order of the locks; what is wrong with the others is in
/// the sink. `others` are the names of tools that are made of something else.
pub(super) fn upstream_tools(
    project: &Project,
    queries: &[Arc<ParsedQuery>],
    others: &[Tool],
    sink: &mut Diagnostics,
) -> Vec<Tool> {
    let mut taken: HashMap<String, Taken> = HashMap::new();
    for query in queries {
        taken.entry(query.name.value.clone()).or_insert(Taken::Query(query.name.span));
    }
    for tool in others {
        taken.entry(tool.contract.name.clone()).or_insert(Taken::Made);
    }
    let mut tools = Vec::new();
    for (name, config) in &project.file.upstreams {
        let errors = sink.errors();
        let server = Server { project, name, config };
        server.check(sink);
        let Some(locked) = project.upstreams.locked.get(name) else {
            if sink.errors() == errors {
                sink.push(match project.upstreams.unasked.get(name) {
                    Some(why) => codes::unreachable_upstream(server.key(&[]), name, why),
                    None => codes::upstream_not_locked(server.key(&[]), name),
                });
            }
            continue;
        };
        server.check_names(locked, sink);
        let is_sound = sink.errors() == errors;
        for tool in locked.tools.iter().filter(|tool| config.takes(&tool.name)) {
            let here = config.name_here(&tool.name);
            if !server.may_be_called(&here, tool, &taken, sink) {
                continue;
            }
            taken.insert(here.clone(), Taken::Upstream(server.place_of(&tool.name)));
            let made = server.tool(here, tool, sink);
            tools.extend(made.filter(|_| is_sound));
        }
    }
    tools
}

/// How long a call may take in which people are asked.
const OF_PEOPLE: Duration = Duration::from_mins(5);

/// How many names of tools are told.
const NAMED: usize = 20;

/// What has a name.
enum Taken {
    Query(Span),
    Made,
    Upstream(Span),
}

/// A server, and where it is written.
struct Server<'a> {
    project: &'a Project,
    name: &'a str,
    config: &'a UpstreamConfig,
}

impl Server<'_> {
    fn path<'k>(&'k self, keys: &[&'k str]) -> Vec<&'k str> {
        ["upstreams", self.name].iter().chain(keys).copied().collect()
    }

    fn key(&self, keys: &[&str]) -> Span {
        self.project.document.key_span(&self.path(keys))
    }

    fn value(&self, keys: &[&str]) -> Span {
        self.project.document.value_span(&self.path(keys))
    }

    /// Where a tool is named: in its own settings, or the pattern that takes it.
    fn place_of(&self, tool: &str) -> Span {
        if self.config.overrides.contains_key(tool) {
            return self.key(&["overrides", tool]);
        }
        self.key(&["include"])
    }

    /// Reports settings that do not fit together, whatever the server says.
    fn check(&self, sink: &mut Diagnostics) {
        let config = self.config;
        if !is_legal(self.name) {
            sink.push(codes::invalid_upstream(
                self.key(&[]),
                "the name of a server is in snake_case: `[a-z][a-z0-9_]*`",
            ));
        }
        if config.include.is_empty() && config.prompts.is_empty() && config.resources.is_empty() {
            let why = "nothing of the server is taken";
            let said = codes::invalid_upstream(self.key(&[]), why);
            sink.push(said.help("`include` names its tools, `prompts` and `resources` what else is passed on"));
        }
        if let Some(why) = config.flaw_of_reach() {
            let has = |key: &&str| self.project.document.has(&self.path(&[key]));
            // Both, where there are both, or the one that is not what it must be.
            let place = ["url", "cwd"].iter().find(|key| has(key)).map(|key| self.value(&[key]));
            let said = codes::invalid_upstream(place.unwrap_or_else(|| self.key(&[])), &why);
            sink.push(match config.url.is_some() && !config.command.is_empty() {
                true => said.also(self.key(&["command"]), "this is a program"),
                false => said,
            });
        } else if config.url.is_none() {
            self.is_for(&["headers", "auth"], "a program has variables in `env`, and no headers", sink);
        } else {
            self.is_for(&["env", "cwd"], "an address has `headers` and `auth`, and no variables of a program", sink);
        }
        for (keys, text) in config.texts() {
            let is_for_secrets = match keys.as_slice() {
                ["auth", _] => true,
                ["env", name] => speaks_of_secrets(name),
                [_, name] => is_key_of_secret(name) || name.eq_ignore_ascii_case("authorization"),
                _ => false,
            };
            if is_for_secrets && !has_variables(text) {
                let why = "a secret that is written out is in every built server, and is shown to everybody who reads this file";
                let said = codes::invalid_upstream(self.value(&keys), why);
                sink.push(said.help("name a variable of the environment: `\"${TOKEN}\"`"));
            }
            if let Err(crate::project::UnfilledText::Unreadable(why)) =
                crate::project::filled_text(text, &|_| Some(String::new()))
            {
                sink.push(codes::invalid_upstream(self.value(&keys), &why));
            }
        }
        if config.auth.is_some()
            && let Some(name) = config.headers.keys().find(|name| name.eq_ignore_ascii_case("authorization"))
        {
            let why = "`auth` sends the header `Authorization`, and this does too";
            sink.push(codes::invalid_upstream(self.key(&["headers", name]), why));
        }
    }

    fn is_for(&self, keys: &[&str], why: &str, sink: &mut Diagnostics) {
        let has = |key: &&&str| self.project.document.has(&self.path(&[key]));
        for key in keys.iter().filter(has) {
            sink.push(codes::invalid_upstream(self.key(&[key]), why));
        }
    }

    /// Reports patterns and settings of tools that the server does not have.
    fn check_names(&self, locked: &LockedUpstream, sink: &mut Diagnostics) {
        let names = || locked.tools.iter().map(|tool| tool.name.as_str());
        let all = || names().chain(locked.others.iter().map(String::as_str));
        let errors = sink.errors();
        for (at, pattern) in self.config.include.iter().enumerate() {
            let only =
                UpstreamConfig { include: vec![pattern.clone()], exclude: Vec::new(), ..UpstreamConfig::default() };
            if names().any(|name| only.takes(name)) {
                continue;
            }
            let place = self.value(&["include", &at.to_string()]);
            if locked.others.iter().any(|name| self.config.takes(name) && only.takes(name)) {
                let why = format!("what `{pattern}` stands for was not chosen when the server was locked");
                sink.push(codes::invalid_upstream(place, &why).help("`qtool lock` locks it too"));
                continue;
            }
            let said = codes::invalid_upstream(place, &format!("no tool of the server is called `{pattern}`"));
            let spelt_so = all().find(|name| snake_case(name) == snake_case(pattern));
            let said = codes::meant(said, pattern, spelt_so.or_else(|| nearest(pattern, all())));
            let known: Vec<&str> = all().take(NAMED).collect();
            sink.push(match known.is_empty() {
                true => said.note("the server has no tools, as it is locked"),
                false => said.note(format!("as it is locked, its tools are {}", known.join(", "))),
            });
        }
        let is_sound = sink.errors() == errors;
        if let Some(name) = locked.others.iter().find(|name| is_sound && self.config.takes(name)) {
            let why = format!("the tool `{name}` was not chosen when the server was locked");
            sink.push(codes::invalid_upstream(self.key(&["include"]), &why).help("`qtool lock` locks it too"));
        }
        // What is not there may come: it is told where something is spelt nearly so.
        for (at, pattern) in self.config.exclude.iter().enumerate().filter(|(_, pattern)| !pattern.contains('*')) {
            let spelt_so = all().find(|name| snake_case(name) == snake_case(pattern));
            let near = spelt_so.or_else(|| nearest(pattern, all()));
            if let Some(near) = near.filter(|_| all().all(|name| name != pattern)) {
                let place = self.value(&["exclude", &at.to_string()]);
                let why = format!("no tool of the server is called `{pattern}`: nothing is left out");
                sink.push(codes::meant(codes::invalid_upstream(place, &why), pattern, Some(near)));
            }
        }
        for tool in self.config.overrides.keys().filter(|tool| names().all(|name| name != *tool)) {
            let place = self.key(&["overrides", tool]);
            let said = match self.config.takes(tool) {
                true => codes::invalid_upstream(place, &format!("the server has no tool `{tool}`, as it is locked")),
                false => codes::invalid_upstream(place, &format!("`include` takes no tool `{tool}`")),
            };
            sink.push(codes::meant(said, tool, nearest(tool, names())));
        }
    }

    /// Whether a tool may have its name. What is wrong with it is reported.
    fn may_be_called(
        &self,
        here: &str,
        tool: &LockedTool,
        taken: &HashMap<String, Taken>,
        sink: &mut Diagnostics,
    ) -> bool {
        let own = self.config.overrides.get(&tool.name).is_some_and(|own| own.name.is_some());
        let place = if own { self.value(&["overrides", &tool.name, "name"]) } else { self.place_of(&tool.name) };
        if !is_legal(here) {
            sink.push(codes::invalid_tool_name(place, here));
            return false;
        }
        if OF_DISCOVERY.contains(&here) {
            sink.push(codes::reserved_tool_name(place, here));
            return false;
        }
        let said = match taken.get(here) {
            None => return true,
            Some(Taken::Query(other)) => codes::name_collision(place, here, "a query", *other),
            Some(Taken::Upstream(other)) => codes::name_collision(place, here, "another tool of a server", *other),
            Some(Taken::Made) => {
                codes::invalid_upstream(place, &format!("the name `{here}` is that of a tool that is made of tables"))
            }
        };
        sink.push(said.help("a `prefix` keeps the names of a server apart from all others"));
        false
    }

    /// A tool as it is here.
    fn tool(&self, here: String, locked: &LockedTool, sink: &mut Diagnostics) -> Option<Tool> {
        let none = UpstreamToolConfig::default();
        let own = self.config.overrides.get(&locked.name).unwrap_or(&none);
        self.check_mask(own, locked, sink);
        let (input, arguments) = Arguments { server: self, tool: locked, own }.narrowed(sink)?;
        let schema = locked.output_schema.clone().filter(|_| own.mask.is_empty());
        if let Some(why) = locked.output_schema.as_ref().and_then(schema_cost::flaw) {
            let why = format!("`outputSchema` of `{}` {why}", locked.name);
            sink.push(codes::invalid_upstream(self.place_of(&locked.name), &why));
            return None;
        }
        if let Some(schema) = &schema
            && let Err(error) = jsonschema::validator_for(schema)
        {
            let why = format!("`outputSchema` of `{}` is no JSON Schema: {error}", locked.name);
            sink.push(codes::invalid_upstream(self.place_of(&locked.name), &why));
            return None;
        }
        let contract = self.contract(here, (locked, own), Input::Schema(input), Output::Passed { schema });
        self.check_texts(&contract, locked, sink);
        let config = self.config;
        let body = UpstreamCall {
            upstream: self.name.to_owned(),
            remote: locked.name.clone(),
            digest: locked.digest(),
            command: config.command.clone(),
            url: config.url.clone(),
            cwd: config.cwd.clone(),
            env: config.env.clone(),
            headers: config.headers.clone(),
            auth: config.auth.clone(),
            elicitation: config.elicitation,
            sampling: config.sampling,
            arguments,
            mask: own.mask.clone(),
            said: locked.description.clone().filter(|_| own.description.is_some()),
        };
        Some(Tool { contract, body: Body::Upstream(Box::new(body)) })
    }

    fn contract(
        &self,
        name: String,
        (locked, own): (&LockedTool, &UpstreamToolConfig),
        input: Input,
        output: Output,
    ) -> Contract {
        let (config, defaults): (_, &Defaults) = (self.config, &self.project.file.defaults);
        let trimmed = |text: &String| text.trim().to_owned();
        let title = own.title.as_ref().or(locked.title.as_ref()).map(trimmed);
        let mut tags = config.tags.clone();
        tags.extend(own.tags.iter().filter(|tag| !config.tags.contains(tag)).cloned());
        Contract {
            alias_of: None,
            title: title.unwrap_or_else(|| super::table_tools::title_of(&name)),
            description: own.description.as_ref().or(locked.description.as_ref()).map(trimmed),
            tags,
            version: None,
            scopes: if own.scopes.is_empty() { config.scopes.clone() } else { own.scopes.clone() },
            meta: None,
            icons: Vec::new(),
            input,
            output,
            placeholders: Vec::new(),
            rules: Vec::new(),
            clauses: Clauses::default(),
            tables: Vec::new(),
            policies: Vec::new(),
            shows: Vec::new(),
            result_limit: ResultLimit::None,
            default_limit: None,
            table_format: TableFormat::Structured,
            changes: None,
            expose: Vec::new(),
            timeout: self.timeout(own),
            max_bytes: own.max_bytes.or(config.max_bytes),
            calls_per_second: own.calls_per_second,
            cache_ttl: None,
            count_total: false,
            strict: false,
            ask: own.ask,
            parameters_in_description: false,
            structured_output: true,
            definition: defaults.definition.unwrap_or_default(),
            annotations: effects(locked, config.trust_annotations, own.annotations),
            name,
        }
    }

    /// How long a call may take. People take their time.
    fn timeout(&self, own: &UpstreamToolConfig) -> Timeout {
        let asks = self.config.passes_questions_on().then_some(Timeout(OF_PEOPLE));
        let said = own.timeout.or(self.config.timeout);
        said.or(asks).or(self.project.file.defaults.timeout).unwrap_or(Timeout(DEFAULT_TIMEOUT))
    }

    /// Reports a pointer that leads to nothing which the server says that it answers with.
    fn check_mask(&self, own: &UpstreamToolConfig, locked: &LockedTool, sink: &mut Diagnostics) {
        let Some(schema) = &locked.output_schema else { return };
        for (at, pointer) in own.mask.iter().enumerate() {
            let keys: Vec<&str> = pointer.split('/').skip(1).collect();
            if let Some((key, known)) = missing_key(schema, &keys) {
                let place = self.value(&["overrides", &locked.name, "mask", &at.to_string()]);
                let why = format!("the answers of `{}` have no `{key}` there, by its `outputSchema`", locked.name);
                let said = codes::invalid_upstream(place, &why);
                let near = nearest(key, known.iter().map(String::as_str));
                sink.push(near.into_iter().fold(said, |said, near| said.help(format!("is `{near}` meant?"))));
            }
        }
    }

    /// Warns of texts that instruct or hide something, whoever has written them.
    fn check_texts(&self, contract: &Contract, locked: &LockedTool, sink: &mut Diagnostics) {
        let place = self.place_of(&locked.name);
        let (called, server) = (&contract.name, self.name);
        let mut texts = vec![(format!("the title of `{called}`"), contract.title.as_str())];
        // Also where another text stands in its place here: it may be what a new release has to hide.
        if contract.description != locked.description.as_ref().map(|text| text.trim().to_owned()) {
            texts.extend(
                locked.description.iter().map(|text| (format!("what the server says of `{called}`"), text.as_str())),
            );
        }
        texts.extend(contract.description.iter().map(|text| (format!("the description of `{called}`"), text.as_str())));
        let schemas = contract.schema().into_iter().chain(match &contract.output {
            Output::Passed { schema } => schema.as_ref(),
            _ => None,
        });
        for schema in schemas {
            let mut found = Vec::new();
            texts_of(schema, &mut found);
            texts.extend(found.into_iter().map(|text| (format!("a text in the schema of `{called}`"), text)));
        }
        for (what, text) in texts {
            let whose = format!("it is what the server `{server}` says of itself; `overrides` replaces it");
            if instruction(text).is_some() {
                sink.push(codes::instructing_description(place, &what).note(&whose));
            }
            if let Some((_, character)) = invisible(text) {
                sink.push(codes::invisible_character(place, &what, character, false).note(&whose));
            }
        }
    }
}

/// The first of some keys that a schema rules out, and those that it has there; `None` where it says nothing of one.
fn missing_key<'k>(schema: &Value, keys: &[&'k str]) -> Option<(&'k str, Vec<String>)> {
    let (key, rest) = keys.split_first()?;
    let is_open = ["$ref", "allOf", "anyOf", "oneOf", "additionalProperties", "patternProperties"];
    let map = schema.as_object()?;
    if let Some(items) = map.get("items") {
        return (*key == "*" || key.parse::<usize>().is_ok()).then(|| missing_key(items, rest))?;
    }
    let properties = map.get("properties").and_then(Value::as_object)?;
    // Some servers put all of an answer into one text.
    let holds_texts = properties.values().any(|property| property.get("type") == Some(&Value::from("string")));
    match properties.get(*key) {
        Some(property) => missing_key(property, rest),
        None if *key == "*" || is_open.iter().any(|open| map.get(*open).is_some_and(|value| *value != false)) => None,
        None if properties.len() == 1 && holds_texts => None,
        None => Some((key, properties.keys().cloned().collect())),
    }
}

/// All texts of a schema that a model reads.
fn texts_of<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, found)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.push(key);
            texts_of(value, found);
        }),
        _ => {}
    }
}

/// What is known of a tool's effects: nothing but what the author says, unless the server is believed.
fn effects(locked: &LockedTool, is_trusted: bool, own: Option<AnnotationsConfig>) -> Annotations {
    let claimed = |hint: &str, usual: bool| match locked.annotations.get(hint).and_then(Value::as_bool) {
        Some(claimed) if is_trusted => claimed,
        _ => usual,
    };
    let own = own.unwrap_or_default();
    let read_only = own.read_only.unwrap_or_else(|| claimed("readOnlyHint", false));
    Annotations {
        read_only,
        destructive: own.destructive.unwrap_or_else(|| !read_only && claimed("destructiveHint", true)),
        idempotent: own.idempotent.unwrap_or_else(|| claimed("idempotentHint", false)),
        open_world: own.open_world.unwrap_or_else(|| claimed("openWorldHint", true)),
    }
}
