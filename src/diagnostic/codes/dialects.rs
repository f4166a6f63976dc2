//! The functions of other databases that people know by heart, and what is written for them here.

use crate::diagnostic::{Applicability, Diagnostic, Edit};
use crate::source::{SourceFile, Span};

/// What is written for a function of another database.
enum Here {
    /// A function that takes the same arguments.
    Function(&'static str),
    /// Something else, as an example.
    Example(&'static str),
    /// Nothing that means the same; what is to be known of what is near.
    Nothing(&'static str),
}

use Here::{Example, Function, Nothing};

/// The functions, in lower case.
const FUNCTIONS: &[(&str, Here)] = &[
    // The time. What is called without brackets is written without them.
    ("getdate", Function("now")),
    ("getutcdate", Function("now")),
    ("sysdate", Function("now")),
    ("sysdatetime", Function("now")),
    ("localtimestamp", Function("current_timestamp")),
    ("systimestamp", Function("current_timestamp")),
    ("localtime", Function("current_time")),
    ("curtime", Function("current_time")),
    ("curdate", Function("current_date")),
    ("unix_timestamp", Example("to_unixtime(placed_at)")),
    ("str_to_date", Example("to_timestamp(text, '%Y-%m-%d')")),
    ("dateadd", Example("placed_at + INTERVAL '1 day'")),
    ("timestampdiff", Example("date_diff('day', placed_at, closed_at)")),
    ("weekday", Example("date_part('dow', placed_at)")),
    ("age", Example("date_diff('day', placed_at, closed_at)")),
    (
        "epoch_ms",
        Example(
            "CAST(date_part('epoch', placed_at) * 1000 AS bigint)` of a time, and `to_timestamp_millis(n)` of a number",
        ),
    ),
    ("epoch_us", Example("CAST(date_part('epoch', placed_at) * 1000000 AS bigint)")),
    ("yearweek", Example("to_char(placed_at, '%G%V')")),
    ("make_timestamp", Example("make_date(2024, 1, 5) + make_time(10, 30, 0)")),
    ("time_bucket", Example("date_bin(INTERVAL '15 minutes', placed_at)")),
    // Conditions and NULL.
    ("isnull", Function("coalesce")),
    ("zeroifnull", Example("coalesce(total, 0)")),
    ("nullifzero", Example("nullif(total, 0)")),
    // Texts.
    ("lengthb", Function("octet_length")),
    ("datalength", Function("octet_length")),
    ("char", Function("chr")),
    ("space", Example("repeat(' ', 3)")),
    ("charindex", Example("strpos(name, 'x')")),
    ("locate", Example("strpos(name, 'x')")),
    ("regexp_substr", Function("regexp_extract")),
    ("regexp_extract_all", Nothing("`regexp_extract` gives the first match alone")),
    ("printf", Example("concat(name, ': ', total)")),
    ("format", Example("concat(name, ': ', total)")),
    ("to_number", Example("CAST(text AS double)")),
    ("to_varchar", Example("CAST(total AS text)")),
    ("to_string", Example("CAST(total AS text)")),
    // Numbers, groups and lists.
    ("truncate", Function("trunc")),
    ("percentile_disc", Nothing("`percentile_cont` may give a number between two of the values")),
    ("quantile_disc", Nothing("`quantile_cont` may give a number between two of the values")),
    ("sign", Function("signum")),
    ("std", Function("stddev")),
    ("stdev", Function("stddev")),
    ("stdevp", Function("stddev_pop")),
    ("varp", Function("var_pop")),
    ("max_by", Example("first_value(name ORDER BY total DESC)")),
    ("arg_max", Example("first_value(name ORDER BY total DESC)")),
    ("min_by", Example("first_value(name ORDER BY total)")),
    ("arg_min", Example("first_value(name ORDER BY total)")),
    ("list_aggregate", Example("(SELECT median(x) FROM unnest(tags) AS u(x))")),
    ("list_reduce", Nothing(ITEMS)),
    ("array_reduce", Nothing(ITEMS)),
    ("generate_subscripts", Example("generate_series(1, array_length(tags))")),
    ("columns", Example("SELECT * EXCLUDE (note) FROM orders")),
    // Documents.
    ("json_type", Example("json_extract(document, 'field')")),
    ("json_keys", Example("json_extract(document, 'field')")),
    ("json_each", Example("json_extract(document, 'field')")),
    ("json_typeof", Example("json_extract(document, 'field')")),
    ("json_object_keys", Example("json_extract(document, 'field')")),
    ("array_size", Function("array_length")),
    ("gen_random_uuid", Function("uuid")),
    ("uuid_generate_v4", Function("uuid")),
    ("newid", Function("uuid")),
];

/// What is said of functions that go through a list with a function of their own.
const ITEMS: &str = "sums and the like of items are `(SELECT sum(x) FROM unnest(tags) AS u(x))`";

/// The functions of other databases that read files, which here are tables.
const READERS: [&str; 12] = [
    "delta_scan",
    "iceberg_scan",
    "parquet_scan",
    "read_csv",
    "read_csv_auto",
    "read_json",
    "read_json_auto",
    "read_ndjson",
    "read_ndjson_auto",
    "read_parquet",
    "read_xlsx",
    "st_read",
];

/// What other databases call without brackets, so that it is read as a column.
const WORDS: [(&str, &str); 6] = [
    ("sysdate", "now()"),
    ("systimestamp", "now()"),
    ("getdate", "now()"),
    ("now", "now()"),
    ("curdate", "current_date"),
    ("today", "current_date"),
];

/// Says what is written for a function of another database; `None` where the name is none of theirs.
pub(super) fn function(diagnostic: &Diagnostic, place: Span, name: &str) -> Option<Diagnostic> {
    let lower = name.to_lowercase();
    if READERS.contains(&lower.as_str()) {
        return Some(diagnostic.clone().help("a file is a table here: `qtool add table PATH` makes one of it"));
    }
    let (_, here) = FUNCTIONS.iter().find(|(theirs, _)| *theirs == lower)?;
    match here {
        Function(ours) => Some(renamed(diagnostic.clone(), place, name, (*ours).to_owned())),
        Example(example) => Some(diagnostic.clone().help(format!("here it is written as in `{example}`"))),
        Nothing(near) => Some(diagnostic.clone().help(format!("nothing means the same here: {near}"))),
    }
}

/// What does here what a statement of another database does that is no query.
pub(super) fn command(word: &str) -> Option<&'static str> {
    match word {
        "DESC" | "DESCRIBE" | "SHOW" | "SUMMARIZE" => Some("`qtool describe` shows the tables and their columns"),
        "EXPLAIN" => Some("`qtool call` and `qtool sql` show the plan of a call with `--explain`"),
        _ => None,
    }
}

/// Whether what is selected from is no name but the place of a file.
pub(super) fn is_place(name: &str) -> bool {
    const ENDINGS: [&str; 9] = [".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".arrow", ".avro", ".xlsx"];
    let lower = name.to_lowercase();
    let bare = lower.strip_suffix(".gz").or_else(|| lower.strip_suffix(".zst")).unwrap_or(&lower);
    name.contains('/') || ENDINGS.iter().any(|ending| bare.ends_with(ending))
}

/// The table that is meant by one of a schema (`shop.orders`), or by the place of the file that it is read from, with what
/// is told of it.
pub(super) fn table_in<'k>(name: &str, known: &[&'k str]) -> Option<(&'static str, &'k str)> {
    // What lies elsewhere is no file of the project.
    if name.contains("://") {
        return None;
    }
    let (text, own) = if is_place(name) {
        let file = name.rsplit('/').next()?;
        ("a file is a table here, and one is called so", file.split('.').next()?)
    } else {
        ("tables have no schema or database before their names", name.rsplit_once('.')?.1)
    };
    known.iter().find(|table| table.to_lowercase() == own.to_lowercase()).map(|table| (text, *table))
}

/// What is to be written where the parser stops: `before` are the words and signs before that place, upper case, the
/// nearest first, and `at` stands there.
pub fn syntax_of_others(diagnostic: Diagnostic, before: &[String], at: &str, next: &str) -> Diagnostic {
    let has = |word: &str| before.iter().any(|one| one == word);
    let help = match (at.to_uppercase().as_str(), next.to_uppercase().as_str()) {
        ("USING", "SAMPLE") => "for about a tenth of the rows write `WHERE random() < 0.1`",
        ("POSITIONAL", "JOIN") => {
            "number the rows of both with `row_number() OVER (ORDER BY …)`, and join by the numbers"
        }
        ("FOR", _) if has("[") => "items are computed by a function: `list_transform(xs, x -> x * 2)`",
        ("*", _) if before.first().is_some_and(|sign| sign == "*") => "a power is written `power(2, 3)`",
        _ if has("BETWEEN") && before.first().is_some_and(|word| word == "SYMMETRIC") => {
            "the smaller bound stands first: `BETWEEN least(a, b) AND greatest(a, b)`"
        }
        ("EXCLUDE", "CURRENT" | "GROUP" | "TIES" | "NO") => {
            "frames leave out no rows inside: end one at `1 PRECEDING`, or take the row's own value from the sum"
        }
        ("FOR", _) | (_, "IN") if has("PIVOT") && has("FOR") && before.first().is_some_and(|sign| sign == ")") => {
            "a pivot goes by one column: put both into one in the subquery that it reads, such as `concat(a, ' ', b)`"
        }
        ("ON" | "USING", _) if has("ASOF") => {
            "join the newest row before each with `CROSS JOIN LATERAL (SELECT … WHERE p.at <= o.at ORDER BY p.at DESC LIMIT 1) AS p`"
        }
        _ => return diagnostic,
    };
    diagnostic.help(help)
}

/// What is to be written for what the planner refuses, by its words.
pub fn help_of_query(words: &str) -> Option<&'static str> {
    let help = match words {
        words if words.contains("JOIN operator SEMI") => "write `LEFT SEMI JOIN`, or `WHERE EXISTS (SELECT …)`",
        words if words.contains("JOIN operator ANTI") => "write `LEFT ANTI JOIN`, or `WHERE NOT EXISTS (SELECT …)`",
        words if words.contains("UNPIVOT") => ROWS_OF_COLUMNS,
        words if words.contains("ORDER BY ALL") => "name the columns that the rows are sorted by",
        words if words.contains("unnest() can only be applied") => "`unnest` takes a list or a record",
        words if words.contains("`array_has` function") => {
            "the items of the list and the value have one type: cast one"
        }
        words => {
            let name = words.strip_prefix("invalid function `")?.split('`').next()?;
            let is_of_windows = WINDOWS.contains(&name.to_lowercase().as_str());
            return is_of_windows.then_some("it looks at the rows around: write `OVER (ORDER BY …)` behind it");
        }
    };
    Some(help)
}

/// The functions that are called over a window only.
const WINDOWS: [&str; 8] = ["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead"];

/// What is written for UNPIVOT.
pub const ROWS_OF_COLUMNS: &str = "columns become rows by a `SELECT` for each, with `UNION ALL` between them";

/// The same of a call that is an operator here: where it stands in the file, and what is written for it.
pub(super) fn call(file: &SourceFile, place: Span, name: &str) -> Option<(Span, String)> {
    let name = name.to_lowercase();
    if name != "isnull" && name != "mod" {
        return None;
    }
    let (length, args) = arguments(file.text.get(place.end..)?)?;
    let (operation, signs) = match (name.as_str(), args.as_slice()) {
        ("isnull", [value]) => (format!("{} IS NULL", operand(value)), "+-*/%|^:[=<>!"),
        ("mod", [value, by]) => (format!("{} % {}", operand(value), operand(by)), "+-*/%|^:["),
        _ => return None,
    };
    let span = Span { end: place.end + length, ..place };
    // Operators around it would take a part of it.
    let before = file.text.get(..span.start)?.trim_end();
    let behind = file.text.get(span.end..)?.trim_start();
    let is_inside = before.ends_with(|sign| signs.contains(sign)) || behind.starts_with(|sign| signs.contains(sign));
    Some((span, if is_inside { format!("({operation})") } else { operation }))
}

/// The arguments of the call whose name stands at a place; `None` where there are none, or comments among them.
pub fn written_arguments(file: &SourceFile, place: Span) -> Option<Vec<&str>> {
    arguments(file.text.get(place.end..)?).map(|(_, args)| args)
}

/// A call of a function that is written out by the number of its arguments. `forms` are the calls that there are, each
/// with what it is here.
pub fn arguments_of_others(place: Span, name: &str, given: usize, forms: &[(usize, String, String)]) -> Diagnostic {
    let takes = forms.iter().map(|(count, ..)| count.to_string()).collect::<Vec<_>>().join(" or ");
    let plural = if takes == "1" { "" } else { "s" };
    let given = if given == 1 { "1 is".to_owned() } else { format!("{given} are") };
    let why = format!("`{name}` takes {takes} argument{plural}, and {given} given");
    let diagnostic = forms.iter().fold(super::invalid_query(place, &why), |diagnostic, (_, call, form)| {
        diagnostic.help(format!("`{call}` is `{form}` here"))
    });
    match name {
        "date_add" | "date_sub" => diagnostic.help("what is added is an interval: `day + INTERVAL '1 month'`"),
        _ => diagnostic,
    }
}

/// An argument as the operand of an operator.
fn operand(argument: &str) -> String {
    let is_name = argument.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.' | '"'));
    let is_placeholder = argument.starts_with("<<") && argument.find(">>") == argument.len().checked_sub(2);
    if is_name || is_placeholder { argument.to_owned() } else { format!("({argument})") }
}

/// The arguments of a call behind its name, and how many bytes they have with their brackets; `None` where comments stand
/// among them.
fn arguments(text: &str) -> Option<(usize, Vec<&str>)> {
    let open = text.find(|sign: char| !sign.is_whitespace())?;
    let mut quote: Option<char> = None;
    let (mut depth, mut start, mut args) = (0_usize, open + 1, Vec::new());
    for (at, sign) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match sign {
            _ if quote == Some(sign) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(sign),
            '(' | '[' => depth += 1,
            _ if depth == 0 => return None,
            '-' | '/' if text.get(at..).is_some_and(|rest| rest.starts_with("--") || rest.starts_with("/*")) => {
                return None;
            }
            ',' if depth == 1 => {
                args.push(text.get(start..at)?.trim());
                start = at + 1;
            }
            ')' | ']' if depth == 1 => {
                args.push(text.get(start..at)?.trim());
                let is_full = args.iter().all(|arg| !arg.is_empty());
                return is_full.then_some((at + 1, args));
            }
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The same of a word that is read as a column.
pub(super) fn word(diagnostic: &Diagnostic, place: Span, name: &str) -> Option<Diagnostic> {
    let lower = name.to_lowercase();
    let (_, ours) = WORDS.iter().find(|(theirs, _)| *theirs == lower)?;
    Some(renamed(diagnostic.clone(), place, name, (*ours).to_owned()))
}

/// Suggests a text where a name in double quotes is no column and like none: elsewhere texts may stand in them.
/// `written` is what stands at the place.
pub fn text_in_quotes(diagnostic: Diagnostic, (place, written): (Span, &str), name: &str) -> Diagnostic {
    let is_quoted = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(name);
    if !is_quoted || name.contains(['\'', '"']) || !diagnostic.helps.is_empty() {
        return diagnostic;
    }
    diagnostic.fix("a text stands in single quotes, a name in double ones", place, format!("'{name}'"))
}

/// With the edit that writes what it is called here. The types of arguments and results may differ: a person decides.
fn renamed(diagnostic: Diagnostic, span: Span, written: &str, replacement: String) -> Diagnostic {
    let text = format!("here it is called `{replacement}`");
    let edit = Edit { span, replacement, written: Some(written.to_owned()) };
    diagnostic.edit(text, Applicability::MaybeIncorrect, edit)
}

/// The functions that are named for those of other databases.
#[cfg(test)]
pub(crate) fn named() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().filter_map(|(_, here)| match here {
        Function(ours) => Some(*ours),
        Example(_) | Nothing(_) => None,
    })
}
