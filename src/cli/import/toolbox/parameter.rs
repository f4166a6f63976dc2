//! One parameter of a tool of MCP Toolbox, and what is written for it.

use crate::name::{RESERVED, is_legal, snake_case};
use serde_json::{Map, Value};

/// A parameter.
pub(super) struct Parameter {
    /// Its name in the statement of the file.
    pub theirs: String,
    /// Its name here.
    pub name: String,
    said: Map<String, Value>,
}

/// What has a form here, or says nothing more than the table does: types are told by the columns.
const KNOWN: [&str; 11] = [
    "name",
    "type",
    "description",
    "default",
    "required",
    "allowedValues",
    "minValue",
    "maxValue",
    "authServices",
    "secure",
    "items",
];

impl Parameter {
    /// Reads one; `None` where it has no name that it can have here.
    pub(super) fn read(value: &Value) -> Option<Parameter> {
        let said = value.as_object()?;
        let theirs = said.get("name")?.as_str()?.to_owned();
        let name = snake_case(&theirs);
        let name = if RESERVED.contains(&name.as_str()) { format!("{name}_value") } else { name };
        is_legal(&name).then(|| Parameter { theirs, name, said: said.clone() })
    }

    /// The placeholder: a value that the agent may leave out is NULL then.
    pub(super) fn written(&self) -> String {
        let is_optional = self.said.get("required") == Some(&Value::Bool(false)) && self.default().is_none();
        format!("<< {}{} >>", self.name, if is_optional && self.claim().is_none() { "?" } else { "" })
    }

    fn default(&self) -> Option<&Value> {
        // To Toolbox, null is no default.
        self.said.get("default").filter(|default| !default.is_null())
    }

    /// The claim of the caller's token that it is, where the agent does not send it.
    fn claim(&self) -> Option<&str> {
        let services = self.said.get("authServices")?.as_array()?;
        services.first()?.get("field")?.as_str()
    }

    fn is_secure(&self) -> bool {
        self.said.get("secure") == Some(&Value::Bool(true))
    }

    /// What the header says of it, and what cannot be carried over. `is_spliced`: it is a part of SQL, and no value.
    pub(super) fn settings(&self, is_spliced: bool) -> (Map<String, Value>, Vec<String>) {
        let (mut settings, mut left) = (Map::new(), Vec::new());
        if self.name != self.theirs {
            left.push(format!("it is called `{}` here", self.name));
        }
        self.copy("description", "description", &mut settings);
        if let Some(claim) = self.claim() {
            settings.insert("from".to_owned(), format!("claim.{claim}").into());
        } else if self.is_secure() {
            settings.insert("from".to_owned(), format!("claim.{}", self.theirs).into());
            left.push(format!(
                "it is secure: bound to the claim `{}` of the caller's token; say which it is",
                self.theirs
            ));
        }
        if is_spliced {
            self.choices(&mut settings, &mut left);
        } else {
            self.values(&mut settings, &mut left);
        }
        for key in self.said.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
            left.push(format!("`{key}` has no form here"));
        }
        (settings, left)
    }

    fn values(&self, settings: &mut Map<String, Value>, left: &mut Vec<String>) {
        if self.claim().is_none() && !self.is_secure() {
            self.copy("default", "default", settings);
        }
        self.copy("minValue", "minimum", settings);
        self.copy("maxValue", "maximum", settings);
        let Some(allowed) = self.said.get("allowedValues").and_then(Value::as_array) else { return };
        let is_pattern = |value: &Value| {
            value.as_str().is_some_and(|text| text.contains(['^', '$', '*', '+', '?', '[', '(', '|', '\\']))
        };
        if allowed.iter().any(is_pattern) {
            left.push("its allowed values are patterns: write `pattern`".to_owned());
        } else {
            settings.insert("allowed_values".to_owned(), Value::Array(allowed.clone()));
        }
    }

    /// A piece of SQL is chosen from those that the file allows.
    fn choices(&self, settings: &mut Map<String, Value>, left: &mut Vec<String>) {
        let allowed = self.said.get("allowedValues").and_then(Value::as_array);
        let mut choices = Map::new();
        let mut others = Vec::new();
        for piece in allowed.into_iter().flatten() {
            match piece.as_str().filter(|name| is_legal(name)) {
                Some(name) => _ = choices.insert(name.to_owned(), Value::from(name)),
                None => others.push(format!("`{}`", piece.as_str().map_or_else(|| piece.to_string(), str::to_owned))),
            }
        }
        if !others.is_empty() && !choices.is_empty() {
            let others = others.join(", ");
            left.push(format!("{others} cannot be the names of choices: write each under a name in `choices`"));
        }
        if choices.is_empty() {
            left.push(
                "it is put into the statement as text: write the pieces of SQL that it may be as `choices`".to_owned(),
            );
            return;
        }
        settings.insert("choices".to_owned(), Value::Object(choices));
        self.copy("default", "default", settings);
    }

    fn copy(&self, theirs: &str, ours: &str, settings: &mut Map<String, Value>) {
        if let Some(value) = self.said.get(theirs).filter(|value| !value.is_null()) {
            let value = value.as_str().map_or_else(|| value.clone(), |text| Value::from(text.trim()));
            settings.insert(ours.to_owned(), value);
        }
    }
}
