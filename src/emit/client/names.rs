//! Names of tools in the spellings of other languages, each unique.

use crate::tool::Contract;
use heck::ToLowerCamelCase;
use std::collections::HashMap;

/// The spellings of a tool's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::emit) struct Names {
    /// `lateFlights`.
    pub(in crate::emit) camel: String,
    /// `LateFlights`: what the names of its types begin with.
    pub(in crate::emit) pascal: String,
}

/// The spellings of the tools, in their order. Those that would be the same have the tool's own spelling behind them.
pub(in crate::emit) fn names_of(tools: &[Contract]) -> Vec<Names> {
    let camel: Vec<String> = tools.iter().map(|tool| tool.name.to_lower_camel_case()).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    camel.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let is_unique = |name: &str| counts.get(name) == Some(&1);
    camel
        .iter()
        .zip(tools)
        // No spelling in camel case has an underscore.
        .map(|(camel, tool)| if is_unique(camel) { camel.clone() } else { format!("{camel}_{}", tool.name) })
        .map(|camel| Names { pascal: with_capital(&camel), camel })
        .collect()
}

fn with_capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn names_that_would_collide_have_their_own_spelling_behind_them() {
        let named = |name: &str| Contract { name: name.to_owned(), ..fixture::tool("late_flights") };
        let spelt = names_of(&["late_flights", "a_b", "a__b", "class"].map(named));
        let camel: Vec<&str> = spelt.iter().map(|names| names.camel.as_str()).collect();
        let pascal: Vec<&str> = spelt.iter().map(|names| names.pascal.as_str()).collect();
        assert_eq!(camel, ["lateFlights", "aB_a_b", "aB_a__b", "class"]);
        assert_eq!(pascal, ["LateFlights", "AB_a_b", "AB_a__b", "Class"]);
    }
}
