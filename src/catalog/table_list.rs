//! The locked list of the tables that a database has: `snapshots/sources/<source>.snap`.
//!
//! insta's file format, as of the locks of tables. The header has the patterns that were asked for, so that the list for
//! others is not taken for this one's, and how many tables follow, so that a file that was cut is no smaller database. The
//! content is the name of one table a line, as its database has it; behind `left out` those that nothing is locked of.

use super::lock::{BadLock, json, shown_line};

/// The tables of a database that are tables of a project by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableList {
    /// The patterns that take them.
    pub include: Vec<String>,
    /// The patterns of those among them that are left out.
    pub exclude: Vec<String>,
    /// Their names, sorted: each with its schema before it where the database has several.
    pub tables: Vec<Vec<String>>,
    /// The names of those that are taken too, and become none of the project: nothing is locked of them.
    pub left_out: Vec<Vec<String>>,
}

const INCLUDE: &str = "include: ";
const EXCLUDE: &str = "exclude: ";
const TABLES: &str = "tables: ";
const LEFT_OUT: &str = "left out: ";

/// Writes the list of the source of that name.
pub fn write(source: &str, list: &TableList) -> String {
    let (include, exclude) = (json(&list.include), json(&list.exclude));
    let count = list.tables.len() + list.left_out.len();
    let mut out = format!(
        "---\nsource: qtool.yaml\nexpression: sources.{source}.tables\n{INCLUDE}{include}\n{EXCLUDE}{exclude}\n{TABLES}{count}\n---\n"
    );
    for name in &list.tables {
        out.push_str(&format!("{}\n", json(name)));
    }
    for name in &list.left_out {
        out.push_str(&format!("{LEFT_OUT}{}\n", json(name)));
    }
    out
}

/// Reads the list of the source of that name.
///
/// Errors: it is not what [`write`] writes of that source, whole.
pub fn read(source: &str, text: &str) -> Result<TableList, BadLock> {
    // git may have written it with the line ends of another system.
    let text = text.replace("\r\n", "\n");
    let parts = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let (head, content) = parts.ok_or("it has no header between two lines `---`")?;
    if !head.lines().any(|line| line == format!("expression: sources.{source}.tables")) {
        return Err(format!("it is not the list of `sources.{source}.tables`").into());
    }
    let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key));
    let patterns = |key: &str| -> Result<Vec<String>, BadLock> {
        let read = value(key).and_then(|value| serde_json::from_str(value).ok());
        read.ok_or_else(|| format!("its header has no list `{}`", key.trim_end_matches(": ")).into())
    };
    let (include, exclude) = (patterns(INCLUDE)?, patterns(EXCLUDE)?);
    if !content.is_empty() && !content.ends_with('\n') {
        return Err("it is cut: its last line has no end".into());
    }
    let table = |line: &str| -> Result<Vec<String>, BadLock> {
        let name: Option<Vec<String>> = serde_json::from_str(line).ok();
        let name = name.filter(|name| !name.is_empty());
        name.ok_or_else(|| format!("its line `{}` is no name of a table", shown_line(line)).into())
    };
    let (left_out, tables): (Vec<&str>, Vec<&str>) = content.lines().partition(|line| line.starts_with(LEFT_OUT));
    let tables: Vec<Vec<String>> = tables.into_iter().map(table).collect::<Result<_, _>>()?;
    let left_out = left_out.into_iter().map(|line| table(line.trim_start_matches(LEFT_OUT)));
    let left_out: Vec<Vec<String>> = left_out.collect::<Result<_, _>>()?;
    let count = tables.len() + left_out.len();
    match value(TABLES).and_then(|count| count.trim().parse::<usize>().ok()) {
        Some(told) if told == count => Ok(TableList { include, exclude, tables, left_out }),
        _ => Err(format!("its header does not say `{TABLES}{count}`: it is cut, or was changed by hand").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_as_itself_and_no_part_of_it_is_one() {
        let name = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let list = TableList {
            include: vec!["public.*".to_owned()],
            exclude: vec![],
            tables: vec![name(&["public", "a \"b\n"]), name(&["public", "orders"])],
            left_out: vec![name(&["public", "search"])],
        };
        let text = write("shop", &list);
        assert_eq!(read("shop", &text), Ok(list.clone()), "{text}");
        assert_eq!(read("shop", &text.replace('\n', "\r\n")), Ok(list));
        assert!(read("crm", &text).is_err());
        for (end, _) in text.char_indices() {
            let (start, _) = text.split_at(end);
            assert!(read("shop", start).is_err(), "{start}");
        }
    }
}
