//! The formats that tools are written in, by name.

use super::about::About;
use super::profile::{self, Profile};
use super::{anthropic, gemini, json_lines, openai, openapi, python, reference, typescript};
use crate::in_words::in_words;
use crate::tool::Contract;
use serde_json::{Value, json};

/// A form that others read tools in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// MCP's `tools/list`.
    Mcp,
    /// OpenAI's Responses API.
    OpenAi,
    /// The same with strict schemas.
    OpenAiStrict,
    /// OpenAI's Chat Completions API.
    OpenAiChat,
    /// Anthropic's Messages API.
    Anthropic,
    /// Gemini's function declarations.
    Gemini,
    /// OpenAPI 3.1 of the HTTP API.
    OpenApi,
    /// A reference for people.
    Markdown,
    /// A line of JSON for each tool, for search.
    JsonLines,
    /// A typed client in TypeScript.
    TypeScript,
    /// A typed client in Python.
    Python,
}

in_words! {
    /// Why tools cannot be written, in words for who asked for them.
    pub struct NotWritten;
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 11] = [
        Format::Mcp,
        Format::OpenAi,
        Format::OpenAiStrict,
        Format::OpenAiChat,
        Format::Anthropic,
        Format::Gemini,
        Format::OpenApi,
        Format::Markdown,
        Format::JsonLines,
        Format::TypeScript,
        Format::Python,
    ];

    /// The name it is asked for by.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Mcp => "mcp",
            Format::OpenAi => "openai",
            Format::OpenAiStrict => "openai-strict",
            Format::OpenAiChat => "openai-chat",
            Format::Anthropic => "anthropic",
            Format::Gemini => "gemini",
            Format::OpenApi => "openapi",
            Format::Markdown => "markdown",
            Format::JsonLines => "jsonl",
            Format::TypeScript => "typescript",
            Format::Python => "python",
        }
    }

    /// The name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Format::Mcp => "tools.json",
            Format::OpenAi => "openai.json",
            Format::OpenAiStrict => "openai-strict.json",
            Format::OpenAiChat => "openai-chat.json",
            Format::Anthropic => "anthropic.json",
            Format::Gemini => "gemini.json",
            Format::OpenApi => "openapi.json",
            Format::Markdown => "reference.md",
            Format::JsonLines => "tools.jsonl",
            Format::TypeScript => "client.ts",
            Format::Python => "client.py",
        }
    }

    /// Writes the tools, ending in a line break. `template` takes the place of the Markdown reference's own.
    ///
    /// Errors: a template that does not work.
    pub fn write(self, about: &About<'_>, tools: &[Contract], template: Option<&str>) -> Result<String, NotWritten> {
        self.write_for(about, tools, template, None)
    }

    /// The same, with MCP's schemas as a client of a profile takes them.
    ///
    /// Errors: as [`Format::write`].
    pub fn write_for(
        self,
        about: &About<'_>,
        tools: &[Contract],
        template: Option<&str>,
        profile: Option<Profile>,
    ) -> Result<String, NotWritten> {
        let pretty = |value: Value| {
            let text = serde_json::to_string_pretty(&value).map_err(|error| NotWritten::from(error.to_string()))?;
            Ok(text + "\n")
        };
        match self {
            Format::Mcp => pretty(
                json!({"tools": tools.iter().map(|tool| profile::definition(tool, profile)).collect::<Vec<_>>()}),
            ),
            Format::OpenAi => pretty(openai::tools(tools, openai::Mode::Lenient)),
            Format::OpenAiStrict => pretty(openai::tools(tools, openai::Mode::Strict)),
            Format::OpenAiChat => pretty(openai::chat_tools(tools, openai::Mode::Lenient)),
            Format::Anthropic => pretty(anthropic::tools(tools)),
            Format::Gemini => pretty(gemini::declarations(tools)),
            Format::OpenApi => pretty(openapi::document(about, tools)),
            Format::Markdown => reference::reference(about, tools, template).map_err(|error| error.to_string().into()),
            Format::JsonLines => Ok(json_lines::lines(tools)),
            Format::TypeScript => Ok(typescript::client(about, tools)),
            Format::Python => Ok(python::client(about, tools)),
        }
    }
}
