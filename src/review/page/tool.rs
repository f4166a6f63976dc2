//! What the page shows of one tool.

use super::difference::Difference;
use super::pieces::{self, Phrase, Piece};
use super::{CLASSES, Pair, Side, count};
use crate::name::is_legal;
use crate::review::change::{Audience, Change, Class};
use serde::Serialize;
use std::collections::BTreeMap;

/// A number of things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Count {
    pub(super) number: usize,
    /// With its noun: `1 tool`, `2 tools`.
    pub(super) words: String,
}

impl Count {
    pub(super) fn new(number: usize, noun: &str) -> Count {
        let plural = if number == 1 { "" } else { "s" };
        Count { number, words: format!("{number} {noun}{plural}") }
    }
}

/// A tool that has changes, or other texts.
#[derive(Serialize)]
pub(super) struct Reviewed {
    pub(super) name: String,
    title: Vec<Piece>,
    /// The place on the page.
    anchor: String,
    /// What became of it, where it was not there before or is not any more.
    state: Option<&'static str>,
    counts: Vec<ClassCount>,
    changes: Vec<Entry>,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct ClassCount {
    class: Class,
    count: usize,
}

#[derive(Serialize)]
struct Entry {
    class: Class,
    audience: Audience,
    sentence: Vec<Phrase>,
    why: &'static str,
    code: &'static str,
}

/// One text of a tool: how it was and how it is.
#[derive(Serialize)]
struct Part {
    title: &'static str,
    /// `sides`: before beside after. `lines`: one below the other. `whole`: there is only one.
    layout: &'static str,
    /// What is said of it while it is folded.
    note: String,
    open: bool,
    difference: Difference,
}

impl Reviewed {
    /// All that are to be shown: the heaviest first, and there by name.
    pub(super) fn all(changes: &[Change], pairs: &[Pair]) -> Vec<Reviewed> {
        let mut tools: BTreeMap<&str, (Vec<&Change>, Option<&Pair>)> = BTreeMap::new();
        for change in changes {
            tools.entry(&change.tool).or_default().0.push(change);
        }
        for pair in pairs.iter().filter(|pair| pair.before != pair.after) {
            tools.entry(&pair.name).or_default().1 = Some(pair);
        }
        // Texts of a tool whose changes are told are shown, though they are the same.
        for pair in pairs {
            tools.entry(&pair.name).and_modify(|(_, known)| *known = Some(pair));
        }
        let mut all: Vec<Reviewed> = tools
            .into_iter()
            .enumerate()
            .map(|(at, (name, (changes, pair)))| Reviewed::of(name, at, &changes, pair))
            .collect();
        // The counts begin with the heaviest class.
        all.sort_by_key(|tool| (tool.counts.is_empty(), tool.counts.first().map(|of| of.class)));
        all
    }

    fn of(name: &str, at: usize, changes: &[&Change], pair: Option<&Pair>) -> Reviewed {
        let mut sorted: Vec<Change> = changes.iter().map(|change| (*change).clone()).collect();
        sorted.sort_by_key(|change| change.class);
        let of_class = |class| ClassCount { class, count: count(&sorted, class) };
        let (before, after) = pair.map_or((None, None), |pair| (pair.before.as_ref(), pair.after.as_ref()));
        Reviewed {
            name: name.to_owned(),
            title: pieces::pieces_of(name),
            // No legal name begins with a digit.
            anchor: if is_legal(name) { format!("tool-{name}") } else { format!("tool-{at}") },
            state: match (before, after) {
                (None, Some(_)) => Some("new"),
                (Some(_), None) => Some("removed"),
                _ => None,
            },
            counts: CLASSES.map(of_class).into_iter().filter(|of| of.count > 0).collect(),
            parts: parts(before, after),
            changes: sorted.iter().map(Entry::of).collect(),
        }
    }
}

impl Entry {
    fn of(change: &Change) -> Entry {
        let rule = change.kind.rule();
        let (class, audience) = (change.class, change.audience);
        Entry { class, audience, sentence: pieces::sentence(change), why: rule.why, code: rule.code }
    }
}

/// Reads one of the texts.
type Text = fn(&Side) -> &str;

/// The texts in the order of the page: title, layout, and whether a difference in it is shown at once.
const PARTS: [(&str, &str, bool, Text); 5] = [
    ("Signature", "sides", true, |side| &side.signature),
    ("Input schema", "sides", true, |side| &side.schema),
    ("Query", "lines", true, |side| &side.statement),
    ("Plan", "lines", true, |side| &side.plan),
    // It says all of the above again.
    ("Snapshot", "lines", false, |side| &side.snapshot),
];

fn parts(before: Option<&Side>, after: Option<&Side>) -> Vec<Part> {
    let part = |(title, layout, opens, text): (&'static str, &'static str, bool, Text)| {
        let (old, new) = (before.map(text).unwrap_or_default(), after.map(text).unwrap_or_default());
        let whole = match (before, after) {
            _ if old == new => Some((new, "unchanged")),
            (None, _) => Some((new, "new")),
            (_, None) => Some((old, "removed")),
            _ => None,
        };
        if old.is_empty() && new.is_empty() {
            return None;
        }
        Some(match whole {
            Some((text, note)) => Part {
                title,
                layout: "whole",
                note: note.to_owned(),
                // Of a tool that is new or gone the signature says enough.
                open: note != "unchanged" && title == "Signature",
                difference: Difference::of(text, text),
            },
            None => {
                let difference = Difference::of(old, new);
                let (removed, added) = (Count::new(difference.removed, "line"), Count::new(difference.added, "line"));
                let note = match (difference.removed, difference.added) {
                    (_, 0) => format!("{} removed", removed.words),
                    (0, _) => format!("{} added", added.words),
                    _ => format!("{} became {}", removed.words, difference.added),
                };
                Part { title, layout, note, open: opens, difference }
            }
        })
    };
    PARTS.into_iter().filter_map(part).collect()
}
