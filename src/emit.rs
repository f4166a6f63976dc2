//! Tools in the forms that others read: MCP's JSON, and the signature that a person reads. Deterministic: the same tool
//! gives the same bytes. Nothing here runs anything.

pub mod about;
pub mod anthropic;
mod arguments;
mod client;
mod description;
mod example;
pub mod format;
pub mod gemini;
pub mod http_api;
pub mod json_lines;
pub mod mcp;
pub mod openai;
pub mod openapi;
pub mod profile;
pub mod python;
pub mod reference;
pub mod signature;
pub mod tokens;
pub mod typescript;
