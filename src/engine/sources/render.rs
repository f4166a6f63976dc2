//! From what is asked to a text of SQL with placeholders. Nothing else here makes SQL.

use super::bind::{Beyond, Bind, Sent};
use super::dialect::{self, ComparedAs};
use super::facts::Facts;
use super::guards::guarded;
use super::joint;
use super::remote_query::{Call, Comparison, Condition, Function, Part, RemoteQuery, Shape, Slot, Sought};
use super::witness::witnesses;
use std::collections::BTreeSet;

/// A text and its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement {
    /// Keywords, quoted identifiers and placeholders.
    pub sql: String,
    /// The values of the placeholders, from the first on.
    pub binds: Vec<Bind>,
}

/// How the texts of a query begin: all that does not depend on its values.
pub(super) fn head(query: &RemoteQuery) -> String {
    let facts = query.table.as_ref();
    let output = |at: &usize| output(facts, &query.shape, *at);
    let mut wanted: Vec<String> = query.columns.iter().filter_map(output).collect();
    match &query.shape {
        Shape::Grouped { .. } => wanted.extend(guarded(query).into_iter().filter_map(|at| dialect::guard(facts, at))),
        _ => {
            wanted.extend(query.checked.iter().filter_map(output));
            wanted.extend(facts.row.iter().map(|name| dialect::identifier(facts.native.kind, name)));
        }
    }
    let witnesses = witnesses(query).unwrap_or_default().into_iter();
    wanted.extend(witnesses.filter_map(|at| dialect::witness(facts, at)));
    // `count(*)` wants rows and no columns.
    let wanted = if wanted.is_empty() { "1".to_owned() } else { wanted.join(", ") };
    format!("SELECT {wanted} FROM ")
}

/// Writes a query that begins with its head. `sent` says what becomes of each value in a form.
///
/// Errors: a condition that nobody else evaluates holds a value that cannot be sent.
pub(super) fn render(query: &RemoteQuery, head: &str, sent: &dyn Fn(Slot) -> Sent) -> Result<Statement, LeftOut> {
    let mut sql = String::with_capacity(head.len() + 128);
    sql.push_str(head);
    let mut writer = Writer { facts: &query.table, sent, sql, binds: Vec::new() };
    writer.query(query)?;
    Ok(Statement { sql: writer.sql, binds: writer.binds })
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

impl<'a> Writer<'a> {
    fn query(&mut self, query: &'a RemoteQuery) -> Result<(), LeftOut> {
        match query.joined.as_slice() {
            [] => self.sql.push_str(&table(self.facts)),
            parts => self.joined(parts, &needed(query))?,
        }
        self.conditions(&query.conditions)?;
        match &query.shape {
            Shape::Rows(fetch) => self.limit(*fetch),
            Shape::Sorted { keys, fetch } => {
                let keys: Vec<String> = keys.iter().filter_map(|key| dialect::sort_key(self.facts, key)).collect();
                self.sql.push_str(&format!(" ORDER BY {}", keys.join(", ")));
                self.limit(Some(*fetch));
            }
            Shape::Grouped { keys, .. } if keys.is_empty() => {}
            Shape::Grouped { keys, .. } => {
                let keys: Vec<String> = keys.iter().filter_map(|at| dialect::grouped(self.facts, *at)).collect();
                self.sql.push_str(&format!(" GROUP BY {}", keys.join(", ")));
            }
        }
        Ok(())
    }

    /// Tables that are joined, each of them with its own conditions and with names for its columns that no other has.
    fn joined(&mut self, parts: &'a [Part], needed: &BTreeSet<usize>) -> Result<(), LeftOut> {
        let all = self.facts;
        for (at, part) in parts.iter().enumerate() {
            let columns = part.table.native.columns.iter().enumerate();
            let columns = columns.filter(|(at, _)| needed.contains(&(part.first + at)));
            let columns = columns.map(|(at, column)| (column.name.clone(), joint::column(part.first + at)));
            let row = part.table.row.iter().enumerate();
            let row = row.map(|(place, name)| (name.clone(), joint::row(at, place)));
            let row = row.filter(|(_, here)| all.row.contains(here));
            let own = |name: &str| dialect::identifier(all.native.kind, name);
            let named = |(name, here): (String, String)| format!("{} AS {}", own(&name), own(&here));
            let items: Vec<String> = columns.chain(row).map(named).collect();
            let items = if items.is_empty() { "1".to_owned() } else { items.join(", ") };
            let join = match (at, part.is_outer) {
                (0, _) => "",
                (_, false) => " JOIN ",
                (_, true) => " LEFT JOIN ",
            };
            self.sql.push_str(&format!("{join}(SELECT {items} FROM {}", table(&part.table)));
            self.facts = &part.table;
            self.conditions(&part.conditions)?;
            self.limit(part.fetch);
            self.facts = all;
            self.sql.push_str(&format!(") AS {}", own(&joint::table(at))));
            let equal = |(one, other): &(usize, usize)| {
                format!("{} = {}", own(&joint::column(*one)), own(&joint::column(*other)))
            };
            let on: Vec<String> = part.on.iter().map(equal).collect();
            match (at, on.is_empty()) {
                (0, _) => {}
                // Of what stands behind it, it is said what it is joined by.
                (_, true) => self.sql.push_str(" ON 1 = 1"),
                (_, false) => self.sql.push_str(&format!(" ON {}", on.join(" AND "))),
            }
        }
        Ok(())
    }

    /// What all rows must meet.
    fn conditions(&mut self, conditions: &[Sought]) -> Result<(), LeftOut> {
        let mut before = " WHERE ";
        for Sought { condition, is_exact } in conditions {
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
        Ok(())
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
                self.sql.push_str(if *negated { " IS NOT NULL" } else { dialect::is_null(self.facts, *column) });
                Ok(())
            }
            Condition::Is { column, value } => {
                self.column(*column);
                self.sql.push_str(dialect::truth(self.facts.native.kind, *value));
                Ok(())
            }
            Condition::All(parts) => self.combined(parts, " AND "),
            Condition::Any(parts) => self.combined(parts, " OR "),
            Condition::Not(inner) => {
                self.sql.push_str("NOT (");
                self.condition(inner)?;
                self.sql.push(')');
                Ok(())
            }
        }
    }

    fn combined(&mut self, parts: &[Condition], between: &str) -> Result<(), LeftOut> {
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
        let (op, bind) = match self.sent(value) {
            Sent::Bind(bind) => (op, bind),
            Sent::Beyond(beyond) => {
                self.same_for_all(column, beyond.compared(op));
                return Ok(());
            }
            // Nothing is equal to it, and what is not above the one before it is below it.
            Sent::Behind(bind) => match op {
                Comparison::Eq | Comparison::NotEq => {
                    self.same_for_all(column, op == Comparison::NotEq);
                    return Ok(());
                }
                Comparison::Lt | Comparison::LtEq => (Comparison::LtEq, bind),
                Comparison::Gt | Comparison::GtEq => (Comparison::Gt, bind),
            },
            Sent::LeftOut => return Err(LeftOut),
        };
        let names = dialect::compared(self.facts, column, op, value.form);
        self.compared(&names, op == Comparison::Eq, &[bind], |values| format!("{} {values}", op.sign()));
        Ok(())
    }

    fn one_of(&mut self, column: usize, items: &[Slot], negated: bool) -> Result<(), LeftOut> {
        let mut binds = Vec::with_capacity(items.len());
        let mut form = None;
        for item in items {
            match self.sent(*item) {
                Sent::Bind(bind) => binds.push(bind),
                // No value of the column is equal to it.
                Sent::Beyond(_) | Sent::Behind(_) => {}
                Sent::LeftOut => return Err(LeftOut),
            }
            form = Some(item.form);
        }
        let Some(form) = form.filter(|_| !binds.is_empty()) else {
            self.same_for_all(column, negated);
            return Ok(());
        };
        let names = dialect::compared(self.facts, column, Comparison::Eq, form);
        let operator = if negated { "NOT IN" } else { "IN" };
        self.compared(&names, !negated, &binds, |values| format!("{operator} ({values})"));
        Ok(())
    }

    /// A column under its names, compared: where an index finds equal values under the first of two, by both. `rest` is
    /// what stands behind a name, made of the values.
    fn compared(&mut self, names: &ComparedAs, is_equality: bool, binds: &[Bind], rest: impl Fn(&str) -> String) {
        let found_by = names.found_by.as_ref().filter(|_| is_equality);
        let mut places: Vec<String> = Vec::new();
        let mut written = Vec::with_capacity(2);
        for sides in found_by.into_iter().chain([&names.exact]) {
            if places.is_empty() || dialect::counts_placeholders(self.facts.native.kind) {
                places = binds.iter().map(|bind| self.placeholder(bind.clone())).collect();
            }
            let values: Vec<String> = places.iter().map(|place| sides.value(place)).collect();
            written.push(format!("{} {}", sides.column, rest(&values.join(", "))));
        }
        let written = written.join(" AND ");
        self.sql.push_str(&if found_by.is_some() { format!("({written})") } else { written });
    }

    /// What becomes of a value.
    fn sent(&self, value: Slot) -> Sent {
        dialect::fitting(self.facts.native.kind, (self.sent)(value))
    }

    fn identifier(&self, name: &str) -> String {
        dialect::identifier(self.facts.native.kind, name)
    }

    /// What is the same wherever the column is not NULL. It is NULL where the column is: below a NOT, that is another
    /// thing than false.
    fn same_for_all(&mut self, column: usize, is_true: bool) {
        let column = dialect::itself(self.facts, column).unwrap_or_default();
        self.sql.push_str(&format!("{column} {} {column}", if is_true { "=" } else { "<>" }));
    }

    fn column(&mut self, at: usize) {
        if let Some(column) = self.facts.native.columns.get(at) {
            self.sql.push_str(&self.identifier(&column.name));
        }
    }

    /// A placeholder for a value.
    fn placeholder(&mut self, bind: Bind) -> String {
        let place = dialect::placeholder(self.facts.native.kind, self.binds.len() + 1, &bind);
        self.binds.push(bind);
        place
    }

    fn bind(&mut self, bind: Bind) {
        let place = self.placeholder(bind);
        self.sql.push_str(&place);
    }
}

/// An item of the list of what is selected.
fn output(facts: &Facts, shape: &Shape, at: usize) -> Option<String> {
    let Shape::Grouped { keys, calls } = shape else { return dialect::item(facts, at) };
    if let Some(key) = keys.get(at) {
        return dialect::key_item(facts, *key);
    }
    let Call { function, column } = calls.get(at - keys.len())?;
    let of = match (column, function) {
        (None, _) => "*".to_owned(),
        (Some(column), Function::Min | Function::Max) => dialect::extreme(facts, *column)?,
        (Some(column), _) => {
            facts.native.columns.get(*column).map(|column| dialect::identifier(facts.native.kind, &column.name))?
        }
    };
    Some(dialect::call(facts.native.kind, *function, &of))
}

/// The name of a table.
fn table(facts: &Facts) -> String {
    let name: Vec<String> = facts.native.name.iter().map(|part| dialect::identifier(facts.native.kind, part)).collect();
    name.join(".")
}

/// The columns of joined tables that the rest of a statement names.
fn needed(query: &RemoteQuery) -> BTreeSet<usize> {
    let mut needed: BTreeSet<usize> = query.checked.iter().copied().collect();
    match &query.shape {
        Shape::Rows(_) => needed.extend(&query.columns),
        Shape::Sorted { keys, .. } => {
            needed.extend(&query.columns);
            needed.extend(keys.iter().map(|key| key.column));
        }
        Shape::Grouped { keys, calls } => {
            needed.extend(keys);
            needed.extend(calls.iter().filter_map(|call| call.column));
            needed.extend(guarded(query));
        }
    }
    query.conditions.iter().for_each(|sought| sought.condition.columns(&mut |at| needed.extend([at])));
    needed.extend(query.joined.iter().flat_map(|part| &part.on).flat_map(|(one, other)| [*one, *other]));
    needed
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
