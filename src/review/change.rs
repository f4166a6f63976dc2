//! What can change of a tool, and what each change means: the table of rules, [`RULES`].

mod rules;

pub use rules::{Kind, RULES, Rule};

use serde::{Deserialize, Serialize};
use std::fmt;

/// Whom a change is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// Those who send arguments.
    Callers,
    /// Those who read results.
    Readers,
    /// Everybody: what a call does, though it is sent and read as before.
    Behaviour,
    /// Those who choose a tool and find out how to use it.
    Documentation,
}

/// What a change does to those it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// What worked before may fail, or mean something else.
    Breaking,
    /// What worked before works on.
    Compatible,
    /// Nothing but words.
    Documentation,
}

/// The step of a version (<https://semver.org/>, 2.0.0, rules 6 to 8) that changes ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// No step: nothing has changed.
    None,
    /// The third number: the contract is as it was.
    Patch,
    /// The second number: the contract offers more.
    Minor,
    /// The first number: the contract is another one.
    Major,
}

/// One thing that is different.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Change {
    /// What kind of change it is.
    pub kind: Kind,
    /// The tool; of one that was renamed, the new name.
    pub tool: String,
    /// What of the tool: a parameter, a column, an annotation, …; absent for the tool itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What was there, in few words; absent where there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What is there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What it does.
    pub class: Class,
    /// To whom.
    pub audience: Audience,
    /// The same for a person, in one sentence.
    pub sentence: String,
}

/// What a change is about, beside its kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Of {
    pub(super) subject: Option<String>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Change {
    /// A change of a kind: all else follows from the table.
    pub(super) fn new(kind: Kind, tool: &str, of: Of) -> Change {
        let rule = kind.rule();
        let Of { subject, before, after } = of;
        let (class, audience) = (rule.class, rule.audience);
        let mut change =
            Change { kind, tool: tool.to_owned(), subject, before, after, class, audience, sentence: String::new() };
        change.sentence = change.say(&|text| format!("`{text}`"));
        change
    }

    /// The sentence, with names and values as `quote` writes them.
    pub fn say(&self, quote: &dyn Fn(&str) -> String) -> String {
        let mut out = String::new();
        let mut rest = self.kind.rule().says;
        while let Some((text, more)) = rest.split_once('{') {
            let (slot, more) = more.split_once('}').unwrap_or((more, ""));
            out.push_str(text);
            let value = match slot {
                "tool" => Some(&self.tool),
                "subject" => self.subject.as_ref(),
                "before" => self.before.as_ref(),
                _ => self.after.as_ref(),
            };
            out.push_str(&value.map_or_else(|| "nothing".to_owned(), |value| quote(value)));
            rest = more;
        }
        out + rest
    }
}

impl fmt::Display for Change {
    /// One line: `class kind tool.subject`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.class, self.kind, self.tool)?;
        self.subject.iter().try_for_each(|subject| write!(f, ".{subject}"))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Breaking => "breaking",
            Class::Compatible => "compatible",
            Class::Documentation => "documentation",
        })
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Audience::Callers => "callers",
            Audience::Readers => "readers",
            Audience::Behaviour => "behaviour",
            Audience::Documentation => "documentation",
        })
    }
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bump::None => "none",
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        })
    }
}

/// The step of the version that changes ask for: the first number where anything breaks, the second where callers or
/// readers are offered more, the third for what is done in another way under the same contract, and for words.
pub fn bump(changes: &[Change]) -> Bump {
    let one = |change: &Change| match (change.class, change.audience) {
        (Class::Breaking, _) => Bump::Major,
        (Class::Compatible, Audience::Callers | Audience::Readers) => Bump::Minor,
        _ => Bump::Patch,
    };
    changes.iter().map(one).max().unwrap_or(Bump::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: Kind) -> Change {
        Change::new(kind, "t", Of::default())
    }

    #[test]
    fn the_heaviest_change_decides_on_the_version() {
        assert_eq!(bump(&[]), Bump::None);
        assert_eq!(bump(&[change(Kind::DescriptionChanged), change(Kind::QueryChanged)]), Bump::Patch);
        assert_eq!(bump(&[change(Kind::ColumnAdded), change(Kind::DescriptionChanged)]), Bump::Minor);
        assert_eq!(bump(&[change(Kind::ColumnAdded), change(Kind::ColumnRemoved)]), Bump::Major);
    }

    #[test]
    fn a_sentence_has_what_was_and_what_is() {
        let of = Of { subject: Some("day".into()), before: Some("date".into()), after: Some("text".into()) };
        let change = Change::new(Kind::ColumnTypeWidened, "t", of);
        assert_eq!(change.to_string(), "breaking column-type-widened t.day");
        assert!(change.sentence.contains("`day`") && change.sentence.contains("`date`"), "{}", change.sentence);
    }

    #[test]
    fn every_rule_is_found_by_its_code_and_says_only_what_there_is() {
        for rule in &RULES {
            assert_eq!(Kind::from_code(rule.code), Some(rule.kind));
            assert_eq!(rule.kind.rule().code, rule.code);
            let said = change(rule.kind).say(&|text| text.to_owned());
            assert!(said.ends_with('.') && !said.contains(['{', '}']), "{}: {said}", rule.code);
            let slots = rule.says.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
            for (slot, _) in slots {
                assert!(["tool", "subject", "before", "after"].contains(&slot), "{}: {slot}", rule.code);
            }
            let json = serde_json::to_string(&change(rule.kind)).unwrap();
            assert_eq!(serde_json::from_str::<Change>(&json).unwrap(), change(rule.kind));
        }
    }
}
