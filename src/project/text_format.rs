//! Formats of texts, as JSON Schema has them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A format of JSON Schema 2020-12 (validation vocabulary, section 7.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextFormat {
    /// An address (RFC 5321).
    Email,
    /// An absolute URI (RFC 3986).
    Uri,
    /// A host name (RFC 1123).
    Hostname,
    /// Four numbers with dots between (RFC 2673).
    Ipv4,
    /// An IPv6 address without a zone (RFC 4291).
    Ipv6,
    /// A regular expression that the engine can run: no look-around, no references.
    Regex,
    /// A JSON pointer (RFC 6901).
    JsonPointer,
}

impl TextFormat {
    const ALL: [TextFormat; 7] = [
        TextFormat::Email,
        TextFormat::Uri,
        TextFormat::Hostname,
        TextFormat::Ipv4,
        TextFormat::Ipv6,
        TextFormat::Regex,
        TextFormat::JsonPointer,
    ];

    /// The name in a schema.
    pub fn as_str(self) -> &'static str {
        match self {
            TextFormat::Email => "email",
            TextFormat::Uri => "uri",
            TextFormat::Hostname => "hostname",
            TextFormat::Ipv4 => "ipv4",
            TextFormat::Ipv6 => "ipv6",
            TextFormat::Regex => "regex",
            TextFormat::JsonPointer => "json-pointer",
        }
    }

    /// What a text of the format is called in a message.
    pub fn words(self) -> &'static str {
        match self {
            TextFormat::Email => "an email address",
            TextFormat::Uri => "a URI such as https://example.com/",
            TextFormat::Hostname => "a host name",
            TextFormat::Ipv4 => "an IPv4 address",
            TextFormat::Ipv6 => "an IPv6 address",
            TextFormat::Regex => "a regular expression without look-around",
            TextFormat::JsonPointer => "a JSON pointer such as /a/0",
        }
    }

    /// Whether a text has the format. The validator is that of the published schemas.
    pub fn accepts(self, text: &str) -> bool {
        static VALIDATORS: LazyLock<HashMap<TextFormat, jsonschema::Validator>> = LazyLock::new(|| {
            let validator = |format: TextFormat| {
                let schema = serde_json::json!({"type": "string", "format": format.as_str()});
                let options = jsonschema::options().should_validate_formats(true);
                Some((format, options.build(&schema).ok()?))
            };
            TextFormat::ALL.into_iter().filter_map(validator).collect()
        });
        let runs = self != TextFormat::Regex || regex::Regex::new(text).is_ok();
        runs && VALIDATORS.get(&self).is_some_and(|validator| validator.is_valid(&text.into()))
    }

    /// What is wrong in a text that has not the format, where more is known than that.
    pub fn flaw(self, text: &str) -> Option<String> {
        let error = (self == TextFormat::Regex).then(|| regex::Regex::new(text).err()).flatten()?;
        Some(flaw_of_regex(&error))
    }
}

/// What is wrong in a pattern, on one line.
pub fn flaw_of_regex(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "the pattern is too large".to_owned(),
        error => {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.strip_prefix("error: ").unwrap_or(last).to_owned()
        }
    }
}
