//! Which names are one tool to whoever counts calls: an alias and what it stands for, and the versions of one tool. Else
//! every further name would double what a caller may do.

use super::{Contract, Tool};
use crate::name::version::versioned_name;
use std::collections::HashSet;

/// The tools that other versions may stand beside.
pub(crate) struct Families(HashSet<String>);

impl Families {
    /// Those of a project.
    pub(crate) fn of_tools(tools: &[Tool]) -> Families {
        let plain = tools.iter().map(|tool| &tool.contract).filter(|contract| contract.version.is_some());
        Families(plain.map(|contract| contract.name.clone()).collect())
    }

    /// The name under which calls of a tool are counted.
    pub(crate) fn counted_name<'a>(&self, contract: &'a Contract) -> &'a str {
        let name = contract.alias_of.as_deref().unwrap_or(&contract.name);
        let suffix = contract.version.as_deref().map(|version| versioned_name("", version));
        let plain = suffix.and_then(|suffix| name.strip_suffix(suffix.as_str()));
        plain.filter(|plain| self.0.contains(*plain)).unwrap_or(name)
    }
}
