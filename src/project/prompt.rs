//! The front matter of a prompt file.

use crate::source::FileId;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One file under `prompts/`.
#[derive(Debug, Clone)]
pub struct PromptFile {
    /// The `.md` file.
    pub file: FileId,
    /// The path below `prompts/` without `.md`, with `/`: the name where the front matter gives none.
    pub stem: String,
}

/// The front matter of a prompt file: what stands between its two lines `---`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptHeader {
    /// The prompt's name in any spelling; clients ask for its snake_case. Default: the file's path.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub name: Option<String>,
    /// The prompt's title, as clients show it. Default: the name.
    #[serde(default)]
    pub title: Option<String>,
    /// What the prompt asks for: what people choose it by.
    #[serde(default)]
    pub description: Option<String>,
    /// The arguments by name: the variables of the template.
    #[serde(default)]
    pub arguments: IndexMap<String, PromptArgumentConfig>,
    /// The tools that the text speaks of. Who cannot call all of them is not shown the prompt.
    #[serde(default)]
    pub tools: Vec<String>,
}

/// What the front matter says of one argument. Its values are texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptArgumentConfig {
    /// What the argument means.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether the prompt is refused without it. Default: true.
    #[serde(default)]
    pub required: Option<bool>,
    /// The text where none is given, of an argument that is not required. Default: the empty text.
    #[serde(default)]
    pub default: Option<String>,
}

impl PromptArgumentConfig {
    /// Whether the prompt is refused without it.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_argument_is_required_unless_it_says_otherwise() {
        let read = |value| serde_json::from_value::<PromptArgumentConfig>(value).unwrap();
        assert!(read(json!({})).is_required());
        assert!(read(json!({"required": true})).is_required());
        assert!(!read(json!({"required": false, "default": "all"})).is_required());
    }

    #[test]
    fn the_schema_of_the_front_matter_compiles_and_takes_no_other_keys() {
        let schema = schemars::schema_for!(PromptHeader).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&json!({"description": "d", "arguments": {"region": {"required": false}}})));
        assert!(!validator.is_valid(&json!({"descripton": "d"})));
        assert!(!validator.is_valid(&json!({"arguments": {"region": {"default": 1}}})));
    }
}
