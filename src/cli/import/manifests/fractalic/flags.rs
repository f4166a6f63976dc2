//! Parameters as options of a program: `--name value`, and `--name` alone for a boolean that is true.

use super::super::quoting::placeholder;
use super::flaw::Flaw;
use crate::project::schema_params::Property;
use serde_json::{Value, json};

/// The option of a parameter.
pub(super) fn option(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// The arguments for parameters.
///
/// Errors: a value of one is more than a word.
pub(super) fn arguments(properties: &mut [Property]) -> Result<Vec<Value>, Flaw> {
    let mut arguments = Vec::new();
    for property in properties {
        let (option, value) = (option(&property.theirs), placeholder(&property.name));
        match property.ty {
            "boolean" => {
                if !property.has_value() {
                    property.settings.shift_remove("required");
                    property.settings.insert("default".to_owned(), false.into());
                }
                arguments.push(json!({ "if": value, "then": [option] }));
            }
            "text" | "bigint" | "double" if property.has_value() => arguments.extend([json!(option), json!(value)]),
            "text" | "bigint" | "double" => arguments.push(json!([option, value])),
            _ => {
                let why =
                    format!("`{}` is a list or an object, which Python writes in a form of its own", property.theirs);
                return Err(Flaw::other(why));
            }
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::foreign::Naming;
    use crate::project::schema_params::properties;

    #[test]
    fn parameters_are_options() {
        let schema = json!({"properties": {
            "repo": {"type": "string"}, "max_age": {"type": "integer"}, "state": {"type": "string", "default": "open"},
            "include_forks": {"type": "boolean"},
        }, "required": ["repo"]});
        let (mut found, _) = properties(&schema, Naming::Free).unwrap();
        assert_eq!(
            Value::Array(arguments(&mut found).unwrap()),
            json!(["--repo", "<< repo >>", ["--max-age", "<< max_age >>"], "--state", "<< state >>",
                   {"if": "<< include_forks >>", "then": ["--include-forks"]}])
        );
        assert_eq!(found[3].settings["default"], false);
        let (mut found, _) = properties(&json!({"properties": {"a": {"type": "object"}}}), Naming::Free).unwrap();
        assert!(arguments(&mut found).is_err());
    }
}
