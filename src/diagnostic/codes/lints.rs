//! The constructors of lints: what compiles, and surprises somebody. Their levels can be set.

use super::{list, quoted};
use crate::diagnostic::{Code, Diagnostic, Edit};
use crate::source::Span;

/// A code under `lints` that is an error's. `lints` are those that may stand there.
pub(super) fn error_is_no_lint(place: Span, code: Code, lints: &[String]) -> Diagnostic {
    super::invalid_setting(place, &format!("`{code}` is an error, and errors cannot be silenced"))
        .label("not a lint")
        .note(format!("the lints are {}", list(lints.iter().map(String::as_str))))
}

/// A tool whose calls may return any number of rows. `project` is where the whole project is set so, if it is.
pub fn unbounded_result(place: Span, tool: &str, project: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::UnboundedResult, place, format!("nothing bounds the number of rows of `{tool}`"))
            .help("give a number as `result_limit`, or write a LIMIT");
    match project {
        Some(project) => diagnostic.also(project, "`none` is the limit of the project"),
        None => diagnostic,
    }
}

/// A `*` that makes columns of the result. `columns` are what it stands for, where that is known.
pub fn select_star(place: Span, columns: Option<&[String]>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::SelectStar, place, "`*` leaves it to the table which columns there are")
        .label("a new column of the table changes the result unseen");
    match columns {
        Some(columns) => {
            let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
            diagnostic.fix("name the columns", place, names.join(", "))
        }
        None => diagnostic.help("name the columns"),
    }
}

/// A LIMIT, OFFSET or FETCH through rows in no order.
pub fn unordered_limit(place: Span) -> Diagnostic {
    Diagnostic::at(Code::UnorderedLimit, place, "the query cuts its rows and has no ORDER BY")
        .label("which rows are left is chance")
        .help("write an ORDER BY before it that ends with columns which identify a row")
}

/// A large table that is read from end to end. `reads` is the query that reads it, where it is another.
pub fn unfiltered_scan(place: Span, table: &str, reads: Option<&str>) -> Diagnostic {
    let message = match reads {
        None => format!("the large table `{table}` is read without a filter"),
        Some(query) => format!("the large table `{table}` is read without a filter through `{query}`"),
    };
    Diagnostic::at(Code::UnfilteredScan, place, message)
        .label("all of it is read")
        .note(format!(
            "`{table}` is `large` in qtool.yaml; an optional clause is no filter, as a call may leave it out"
        ))
        .help("add a condition that holds at every call")
}

/// A comparison that no row passes where a parameter is absent. `clause` are the insertions, in order, that make an
/// optional clause of it.
pub fn null_comparison(place: Span, parameter: &str, clause: Option<[(Span, &str); 2]>) -> Diagnostic {
    let message = format!("a call without `{parameter}` passes no row through this comparison");
    let diagnostic =
        Diagnostic::at(Code::NullComparison, place, message).label(format!("NULL where `{parameter}` is absent"));
    match clause {
        Some([(open, opening), (close, closing)]) => {
            let text = format!("make it an optional clause, which does not apply without `{parameter}`");
            and_edit(diagnostic.fix(text, open, opening), close, closing)
        }
        None => diagnostic.help(format!(
            "say what its absence means: `<< {parameter}? >> IS NULL OR …`, or an optional clause `[[ AND … ]]`"
        )),
    }
}

/// A second edit of the last suggestion.
fn and_edit(mut diagnostic: Diagnostic, place: Span, replacement: &str) -> Diagnostic {
    if let Some(help) = diagnostic.helps.last_mut()
        && let Some(first) = help.edits.first().cloned()
    {
        help.edits.push(Edit { span: place, replacement: replacement.to_owned(), ..first });
    }
    diagnostic
}

/// A tool's definition, or a part of it, and about how many tokens it takes.
#[derive(Debug, Clone)]
pub struct Share {
    /// What it is, in words.
    pub part: String,
    /// About how many tokens.
    pub tokens: usize,
    /// Where it is written.
    pub place: Span,
}

/// A tool whose definition takes more than its budget of an agent's context.
pub fn large_definition(whole: &Share, largest: &Share, budget: usize) -> Diagnostic {
    let message =
        format!("{} takes about {} tokens, {} of them for {}", whole.part, whole.tokens, largest.tokens, largest.part);
    let diagnostic = Diagnostic::at(Code::LargeDefinition, whole.place, message)
        .note(format!("the budget is {budget}: agents read the definition of every tool before they call one"))
        .help("shorten it; instead of a long list of values, let another tool search for them");
    if largest.place == whole.place { diagnostic } else { diagnostic.also(largest.place, "the largest part") }
}

/// A description that tells the model what to do. `what` is described.
pub fn instructing_description(place: Span, what: &str) -> Diagnostic {
    Diagnostic::at(Code::InstructingDescription, place, format!("the description of {what} instructs the model"))
        .label("reads as an instruction")
        .note("clients take such a text for an attack by the server, and may refuse the tool")
        .help("say what it is and what comes back; what an agent shall do belongs into its own prompt")
}

/// A description with a character that nobody sees. `removable` where the place is that of the character alone.
pub fn invisible_character(place: Span, what: &str, character: char, removable: bool) -> Diagnostic {
    let code = u32::from(character);
    let message = format!("the description of {what} has an invisible character, U+{code:04X}");
    let diagnostic = Diagnostic::at(Code::InstructingDescription, place, message)
        .note("models read what people do not see: such characters hide instructions");
    if removable { diagnostic.fix("remove it", place, "") } else { diagnostic.help("remove it") }
}
