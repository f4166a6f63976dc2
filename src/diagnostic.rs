//! What the compiler has to say about a project, as data.
//!
//! A [`Diagnostic`] stands alone in its one-line form, points at the smallest span, and suggests only in its helps.
//! There is one constructor per code (in [`codes`]), so that the wording of a message lives in one place; the renderers
//! ([`render`]) are the only ones that turn diagnostics into text.

pub mod codes;
pub mod fix;
pub mod render;

mod code;

pub use code::Code;

use crate::name::{Likeness, Near};
use crate::source::Span;
use serde::Serialize;

/// How bad it is: an error stops the file from becoming a tool, a warning does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file does not compile.
    Error,
    /// The file compiles, but somebody will be surprised.
    Warning,
}

/// A place and a few words on what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be said of it; may be empty on a primary label.
    pub text: String,
}

/// A replacement of one span by other text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty where text is inserted.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
    /// The name that the edit is about, where its place may be rough: it is right only where that name stands, in
    /// quotes and with a table in front or not.
    pub written: Option<String>,
}

/// Whether the edits of a suggestion can be applied unseen: rustc's `MachineApplicable` and `MaybeIncorrect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Applicability {
    /// They keep what the text means, or write the only thing that can have been meant; they never change a file that
    /// was right. `qtool check --fix` applies them.
    Certain,
    /// They write what was probably meant, or one way of several: a person decides.
    MaybeIncorrect,
}

/// A suggestion, with the edits that carry it out where that is possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// What to do.
    pub text: String,
    /// The edits that do it, in one file; empty where the author must think.
    pub edits: Vec<Edit>,
    /// How sure the edits are.
    pub applicability: Applicability,
}

/// One thing to say about the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule speaks.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One line, lowercase, no full stop, names in backticks.
    pub message: String,
    /// The place the message is about; absent where no text was read (a missing file, say).
    pub primary: Option<Label>,
    /// The file that the message is about, relative to the project and with `/`, where no text of it was read.
    pub path: Option<String>,
    /// Further places.
    pub secondary: Vec<Label>,
    /// Facts.
    pub notes: Vec<String>,
    /// Suggestions.
    pub helps: Vec<Help>,
    /// Whether its lines hold what nobody is to see: then they are not drawn, and their place alone is told.
    pub hides_line: bool,
}

impl Diagnostic {
    /// A diagnostic about a place.
    pub fn at(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { primary: Some(Label { span, text: String::new() }), ..Diagnostic::nowhere(code, message) }
    }

    /// A diagnostic that has no place in a text.
    pub fn nowhere(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            primary: None,
            path: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            hides_line: false,
        }
    }

    /// A diagnostic about a file of which no text was read.
    pub fn in_file(code: Code, path: impl Into<String>, message: impl Into<String>) -> Self {
        Diagnostic { path: Some(path.into()), ..Diagnostic::nowhere(code, message) }
    }

    /// Says what stands at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a suggestion without an edit.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(Help { text: text.into(), edits: Vec::new(), applicability: Applicability::MaybeIncorrect });
        self
    }

    /// Adds a suggestion that an edit carries out; somebody must look at it first.
    #[must_use]
    pub fn fix(self, text: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let edit = Edit { span, replacement: replacement.into(), written: None };
        self.edit(text.into(), Applicability::MaybeIncorrect, edit)
    }

    /// Adds a suggestion that several edits of one file carry out together; somebody must look at it first.
    #[must_use]
    pub fn fixes(mut self, text: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        let edit = |(span, replacement)| Edit { span, replacement, written: None };
        let edits = edits.into_iter().map(edit).collect();
        self.helps.push(Help { text: text.into(), edits, applicability: Applicability::MaybeIncorrect });
        self
    }

    /// Adds a suggestion with an edit that is [certain](Applicability::Certain).
    #[must_use]
    pub fn certain_fix(self, text: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        let edit = Edit { span, replacement: replacement.into(), written: None };
        self.edit(text.into(), Applicability::Certain, edit)
    }

    /// Adds a suggestion with several edits that is [certain](Applicability::Certain).
    #[must_use]
    pub fn certain_fixes(mut self, text: impl Into<String>, edits: Vec<(Span, String)>) -> Self {
        let edit = |(span, replacement)| Edit { span, replacement, written: None };
        let edits = edits.into_iter().map(edit).collect();
        self.helps.push(Help { text: text.into(), edits, applicability: Applicability::Certain });
        self
    }

    /// Suggests a known name, spelt as `replacement`, for the one that was written at a place. Where names are free, a
    /// similar one may be another thing, which does not exist yet: certain only where nothing differs but the spelling.
    /// `what` is what it names, with its article.
    #[must_use]
    pub fn similar_name(self, what: &str, near: Near<'_, '_>, span: Span, replacement: impl Into<String>) -> Self {
        let applicability = match near.likeness {
            Likeness::Same => Applicability::Certain,
            Likeness::Slip | Likeness::Similar => Applicability::MaybeIncorrect,
        };
        let edit = Edit { span, replacement: replacement.into(), written: Some(near.written.to_owned()) };
        self.edit(format!("{what} with a similar name exists"), applicability, edit)
    }

    /// Suggests a word of a vocabulary that is ours, for the one that was written at a place: certain also where that
    /// was a slip, as nothing else can have been meant.
    #[must_use]
    pub fn similar_word(self, what: &str, near: Near<'_, '_>, span: Span) -> Self {
        let applicability = match near.likeness {
            Likeness::Same | Likeness::Slip => Applicability::Certain,
            Likeness::Similar => Applicability::MaybeIncorrect,
        };
        let edit = Edit { span, replacement: near.name.to_owned(), written: Some(near.written.to_owned()) };
        self.edit(format!("{what} with a similar name exists"), applicability, edit)
    }

    /// Leaves it to a person whether the suggestions are carried out.
    #[must_use]
    pub fn uncertain(mut self) -> Self {
        for help in &mut self.helps {
            help.applicability = Applicability::MaybeIncorrect;
        }
        self
    }

    /// Keeps its lines from being drawn: a secret stands in one of them.
    #[must_use]
    pub fn hides_line(mut self) -> Self {
        self.hides_line = true;
        self
    }

    /// Takes the suggestions away, where better ones are known.
    #[must_use]
    pub fn without_helps(mut self) -> Self {
        self.helps.clear();
        self
    }

    fn edit(mut self, text: String, applicability: Applicability, edit: Edit) -> Self {
        self.helps.push(Help { text, edits: vec![edit], applicability });
        self
    }
}

/// Where the stages put what they have to say.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Takes one in.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.items.push(diagnostic);
    }

    /// How many errors there are so far.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many warnings there are so far.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// How many there are of a code.
    pub fn count_of(&self, code: Code) -> usize {
        self.items.iter().filter(|item| item.code == code).count()
    }

    fn count(&self, severity: Severity) -> usize {
        self.items.iter().filter(|item| item.severity == severity).count()
    }

    /// Drops what is said of a code within one of these places.
    pub fn forget_at(&mut self, code: Code, places: &[Span]) {
        let within = |one: Span| places.iter().any(|place| place.to(one) == *place && place.file == one.file);
        let is_there = |one: &Diagnostic| one.primary.as_ref().is_some_and(|label| within(label.span));
        self.items.retain(|one| one.code != code || !is_there(one));
    }

    /// Says each in other words, as somebody who knows more does.
    pub fn reword(&mut self, better: impl FnMut(Diagnostic) -> Diagnostic) {
        self.items = std::mem::take(&mut self.items).into_iter().map(better).collect();
    }

    /// Forgets those of a code.
    pub fn forget(&mut self, code: Code) {
        self.items.retain(|diagnostic| diagnostic.code != code);
    }

    /// Takes in all of another sink.
    pub fn extend(&mut self, other: Diagnostics) {
        self.items.extend(other.items);
    }

    /// All of them by place: those without a place first, then by file and byte. Equal ones are kept once.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.items.sort_by_key(|item| (item.primary.as_ref().map(|label| label.span), item.code));
        self.items.dedup();
        self.items
    }
}
