//! The limits of providers and clients, each with its source.

/// OpenAI: the longest name of a function.
///
/// Source: <https://platform.openai.com/docs/api-reference/chat/create> (`tools.function.name`).
pub(super) const OPENAI_NAME: usize = 64;

/// OpenAI: the most functions of a request.
///
/// Source: <https://platform.openai.com/docs/api-reference/chat/create> (`tools`: a maximum of 128 functions).
pub(super) const OPENAI_TOOLS: usize = 128;

/// OpenAI, Chat Completions with some models: the longest description of a function, in characters.
///
/// Source: the API's own refusal, `string_above_max_length` (<https://github.com/getsentry/sentry-mcp/issues/106>).
pub(super) const OPENAI_DESCRIPTION: usize = 1024;

/// OpenAI strict: the most properties of a schema, all objects together.
///
/// Source of this and the following: <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>.
pub(super) const STRICT_PROPERTIES: usize = 5_000;

/// OpenAI strict: the most levels of nesting.
pub(super) const STRICT_DEPTH: usize = 10;

/// OpenAI strict: the most characters of the names of properties and definitions, `enum` and `const` together.
pub(super) const STRICT_CHARACTERS: usize = 120_000;

/// OpenAI strict: the most values of `enum` in a schema, all properties together.
pub(super) const STRICT_ENUM_VALUES: usize = 1_000;

/// OpenAI strict: from more values than this on, those of one `enum` of strings are counted by their characters.
pub(super) const STRICT_LARGE_ENUM: usize = 250;

/// OpenAI strict: the most characters of an `enum` of more than [`STRICT_LARGE_ENUM`] strings.
pub(super) const STRICT_LARGE_ENUM_CHARACTERS: usize = 15_000;

/// Claude: the longest name of a tool.
///
/// Source: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools> (`^[a-zA-Z0-9_-]{1,128}$`).
pub(super) const CLAUDE_NAME: usize = 128;

/// Claude: the longest name of a tool in older API versions, gateways and references to tools.
///
/// Source: the API's own refusal (<https://github.com/anthropics/claude-code/issues/22276>,
/// <https://github.com/cloudflare/skills/issues/11>).
pub(super) const CLAUDE_OLD_NAME: usize = 64;

/// Claude: the longest name of a parameter; one that is longer has the whole request refused.
///
/// Source: the API's own refusal, `Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`
/// (<https://github.com/twilio-labs/mcp/issues/58>).
pub(super) const CLAUDE_PARAMETER: usize = 64;

/// Claude Code: where the description of a tool is cut, in bytes.
///
/// Source: <https://code.claude.com/docs/en/mcp> ("truncates tool descriptions and server instructions at 2KB each").
pub(super) const CLAUDE_CODE_DESCRIPTION: usize = 2_048;

/// Gemini: the longest name of a function.
///
/// Source: <https://googleapis.github.io/python-genai/genai.html#genai.types.FunctionDeclaration>.
pub(super) const GEMINI_NAME: usize = 128;

/// Gemini: the longest name of a function in older documents of the API.
///
/// Source: <https://ai.google.dev/api/caching#FunctionDeclaration>.
pub(super) const GEMINI_OLD_NAME: usize = 64;

/// Gemini: the longest name of a parameter.
///
/// Source: <https://googleapis.github.io/python-genai/genai.html#genai.types.FunctionDeclaration> (`parameters`).
pub(super) const GEMINI_PARAMETER: usize = 64;

/// Gemini: the most functions of a request.
///
/// Source: <https://googleapis.github.io/python-genai/genai.html#genai.types.Tool> (`function_declarations`).
pub(super) const GEMINI_TOOLS: usize = 512;

/// Cursor: the longest names of server and tool together. Those of 60 characters are dropped ("Combined server and tool
/// name length (60) exceeds 60 characters").
///
/// Source: <https://github.com/ComposioHQ/composio/issues/2788>.
pub(super) const CURSOR_NAMES: usize = 59;

/// Cursor: the tools of all servers together that reach the model in older versions; newer ones send 80.
///
/// Sources: <https://docs.cursor.com/context/model-context-protocol#tool-quantity>,
/// <https://github.com/Snowflake-Labs/mcp/issues/77>.
pub(super) const CURSOR_TOOLS: usize = 40;
