//! Which parts of a statement decide whether there are rows: where such a part has none, there are none.

use super::arena::{Arena, Id, Kind, Role, Source};
use super::weights::Weight;
use std::collections::{HashMap, HashSet};

/// What is read of a common table expression, or of a table of a FROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Values, or rows beside others: without them there are rows all the same.
    Elsewhere,
    /// What rows are joined with, where there is something.
    Partners,
    /// The rows that are put together.
    Rows,
}

/// How far each common table expression reaches: the least and the most of all that read it.
pub(super) fn reaches(arena: &Arena) -> HashMap<Id, (Reach, Reach)> {
    let mut readers: Vec<(Id, Id)> = Vec::new();
    let mut common = HashSet::new();
    for id in arena.outside_in() {
        if let Some(Source::Common(read)) = arena.table(id).map(|table| &table.source) {
            readers.push((*read, id));
            common.insert(*read);
        }
    }
    let mut found: HashMap<Id, (Reach, Reach)> = HashMap::new();
    // Those that read stand behind what they read, mostly: then two rounds are enough.
    for _ in 0..=common.len() {
        let mut next: HashMap<Id, (Reach, Reach)> = HashMap::new();
        for (read, reader) in readers.iter().rev() {
            let Some((least, most)) = reach(arena, (*read, *reader), &found, &next) else { continue };
            let all = next.entry(*read).or_insert((least, most));
            *all = (all.0.min(least), all.1.max(most));
        }
        if next == found {
            break;
        }
        found = next;
    }
    found
}

/// How far one table reaches that reads a common table expression; `None` where that reads itself.
fn reach(
    arena: &Arena,
    (read, reader): (Id, Id),
    before: &HashMap<Id, (Reach, Reach)>,
    now: &HashMap<Id, (Reach, Reach)>,
) -> Option<(Reach, Reach)> {
    let mut own = Reach::Rows;
    let mut at = reader;
    loop {
        if arena.table(at).is_some_and(|table| table.is_optional) {
            own = own.min(Reach::Partners);
        }
        if let Some(query) = arena.query(at) {
            match query.role {
                _ if at == read => return None,
                Role::Common => {
                    let around = now.get(&at).or_else(|| before.get(&at)).copied();
                    let (least, most) = around.unwrap_or((Reach::Elsewhere, Reach::Elsewhere));
                    return Some((least.min(own), most.min(own)));
                }
                Role::Rows => {}
                Role::Exists { .. } | Role::Set | Role::Value => own = Reach::Elsewhere,
            }
        }
        let Some(parent) = arena.parent(at) else { return Some((own, own)) };
        if weight(arena, parent, at) != Weight::Decides {
            own = Reach::Elsewhere;
        }
        at = parent;
    }
}

/// What it means for a query that what stands in it has no rows.
pub(super) fn weight(arena: &Arena, query: Id, part: Id) -> Weight {
    let Some(Kind::Query(query)) = arena.kind(query) else { return Weight::Decides };
    let leaf = query.leaves.iter().position(|leaf| leaf.id() == Some(part));
    leaf.and_then(|leaf| query.weights.get(leaf)).copied().unwrap_or(Weight::Decides)
}
