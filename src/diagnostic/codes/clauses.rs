//! Optional clauses.

use super::super::{Code, Diagnostic};
use crate::source::Span;

/// How an optional clause joins what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connective {
    /// Left out, it restricts nothing.
    And,
    /// Left out, it admits nothing.
    Or,
}

/// `[[` without `]]`. `single` is a `]` that stands where the clause should end.
pub fn unclosed_clause(open: Span, single: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::InvalidClause, open, "the optional clause is not closed").label("`[[` without `]]`");
    match single {
        Some(close) => diagnostic.fix("end the clause with two brackets", close, "]]"),
        None => diagnostic.help("end the clause with `]]`"),
    }
}

/// An optional clause that is the first condition: left out, it would leave none.
pub fn clause_without_condition(open: Span, connective: Connective) -> Diagnostic {
    // What changes nothing: true before AND, false before OR.
    let neutral = match connective {
        Connective::And => "true ",
        Connective::Or => "false ",
    };
    Diagnostic::at(Code::InvalidClause, open, "an optional clause needs a condition before it")
        .label("nothing stands before it")
        .certain_fix("begin with a condition that changes nothing", open.before(), neutral)
}

/// An optional clause without AND and OR at its beginning. `edits` write the one or the other there, where it is a
/// condition.
pub fn clause_without_connective(open: Span, edits: Vec<(&str, Vec<(Span, String)>)>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::InvalidClause, open, "an optional clause begins with AND or OR")
        .label("neither stands behind it")
        .note(
            "an optional clause is a condition that goes with its AND or OR where the agent leaves the parameter out",
        );
    if edits.is_empty() {
        return diagnostic.help("write a condition: `WHERE true [[ AND status = << status >> ]]`");
    }
    edits.into_iter().fold(diagnostic, |diagnostic, (text, edits)| diagnostic.fixes(text, edits))
}

/// An optional clause that nothing could leave out.
pub fn clause_without_placeholder(whole: Span) -> Diagnostic {
    Diagnostic::at(Code::InvalidClause, whole, "the optional clause has no placeholder")
        .label("nothing decides whether it applies")
        .help("remove the double brackets, or use a placeholder inside")
}
