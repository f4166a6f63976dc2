//! Tables that the rows are joined with: one for each type of which a database finds the same values equal, with columns of
//! it as their keys.

use super::data::{Column, Datum, EVERYWHERE, Kind, array};
use super::values::{asked, held};
use crate::hostile_values::Random;
use arrow::array::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;
use std::error::Error;
use std::path::Path;

/// The columns whose values are keys.
pub(super) const KEYS: [&str; 11] =
    ["big", "small", "label", "trimmed", "day", "flag", "vast", "moment", "middle", "token", "instant"];

/// What else is in those tables, each column as another of the rows.
const OTHERS: [(&str, &str); 3] = [("tag", "label"), ("weight", "amount"), ("owner", "big")];

/// Queries: `@T` is the table, `@K` the column that is joined by, `@C` another, and `@W` the condition.
pub(super) const JOINS: [&str; 11] = [
    "SELECT id, @C, @K_tag, @K_weight FROM @T JOIN @T_@K ON @K = @K_key WHERE @W ORDER BY id",
    "SELECT id, @K_key, @K_tag FROM @T_@K JOIN @T ON @K_key = @K WHERE @W AND @K_owner > 0 ORDER BY id",
    "SELECT id, @C, @K_tag, @K_weight FROM @T LEFT JOIN @T_@K ON @K = @K_key WHERE @W ORDER BY id",
    "SELECT id, @K_tag FROM @T LEFT JOIN @T_@K ON @K = @K_key AND @K_owner > 0 WHERE @W ORDER BY id",
    "SELECT @K_tag, count(*) AS n, count(@C) AS known, sum(small) AS total, sum(@K_weight) AS weight, \
     min(@K_owner) AS least, max(id) AS most FROM @T JOIN @T_@K ON @K = @K_key WHERE @W GROUP BY @K_tag ORDER BY @K_tag",
    "SELECT count(*) AS n, sum(@K_weight) AS weight, sum(amount) AS amount, min(@C) AS least FROM @T \
     LEFT JOIN @T_@K ON @K = @K_key WHERE @W",
    "SELECT id, @K_tag, @K_owner FROM @T JOIN @T_@K ON @K = @K_key WHERE @W ORDER BY @K_owner DESC, id LIMIT 7",
    "SELECT id, @K_tag, other_tag FROM @T JOIN @T_@K ON @K = @K_key \
     JOIN (SELECT big_key AS other_key, big_tag AS other_tag FROM @T_big) AS other ON other_key = @K_owner \
     WHERE @W ORDER BY id",
    "SELECT a.id, a.@C, b.id AS other FROM (SELECT * FROM @T WHERE @W) AS a JOIN @T AS b ON b.id = a.big ORDER BY a.id",
    // The file says which rows of the database are needed.
    "SELECT id, @C, @K_tag FROM @T JOIN filed_@K ON @K = @K_key WHERE @W AND @K_owner > 0 ORDER BY id",
    "SELECT id, @C FROM @T WHERE @W AND @K IN (SELECT @K_key FROM filed_@K WHERE @K_owner > 0) ORDER BY id",
];

/// A table, by its columns.
pub(super) struct Keyed {
    /// The column whose values are its keys.
    key: &'static Column,
    columns: Vec<&'static Column>,
    rows: Vec<Vec<Datum>>,
}

fn column(name: &str) -> &'static Column {
    EVERYWHERE.iter().find(|column| column.name == name).unwrap()
}

/// What the keys of a table tell apart: neither spaces behind a text, nor what a database cannot hold.
fn told_apart(value: &Datum) -> String {
    match value {
        Datum::Text(text) => text.replace('\0', "").trim_end_matches(' ').to_owned(),
        other => format!("{other:?}"),
    }
}

/// The tables. Some of the values that the rows hold are in none of them, and some that they do not hold are.
pub(super) fn tables(random: &mut Random) -> Vec<Keyed> {
    KEYS.iter().map(|name| table(random, column(name))).collect()
}

fn table(random: &mut Random, key: &'static Column) -> Keyed {
    let mut candidates: Vec<Datum> = held(key).into_iter().filter(|_| !random.one_in(4)).collect();
    candidates.extend((0..4).map(|_| asked(random, key)));
    let columns: Vec<&Column> = OTHERS.iter().map(|(_, like)| column(like)).collect();
    let mut seen: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for mut value in candidates {
        let told = told_apart(&value);
        let fits = match (&value, key.kind) {
            (Datum::Int(value), Kind::Small) => i16::try_from(*value).is_ok(),
            (Datum::Int(value), Kind::Middle) => i32::try_from(*value).is_ok(),
            // Of others, no database makes one.
            (value, Kind::Uuid | Kind::Instant) => held(key).contains(value),
            _ => true,
        };
        if matches!(value, Datum::Null) || !fits || seen.contains(&told) {
            continue;
        }
        seen.push(told);
        without_nul(&mut value);
        let others = columns.iter().map(|column| {
            let mut value = if random.one_in(6) { Datum::Null } else { random.pick(&held(column)).clone() };
            without_nul(&mut value);
            value
        });
        rows.push([vec![value.clone()], others.collect()].concat());
    }
    Keyed { key, columns, rows }
}

/// PostgreSQL has no text with it.
fn without_nul(value: &mut Datum) {
    if let Datum::Text(text) = value {
        text.retain(|c| c != '\0');
    }
}

impl Keyed {
    /// The lines of `qtool.yaml` for it, in a database and in a file. `schema` stands before its name there.
    pub(super) fn lines(schema: &str) -> String {
        let of_key = |key: &&str| {
            let declared = match *key {
                "small" => ", columns: { small_key: smallint }",
                "middle" => ", columns: { middle_key: int }",
                _ => "",
            };
            let declared = if schema.is_empty() { declared } else { "" };
            format!(
                "  stored_{key}: {{ source: shop, table: {schema}Key_{key}{declared} }}\n  filed_{key}: {{ path: data/{key}.parquet }}\n"
            )
        };
        KEYS.iter().map(of_key).collect()
    }

    /// The columns in the words of a database.
    fn declared(&self, word: impl Fn(&Column) -> String) -> String {
        let name = self.key.name;
        let others =
            OTHERS.iter().zip(&self.columns).map(|((other, _), like)| format!(", {name}_{other} {}", word(like)));
        format!("{name}_key {} PRIMARY KEY{}", word(self.key), others.collect::<String>())
    }

    /// Writes it into SQLite.
    pub(super) fn write_sqlite(&self, connection: &rusqlite::Connection) -> Result<(), Box<dyn Error>> {
        let declared = self.declared(|column| column.declared.to_owned());
        connection.execute_batch(&format!("CREATE TABLE Key_{} ({declared})", self.key.name))?;
        let insert = format!("INSERT INTO Key_{} VALUES (?1, ?2, ?3, ?4)", self.key.name);
        for (at, row) in self.rows.iter().enumerate() {
            connection.execute(&insert, rusqlite::params_from_iter(row.iter().map(|value| value.native(at))))?;
        }
        Ok(())
    }

    /// What makes it in PostgreSQL.
    pub(super) fn statements(&self) -> String {
        let name = self.key.name;
        let mut statements = format!("CREATE TABLE differential.\"Key_{name}\" ({});", self.declared(Column::served));
        for row in &self.rows {
            let values: Vec<String> = row.iter().map(Datum::served).collect();
            statements.push_str(&format!("INSERT INTO differential.\"Key_{name}\" VALUES ({});\n", values.join(", ")));
        }
        statements
    }

    /// Whether MariaDB takes its key for one: texts that are others here are equal there.
    fn is_of_mariadb(key: &str) -> bool {
        !matches!(key, "label" | "trimmed")
    }

    /// The lines of `qtool.yaml` for it, in MariaDB where it can be, and in files.
    pub(super) fn lines_of_mariadb() -> String {
        let of_key = |key: &&str| {
            let file = format!("{{ path: data/{key}.parquet }}");
            let stored = match Self::is_of_mariadb(key) {
                true if *key == "flag" => {
                    "{ source: shop, table: differential.Key_flag, columns: { flag_key: bool } }".to_owned()
                }
                true => format!("{{ source: shop, table: differential.Key_{key} }}"),
                false => file.clone(),
            };
            format!("  stored_{key}: {stored}\n  filed_{key}: {file}\n")
        };
        KEYS.iter().map(of_key).collect()
    }

    /// What makes it in MariaDB.
    pub(super) fn statements_of_mariadb(&self) -> String {
        let name = self.key.name;
        if !Self::is_of_mariadb(name) {
            return String::new();
        }
        let mut statements =
            format!("CREATE TABLE differential.Key_{name} ({});", self.declared(Column::served_by_mariadb));
        for row in &self.rows {
            let values: Vec<String> = row.iter().map(Datum::served_by_mariadb).collect();
            statements.push_str(&format!("INSERT INTO differential.Key_{name} VALUES ({});\n", values.join(", ")));
        }
        statements
    }

    /// Writes it into Parquet.
    pub(super) fn write_parquet(&self, dir: &Path) -> Result<(), Box<dyn Error>> {
        let name = self.key.name;
        let kinds: Vec<Kind> = [self.key].iter().chain(&self.columns).map(|column| column.kind).collect();
        let names = ["key"].into_iter().chain(OTHERS.iter().map(|(other, _)| *other));
        let mut arrays = Vec::new();
        for (at, other) in names.enumerate() {
            arrays.push((format!("{name}_{other}"), array(kinds[at], self.rows.iter().map(|row| &row[at]))?, true));
        }
        let batch = RecordBatch::try_from_iter_with_nullable(arrays)?;
        let file = std::fs::File::create(dir.join(format!("data/{name}.parquet")))?;
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
        writer.write(&batch)?;
        writer.close()?;
        Ok(())
    }
}
