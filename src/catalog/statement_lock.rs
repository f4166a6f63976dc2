//! The locked answer of a database about a query in its own SQL: `snapshots/statements/<query>.snap`.
//!
//! insta's file format, as of the locks of tables. The header has the hash of what was asked, so that the answer about
//! another statement is not taken for this one's; the content is one line a column: name, SQL type and `not null`, and where
//! it shows a column of a table as it is, that one's names in braces, with `key` behind them for a part of the table's key.
//! Before them come the parameters whose types the database tells, each behind `<<`, with the type that it is sent as, and with
//! the labels that its value must be one of.

use super::Column;
use super::lock::{column, json, line};
use arrow::datatypes::DataType;

/// What a database says of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatementAnswer {
    /// The columns of its result.
    pub columns: Vec<StatementColumn>,
    /// Its parameters, of a database that tells their types.
    pub parameters: Vec<StatementParameter>,
    /// The columns of the tables that it writes into.
    pub written: Vec<WrittenColumn>,
}

/// A column of a table that a statement writes into, as its database tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenColumn {
    /// The table, by its name there, with its schema before it where it has one.
    pub table: String,
    /// The column, by its name there.
    pub column: String,
    /// Whether it may be null.
    pub nullable: bool,
    /// What stands in it where nothing is written: an expression, where the database tells it; `None` where there is no default.
    pub default: Option<String>,
    /// Whether the database computes it, and nobody else.
    pub is_generated: bool,
    /// The only texts that it may hold; none where it may hold others.
    pub allowed: Vec<String>,
}

/// A parameter of a statement, as its database tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementParameter {
    /// Its name, and its type here: that of the whole list where it stands behind `IN`. The type is [`DataType::Null`] where
    /// the database does not tell it either.
    pub column: Column,
    /// The type that its values are sent as, in the words of the database, where it can be told one.
    pub sent_as: Option<String>,
    /// Whether it is the list behind `IN`.
    pub is_list: bool,
    /// The labels of the enum that its values are of, in the order of the database; none where it is of no enum.
    pub labels: Vec<String>,
}

impl StatementAnswer {
    /// The parameter of a name; behind `IN`, where it is a list, or elsewhere.
    pub fn parameter(&self, name: &str, is_list: bool) -> Option<&StatementParameter> {
        self.parameters.iter().find(|one| one.column.name == name && one.is_list == is_list)
    }
}

/// A column of the result of a statement, as its database tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementColumn {
    /// Its name, its type, and whether it may be null. The type is [`DataType::Null`] where the database does not tell it.
    pub column: Column,
    /// The column of a table that it shows, where it shows one as it is.
    pub origin: Option<Origin>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The table, by its name in the database.
    pub table: String,
    /// The column, by its name there.
    pub column: String,
    /// Whether it is a part of the key that tells the table's rows apart, and all other parts are columns of the result.
    pub is_key: bool,
}

impl StatementColumn {
    /// Whether the database tells its type.
    pub fn has_type(&self) -> bool {
        self.column.arrow != DataType::Null
    }
}

const STATEMENT: &str = "statement: ";
const COLUMNS: &str = "columns: ";
const PARAMETERS: &str = "parameters: ";
/// What a column's line ends with that is a part of a key.
const KEY: &str = " key";
/// What the line of a parameter begins with.
const PARAMETER: &str = "<< ";
/// What it begins with where the parameter is the list behind `IN`.
const LIST: &str = "IN << ";
/// What stands before the type that a parameter is sent as.
const SENT_AS: &str = " sent as ";
/// What stands before the labels that it may be.
const ONE_OF: &str = " one of ";
/// What the line of a column begins with that is written into.
const INTO: &str = "INTO \"";
/// What stands before the default of such a column.
const DEFAULT: &str = " default ";
/// What is said of one that the database computes.
const GENERATED: &str = " generated";
const NOT_NULL: &str = " not null";
const WRITTEN: &str = "written: ";

/// Writes the answer about the query of that name, which stands in the file `source`.
pub fn write(source: &str, name: &str, hash: &str, answer: &StatementAnswer) -> String {
    let StatementAnswer { columns, parameters, written } = answer;
    let mut counted = if parameters.is_empty() { String::new() } else { format!("{PARAMETERS}{}\n", parameters.len()) };
    if !written.is_empty() {
        counted.push_str(&format!("{WRITTEN}{}\n", written.len()));
    }
    let count = columns.len();
    let mut out = format!(
        "---\nsource: {source}\nexpression: statements.{name}\n{STATEMENT}{hash}\n{counted}{COLUMNS}{count}\n---\n"
    );
    for StatementParameter { column, sent_as, is_list, labels } in parameters {
        out.push_str(if *is_list { LIST } else { PARAMETER });
        out.push_str(&with_unknown(&line(column)));
        out.push_str(&sent_as.as_ref().map(|words| format!("{SENT_AS}{}", json(words))).unwrap_or_default());
        if !labels.is_empty() {
            let labels: Vec<String> = labels.iter().map(json).collect();
            out.push_str(&format!("{ONE_OF}[{}]", labels.join(", ")));
        }
        out.push('\n');
    }
    for one in written {
        out.push_str(&written_line(one));
    }
    for StatementColumn { column, origin } in columns {
        out.push_str(&with_unknown(&line(column)));
        if let Some(Origin { table, column, is_key }) = origin {
            out.push_str(&format!(" {{{} {}}}{}", json(table), json(column), if *is_key { KEY } else { "" }));
        }
        out.push('\n');
    }
    out
}

fn written_line(one: &WrittenColumn) -> String {
    let WrittenColumn { table, column, nullable, default, is_generated, allowed } = one;
    let mut out = format!("INTO {} {}", json(table), json(column));
    out.push_str(if *nullable { "" } else { NOT_NULL });
    out.push_str(if *is_generated { GENERATED } else { "" });
    out.push_str(&default.as_ref().map(|default| format!("{DEFAULT}{}", json(default))).unwrap_or_default());
    if !allowed.is_empty() {
        out.push_str(&format!("{ONE_OF}{}", serde_json::Value::from(allowed.clone())));
    }
    out.push('\n');
    out
}

/// A text in quotes at the beginning, and what stands behind it.
fn quoted_first(text: &str) -> Option<(String, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let first = values.next()?.ok()?;
    Some((first, text.get(values.byte_offset()..)?))
}

fn written_column(line: &str) -> Option<WrittenColumn> {
    let (table, rest) = quoted_first(line.strip_prefix("INTO ")?)?;
    let (column, rest) = quoted_first(rest.strip_prefix(' ')?)?;
    let (nullable, rest) = rest.strip_prefix(NOT_NULL).map_or((true, rest), |rest| (false, rest));
    let (is_generated, rest) = rest.strip_prefix(GENERATED).map_or((false, rest), |rest| (true, rest));
    let (default, rest) = match rest.strip_prefix(DEFAULT) {
        Some(rest) => quoted_first(rest).map(|(default, rest)| (Some(default), rest))?,
        None => (None, rest),
    };
    let allowed = match rest.strip_prefix(ONE_OF) {
        Some(list) => serde_json::from_str(list).ok()?,
        None if rest.is_empty() => Vec::new(),
        None => return None,
    };
    Some(WrittenColumn { table, column, nullable, default, is_generated, allowed })
}

/// How a line says that the database tells no type, and how [`line`] says it.
const UNTYPED: [(&str, &str); 2] =
    [(" unknown", " unsupported [Null]"), (" unknown not null", " unsupported not null [Null]")];

/// The line of a column with `unknown` for a type that the database does not tell.
fn with_unknown(line: &str) -> String {
    let found = UNTYPED.iter().find_map(|(ours, written)| Some(format!("{}{ours}", line.strip_suffix(written)?)));
    found.unwrap_or_else(|| line.to_owned())
}

/// Reads the answer, where it is one about that statement, whole.
pub fn read(text: &str, name: &str, hash: &str) -> Option<StatementAnswer> {
    // git may have written it with the line ends of another system.
    let text = text.replace("\r\n", "\n");
    let (head, content) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key));
    if value("expression: ")? != format!("statements.{name}") || value(STATEMENT)? != hash {
        return None;
    }
    let (written, lines): (Vec<&str>, Vec<&str>) = content.lines().partition(|line| line.starts_with(INTO));
    let (parameters, columns): (Vec<&str>, Vec<&str>) =
        lines.into_iter().partition(|line| line.starts_with(PARAMETER) || line.starts_with(LIST));
    let written: Vec<WrittenColumn> = written.into_iter().map(written_column).collect::<Option<_>>()?;
    let columns: Vec<StatementColumn> = columns.into_iter().map(statement_column).collect::<Option<_>>()?;
    let parameters: Vec<StatementParameter> = parameters.into_iter().map(parameter).collect::<Option<_>>()?;
    let is_whole = value(PARAMETERS).unwrap_or("0").parse() == Ok(parameters.len())
        && value(WRITTEN).unwrap_or("0").parse() == Ok(written.len())
        && value(COLUMNS)?.parse() == Ok(columns.len())
        && content.ends_with('\n');
    is_whole.then_some(StatementAnswer { columns, parameters, written })
}

fn parameter(line: &str) -> Option<StatementParameter> {
    let (inside, is_list) = match line.strip_prefix(LIST) {
        Some(inside) => (inside, true),
        None => (line.strip_prefix(PARAMETER)?, false),
    };
    let (inside, labels) = match inside.split_once(ONE_OF) {
        Some((inside, labels)) => (inside, serde_json::from_str(labels).ok()?),
        None => (inside, Vec::new()),
    };
    let (head, sent_as) = match inside.split_once(SENT_AS) {
        Some((head, words)) => (head, Some(serde_json::from_str(words).ok()?)),
        None => (inside, None),
    };
    Some(StatementParameter { column: maybe_unknown(head)?, sent_as, is_list, labels })
}

/// A name with a type that the database may not tell.
fn maybe_unknown(line: &str) -> Option<Column> {
    let written = UNTYPED.iter().find_map(|(ours, written)| Some(format!("{}{written}", line.strip_suffix(ours)?)));
    column(written.as_deref().unwrap_or(line)).map(|(column, _)| column)
}

fn statement_column(line: &str) -> Option<StatementColumn> {
    let (head, origin) = match line.find(" {\"") {
        Some(at) => line.split_at_checked(at).map(|(head, tail)| (head, Some(tail)))?,
        None => (line, None),
    };
    let column = maybe_unknown(head)?;
    let origin = match origin {
        Some(tail) => Some(self::origin(tail)?),
        None => None,
    };
    Some(StatementColumn { column, origin })
}

fn origin(tail: &str) -> Option<Origin> {
    let (inside, is_key) = match tail.strip_suffix(KEY) {
        Some(inside) => (inside, true),
        None => (tail, false),
    };
    let inside = inside.strip_prefix(" {")?.strip_suffix('}')?;
    let names: Vec<String> = serde_json::Deserializer::from_str(inside).into_iter().collect::<Result<_, _>>().ok()?;
    let [table, column] = <[String; 2]>::try_from(names).ok()?;
    Some(Origin { table, column, is_key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_reads_back_as_itself_and_of_its_own_statement_only() {
        let column = |name: &str, arrow, nullable| Column { name: name.to_owned(), arrow, nullable };
        let origin = |table: &str, column: &str, is_key| {
            Some(Origin { table: table.to_owned(), column: column.to_owned(), is_key })
        };
        let columns = vec![
            StatementColumn { column: column("id", DataType::Int64, false), origin: origin("Order \"s", "Id", true) },
            StatementColumn { column: column("a {\"b", DataType::Utf8, true), origin: origin("o", "x} key", false) },
            StatementColumn { column: column("count(*)", DataType::Null, true), origin: None },
            StatementColumn { column: column("kept", DataType::Null, false), origin: origin("o", "kept", false) },
        ];
        let parameter = |name: &str, arrow, sent_as: Option<&str>, is_list| StatementParameter {
            column: column(name, arrow, true),
            sent_as: sent_as.map(str::to_owned),
            is_list,
            labels: Vec::new(),
        };
        let list = DataType::List(std::sync::Arc::new(arrow::datatypes::Field::new_list_field(DataType::Int32, true)));
        let parameters = vec![
            parameter("above", DataType::Float64, Some("double precision"), false),
            parameter("ids", list, None, true),
            parameter("ids", DataType::Null, None, false),
            StatementParameter {
                labels: vec!["sad".to_owned(), " one of [\"".to_owned()],
                ..parameter("mood", DataType::Utf8, None, true)
            },
        ];
        let into = |column: &str, nullable, default: Option<&str>, is_generated, allowed: &[&str]| WrittenColumn {
            table: "public.Order \"s".to_owned(),
            column: column.to_owned(),
            nullable,
            default: default.map(str::to_owned),
            is_generated,
            allowed: allowed.iter().map(|text| (*text).to_owned()).collect(),
        };
        let written = vec![
            into("id", false, None, true, &[]),
            into("a \" default", true, Some("'o' || ' one of '"), false, &["x", "\" y"]),
            into("b", false, Some(""), false, &[]),
        ];
        let answer = StatementAnswer { columns, parameters, written };
        let text = write("queries/q.sql", "q", "abc", &answer);
        assert_eq!(read(&text, "q", "abc").as_ref(), Some(&answer), "{text}");
        assert_eq!(read(&text, "q", "abd"), None);
        assert_eq!(read(&text, "p", "abc"), None);
        for (at, _) in text.char_indices() {
            assert_eq!(read(text.get(..at).unwrap(), "q", "abc"), None, "{at}");
        }
        assert_eq!(read(&text.replace('\n', "\r\n"), "q", "abc"), Some(answer));
    }
}
