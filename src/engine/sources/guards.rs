//! Which values are looked at beside those that are returned: a database compares, counts and adds up values that are none of
//! their column's type without a word.

use super::facts::Facts;
use super::pushed;
use super::remote_query::{RemoteQuery, Shape, Sought};

/// The columns of conditions that are not read otherwise, and may hold values of other types: what is compared is looked at.
pub(super) fn checked(facts: &Facts, conditions: &[Sought], read: &[usize]) -> Vec<usize> {
    let mut checked = Vec::new();
    let mut add = |at: usize| {
        if pushed::may_misfit(facts, at) && !read.contains(&at) && !checked.contains(&at) {
            checked.push(at);
        }
    };
    conditions.iter().for_each(|sought| sought.condition.columns(&mut add));
    checked
}

/// The columns that groups are made of beside their keys, and those of the conditions: how many of their values are of other
/// types is counted with each group.
pub(super) fn guarded(query: &RemoteQuery) -> Vec<usize> {
    let Shape::Grouped { calls, .. } = &query.shape else { return Vec::new() };
    let mut guarded: Vec<usize> = Vec::new();
    let mut add = |at: usize| {
        if pushed::may_misfit(&query.table, at) && !guarded.contains(&at) {
            guarded.push(at);
        }
    };
    calls.iter().filter_map(|call| call.column).for_each(&mut add);
    query.conditions.iter().for_each(|sought| sought.condition.columns(&mut add));
    guarded
}
