//! Which values are looked at beside those that are returned: a database compares, counts and adds up values that are none of
//! their column's type without a word.

use super::pushed;
use super::remote_query::{RemoteQuery, Shape};

/// The columns of conditions that are not read otherwise, and may hold values of other types: what is compared is looked at.
pub(super) fn checked(query: &RemoteQuery) -> Vec<usize> {
    let mut checked = Vec::new();
    compared(query, &mut |at| {
        if pushed::may_misfit(&query.table, at) && !query.columns.contains(&at) && !checked.contains(&at) {
            checked.push(at);
        }
    });
    checked
}

/// Hands out the columns that are compared: with values, or with those of other tables.
fn compared(query: &RemoteQuery, found: &mut dyn FnMut(usize)) {
    query.sought().for_each(|(first, sought)| sought.condition.columns(&mut |at| found(first + at)));
    let on = query.joined.iter().flat_map(|part| &part.on);
    on.for_each(|(one, other)| [*one, *other].into_iter().for_each(&mut *found));
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
    compared(query, &mut add);
    guarded
}
