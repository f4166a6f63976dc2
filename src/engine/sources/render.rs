//! From what is asked to a text of SQL with placeholders. Nothing else here makes SQL.

use super::bind::{Beyond, Bind, Form, Sent, TOLERANCE};
use super::facts::Facts;
use super::guards::guarded;
use super::remote_query::{Call, Comparison, Condition, Function, RemoteQuery, Shape, Slot, SortKey, Sought};
use crate::catalog::NativeColumn;
use arrow::datatypes::DataType;

/// A text and its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement {
    /// Keywords, quoted identifiers and placeholders.
    pub sql: String,
    /// The values of the placeholders, from the first on.
    pub binds: Vec<Bind>,
}

/// Writes a query. `sent` says what becomes of each value in a form.
///
/// Errors: a condition that nobody else evaluates holds a value that cannot be sent.
pub(super) fn render(query: &RemoteQuery, sent: &dyn Fn(Slot) -> Sent) -> Result<Statement, LeftOut> {
    let mut writer = Writer { facts: &query.table, sent, sql: String::with_capacity(128), binds: Vec::new() };
    writer.query(query)?;
    Ok(Statement { sql: writer.sql, binds: writer.binds })
}

/// An identifier in quotes. It comes from the database, which would take any other as well.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text on its way.
struct Writer<'a> {
    facts: &'a Facts,
    sent: &'a dyn Fn(Slot) -> Sent,
    sql: String,
    binds: Vec<Bind>,
}

/// A condition whose value cannot be sent.
#[derive(Debug)]
pub(super) struct LeftOut;

impl Writer<'_> {
    fn query(&mut self, query: &RemoteQuery) -> Result<(), LeftOut> {
        let native = &self.facts.native;
        let mut wanted: Vec<String> = query.columns.iter().filter_map(|at| self.output(&query.shape, *at)).collect();
        match &query.shape {
            Shape::Grouped { .. } => wanted.extend(guarded(query).into_iter().filter_map(|at| self.guard(at))),
            _ => {
                wanted.extend(query.checked.iter().filter_map(|at| self.output(&query.shape, *at)));
                wanted.extend(self.facts.row.iter().map(|name| quoted(name)));
            }
        }
        // `count(*)` wants rows and no columns.
        let wanted = if wanted.is_empty() { "1".to_owned() } else { wanted.join(", ") };
        let name: Vec<String> = native.name.iter().map(|part| quoted(part)).collect();
        self.sql.push_str(&format!("SELECT {wanted} FROM {}", name.join(".")));
        let mut before = " WHERE ";
        for Sought { condition, is_exact } in &query.conditions {
            let (sql, binds) = (self.sql.len(), self.binds.len());
            self.sql.push_str(before);
            match self.condition(condition) {
                Ok(()) => before = " AND ",
                Err(LeftOut) if *is_exact => return Err(LeftOut),
                Err(LeftOut) => {
                    self.sql.truncate(sql);
                    self.binds.truncate(binds);
                }
            }
        }
        match &query.shape {
            Shape::Rows(fetch) => self.limit(*fetch),
            Shape::Sorted { keys, fetch } => {
                let keys: Vec<String> = keys.iter().filter_map(|key| self.sort_key(key)).collect();
                self.sql.push_str(&format!(" ORDER BY {}", keys.join(", ")));
                self.limit(Some(*fetch));
            }
            Shape::Grouped { keys, .. } if keys.is_empty() => {}
            Shape::Grouped { keys, .. } => {
                let keys: Vec<String> = keys.iter().filter_map(|at| self.ordered(*at)).collect();
                self.sql.push_str(&format!(" GROUP BY {}", keys.join(", ")));
            }
        }
        Ok(())
    }

    /// An item of the list of what is selected.
    fn output(&self, shape: &Shape, at: usize) -> Option<String> {
        let name = |at: usize| self.facts.native.columns.get(at).map(|column| quoted(&column.name));
        let Shape::Grouped { keys, calls } = shape else { return name(at) };
        if let Some(key) = keys.get(at) {
            return name(*key);
        }
        let Call { function, column } = calls.get(at - keys.len())?;
        let of = match (column, function) {
            (None, _) => "*".to_owned(),
            (Some(column), Function::Min | Function::Max) => self.ordered(*column)?,
            (Some(column), _) => name(*column)?,
        };
        Some(format!("{}({of})", function.name()))
    }

    /// How many values of a column are none of its type.
    fn guard(&self, at: usize) -> Option<String> {
        let name = quoted(&self.facts.native.columns.get(at)?.name);
        let is_none = |kinds: &str| format!("typeof({name}) NOT IN ({kinds}, 'null')");
        let is_other = match self.facts.schema.field(at).data_type() {
            DataType::Int16 => format!("{} OR {name} NOT BETWEEN -32768 AND 32767", is_none("'integer'")),
            DataType::Int32 => format!("{} OR {name} NOT BETWEEN -2147483648 AND 2147483647", is_none("'integer'")),
            DataType::Int64 => is_none("'integer'"),
            DataType::Boolean => format!("{name} NOT IN (0, 1)"),
            // An integer that is no double would be rounded.
            DataType::Float64 | DataType::Float32 => {
                let kinds = is_none("'integer', 'real'");
                format!("{kinds} OR typeof({name}) = 'integer' AND CAST(CAST({name} AS REAL) AS INTEGER) <> {name}")
            }
            DataType::Decimal128(digits, scale) => {
                let (whole, kinds) = (i32::from(*digits) - i32::from(*scale), is_none("'integer', 'real'"));
                let is_far = format!("abs({name} - round({name}, {scale})) > abs({name}) * {TOLERANCE:e}");
                format!("{kinds} OR abs({name}) >= 1e{whole} OR {is_far}")
            }
            DataType::Binary => is_none("'blob'"),
            // The day as SQLite writes it; of what is no day, or one with a time behind it, that is another text.
            DataType::Date32 => format!("{name} IS NOT date({name})"),
            _ => is_none("'text'"),
        };
        Some(format!("sum({is_other})"))
    }

    /// A column as it is sorted and grouped here.
    fn ordered(&self, at: usize) -> Option<String> {
        let column = self.facts.native.columns.get(at)?;
        let name = quoted(&column.name);
        Some(match self.facts.schema.field(at).data_type() {
            // Doubles that stand for one decimal are made one.
            DataType::Decimal128(_, scale) => format!("round({name}, {scale})"),
            DataType::Utf8 | DataType::Date32 if self.collation(at, Form::Text) != Collation::Binary => {
                format!("{name} COLLATE BINARY")
            }
            _ => name,
        })
    }

    fn sort_key(&self, key: &SortKey) -> Option<String> {
        let direction = if key.is_descending { " DESC" } else { "" };
        let nulls = match (self.facts.schema.field(key.column).is_nullable(), key.nulls_first) {
            (false, _) => "",
            (true, true) => " NULLS FIRST",
            (true, false) => " NULLS LAST",
        };
        Some(format!("{}{direction}{nulls}", self.ordered(key.column)?))
    }

    fn limit(&mut self, fetch: Option<usize>) {
        if let Some(fetch) = fetch {
            self.sql.push_str(" LIMIT ");
            self.bind(Bind::Int(i64::try_from(fetch).unwrap_or(i64::MAX)));
        }
    }

    /// Each condition is a term: what has operators of its own stands in brackets.
    fn condition(&mut self, condition: &Condition) -> Result<(), LeftOut> {
        match condition {
            Condition::Compare { column, op, value } => self.compare(*column, *op, *value),
            Condition::OneOf { column, items, negated } => self.one_of(*column, items, *negated),
            Condition::Null { column, negated } => {
                self.column(*column);
                self.sql.push_str(if *negated { " IS NOT NULL" } else { " IS NULL" });
                Ok(())
            }
            Condition::Is { column, value } => {
                self.column(*column);
                self.sql.push_str(if *value { " = 1" } else { " = 0" });
                Ok(())
            }
            Condition::All(parts) => self.joined(parts, " AND "),
            Condition::Any(parts) => self.joined(parts, " OR "),
            Condition::Not(inner) => {
                self.sql.push_str("NOT (");
                self.condition(inner)?;
                self.sql.push(')');
                Ok(())
            }
        }
    }

    fn joined(&mut self, parts: &[Condition], between: &str) -> Result<(), LeftOut> {
        self.sql.push('(');
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.sql.push_str(between);
            }
            self.condition(part)?;
        }
        self.sql.push(')');
        Ok(())
    }

    fn compare(&mut self, column: usize, op: Comparison, value: Slot) -> Result<(), LeftOut> {
        let bind = match (self.sent)(value) {
            Sent::Bind(bind) => bind,
            Sent::Beyond(beyond) => {
                self.same_for_all(column, beyond.compared(op));
                return Ok(());
            }
            Sent::LeftOut => return Err(LeftOut),
        };
        let place = self.placeholder(bind);
        let collation = self.collation(column, value.form);
        let is_found_first = op == Comparison::Eq && collation == Collation::Coarser;
        if is_found_first {
            self.sql.push('(');
            self.column(column);
            self.sql.push_str(&format!(" = {place} AND "));
        }
        self.column(column);
        self.binary(collation);
        self.sql.push_str(&format!(" {} {place}", op.sign()));
        if is_found_first {
            self.sql.push(')');
        }
        Ok(())
    }

    fn one_of(&mut self, column: usize, items: &[Slot], negated: bool) -> Result<(), LeftOut> {
        let mut places = Vec::with_capacity(items.len());
        let mut collation = Collation::Binary;
        for item in items {
            match (self.sent)(*item) {
                Sent::Bind(bind) => places.push(self.placeholder(bind)),
                // No value of the column is equal to it.
                Sent::Beyond(Beyond::Below | Beyond::Above) => {}
                Sent::LeftOut => return Err(LeftOut),
            }
            collation = self.collation(column, item.form);
        }
        if places.is_empty() {
            self.same_for_all(column, negated);
            return Ok(());
        }
        let places = places.join(", ");
        let is_found_first = !negated && collation == Collation::Coarser;
        if is_found_first {
            self.sql.push('(');
            self.column(column);
            self.sql.push_str(&format!(" IN ({places}) AND "));
        }
        self.column(column);
        self.binary(collation);
        self.sql.push_str(if negated { " NOT IN (" } else { " IN (" });
        self.sql.push_str(&places);
        self.sql.push(')');
        if is_found_first {
            self.sql.push(')');
        }
        Ok(())
    }

    /// What is the same wherever the column is not NULL. It is NULL where the column is: below a NOT, that is another
    /// thing than false.
    fn same_for_all(&mut self, column: usize, is_true: bool) {
        self.column(column);
        self.sql.push_str(if is_true { " = " } else { " <> " });
        self.column(column);
    }

    fn column(&mut self, at: usize) {
        if let Some(column) = self.facts.native.columns.get(at) {
            self.sql.push_str(&quoted(&column.name));
        }
    }

    /// A placeholder for a value.
    fn placeholder(&mut self, bind: Bind) -> String {
        self.binds.push(bind);
        format!("?{}", self.binds.len())
    }

    fn bind(&mut self, bind: Bind) {
        let place = self.placeholder(bind);
        self.sql.push_str(&place);
    }

    /// How texts of a column are compared there, where a value in this form is one.
    fn collation(&self, at: usize, form: Form) -> Collation {
        let is_text = matches!(form, Form::Text | Form::Day | Form::FirstOfDay | Form::NextDay);
        match self.facts.native.columns.get(at) {
            Some(NativeColumn { collation: Some(name), .. }) if is_text => match name.to_ascii_uppercase().as_str() {
                "BINARY" => Collation::Binary,
                // Equal texts are equal in these too, and an index of the column is in this order.
                "NOCASE" | "RTRIM" => Collation::Coarser,
                _ => Collation::Unknown,
            },
            _ => Collation::Binary,
        }
    }

    fn binary(&mut self, collation: Collation) {
        if collation != Collation::Binary {
            self.sql.push_str(" COLLATE BINARY");
        }
    }
}

impl Beyond {
    /// What a comparison of a column with the value gives, wherever the column is not NULL.
    fn compared(self, op: Comparison) -> bool {
        match (op, self) {
            (Comparison::Eq, _) => false,
            (Comparison::NotEq, _) => true,
            (Comparison::Lt | Comparison::LtEq, beyond) => beyond == Beyond::Above,
            (Comparison::Gt | Comparison::GtEq, beyond) => beyond == Beyond::Below,
        }
    }
}

/// How texts are compared in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Collation {
    /// Byte by byte.
    Binary,
    /// So that more texts are equal.
    Coarser,
    /// By a rule that the database has from a program.
    Unknown,
}
