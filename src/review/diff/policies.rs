//! What callers see of the tables that a tool reads.

use super::Found;
use crate::review::change::Kind;
use crate::tool::{Contract, TablePolicy};

/// Compares the policies of the tables.
pub(super) fn compare(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    let of = |contract: &Contract, table: &str| {
        let policy = contract.policies.iter().find(|policy| policy.table == table)?;
        Some(seen(contract, policy))
    };
    for policy in &before.policies {
        let table = policy.table.as_str();
        let old = seen(before, policy);
        match of(after, table) {
            // The tool no longer reads it at all.
            None if !after.tables.contains(&policy.table) => {}
            None => found.push_texts(Kind::PolicyRemoved, Some(table), Some(&old), None),
            Some(new) if new != old => found.push_texts(Kind::PolicyChanged, Some(table), Some(&old), Some(&new)),
            Some(_) => {}
        }
    }
    for policy in after.policies.iter().filter(|policy| of(before, &policy.table).is_none()) {
        // A table that was not read before shows nothing less than before.
        if before.tables.contains(&policy.table) {
            found.push_texts(Kind::PolicyAdded, Some(&policy.table), None, Some(&seen(after, policy)));
        }
    }
}

/// What callers see, in one line: the SELECT, with where its values come from.
fn seen(contract: &Contract, policy: &TablePolicy) -> String {
    let mut line = policy.statement.split_whitespace().collect::<Vec<_>>().join(" ");
    // The last ones first: `$1` begins `$12`.
    for (at, used) in policy.placeholders.iter().enumerate().rev() {
        let from = contract.parameter(&used.parameter).and_then(|parameter| parameter.from.as_ref());
        let from = from.map_or_else(|| used.parameter.clone(), ToString::to_string);
        line = line.replace(&format!("${}", at + 1), &format!("<< {from} >>"));
    }
    line
}
