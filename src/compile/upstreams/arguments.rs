//! The arguments of a tool of another server: its own JSON Schema, with what `qtool.yaml` hides, fixes, renames, defaults and narrows.

use super::Server;
use super::narrow::{self, narrowed};
use crate::compile::schema_cost;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::nearest;
use crate::project::{BoundFrom, LockedTool, UpstreamParamConfig, UpstreamToolConfig};
use crate::tool::UpstreamArgument;
use serde_json::{Map, Value, json};

/// What a schema has at its root that says more of its properties than `properties` does.
const ROOT: [&str; 8] = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas", "not"];

/// What says how properties depend on each other: where one of them is not the agent's, it would say something else.
const WHOLE: [&str; 9] =
    ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependentRequired", "dependencies", "not"];

/// The arguments of a tool.
pub(super) struct Arguments<'a> {
    pub(super) server: &'a Server<'a>,
    pub(super) tool: &'a LockedTool,
    pub(super) own: &'a UpstreamToolConfig,
}

impl Arguments<'_> {
    /// The schema that is published and enforced, and what is sent otherwise than it comes in; nothing where a setting is not sound.
    pub(super) fn narrowed(&self, sink: &mut Diagnostics) -> Option<(Value, Vec<UpstreamArgument>)> {
        let errors = sink.errors();
        let place = self.server.place_of(&self.tool.name);
        let refuse = |why: String, sink: &mut Diagnostics| sink.push(codes::invalid_upstream(place, &why));
        let Value::Object(mut schema) = self.tool.input_schema.clone() else {
            refuse(format!("the arguments of `{}` are described by no object", self.tool.name), sink);
            return None;
        };
        if schema.get("type").is_some_and(|ty| ty != "object") {
            refuse(format!("the arguments of `{}` are no object", self.tool.name), sink);
            return None;
        }
        schema.entry("type").or_insert_with(|| json!("object"));
        if let Some(why) = schema_cost::flaw(&Value::Object(schema.clone())) {
            refuse(format!("`inputSchema` of `{}` {why}", self.tool.name), sink);
            return None;
        }
        if let Err(error) = jsonschema::validator_for(&Value::Object(schema.clone())) {
            refuse(format!("`inputSchema` of `{}` is no JSON Schema: {error}", self.tool.name), sink);
            return None;
        }
        let original = schema.clone();
        let mut sent = Vec::new();
        let whole = WHOLE.iter().find(|key| original.contains_key(**key));
        for (name, config) in &self.own.params {
            let is_moved = config.name.is_some() || config.fixed.is_some() || config.from.is_some() || config.hidden;
            if let (Some(key), true) = (whole, is_moved) {
                let why = format!(
                    "the schema of `{}` says by `{key}` how its parameters depend on each other: none can be renamed or hidden",
                    self.tool.name
                );
                sink.push(codes::invalid_upstream(self.key(name, None), &why));
                continue;
            }
            let Some(property) = original.get("properties").and_then(|all| all.get(name)) else {
                let names = original.get("properties").and_then(Value::as_object).into_iter().flatten();
                let near = nearest(name, names.map(|(name, _)| name.as_str()));
                let said = codes::invalid_upstream(
                    self.key(name, None),
                    &format!("`{}` has no parameter `{name}`", self.tool.name),
                );
                sink.push(codes::meant(said, name, near));
                continue;
            };
            self.check(name, config, property, &original, sink);
            sent.extend(changed(name, config, property));
            apply(name, config, &mut schema);
        }
        self.check_new_names(sink);
        if sink.errors() > errors {
            return None;
        }
        let is_plain = ROOT.iter().all(|key| !schema.contains_key(*key));
        match is_plain {
            // What is not recognised is refused. An explicit word of the server that it takes anything is one.
            true => drop(schema.entry("additionalProperties").or_insert(json!(false))),
            false if !schema.contains_key("additionalProperties") => {
                schema.entry("unevaluatedProperties").or_insert(json!(false));
            }
            false => {}
        }
        Some((Value::Object(schema), sent))
    }

    fn key(&self, parameter: &str, key: Option<&str>) -> crate::source::Span {
        let mut keys = vec!["overrides", self.tool.name.as_str(), "params", parameter];
        keys.extend(key);
        self.server.key(&keys)
    }

    fn value(&self, parameter: &str, key: &str) -> crate::source::Span {
        self.server.value(&["overrides", &self.tool.name, "params", parameter, key])
    }

    /// Reports settings of a parameter that contradict each other, or what the server asks for.
    fn check(
        &self,
        name: &str,
        config: &UpstreamParamConfig,
        property: &Value,
        whole: &Map<String, Value>,
        sink: &mut Diagnostics,
    ) {
        let ways = [("fixed", config.fixed.is_some()), ("from", config.from.is_some()), ("hidden", config.hidden)];
        let said: Vec<&str> = ways.iter().filter(|(_, is)| *is).map(|(key, _)| *key).collect();
        if let [first, second, ..] = said.as_slice() {
            let why = format!("`{first}` and `{second}` say two things of one value");
            sink.push(codes::invalid_upstream(self.key(name, Some(second)), &why));
        }
        if let (Some(way), true) = (said.first(), config.name.is_some() || config.description.is_some()) {
            let key = if config.name.is_some() { "name" } else { "description" };
            let why = format!("the agent does not see this parameter, by `{way}`: this is told to nobody");
            sink.push(codes::invalid_upstream(self.key(name, Some(key)), &why));
        }
        if let (Some(way), true) = (said.first(), config.default.is_some() && !config.hidden) {
            let why = format!("`{way}` says the value: there is no default");
            sink.push(codes::invalid_upstream(self.key(name, Some("default")), &why));
        }
        if config.hidden && config.default.is_none() && is_required(whole, name) {
            let why = format!("the server asks for `{name}`: what is hidden has a value by `fixed` or `from`");
            sink.push(codes::invalid_upstream(self.key(name, Some("hidden")), &why));
        }
        if let Some(narrow) = &config.narrow {
            let flaws = narrow::flaws(&within(property, whole), narrow);
            let is_sound = flaws.is_empty();
            for why in flaws {
                sink.push(codes::invalid_upstream(self.value(name, "narrow"), &why));
            }
            if !is_sound {
                return;
            }
        }
        // A value that is written here must be one that the server takes.
        let schema = within(&narrowed(property, config.narrow.as_ref()), whole);
        let Ok(validator) = jsonschema::validator_for(&schema) else { return };
        let own = property.get("default").filter(|own| validator.is_valid(own));
        if config.narrow.is_some()
            && said.is_empty()
            && config.default.is_none()
            && own.is_none()
            && !is_required(whole, name)
        {
            let why = format!("a call without `{name}` is not narrowed: the server does what it does without");
            let said = codes::invalid_upstream(self.value(name, "narrow"), &why);
            sink.push(said.help("say a `default`: it is sent where the agent sends nothing"));
        }
        for (key, value) in [("fixed", &config.fixed), ("default", &config.default)] {
            if let Some(value) = value
                && let Err(error) = validator.validate(value)
            {
                sink.push(codes::invalid_upstream(
                    self.value(name, key),
                    &format!("the server does not take this: {error}"),
                ));
            }
        }
    }

    /// Reports a name that two parameters would have.
    fn check_new_names(&self, sink: &mut Diagnostics) {
        let renamed = self.own.params.iter().filter_map(|(name, config)| Some((name, config.name.as_ref()?)));
        let properties = self.tool.input_schema.get("properties");
        for (name, new) in renamed {
            let others =
                self.own.params.iter().filter(|(other, config)| *other != name && config.name.as_ref() == Some(new));
            let is_there = properties.and_then(|all| all.get(new)).is_some() && new != name;
            if is_there || others.count() > 0 {
                let why = format!("`{}` has another parameter `{new}`", self.tool.name);
                sink.push(codes::invalid_upstream(self.value(name, "name"), &why));
            }
        }
    }
}

/// What is sent of a parameter otherwise than it comes in.
fn changed(name: &str, config: &UpstreamParamConfig, property: &Value) -> Option<UpstreamArgument> {
    let from = match (&config.fixed, &config.from, config.hidden) {
        (Some(value), ..) => Some(BoundFrom::Fixed(value.clone())),
        (_, Some(from), _) => Some(from.clone()),
        (.., true) => Some(BoundFrom::Default),
        _ => None,
    };
    // What is narrowed is sent whatever the agent leaves out, so that nothing of the server's stands in for it.
    let own = property.get("default").filter(|_| config.narrow.is_some() && from.is_none());
    let (here, default) = (config.name.clone(), config.default.clone().or_else(|| own.cloned()));
    let is_changed = from.is_some() || here.is_some() || default.is_some();
    let is_no_text = from.as_ref().is_some_and(BoundFrom::is_of_caller) && takes_no_text(property);
    is_changed.then(|| UpstreamArgument { name: name.to_owned(), here, default, from, is_no_text })
}

/// Whether a schema says of which type its values are, and it is not that of texts.
fn takes_no_text(property: &Value) -> bool {
    match property.get("type") {
        Some(Value::String(ty)) => ty != "string",
        Some(Value::Array(types)) => types.iter().all(|ty| ty != "string"),
        _ => false,
    }
}

/// Makes a schema what its parameter is here.
fn apply(name: &str, config: &UpstreamParamConfig, schema: &mut Map<String, Value>) {
    let is_hidden = config.fixed.is_some() || config.from.is_some() || config.hidden;
    let new = config.name.as_deref().unwrap_or(name);
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|one| one != name || !(is_hidden || config.default.is_some()));
        required.iter_mut().filter(|one| **one == name).for_each(|one| *one = new.into());
        if required.is_empty() {
            schema.shift_remove("required");
        }
    }
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    let others = std::mem::take(properties).into_iter();
    *properties = others
        .filter(|(one, _)| one != name || !is_hidden)
        .map(|(one, property)| match one == name {
            true => (new.to_owned(), shown_property(&property, config)),
            false => (one, property),
        })
        .collect();
}

/// The schema of a parameter as it is shown here.
fn shown_property(property: &Value, config: &UpstreamParamConfig) -> Value {
    let mut shown = match narrowed(property, config.narrow.as_ref()) {
        Value::Object(map) => map,
        // `true`: anything.
        _ => Map::new(),
    };
    if let Some(description) = &config.description {
        shown.insert("description".to_owned(), description.trim().into());
    }
    if let Some(default) = &config.default {
        shown.insert("default".to_owned(), default.clone());
    }
    Value::Object(shown)
}

/// The schema of a property by itself, with the definitions that it refers to.
fn within(property: &Value, whole: &Map<String, Value>) -> Value {
    let mut property = match property {
        Value::Object(map) => map.clone(),
        other => return other.clone(),
    };
    for key in ["$schema", "$defs", "definitions"] {
        if let Some(definitions) = whole.get(key) {
            property.entry(key).or_insert_with(|| definitions.clone());
        }
    }
    Value::Object(property)
}

/// Whether a schema asks for a property.
fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|one| one == name))
}
