//! The part of JSON Schema that each profile documents, one table for each.

use super::Profile;

/// What a profile takes of a schema.
pub(super) struct Subset {
    /// The keywords that are sent; `None` sends all.
    pub(super) keywords: Option<&'static [&'static str]>,
    /// The formats of strings that are sent; `None` sends all.
    pub(super) formats: Option<&'static [&'static str]>,
    /// Regular expressions that are sent.
    pub(super) patterns: Patterns,
    /// Values that `enum` may list.
    pub(super) listed: Listed,
    /// Which objects are sent.
    pub(super) objects: Objects,
    /// Whether a bound may be a number that no double holds exactly (RFC 8259, section 6).
    pub(super) numbers: Numbers,
}

#[derive(PartialEq, Eq)]
pub(super) enum Patterns {
    Any,
    WithoutLookAround,
}

#[derive(PartialEq, Eq)]
pub(super) enum Listed {
    Any,
    StringsAndNumbers,
}

#[derive(PartialEq, Eq)]
pub(super) enum Objects {
    AsTheyAre,
    /// Every property is required, no other is accepted.
    Closed,
}

#[derive(PartialEq, Eq)]
pub(super) enum Numbers {
    Any,
    Doubles,
}

/// Any JSON Schema is taken without strict mode, and serves as a hint; look-around is refused in any mode
/// (`Invalid JSON schema: regex lookaround is not supported`).
///
/// Sources: <https://platform.openai.com/docs/guides/function-calling>,
/// <https://github.com/anomalyco/opencode/issues/32073>.
const OPENAI: Subset = Subset {
    keywords: None,
    formats: None,
    patterns: Patterns::WithoutLookAround,
    listed: Listed::Any,
    objects: Objects::AsTheyAre,
    numbers: Numbers::Any,
};

/// Source: <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>; of look-around,
/// <https://github.com/pydantic/pydantic-ai/issues/5508>.
const OPENAI_STRICT: Subset = Subset {
    keywords: Some(&[
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ]),
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    patterns: Patterns::WithoutLookAround,
    listed: Listed::Any,
    objects: Objects::Closed,
    numbers: Numbers::Doubles,
};

/// `input_schema` is JSON Schema 2020-12, the whole of it unless a tool is `strict`.
///
/// Source: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools>.
const CLAUDE: Subset = Subset {
    keywords: None,
    formats: None,
    patterns: Patterns::Any,
    listed: Listed::Any,
    objects: Objects::AsTheyAre,
    numbers: Numbers::Any,
};

/// The keywords of `responseJsonSchema`, which are documented; those of `parametersJsonSchema` are not apart.
///
/// Sources: <https://ai.google.dev/api/generate-content#generationconfig>,
/// <https://ai.google.dev/gemini-api/docs/structured-output>.
const GEMINI: Subset = Subset {
    keywords: Some(&[
        "$id",
        "$defs",
        "$ref",
        "$anchor",
        "type",
        "format",
        "title",
        "description",
        "enum",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "anyOf",
        "properties",
        "additionalProperties",
        "required",
        "propertyOrdering",
    ]),
    formats: Some(&["date-time", "date", "time"]),
    patterns: Patterns::Any,
    listed: Listed::StringsAndNumbers,
    objects: Objects::AsTheyAre,
    numbers: Numbers::Doubles,
};

impl Profile {
    pub(super) fn subset(self) -> &'static Subset {
        match self {
            Profile::OpenAi => &OPENAI,
            Profile::OpenAiStrict => &OPENAI_STRICT,
            Profile::Claude => &CLAUDE,
            // Whichever model the user of Cursor picks gets the same schema: the smallest subset fits all.
            Profile::Gemini | Profile::Cursor => &GEMINI,
        }
    }
}

impl Subset {
    pub(super) fn has(&self, keyword: &str) -> bool {
        self.keywords.is_none_or(|known| known.contains(&keyword))
    }
}
