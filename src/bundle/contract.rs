//! The contract of a project: the hash of all that callers rely on.

use super::sha256;
use crate::prompts::Prompt;
use crate::tool::Tool;
use serde_json::json;

/// The hash over all tools and prompts, in hexadecimal digits. It changes with anything that a tool publishes or runs,
/// and with nothing else.
pub fn contract_hash(tools: &[Tool], prompts: &[Prompt]) -> String {
    let mut tools: Vec<&Tool> = tools.iter().collect();
    tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
    let mut prompts: Vec<&Prompt> = prompts.iter().collect();
    prompts.sort_by(|a, b| a.name.cmp(&b.name));
    // Both are plain data, which always has a JSON text.
    sha256(&serde_json::to_vec(&json!({"tools": tools, "prompts": prompts})).unwrap_or_default())
}
