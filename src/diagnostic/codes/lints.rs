//! The constructors of lints: what compiles, and surprises somebody. Their levels can be set.

use super::{list, quoted};
use crate::diagnostic::{Code, Diagnostic, Edit};
use crate::name::shown_name;
use crate::source::Span;

/// A code under `lints` that is an error's. `lints` are those that may stand there.
pub(super) fn error_is_no_lint(place: Span, code: Code, lints: &[String]) -> Diagnostic {
    super::invalid_setting(place, &format!("`{code}` is an error, and errors cannot be silenced"))
        .label("not a lint")
        .note(format!("the lints are {}", list(lints.iter().map(String::as_str))))
}

/// Scopes that nobody looks at.
pub fn scopes_without_auth(place: Span) -> Diagnostic {
    missing_auth(place, "the tool asks for scopes, and the project has no `auth`")
        .note("without `auth` scopes are not looked at: everybody who reaches the server may call the tool")
}

/// A tool that anybody may call, over a query that asks for scopes.
pub fn dropped_scopes(place: Span, query: &str, scopes: &[&str]) -> Diagnostic {
    let message = format!("the tool has no scopes, and selects from `{query}`, which has some");
    Diagnostic::at(Code::DroppedScopes, place, message)
        .note("a tool has its own scopes alone: every caller may read by it what few may read by the other")
        .help(format!("write `scopes: [{}]` into its header, or those that it is to have", scopes.join(", ")))
}

/// A key of a header that stands in the place of what guards the query that it extends. `gone` is what no longer holds.
pub fn replaced_guard(place: Span, key: &str, base: &str, gone: &[String]) -> Diagnostic {
    let gone: Vec<String> = gone.iter().map(|one| format!("`{}`", shown_name(one))).collect();
    let what = if gone.is_empty() { "what it says".to_owned() } else { gone.join(", ") };
    Diagnostic::at(Code::ReplacedGuard, place, format!("`{key}` stands in the place of that of `{base}`"))
        .label(format!("without {what} of `{base}`"))
        .note("a key of a header replaces that of the header which it extends, and adds nothing to it")
        .help("write here what is to hold of both, or leave the key out")
}

/// A parameter that is bound to a header, which anybody may send.
pub fn header_without_auth(place: Span, from: &str) -> Diagnostic {
    missing_auth(place, &format!("a value comes from `{from}`, and the project has no `auth`"))
        .note("without `auth` everybody who reaches the server may send any header")
}

/// A parameter that is bound to a claim, which nobody has.
pub fn claim_without_auth(place: Span, from: &str) -> Diagnostic {
    missing_auth(place, &format!("a value comes from `{from}`, and the project has no `auth`"))
        .note("without `auth` no caller has claims: every call of a server is refused")
}

/// A policy that asks for a claim, which nobody has.
pub fn policy_without_auth(place: Span, from: &str, table: &str) -> Diagnostic {
    missing_auth(place, &format!("a value comes from `{from}`, and the project has no `auth`"))
        .note(format!("without `auth` no caller over HTTP has claims, and none sees a row of `{table}`"))
}

/// Records that are written by tools, and that nobody may write.
pub fn nobody_writes(place: Span, records: &str) -> Diagnostic {
    let message = format!("nobody may write the records `{records}`: calls have no token, and there is no `actor`");
    missing_auth(place, &message).help(format!("or who writes without one: `{records}: {{ actor: \"agent:desk\" }}`"))
}

fn missing_auth(place: Span, message: &str) -> Diagnostic {
    Diagnostic::at(Code::MissingAuth, place, message).help("say under `auth` in qtool.yaml whose tokens are taken")
}

/// The same expression with a name for it.
pub fn with_name(diagnostic: Diagnostic, place: Span, name: &str) -> Diagnostic {
    and_edits(diagnostic, &[(place.after(), format!(" AS {}", quoted(name)))])
}

/// A tool whose calls may return any number of rows. `project` is where the whole project is set so, if it is; `absent`
/// is the parameter without which its LIMIT bounds nothing.
pub fn unbounded_result(place: Span, tool: &str, project: Option<Span>, absent: Option<&str>) -> Diagnostic {
    let mut diagnostic =
        Diagnostic::at(Code::UnboundedResult, place, format!("nothing bounds the number of rows of `{tool}`"));
    if let Some(project) = project {
        diagnostic = diagnostic.also(project, "`none` is the limit of the project");
    }
    match absent {
        Some(parameter) => diagnostic
            .note(format!("a call may leave out `{parameter}`, and its LIMIT is none then"))
            .help(format!("give `{parameter}` a default, or a number as `result_limit`")),
        None => diagnostic.help("give a number as `result_limit`, or write a LIMIT"),
    }
}

/// How the names of columns take the place of all that a statement selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnList {
    /// As they are, for `*`.
    Plain,
    /// Each behind the name of its table, for `t.*`.
    Of(String),
    /// As a SELECT of its own, for `FROM t`.
    BeforeFrom,
}

impl ColumnList {
    /// The edit of a star, or of the FROM that stands for one.
    fn edit(&self, star: Span, columns: &[&str]) -> (Span, String) {
        let prefix = match self {
            ColumnList::Of(table) => format!("{}.", quoted(table)),
            ColumnList::Plain | ColumnList::BeforeFrom => String::new(),
        };
        let names: Vec<String> = columns.iter().map(|name| format!("{prefix}{}", quoted(name))).collect();
        match self {
            ColumnList::Plain | ColumnList::Of(_) => (star, names.join(", ")),
            ColumnList::BeforeFrom => (star.before(), format!("SELECT {} ", names.join(", "))),
        }
    }
}

/// A `*` that makes columns of the result, or a FROM without a SELECT. `listed` is what it stands for, where that is
/// known, and how it is written instead.
pub fn select_star(place: Span, listed: Option<(&ColumnList, &[&str])>) -> Diagnostic {
    let star = match listed {
        Some((ColumnList::BeforeFrom, _)) => "FROM without SELECT",
        _ => "`*`",
    };
    let diagnostic =
        Diagnostic::at(Code::SelectStar, place, format!("{star} leaves it to the table which columns there are"))
            .label("a new column of the table changes the result unseen");
    match listed {
        Some((list, columns)) if !columns.is_empty() => {
            let (place, text) = list.edit(place, columns);
            diagnostic.fix("name the columns", place, text)
        }
        _ => diagnostic.help("name the columns"),
    }
}

/// A LIMIT, OFFSET or FETCH through rows in no order.
pub fn unordered_limit(place: Span) -> Diagnostic {
    Diagnostic::at(Code::UnorderedLimit, place, "the query cuts its rows and has no ORDER BY")
        .label("which rows are left is chance")
        .help("write an ORDER BY before it that ends with columns which identify a row")
}

/// A LIMIT, OFFSET or FETCH through rows of which some may have one place in the order. `missing` are the columns of the
/// table's primary key that the ORDER BY lacks, `end` is where they belong, if they can be written as they are.
pub fn ambiguous_limit(place: Span, table: &str, missing: &[&str], end: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::at(
        Code::UnorderedLimit,
        place,
        format!("the query cuts its rows, and its ORDER BY does not tell all rows of `{table}` apart"),
    )
    .label("which of equal rows are left is chance")
    .note(format!("the primary key of `{table}` in qtool.yaml also has {}", list(missing.iter().copied())));
    match end {
        Some(end) => {
            let columns: String = missing.iter().map(|name| format!(", {}", quoted(name))).collect();
            diagnostic.fix("end the ORDER BY with the primary key", end, columns)
        }
        None => diagnostic.help("end the ORDER BY with the primary key"),
    }
}

/// A result that has no cursor, though its author asks for one, or for an order. `how` is what would help.
pub fn unstable_order(place: Span, tool: &str, why: &str, how: &str) -> Diagnostic {
    Diagnostic::at(Code::UnstableOrder, place, format!("`{tool}` has no `cursor`: pages of it would not fit together"))
        .label(why)
        .note("a page is the query run again, and its rows must come in the same order each time")
        .help(how)
}

/// A large table, and the query that reads it from end to end.
#[derive(Debug, Clone, Copy)]
pub struct LargeScan<'a> {
    /// The table.
    pub table: &'a str,
    /// The query that reads it, where it is another.
    pub reads: Option<&'a str>,
    /// The view that reads it, where no condition of those that select from the view gets there.
    pub view: Option<&'a str>,
    /// Whether the query has an optional clause.
    pub has_clause: bool,
}

/// A large table that is read from end to end.
pub fn unfiltered_scan(place: Span, scan: &LargeScan<'_>) -> Diagnostic {
    let table = scan.table;
    let through = scan.reads.map(|query| format!(" through `{query}`")).unwrap_or_default();
    let message = format!("the large table `{table}` is read without a filter{through}");
    let clause = if scan.has_clause { "; an optional clause is no filter, as a call may leave it out" } else { "" };
    let diagnostic = Diagnostic::at(Code::UnfilteredScan, place, message)
        .label("all of it is read")
        .note(format!("`{table}` is `large` in qtool.yaml{clause}"));
    match scan.view {
        Some(view) => diagnostic
            .note(format!(
                "`{view}` has to see all rows first, so that no condition of those that select from it helps"
            ))
            .help("add a condition to the view that holds at every call"),
        None => diagnostic.help("add a condition that holds at every call"),
    }
}

/// A condition that no row passes where one of the parameters is absent. `edits`, in order, make optional clauses of it.
pub fn null_comparison(place: Span, parameters: &[&str], edits: &[(Span, String)]) -> Diagnostic {
    let names: Vec<String> = parameters.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(" or ");
    let message = format!("a call without {names} passes no row through this condition");
    let diagnostic =
        Diagnostic::at(Code::NullComparison, place, message).label(format!("NULL where {names} is absent"));
    let help = match (parameters, edits) {
        ([parameter], []) => {
            format!(
                "say what its absence means: `<< {parameter}? >> IS NULL OR …`, or an optional clause `[[ AND … ]]`"
            )
        }
        (_, []) => "say what their absence means: `… IS NULL OR …`, or optional clauses `[[ AND … ]]`".to_owned(),
        ([_], _) => format!("make it an optional clause, which does not apply without {names}"),
        _ => "make optional clauses of it, which do not apply without their parameters".to_owned(),
    };
    and_edits(diagnostic.help(help), edits)
}

/// NULL beside an operator that compares. `instead` is a test for it, and where that is written.
pub fn compared_null(place: Span, instead: Option<(Span, &str)>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::NullComparison, place, "a comparison with NULL is never true")
        .label("equals nothing, and no NULL either");
    match instead {
        Some((place, test)) => diagnostic.fix("test for it", place, test),
        None => diagnostic.help("test for it: `… IS NULL` or `… IS NOT NULL`"),
    }
}

/// NULL as an item of an IN list.
pub fn null_item(place: Span) -> Diagnostic {
    Diagnostic::at(Code::NullComparison, place, "NULL in this list finds nothing")
        .label("equals nothing, and no NULL either")
        .help("leave it out, and write `OR … IS NULL` where rows without a value are meant as well")
}

/// NULL as an item of a NOT IN list.
pub fn negated_null_item(place: Span) -> Diagnostic {
    Diagnostic::at(Code::NullComparison, place, "no row passes NOT IN with NULL in its list")
        .label("nothing is known to differ from it")
        .help("leave it out; rows without a value do not pass NOT IN anyway")
}

/// A condition that goes with the optional OR `clause` before it. `bracket` is where the alternatives begin and end.
pub fn swallowed_condition(and: Span, clause: Span, bracket: (Span, Span)) -> Diagnostic {
    let diagnostic = Diagnostic::at(
        Code::SwallowedCondition,
        and,
        "the condition behind this AND goes with the optional clause before it",
    )
    .label("restricts nothing where that clause is left out")
    .also(clause, "AND binds closer than OR: the condition belongs to this alternative")
    .help("put the alternatives in brackets, so that the condition holds for all of them");
    and_edits(diagnostic, &[(bracket.0, "(".to_owned()), (bracket.1, ")".to_owned())])
}

/// A parameter that is compared with a text as it is written. `table` has a column of its name.
pub fn parameter_as_column(place: Span, name: &str, table: Option<&str>) -> Diagnostic {
    let of = table.map_or_else(|| "a column".to_owned(), |table| format!("the column of `{}`", shown_name(table)));
    let message = format!("`{name}` is a parameter here, and not {of}");
    let diagnostic =
        Diagnostic::at(Code::ParameterAsColumn, place, message).label("the same for all rows").note(A_VALUE);
    let diagnostic = match table {
        Some(_) => {
            diagnostic.help(format!("to compare the column with what the agent sends, write `{name} = << {name} >>`"))
        }
        None => diagnostic,
    };
    diagnostic.help(choice_of_columns(name))
}

/// How an agent may choose a column.
pub(super) fn choice_of_columns(name: &str) -> String {
    format!(
        "let the agent choose from columns: `params: {{ {name}: {{ choices: {{ state: status, remark: note }} }} }}`"
    )
}

/// What a parameter is.
pub(super) const A_VALUE: &str = "a parameter is a value, and never the name of a column";

/// An optional clause that is written out.
#[derive(Debug, Clone, Copy)]
pub struct HandWrittenClause<'a> {
    /// The parameter without which it does not apply.
    pub parameter: &'a str,
    /// Whether every call must give it, as it is written.
    pub is_required: bool,
    /// The column that is compared with itself.
    pub column: Option<&'a str>,
    /// What writes the clause, in order.
    pub edits: &'a [(Span, String)],
}

/// A condition that an optional clause would say.
pub fn hand_written_clause(place: Span, clause: HandWrittenClause<'_>) -> Diagnostic {
    let HandWrittenClause { parameter, is_required, column, edits } = clause;
    let message = "this condition is an optional clause written out by hand";
    let mut diagnostic = Diagnostic::at(Code::HandWrittenClause, place, message)
        .label(format!("meant to apply where `{parameter}` is given"));
    if let Some(column) = column {
        diagnostic = diagnostic.note(format!(
            "a row without `{}` never passes, also where `{parameter}` is absent: NULL does not equal itself",
            shown_name(column)
        ));
    }
    if is_required {
        diagnostic = diagnostic.note(format!(
            "as it is written every call must give `{parameter}`; one that stands in optional clauses alone may be left out"
        ));
    }
    let help = format!("write an optional clause, which does not apply without `{parameter}`");
    if edits.is_empty() {
        return diagnostic.help(format!("{help}: `[[ AND … ]]`"));
    }
    and_edits(diagnostic.help(help), edits)
}

/// The edits that carry out the last suggestion.
fn and_edits(mut diagnostic: Diagnostic, edits: &[(Span, String)]) -> Diagnostic {
    if let Some(help) = diagnostic.helps.last_mut() {
        let edits = edits.iter().map(|(span, text)| Edit { span: *span, replacement: text.clone(), written: None });
        help.edits.extend(edits);
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
    /// The query that the tool has it from, where another one writes it.
    pub inherited_from: Option<String>,
}

/// A tool whose definition takes more than its budget of an agent's context.
pub fn large_definition(whole: &Share, largest: &Share, budget: usize) -> Diagnostic {
    let inherited = largest.inherited_from.as_ref().map(|query| format!(" of `{query}`")).unwrap_or_default();
    let message = format!(
        "{} takes about {} tokens, {} of them for {}{inherited}",
        whole.part, whole.tokens, largest.tokens, largest.part
    );
    let place = if inherited.is_empty() { whole.place } else { largest.place };
    let diagnostic = Diagnostic::at(Code::LargeDefinition, place, message)
        .note(format!("the budget is {budget}: agents read the definition of every tool before they call one"))
        .help("shorten it; instead of a long list of values, let another tool search for them");
    if !inherited.is_empty() {
        diagnostic.label("the largest part").also(whole.place, "inherited by this tool")
    } else if largest.place == whole.place {
        diagnostic
    } else {
        diagnostic.also(largest.place, "the largest part")
    }
}

/// A text that tells the model what to do. `what` is "the description of …".
pub fn instructing_description(place: Span, what: &str) -> Diagnostic {
    Diagnostic::at(Code::InstructingDescription, place, format!("{what} instructs the model"))
        .label("reads as an instruction")
        .note("clients take such a text for an attack by the server, and may refuse the tool")
        .help("say what it is and what comes back; what an agent shall do belongs in its own prompt")
}

/// A text with a character that nobody sees. `removable` where the place is that of the character alone.
pub fn invisible_character(place: Span, what: &str, character: char, removable: bool) -> Diagnostic {
    let code = u32::from(character);
    let message = format!("{what} has an invisible character, `\\u{{{code:04X}}}`");
    let diagnostic = Diagnostic::at(Code::InstructingDescription, place, message)
        .note("models read what people do not see: such characters hide instructions");
    if removable { diagnostic.fix("remove it", place, "") } else { diagnostic.help("remove it") }
}
