//! The names of columns that a header does not tell apart.

use std::collections::HashMap;

/// `id#2` → the second column of the name `id`; `#1` is the first without a name.
pub(super) fn numbered(name: &str) -> Option<(&str, usize)> {
    let (name, number) = name.rsplit_once('#')?;
    let number = number.parse::<usize>().ok().filter(|number| *number > 0)?;
    (number > 1 || name.is_empty()).then_some((name, number))
}

/// The names of a header, with the number of those that stand there before or are none: `id`, `id#2`, `#1`.
pub(in crate::engine::tables) fn numbered_names(names: &[String]) -> Vec<String> {
    let mut met: HashMap<&str, usize> = HashMap::new();
    let named = names.iter().map(|name| {
        let count = met.entry(name.as_str()).or_default();
        *count += 1;
        if *count > 1 || name.is_empty() { format!("{name}#{count}") } else { name.clone() }
    });
    named.collect()
}
