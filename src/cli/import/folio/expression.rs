//! The SQL of a derivation with qtool's placeholders: each `?` becomes the field that stands for it.

use super::super::manifests::flow;
use super::super::statement::literal;
use super::flaw::Flaw;
use super::one_value::one_value;
use crate::name::{RESERVED, is_legal};
use std::collections::HashSet;

/// What the view of its own records is called in Folio.
const RECORDS: &str = "records";

/// The SQL that gives the value of each target, in their order.
///
/// Errors: it has no form here.
pub(super) fn values(expression: &str, inputs: &[String], targets: &[String]) -> Result<Vec<String>, Flaw> {
    let mut reader =
        Reader { rest: expression.trim(), last: ' ', inputs, out: String::new(), marks: 0, numbers: HashSet::new() };
    while !reader.rest.is_empty() {
        reader.step()?;
    }
    if reader.marks.max(reader.numbers.len()) != inputs.len() {
        return Err(format!(
            "its SQL has {} placeholders and {} `inputs`: Folio makes no value of it",
            reader.marks.max(reader.numbers.len()),
            inputs.len()
        )
        .into());
    }
    let sql = reader.out.trim();
    check_beginning(sql)?;
    match targets {
        [_] => Ok(vec![one_value(sql)]),
        // The columns are called as the fields.
        several => {
            let column = |target: &String| format!("\"{}\"", target.replace('"', "\"\""));
            Ok(several.iter().map(|target| format!("SELECT {} FROM (\n{sql}\n) AS made", column(target))).collect())
        }
    }
}

/// It is a query as qtool has them.
fn check_beginning(sql: &str) -> Result<(), Flaw> {
    let mut rest = sql;
    loop {
        let begins = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        match literal(begins) {
            // Comments stand before it.
            length if length > 0 && begins.starts_with(['-', '/']) => rest = begins.get(length..).unwrap_or_default(),
            _ => {
                let word = word(begins).to_lowercase();
                let is_query = ["select", "with", "values"].contains(&word.as_str());
                let why = || Flaw::from("its SQL does not begin with SELECT, WITH or VALUES");
                return if is_query { Ok(()) } else { Err(why()) };
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    /// The sign before what is left.
    last: char,
    inputs: &'a [String],
    out: String,
    /// How many `?` there were.
    marks: usize,
    /// The `$1` that there were.
    numbers: HashSet<usize>,
}

impl Reader<'_> {
    fn step(&mut self) -> Result<(), Flaw> {
        let length = literal(self.rest);
        if length > 0 {
            if self.rest.get(..length) == Some("\"records\"") {
                return Err(reads_records());
            }
            self.copy(length);
            return Ok(());
        }
        let named = word(self.rest);
        if !named.is_empty() {
            if self.last != '.' && named.eq_ignore_ascii_case(RECORDS) {
                return Err(reads_records());
            }
            self.copy(named.len());
            return Ok(());
        }
        if ["<<", "[[", "$$"].iter().any(|sign| self.rest.starts_with(sign)) {
            let sign = self.rest.get(..2).unwrap_or_default();
            return Err(format!("`{sign}` of its SQL means something else here").into());
        }
        match self.rest.chars().next() {
            Some('?') => {
                self.marks += 1;
                self.place(self.marks, 1)
            }
            Some('$') => {
                let digits = word(self.rest.get(1..).unwrap_or_default());
                let number =
                    digits.parse().map_err(|_| Flaw::from("its SQL has a `$` that is no number of an input"))?;
                self.numbers.insert(number);
                self.place(number, 1 + digits.len())
            }
            Some(';') if self.rest.trim() == ";" => {
                self.rest = "";
                Ok(())
            }
            Some(';') => Err("its SQL has several statements".into()),
            sign => {
                self.copy(sign.map_or(1, char::len_utf8));
                Ok(())
            }
        }
    }

    /// Puts a field in the place of what stands for it.
    fn place(&mut self, number: usize, length: usize) -> Result<(), Flaw> {
        let input = number.checked_sub(1).and_then(|at| self.inputs.get(at));
        let input = input.ok_or_else(|| Flaw::from("its SQL has more placeholders than there are `inputs`"))?;
        if !is_legal(input) || RESERVED.contains(&input.as_str()) {
            return Err(format!("no placeholder can be called `{input}` here").into());
        }
        self.out.push_str(&format!("<< {input} >>"));
        self.skip(length);
        Ok(())
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(self.rest.get(..length).unwrap_or_default());
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        self.last = self.rest.get(..length).and_then(|gone| gone.chars().next_back()).unwrap_or(' ');
        self.rest = self.rest.get(length..).unwrap_or_default();
    }
}

fn reads_records() -> Flaw {
    "its SQL reads the records, and here no field is made of other records: write it as a query".into()
}

/// The letters, digits and `_` that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The SQL behind a key of YAML, from its first line on, indented by so many blanks where it has several lines.
pub(super) fn written(sql: &str, indent: usize) -> String {
    let is_plain = |c: char| c == '\n' || !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    let lines: Vec<&str> = sql.lines().map(str::trim_end).collect();
    let sql = lines.join("\n");
    if lines.len() < 2 || sql.starts_with([' ', '\n']) || !sql.chars().all(is_plain) {
        return format!("{}\n", flow::text(&sql));
    }
    let blank = " ".repeat(indent);
    let line = |line: &&str| if line.is_empty() { "\n".to_owned() } else { format!("{blank}{line}\n") };
    format!("|-\n{}", lines.iter().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|one| (*one).to_owned()).collect()
    }

    fn value(expression: &str, inputs: &[&str]) -> Result<String, String> {
        let mut values = values(expression, &names(inputs), &names(&["made"])).map_err(|why| why.to_string())?;
        Ok(values.remove(0))
    }

    #[test]
    fn marks_become_the_fields_that_stand_for_them() {
        for (theirs, inputs, ours) in [
            ("SELECT upper(?)", &["title"][..], "upper(<< title >>)"),
            ("SELECT ? * ?;\n", &["a", "b"][..], "<< a >> * << b >>"),
            ("SELECT $2 || $1 || $2", &["a", "b"][..], "<< b >> || << a >> || << b >>"),
            ("-- a ? of records\nSELECT '?' || x.records", &[], "-- a ? of records\n'?' || x.records"),
            ("SELECT ?::int", &["n"][..], "<< n >>::int"),
            (
                "/* ? */ WITH c AS (SELECT 1 AS x) SELECT x AS y FROM c",
                &[],
                "/* ? */ WITH c AS (SELECT 1 AS x) SELECT x AS y FROM c",
            ),
        ] {
            assert_eq!(value(theirs, inputs).as_deref(), Ok(ours));
        }
        let several = values("SELECT ? AS a, 1 AS b", &names(&["x"]), &names(&["a", "b"])).unwrap();
        assert_eq!(several[1], "SELECT \"b\" FROM (\nSELECT << x >> AS a, 1 AS b\n) AS made");
    }

    #[test]
    fn what_has_no_form_is_told() {
        for (theirs, inputs, why) in [
            ("SELECT sum(n) FROM Records", &[][..], "reads the records"),
            ("SELECT 1 FROM \"records\"", &[], "reads the records"),
            ("SELECT ?", &[], "more placeholders"),
            ("SELECT 1", &["a"][..], "0 placeholders and 1 `inputs`"),
            ("SELECT ? << 1", &["a"][..], "`<<`"),
            ("SELECT [[1]]", &[], "`[[`"),
            ("SELECT $$a$$", &[], "`$$`"),
            ("SELECT $a", &["a"][..], "no number"),
            ("SELECT ?", &["maxRows"][..], "`maxRows`"),
            ("SELECT ?", &["limit"][..], "`limit`"),
            ("SELECT 1; SELECT 2", &[], "several statements"),
            ("FROM range(3)", &[], "does not begin"),
            ("DESCRIBE x", &[], "does not begin"),
        ] {
            let told = value(theirs, inputs).unwrap_err();
            assert!(told.contains(why), "{theirs}: {told}");
        }
    }

    #[test]
    fn sql_of_several_lines_is_read_as_it_was() {
        for sql in ["SELECT 1", "SELECT\n  1 -- é: #\n\nFROM x", "SELECT '\t'\n  FROM x", " a\nb"] {
            let text = format!("k:\n  sql: {}", written(sql, 4));
            let read: serde_json::Value = serde_yaml::from_str(&text).unwrap();
            assert_eq!(read["k"]["sql"], sql, "{text}");
        }
    }
}
