//! One JSON document, for programs.

use crate::review::change::{Bump, Change, Class, bump};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    /// The step of the version that the changes ask for.
    bump: Bump,
    /// How many there are of each class.
    counts: Counts,
    changes: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Counts {
    breaking: usize,
    compatible: usize,
    documentation: usize,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    change: &'a Change,
    /// Why it is of its class.
    why: &'static str,
}

/// The document, ending in a line break.
pub fn json(changes: &[Change]) -> String {
    let count = |class: Class| changes.iter().filter(|change| change.class == class).count();
    let document = Document {
        bump: bump(changes),
        counts: Counts {
            breaking: count(Class::Breaking),
            compatible: count(Class::Compatible),
            documentation: count(Class::Documentation),
        },
        changes: changes.iter().map(|change| Entry { change, why: change.kind.rule().why }).collect(),
    };
    // Strings, numbers and lists only: this serialisation has no way to fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::tests::changes;
    use super::*;
    use serde_json::Value;

    #[test]
    fn a_program_reads_every_change_back() {
        let document: Value = serde_json::from_str(&json(&changes())).unwrap();
        assert_eq!(document["bump"], "major");
        assert_eq!(document["counts"]["breaking"], 3);
        let read: Vec<Change> = serde_json::from_value(document["changes"].clone()).unwrap();
        assert_eq!(read, changes());
    }
}
