//! The front matter of a prompt file.

use super::RecordToolKind;
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
    /// The records that it is a skill of; `None` below `prompts/`.
    pub skill_of: Option<SkillOf>,
}

/// Records with skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillOf {
    /// Their name in `qtool.yaml`.
    pub records: String,
    /// Who a caller without a token is.
    pub actor: Option<String>,
    /// What the tools over them are called.
    pub tools: Vec<(RecordToolKind, String)>,
}

/// The front matter of a skill of records, as Folio 0.1.8 has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillHeader {
    /// The name of the file without `.md`.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What the skill is for.
    #[schemars(length(min = 1))]
    pub description: String,
    /// Who it is for; a client shows it to a person in either case. Default: agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    /// What is filled in where the text has `{name}`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<SkillArgument>,
    /// What the text speaks of, by the names that Folio has: `list_records`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Who gets it: names and patterns. Default: everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_actors: Option<Vec<String>>,
}

/// Who a skill is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// Agents.
    Agent,
    /// People.
    Human,
    /// Both of them.
    Both,
}

/// A blank of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillArgument {
    /// Its name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the prompt is refused without it. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
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
