//! Tools in the forms that others read: MCP's JSON, and the signature that a person reads. Deterministic: the same tool
//! gives the same bytes. Nothing here runs anything.

mod description;
pub mod mcp;
pub mod signature;
