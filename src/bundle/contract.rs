//! The contract of a project: the hash of all that callers rely on.

use super::sha256;
use crate::prompts::Prompt;
use crate::tool::{Offered, Tool};
use serde_json::json;

/// The hash over all tools, prompts and what is passed on of other servers, in hexadecimal digits. It changes with anything that a tool publishes or runs,
/// and with nothing else.
pub fn contract_hash(tools: &[Tool], prompts: &[Prompt], offered: &[Offered]) -> String {
    let mut tools: Vec<&Tool> = tools.iter().collect();
    tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
    let mut prompts: Vec<&Prompt> = prompts.iter().collect();
    prompts.sort_by(|a, b| a.name.cmp(&b.name));
    let mut all = json!({"tools": tools, "prompts": prompts});
    if let Some(all) = all.as_object_mut().filter(|_| !offered.is_empty()) {
        all.insert("offered".to_owned(), json!(offered));
    }
    // All of it is plain data, which always has a JSON text.
    sha256(&serde_json::to_vec(&all).unwrap_or_default())
}
