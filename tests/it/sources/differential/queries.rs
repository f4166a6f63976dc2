//! Random conditions: every operator on every column, alone and in trees.

use super::data::{Column, Kind};
use super::keys::{JOINS, KEYS};
use super::values::asked;
use crate::hostile_values::Random;
use qtool::engine::bind::Arguments;
use serde_json::Value;
use std::mem::discriminant;

/// Trees beside the cells, for one call in the gate.
const TREES: usize = 5;

/// A part of a condition.
#[derive(Debug, Clone)]
enum Piece {
    Sql(String),
    /// A value that the author wrote.
    Literal(String),
    /// A parameter, with its value in each call.
    Parameter(Vec<Value>),
}

/// A condition.
#[derive(Debug, Clone)]
enum Condition {
    Leaf(Vec<Piece>),
    Not(Box<Condition>),
    Two(Box<Condition>, &'static str, Box<Condition>),
}

/// What is asked of the rows that meet the condition.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// All of them.
    Rows,
    /// The first of them by the column, or the last.
    First(usize, &'static str),
    /// Groups by the column, with values of another one.
    Groups(&'static str),
    /// One of the queries over several tables, joined by this column.
    Joined(&'static str, &'static str),
}

impl Shape {
    /// All rows in one of so many times, more or less.
    fn random(random: &mut Random, columns: &[Column], in_so_many: usize) -> Shape {
        match random.below(in_so_many) {
            0 => Shape::First(1 + random.below(30), if random.one_in(3) { " DESC" } else { "" }),
            1 => Shape::Groups(random.pick(columns).name),
            2 => Shape::Joined(JOINS[random.below(JOINS.len())], KEYS[random.below(KEYS.len())]),
            _ => Shape::Rows,
        }
    }
}

/// A query over a table that is named later.
#[derive(Debug, Clone)]
pub(super) struct Query {
    condition: Condition,
    /// What is selected beside the number of the row.
    column: &'static str,
    shape: Shape,
    calls: usize,
}

impl Query {
    /// Its text over a table.
    pub(super) fn sql(&self, table: &str) -> String {
        let (mut sql, mut parameter) = (String::new(), 0);
        self.condition.write(&mut sql, &mut parameter);
        let Query { column, .. } = self;
        match self.shape {
            Shape::Rows => format!("SELECT id, {column} FROM {table} WHERE {sql} ORDER BY id"),
            Shape::First(limit, way) => {
                format!("SELECT id, {column} FROM {table} WHERE {sql} ORDER BY {column}{way}, id LIMIT {limit}")
            }
            Shape::Groups(other) => format!(
                "SELECT {column}, count(*) AS n, count({other}) AS known, min({other}) AS least, max({other}) AS most, \
                 sum(small) AS total FROM {table} WHERE {sql} GROUP BY {column} ORDER BY {column}"
            ),
            Shape::Joined(join, key) => {
                join.replace("@T", table).replace("@K", key).replace("@C", column).replace("@W", &format!("({sql})"))
            }
        }
    }

    /// The arguments of its calls.
    pub(super) fn calls(&self) -> Vec<Arguments> {
        let mut lists = Vec::new();
        self.condition.parameters(&mut lists);
        let of_call = |call: usize| {
            let named = lists.iter().enumerate().map(|(at, values)| (format!("p{}", at + 1), values[call].clone()));
            named.collect()
        };
        (0..self.calls).map(of_call).collect()
    }

    /// The same with one of its calls.
    pub(super) fn alone(&self, call: usize) -> Query {
        let mut alone = self.clone();
        alone.condition.keep(call);
        alone.calls = 1;
        alone
    }

    /// Parts of it.
    pub(super) fn simpler(&self) -> Vec<Query> {
        let with = |condition: &Condition| Query { condition: condition.clone(), ..self.clone() };
        let mut simpler: Vec<Query> = match &self.condition {
            Condition::Leaf(_) => Vec::new(),
            Condition::Not(inner) => vec![with(inner)],
            Condition::Two(left, _, right) => vec![with(left), with(right)],
        };
        if !matches!(self.shape, Shape::Rows) {
            simpler.push(Query { shape: Shape::Rows, ..self.clone() });
        }
        simpler
    }
}

impl Condition {
    fn write(&self, sql: &mut String, parameter: &mut usize) {
        match self {
            Condition::Leaf(pieces) => pieces.iter().for_each(|piece| match piece {
                Piece::Sql(text) | Piece::Literal(text) => sql.push_str(text),
                Piece::Parameter(_) => {
                    *parameter += 1;
                    sql.push_str(&format!("<< p{parameter} >>"));
                }
            }),
            Condition::Not(inner) => {
                sql.push_str("NOT (");
                inner.write(sql, parameter);
                sql.push(')');
            }
            Condition::Two(left, sign, right) => {
                sql.push('(');
                left.write(sql, parameter);
                sql.push_str(&format!(" {sign} "));
                right.write(sql, parameter);
                sql.push(')');
            }
        }
    }

    fn parameters(&self, found: &mut Vec<Vec<Value>>) {
        match self {
            Condition::Leaf(pieces) => found.extend(pieces.iter().filter_map(|piece| match piece {
                Piece::Parameter(values) => Some(values.clone()),
                _ => None,
            })),
            Condition::Not(inner) => inner.parameters(found),
            Condition::Two(left, _, right) => {
                left.parameters(found);
                right.parameters(found);
            }
        }
    }

    fn has_parameters(&self) -> bool {
        let mut lists = Vec::new();
        self.parameters(&mut lists);
        !lists.is_empty()
    }

    fn keep(&mut self, call: usize) {
        match self {
            Condition::Leaf(pieces) => pieces.iter_mut().for_each(|piece| {
                if let Piece::Parameter(values) = piece {
                    *values = vec![values[call].clone()];
                }
            }),
            Condition::Not(inner) => inner.keep(call),
            Condition::Two(left, _, right) => {
                left.keep(call);
                right.keep(call);
            }
        }
    }
}

/// Whether values are the author's or the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Author,
    Caller,
}

/// Operators: `@` is the column, `#` a value, `&` a list of the caller's.
const OPERATORS: [&str; 18] = [
    "@ = #",
    "@ <> #",
    "@ < #",
    "@ <= #",
    "@ > #",
    "@ >= #",
    "# = @",
    "# < @",
    "@ BETWEEN # AND #",
    "@ NOT BETWEEN # AND #",
    "@ IN (#, #, #)",
    "@ NOT IN (#, #)",
    "@ IN &",
    "@ NOT IN &",
    "@ IS NULL",
    "@ IS NOT NULL",
    "NOT (@ < # OR @ IS NULL)",
    "@ >= # AND @ < #",
];

/// Operators of some types.
fn special(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Big => &["@ > # - 1", "@ = CAST(# AS BIGINT)", "abs(#) = @", "@ IN (#, # + 1)"],
        Kind::Unsigned => &["@ > # - 1", "@ IN (#, # + 1)", "CAST(@ AS TEXT) = CAST(# AS TEXT)"],
        Kind::Small | Kind::Middle | Kind::Year => &["@ <= # * 2", "CAST(@ AS BIGINT) = #"],
        Kind::Flag => &["@", "NOT @", "@ OR @ = #", "NOT (@ = #)", "@ IS TRUE", "@ IS NOT FALSE"],
        Kind::Double => &["@ < # * 2", "@ <> # / 3", "@ >= -#", "@ > sqrt(abs(#))"],
        Kind::Decimal(..) => &["@ < # * 2", "@ = round(#, 1)", "@ > # + 0.5"],
        Kind::Text => &["@ = upper(#)", "@ = # || ' '", "@ < # || '~'", "@ <> lower(#)", "@ LIKE #", "upper(@) = #"],
        Kind::Label => &["@ = upper(#)", "@ < # || '~'", "@ IN (#, lower(#))", "@ LIKE #", "lower(@) = #"],
        Kind::Uuid => &["@ = lower(#)", "@ <> # || ''", "@ IN (#, lower(#))", "@ LIKE #", "upper(@) = #"],
        Kind::Day => &["@ >= # - INTERVAL '1 day'", "@ < # + INTERVAL '1 month'", "@ = # + INTERVAL '1 day'"],
        Kind::Moment | Kind::Instant => {
            &["@ >= # - INTERVAL '1 hour'", "@ < # + INTERVAL '1 day'", "@ < date_trunc('day', #)"]
        }
        Kind::Bytes => &[],
    }
}

/// All queries; `calls` of each cell, which is an operator and a type: columns of one type share them.
pub(super) fn queries(random: &mut Random, columns: &[Column], calls: usize) -> Vec<Query> {
    let mut queries = Vec::new();
    let mut cell = 0_usize;
    for column in columns {
        let alike = columns.iter().filter(|other| discriminant(&other.kind) == discriminant(&column.kind)).count();
        let calls = calls.div_ceil(alike);
        for operator in OPERATORS.iter().chain(special(column.kind)) {
            cell += 1;
            for whose in [Whose::Caller, Whose::Author] {
                // The author's values are other queries: a few of them, and not everywhere.
                let count = match whose {
                    Whose::Caller => 1,
                    Whose::Author if calls <= 10 => usize::from(cell.is_multiple_of(3)),
                    Whose::Author => calls / 10,
                };
                for _ in 0..count {
                    let shape = Shape::random(random, columns, 8);
                    let leaf = leaf(random, column, operator, whose, calls);
                    queries.extend(leaf.map(|condition| {
                        let calls = if condition.has_parameters() { calls } else { 1 };
                        Query { condition, column: column.name, shape, calls }
                    }));
                }
            }
        }
    }
    // Groups and first rows of all of them.
    for column in columns.iter().map(|column| column.name) {
        let (one, other) = (random.pick(columns).name, random.pick(columns).name);
        for shape in [Shape::First(25, ""), Shape::First(25, " DESC"), Shape::Groups(one), Shape::Groups(other)] {
            let condition = Condition::Leaf(vec![Piece::Sql("id >= 0".to_owned())]);
            queries.push(Query { condition, column, shape, calls: 1 });
        }
    }
    // Joins of all kinds.
    for (at, join) in JOINS.iter().enumerate() {
        for key in KEYS {
            let shape = Shape::Joined(join, key);
            let whole = Condition::Leaf(vec![Piece::Sql("id >= 0".to_owned())]);
            let condition = if at % 2 == 0 { whole } else { tree(random, columns, 1) };
            let calls = if condition.has_parameters() { 4 } else { 1 };
            queries.push(Query { condition, column: random.pick(columns).name, shape, calls });
        }
    }
    for _ in 0..TREES * calls {
        let column = random.pick(columns).name;
        let shape = Shape::random(random, columns, 5);
        let condition = tree(random, columns, 3);
        let calls = 4;
        queries.push(Query { condition, column, shape, calls });
    }
    queries.extend(FIXED.iter().map(|condition| {
        let condition = Condition::Leaf(vec![Piece::Sql((*condition).to_owned())]);
        Query { condition, column: "label", shape: Shape::Rows, calls: 1 }
    }));
    queries
}

/// A condition on a column; `None` where its values cannot be written.
fn leaf(random: &mut Random, column: &Column, operator: &str, whose: Whose, calls: usize) -> Option<Condition> {
    if whose == Whose::Author && !operator.contains('#') {
        return None;
    }
    let mut pieces = Vec::new();
    let mut text = String::new();
    for c in operator.chars() {
        let piece = match c {
            '@' => {
                text.push_str(column.name);
                continue;
            }
            '#' if whose == Whose::Author => Piece::Literal(literal(random, column)?),
            '#' => Piece::Parameter((0..calls).map(|_| argument(random, column)).collect()),
            '&' => Piece::Parameter((0..calls).map(|_| list(random, column)).collect()),
            c => {
                text.push(c);
                continue;
            }
        };
        pieces.push(Piece::Sql(std::mem::take(&mut text)));
        pieces.push(piece);
    }
    pieces.push(Piece::Sql(text));
    Some(Condition::Leaf(pieces))
}

fn literal(random: &mut Random, column: &Column) -> Option<String> {
    (0..20).find_map(|_| asked(random, column).literal())
}

fn argument(random: &mut Random, column: &Column) -> Value {
    let json = (0..50).find_map(|_| asked(random, column).json());
    json.unwrap_or(Value::Null)
}

fn list(random: &mut Random, column: &Column) -> Value {
    let count = random.below(5);
    Value::Array((0..count).map(|_| argument(random, column)).collect())
}

fn tree(random: &mut Random, columns: &[Column], depth: usize) -> Condition {
    match if depth == 0 { 9 } else { random.below(7) } {
        0 => Condition::Not(Box::new(tree(random, columns, depth - 1))),
        at @ (1..=4) => {
            let (left, right) = (tree(random, columns, depth - 1), tree(random, columns, depth - 1));
            Condition::Two(Box::new(left), if at % 2 == 0 { "AND" } else { "OR" }, Box::new(right))
        }
        _ => loop {
            let column = random.pick(columns);
            let special = special(column.kind);
            let operator = match special.is_empty() || random.one_in(4) {
                true => *random.pick(&OPERATORS),
                false => *random.pick(special),
            };
            let whose = if random.one_in(3) { Whose::Author } else { Whose::Caller };
            if let Some(leaf) = leaf(random, column, operator, whose, 4) {
                break leaf;
            }
        },
    }
}

/// Conditions that are at the edge of what is sent.
const FIXED: [&str; 80] = [
    "dbl < CAST('NaN' AS DOUBLE)",
    "dbl > CAST('NaN' AS DOUBLE)",
    "dbl <> CAST('NaN' AS DOUBLE)",
    "dbl IN (CAST('NaN' AS DOUBLE), 1.5)",
    "dbl NOT IN (CAST('NaN' AS DOUBLE), 1.5)",
    "NOT (dbl = CAST('NaN' AS DOUBLE) AND big > 0)",
    "dbl = CAST('inf' AS DOUBLE)",
    "dbl >= CAST('-inf' AS DOUBLE)",
    "dbl < CAST('inf' AS DOUBLE)",
    "dbl = 0",
    "dbl = -0.0",
    "dbl >= -0.0",
    "dbl < 0.0",
    "dbl > -0.0",
    "dbl IN (-0.0, 1.5)",
    "num = 1",
    "num <> 12.5",
    "big > 9223372036854775807",
    "big < 9223372036854775808",
    "big > -9223372036854775809",
    "big = 1.0",
    "big < 1.5",
    "big = 9007199254740993.0",
    "small < 40000",
    "small <> 40000",
    "small IN (40000, 7)",
    "small > -40000 AND small <> 7",
    "amount = 12.5",
    "amount < 0.001",
    "amount >= 99999999999.99",
    "amount < 99999999999.99",
    "amount <> 12.345",
    "amount IN (12.5, 0.07, 99999999999.99)",
    "amount NOT IN (12.5, 99999999999.99)",
    "amount BETWEEN -1 AND 1",
    "amount = 7",
    "fine = 1.2345",
    "fine > 1.23449",
    "vast = 1234567890123.45",
    "day < TIMESTAMP '2024-03-31 12:00:00'",
    "day BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'",
    "day > DATE '9999-12-31'",
    "near >= DATE '2024-03-31'",
    "near = DATE '2024-03-31'",
    "near < DATE '2024-04-01'",
    "near = TIMESTAMP '2024-03-31 12:30:00.5'",
    "near IN (TIMESTAMP '2024-03-31 12:30:00.5', TIMESTAMP '2024-03-31 00:00:00')",
    "label = NULL",
    "label IN ('a', NULL)",
    "label NOT IN ('a', NULL)",
    "NOT (label IN ('a', NULL))",
    "NOT (big = 1 OR big IS NULL)",
    "flag IS NOT TRUE",
    "(big = 1) = flag",
    "flag <> (1 = 1)",
    "coalesce(big, 0) = 0",
    "CAST(big AS TEXT) = '1'",
    "CAST(named AS BIGINT) = 7 OR label = 'a'",
    "label < folded",
    "folded = 'A' AND label = 'a'",
    "folded IN ('A', 'b') OR trimmed = 'a'",
    "folded = trimmed",
    "label IS DISTINCT FROM 'a'",
    "big IS DISTINCT FROM 1",
    "named = '007'",
    "named IN ('7', '007') OR loose = '7'",
    "instant = TIMESTAMPTZ '2024-03-31 14:30:00+02:00'",
    "instant = TIMESTAMP '2024-03-31 12:30:00'",
    "instant < DATE '2024-03-31'",
    "instant BETWEEN TIMESTAMPTZ '1970-01-01 00:00:00Z' AND TIMESTAMPTZ '2038-01-19 03:14:08Z'",
    "instant > TIMESTAMPTZ '2038-01-19 03:14:08Z' OR instant < TIMESTAMPTZ '1969-12-31 23:59:59Z'",
    "near = instant",
    "middle = 2147483648",
    "middle IN (2147483648, -2147483648, 7)",
    "middle <> 1.5",
    "season IN (24, 2024, 0)",
    "season = 2000 OR season = 70",
    "token = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
    "token IN ('a0eebc999c0b4ef8bb6d6bb9bd380a11', 'x', 'ffffffff-ffff-ffff-ffff-ffffffffffff')",
    "level = '1' OR marks = '3' OR level IN ('OK', 'Sad')",
];
