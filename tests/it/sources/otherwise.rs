//! SQLite keeps values of any type in columns without one, in views and where it converts none. A value that is read as one
//! of its column's type is also found by it: a condition that is sent finds the rows that it finds when it is evaluated here,
//! wherever it can be.

use super::{Compiled, arguments};
use crate::cases::block_on;
use serde_json::{Value, json};

const PROJECT: &str = "\
name: kept-otherwise
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
tables:
  loose: { source: shop, table: Loose, columns: { t: text, d: \"decimal(10,2)\", x: double } }
  strict: { source: shop, table: Strict, columns: { t: text, d: \"decimal(10,2)\", x: double } }
  shown: { source: shop, table: Shown, columns: { t: text, d: \"decimal(10,2)\", x: double } }
  united: { source: shop, table: United, columns: { t: text, d: \"decimal(10,2)\", x: double } }
";

const TABLES: &str = "\
CREATE TABLE Loose (id INTEGER PRIMARY KEY, t, d, x);
CREATE TABLE Strict (id INTEGER PRIMARY KEY, t ANY, d ANY, x ANY) STRICT;
CREATE TABLE Typed (id INTEGER PRIMARY KEY, t TEXT COLLATE NOCASE, d DECIMAL(10,2), x DOUBLE);
INSERT INTO Loose VALUES
  (1, '7', 1.5, 1), (2, 7, '1.5', 2.5), (3, 'a', 2, NULL), (4, NULL, '2', 0), (5, -12, '2.00', 9007199254740992),
  (6, '07', -1, -2.5), (7, 'A', NULL, 1e300), (8, '-12', 7, 1.0);
INSERT INTO Strict SELECT * FROM Loose;
INSERT INTO Typed SELECT * FROM Loose;
CREATE VIEW Shown AS SELECT id, t, d, x FROM Loose;
CREATE VIEW United AS SELECT id, t, d, x FROM Typed UNION ALL SELECT id + 100, t, d, x FROM Loose;
";

/// Conditions on a column, and what each value is in their calls.
const COLUMNS: [(&str, &str, [&str; 5]); 3] = [
    ("t", "t || ''", ["7", "07", "-12", "a", "8"]),
    ("d", "d + 0", ["1.5", "2", "-1", "7", "3"]),
    ("x", "x + 0", ["1", "2.5", "0", "1e300", "-3"]),
];
const CONDITIONS: [&str; 8] =
    ["@ = #", "@ <> #", "@ < #", "@ >= #", "@ IN (#, #)", "@ NOT IN (#, #)", "NOT (@ = #)", "@ IS NULL OR @ = #"];

/// Asks for both.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("data"))?;
    crate::databases::make(TABLES, &folder.path().join("data/shop.sqlite"))?;
    let mut queries = Vec::new();
    for table in ["loose", "strict", "shown", "united"] {
        for (column, here, _) in COLUMNS {
            let ty = if column == "t" {
                "text"
            } else if column == "d" {
                "decimal(10,2)"
            } else {
                "double"
            };
            for (at, condition) in CONDITIONS.iter().enumerate() {
                let condition = condition.replace('#', &format!("<< v: {ty} >>"));
                let sql = |of: &str| format!("SELECT id FROM {table} WHERE {} ORDER BY id", condition.replace('@', of));
                queries.push((format!("sent_{table}_{column}_{at}"), sql(column)));
                queries.push((format!("here_{table}_{column}_{at}"), sql(here)));
            }
        }
    }
    let engine = Compiled::whole(folder.path(), PROJECT, queries.clone())?.engine()?;
    let problems = block_on(async move {
        let mut problems = Vec::new();
        for (name, sql) in queries.iter().filter(|(name, _)| name.starts_with("sent_")) {
            let values = COLUMNS.iter().find(|(column, ..)| name.contains(&format!("_{column}_")));
            for value in values.into_iter().flat_map(|(_, _, values)| values) {
                let sent = arguments(&json!({"v": value}));
                let mut answers = Vec::new();
                for tool in [name.clone(), name.replace("sent_", "here_")] {
                    let answer = engine.call(&tool, &sent).await;
                    answers.push(answer.map(|result| rows(result.rows.values())).map_err(|error| error.line()));
                }
                // What holds a value of another type cannot be evaluated here. Sent, its other rows may be found.
                let is_readable = !matches!(&answers[1], Err(error) if error.starts_with("unreadable-data"));
                if is_readable && answers[0] != answers[1] {
                    problems.push(format!("{sql} with {value}:\n  sent: {:?}\n  here: {:?}", answers[0], answers[1]));
                }
            }
        }
        problems
    });
    if problems.is_empty() {
        Ok(())
    } else {
        Err(format!("{} problems:\n{}", problems.len(), problems.join("\n")).into())
    }
}

fn rows(rows: Vec<Vec<Value>>) -> String {
    json!(rows).to_string()
}
