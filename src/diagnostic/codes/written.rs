//! The constructors of what is written as a parameter, and means something else.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::name::shown_name;
use crate::source::Span;

/// A placeholder or an optional clause in a text. `edit` is what the text is written as with a parameter in it.
pub fn placeholder_in_text(text: Span, place: Span, written: &str, edit: Option<(Span, String)>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::QuotedPlaceholder, place, format!("`{written}` is a part of the text around it"))
            .label("stays as it is at every call")
            .note("signs between quotes are read as they are, in SQL as everywhere");
    let diagnostic = if text == place { diagnostic } else { diagnostic.also(text, "the text") };
    match edit {
        Some((place, expression)) => diagnostic.fix("put the text together from its parts", place, expression),
        None if written.starts_with("[[") => diagnostic.help("write the clause outside of quotes"),
        None => diagnostic.help("end the text before it, and join the parts with `||`"),
    }
}

/// A tag of a template, such as `{% if x %}`.
pub fn template_tag(place: Span, written: &str) -> Diagnostic {
    let message = format!("`{}` is a tag of a template, and a query file is none", shown_name(written));
    Diagnostic::at(Code::RawPlaceholder, place, message).label("not read")
}

/// A placeholder of another system that has no name, and is compared with a column after which it can be called.
pub fn nameless_placeholder(place: Span, written: &str, name: &str) -> Diagnostic {
    super::raw_placeholder(place, written).without_helps().fix("give it a name", place, format!("<< {name} >>"))
}

/// `<< name >`: one sign that closes a placeholder, and not two.
pub fn half_closed_placeholder(open: Span, sign: Span) -> Diagnostic {
    super::unclosed_placeholder(open, None).without_helps().fix("close it with two signs", sign, ">>")
}

/// A placeholder where a table is named.
pub fn placeholder_for_table(place: Span) -> Diagnostic {
    super::invalid_placeholder(place, "a table is named here")
        .label("a value, and never the name of a table")
        .help("write a query file for each table, or a view with the rows of all and a column that tells them apart")
}

/// A placeholder behind AS.
pub fn placeholder_for_alias(place: Span) -> Diagnostic {
    super::invalid_placeholder(place, "a name is given here")
        .label("a value, and never the name of a column or a table")
        .help("write the name as it is: the columns of a tool are the same at every call")
}

/// A placeholder of another system in a text. `edit` is what the text is written as with a parameter in it; what may be
/// meant as it stands is a warning.
pub fn foreign_placeholder_in_text(
    text: Span,
    place: Span,
    written: &str,
    edit: Option<(Span, String)>,
    is_certain: bool,
) -> Diagnostic {
    let message = format!("`{}` is not a placeholder of qtool, but a part of the text around it", shown_name(written));
    let mut diagnostic = Diagnostic::at(Code::QuotedPlaceholder, place, message)
        .label("stays as it is at every call")
        .also(text, "the text");
    if !is_certain {
        diagnostic.severity = Severity::Warning;
        diagnostic = diagnostic
            .note("where the text is meant as it stands, say so in the header: `lints: { quoted-placeholder: allow }`");
    }
    match edit {
        Some((place, expression)) => diagnostic.fix("write it as a parameter, outside of quotes", place, expression),
        None => diagnostic.help("write `<< name >>` outside of quotes"),
    }
}

/// A placeholder in a name in quotes. `value` is where it can be written without them.
pub fn placeholder_in_name(name: Span, written: &str, is_value: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::QuotedPlaceholder, name, format!("`{written}` is a part of the name around it"))
            .label("a name, as it stands")
            .note("a parameter is a value, and never the name of a column or a table");
    if is_value {
        diagnostic.fix("write it without quotes", name, written)
    } else {
        diagnostic.help("give the parameter `choices`: pieces of SQL that the agent chooses by name")
    }
}

/// A placeholder in a comment.
pub fn placeholder_in_comment(place: Span, written: &str, name: &str) -> Diagnostic {
    Diagnostic::at(Code::CommentedPlaceholder, place, format!("`{written}` is in a comment, and no parameter"))
        .label("not read")
        .fix("name the parameter without the signs", place, name)
}

/// Several values that are counted together. `edits` make a record of them, in order.
pub fn counted_records(place: Span, edits: Option<Vec<(Span, String)>>) -> Diagnostic {
    let diagnostic = super::cannot_run(place, "`count` takes one value of each row, and several are given")
        .note("a record is counted though there is NULL in it");
    match edits {
        Some(edits) => diagnostic.fixes("count different records of them", edits),
        None => diagnostic.help("count different records of them: `count(DISTINCT struct(a, b))`"),
    }
}

/// A parameter or a column as the number of an interval, or in the place of its text. `edit` is how it is written.
pub fn written_interval(place: Span, what: &str, has_unit: bool, edit: Option<(Span, String)>) -> Diagnostic {
    let part = if has_unit { "the number of an interval" } else { "an interval" };
    let diagnostic = super::invalid_query(place, &format!("{part} is written out, and this is a {what}"));
    let diagnostic = match (edit, what) {
        (Some((place, text)), "parameter") if !has_unit => {
            return diagnostic.fix("let the parameter be the interval", place, text);
        }
        (Some((place, text)), _) => diagnostic.fix("make the interval of a text", place, text),
        (None, _) => diagnostic.help("make the interval of a text: `CAST(days || ' day' AS INTERVAL)`"),
    };
    match what {
        "parameter" => diagnostic.help("or let the parameter be the interval: `<< period: interval >>`"),
        _ => diagnostic,
    }
}

/// A placeholder directly behind a value.
pub fn placeholder_behind_operand(place: Span) -> Diagnostic {
    super::invalid_placeholder(place, "a value stands before it, and nothing that it could be a part of")
        .note("a parameter is a value, and never a word of SQL such as ASC or DESC")
        .help("give the parameter `choices`, and write them into each: `choices: { newest: placed_at DESC }`")
}

/// What is told of a key that is the same for all rows.
#[derive(Debug, Clone)]
pub struct ConstantKey<'a> {
    /// The clause that it stands in.
    pub clause: &'static str,
    /// The parameter.
    pub parameter: &'a str,
    /// The columns that there are to choose from, where those are known.
    pub columns: &'a [String],
    /// Where choices can be written, with what stands around them there.
    pub header: Option<(Span, &'static str, &'static str)>,
}

/// A key of ORDER BY, GROUP BY, PARTITION BY or DISTINCT ON without a column.
pub fn constant_key(place: Span, key: &ConstantKey<'_>) -> Diagnostic {
    let clause = key.clause;
    let diagnostic = Diagnostic::at(Code::ConstantKey, place, format!("the key of {clause} is the same for all rows"))
        .label(match clause {
            "ORDER BY" => "sorts by one value, and so by nothing",
            "DISTINCT ON" => "leaves one row",
            _ => "puts all rows into one group",
        })
        .note(format!("`{}` is a value, and never the name of a column", key.parameter));
    let choices: Vec<String> = key.columns.iter().map(|name| format!("{name}: {name}")).collect();
    match key.header {
        Some((header, before, behind)) if !choices.is_empty() => {
            let choices = choices.join(", ");
            let text = format!("{before}params:\n  {}: {{ choices: {{ {choices} }} }}\n{behind}", key.parameter);
            diagnostic.fix("let the agent choose from columns", header, text)
        }
        _ => {
            let sample = if clause == "ORDER BY" { "newest: created_at DESC" } else { "state: status" };
            let parameter = key.parameter;
            diagnostic.help(format!(
                "let the agent choose from columns: `params: {{ {parameter}: {{ choices: {{ {sample} }} }} }}`"
            ))
        }
    }
}
