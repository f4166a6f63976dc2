//! Changes in writing: for a terminal, for a pull request, and for programs.

mod json;
mod lines;
mod markdown;
mod text;

pub use json::json;
pub(crate) use lines::wrapped_words;
pub use markdown::markdown;
pub use text::text;

use super::change::{Bump, Change, Class, bump};

/// All classes, the heaviest first.
const CLASSES: [Class; 3] = [Class::Breaking, Class::Compatible, Class::Documentation];

/// How many changes there are, by class, and the step of the version they ask for:
/// `2 breaking changes, 1 compatible: a major version`.
fn summary(changes: &[Change]) -> String {
    let counted = |class: &Class| {
        let count = changes.iter().filter(|change| change.class == *class).count();
        (count > 0).then(|| format!("{count} {class}"))
    };
    let counts: Vec<String> = CLASSES.iter().filter_map(counted).collect();
    let step = match bump(changes) {
        Bump::None => return "no changes".to_owned(),
        Bump::Patch => "a patch version",
        Bump::Minor => "a minor version",
        Bump::Major => "a major version",
    };
    let noun = if changes.len() == 1 { "change" } else { "changes" };
    let mut counts = counts.into_iter();
    let first = counts.next().map(|first| format!("{first} {noun}"));
    let all: Vec<String> = first.into_iter().chain(counts).collect();
    format!("{}: {step}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::change::{Kind, Of};

    pub(super) fn changes() -> Vec<Change> {
        let of = |subject: Option<&str>, before: Option<&str>, after: Option<&str>| Of {
            subject: subject.map(str::to_owned),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        vec![
            Change::new(
                Kind::AllowedValuesNarrowed,
                "late_flights",
                of(Some("origin"), Some("EWR, JFK, LGA"), Some("EWR, JFK")),
            ),
            Change::new(Kind::ColumnRenamed, "late_flights", of(Some("b|c"), Some("a`b"), Some("b|c"))),
            Change::new(Kind::TextHidesCharacters, "late_flights", of(Some("description"), None, Some("U+200B"))),
            Change::new(
                Kind::DescriptionChanged,
                "late_flights",
                of(
                    None,
                    Some("<b>Flights</b> of @carrier\n# late"),
                    Some("Flights\u{200b} \u{1b}[31mof one airline, worst first"),
                ),
            ),
            Change::new(Kind::ToolAdded, "route_summary", Of::default()),
        ]
    }

    #[test]
    fn changes_are_counted_by_class() {
        assert_eq!(summary(&[]), "no changes");
        assert_eq!(summary(&changes()), "3 breaking changes, 1 compatible, 1 documentation: a major version");
        assert_eq!(summary(changes().get(4..).unwrap()), "1 compatible change: a minor version");
    }
}
