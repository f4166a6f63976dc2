//! The literals of a statement's conditions that a tool would have placeholders for, and what these would be called.

use super::ast::{normalized, place};
use super::{Literal, ParsedQuery};
use crate::name::{RESERVED, is_legal, snake_case};
use crate::source::{SourceFile, Sources, Span};
use serde_json::Value;
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Join, Select, Spanned as _,
    UnaryOperator, Visit, Visitor,
};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A literal that may become a placeholder.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeLiteral {
    /// What the placeholder stands in the place of.
    pub span: Span,
    /// The parameter's name.
    pub name: String,
    /// The type that the literal's own form tells, where it is one that its place may not.
    pub declared: Option<String>,
    /// The value, as an agent would send it.
    pub value: Value,
}

/// The literals that columns are compared with, in the order of the text. A query over placeholders has others beside.
pub fn free_literals(query: &ParsedQuery, sources: &Sources) -> Vec<FreeLiteral> {
    let Some(file) = sources.get(query.file) else { return Vec::new() };
    let taken = query.placeholders.iter().map(|one| one.name.value.clone()).collect();
    let mut search = Search { file, taken, found: Vec::new() };
    let _ = query.trees.statement.statement.visit(&mut search);
    search.found.sort_by_key(|one| one.span.start);
    search.found
}

struct Search<'a> {
    file: &'a SourceFile,
    taken: HashSet<String>,
    found: Vec<FreeLiteral>,
}

impl Visitor for Search<'_> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let joins = select.from.iter().flat_map(|from| &from.joins).filter_map(on);
        for condition in joins.chain(&select.selection).chain(&select.having).chain(&select.qualify) {
            self.condition(condition);
        }
        ControlFlow::Continue(())
    }
}

/// The condition of a join.
fn on(join: &Join) -> Option<&Expr> {
    match super::ast::join_constraint(&join.join_operator)? {
        sqlparser::ast::JoinConstraint::On(condition) => Some(condition),
        _ => None,
    }
}

impl Search<'_> {
    fn condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => self.condition(inner),
            Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
                self.condition(left);
                self.condition(right);
            }
            Expr::BinaryOp { left, op, right } => {
                let Some((before, mirrored)) = prefixes(op) else { return };
                match (column(left), column(right)) {
                    (Some(name), None) => self.value(right, &format!("{before}{name}")),
                    (None, Some(name)) => self.value(left, &format!("{mirrored}{name}")),
                    _ => {}
                }
            }
            Expr::Between { expr, negated: false, low, high } => {
                let Some(name) = column(expr) else { return };
                self.value(low, &format!("min_{name}"));
                self.value(high, &format!("max_{name}"));
            }
            Expr::InList { expr, list, negated } => {
                let Some(name) = column(expr) else { return };
                let before = if *negated { "other_than_" } else { "" };
                self.list(list, &format!("{before}{}", plural(&name)));
            }
            Expr::Like { expr, pattern, any: false, .. } | Expr::ILike { expr, pattern, any: false, .. } => {
                let Some(name) = column(expr) else { return };
                self.value(pattern, &format!("{name}_like"));
            }
            _ => {}
        }
    }

    /// Takes an operand that is a literal.
    fn value(&mut self, operand: &Expr, name: &str) {
        let Some(span) = self.place_of(operand) else { return };
        let Some(literal) = Literal::parse(self.file.slice(span)).filter(|literal| !literal.value.is_null()) else {
            return;
        };
        let typed = matches!(operand, Expr::TypedString(_));
        let declared = literal.evidence().filter(|_| typed).map(|ty| ty.to_string());
        let name = self.free_name(name);
        self.found.push(FreeLiteral { span, name, declared, value: literal.value });
    }

    /// Takes the list behind IN with its brackets, where all of it is literals.
    fn list(&mut self, list: &[Expr], name: &str) {
        let (Some(first), Some(last)) = (list.first(), list.last()) else { return };
        let (Some(first), Some(last)) = (self.place_of(first), self.place_of(last)) else { return };
        let literal = |item: &Expr| Literal::parse(self.file.slice(self.place_of(item)?));
        let Some(items) = list.iter().map(literal).collect::<Option<Vec<Literal>>>() else { return };
        if items.iter().any(|item| item.value.is_null()) {
            return;
        }
        let Some(start) = self.begins_with(first, "(") else { return };
        let behind = self.file.text.get(last.end..).unwrap_or_default();
        let blank = behind.len() - behind.trim_start().len();
        if !behind.trim_start().starts_with(')') {
            return;
        }
        let span = self.file.span(start, last.end + blank + 1);
        let value = Value::Array(items.into_iter().map(|item| item.value).collect());
        let name = self.free_name(name);
        self.found.push(FreeLiteral { span, name, declared: None, value });
    }

    /// The place of a literal. Of a sign and of the word in front of a text the parser keeps none.
    fn place_of(&self, operand: &Expr) -> Option<Span> {
        match operand {
            Expr::Value(_) => Some(place(self.file, operand.span())).filter(|span| span.start < span.end),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } if matches!(**expr, Expr::Value(_)) => {
                let span = self.place_of(expr)?;
                Some(self.file.span(self.begins_with(span, "-")?, span.end))
            }
            Expr::TypedString(typed) if !typed.uses_odbc_syntax => {
                let span = place(self.file, typed.value.span);
                Some(self.file.span(self.begins_with(span, &typed.data_type.to_string())?, span.end))
            }
            _ => None,
        }
    }

    /// Where what stands before a place begins, if it is that text, in any letter case.
    fn begins_with(&self, span: Span, text: &str) -> Option<usize> {
        let before = self.file.text.get(..span.start)?.trim_end();
        let start = before.len().checked_sub(text.len())?;
        before.get(start..)?.eq_ignore_ascii_case(text).then_some(start)
    }

    /// A legal name that no other parameter has.
    fn free_name(&mut self, wanted: &str) -> String {
        let wanted = snake_case(wanted);
        let wanted = if is_legal(&wanted) { wanted } else { "value".to_owned() };
        let wanted = if RESERVED.contains(&wanted.as_str()) { format!("{wanted}_value") } else { wanted };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(wanted);
        self.taken.insert(name.clone());
        name
    }
}

/// What a parameter's name begins with whose value stands to the right of an operator, and to the left of it.
fn prefixes(op: &BinaryOperator) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinaryOperator::Eq => ("", ""),
        BinaryOperator::NotEq => ("other_than_", "other_than_"),
        BinaryOperator::Gt | BinaryOperator::GtEq => ("min_", "max_"),
        BinaryOperator::Lt | BinaryOperator::LtEq => ("max_", "min_"),
        _ => return None,
    })
}

/// The name of the column that a side of a comparison is about.
fn column(side: &Expr) -> Option<String> {
    match side {
        Expr::Identifier(name) => Some(normalized(name)),
        Expr::CompoundIdentifier(names) => names.last().map(normalized),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => column(inner),
        Expr::Function(function) => of_function(function),
        _ => None,
    }
}

/// What a function is about: the column that is its only argument, or its own name.
fn of_function(function: &Function) -> Option<String> {
    let name = function.name.0.last()?.as_ident().map(normalized)?;
    let FunctionArguments::List(list) = &function.args else { return Some(name) };
    match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] => {
            let of = column(argument)?;
            Some(if ["lower", "upper", "trim"].contains(&name.as_str()) { of } else { format!("{name}_{of}") })
        }
        _ => Some(name),
    }
}

/// A word for several of what the word is for.
fn plural(word: &str) -> String {
    let is_vowel = |c: char| "aeiou".contains(c);
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ies"),
        _ if word.ends_with(['s', 'x', 'z']) || word.ends_with("ch") || word.ends_with("sh") => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::project::QueryFile;
    use crate::syntax;
    use crate::yaml::Document;

    /// What is found, each as its text, name, declared type and value.
    fn found(sql: &str) -> Vec<String> {
        let mut sources = Sources::default();
        let mut sink = Diagnostics::default();
        let yaml = sources.add("qtool.yaml", "name: test\n");
        let file = sources.add("queries/a.sql", sql);
        let yaml = sources.get(yaml).unwrap();
        let project = Document::parse(yaml, yaml.whole(), &mut sink).unwrap();
        let query = QueryFile::alone(file, "a");
        let (parsed, _) = syntax::parse(&query, &project, &sources, &mut sink).unwrap();
        let shown = |one: &FreeLiteral| {
            let text = sources.get(file).unwrap().slice(one.span).to_owned();
            let declared = one.declared.iter().map(|ty| format!(": {ty}")).collect::<String>();
            format!("{text} -> {}{declared} {}", one.name, one.value)
        };
        free_literals(&parsed, &sources).iter().map(shown).collect()
    }

    #[test]
    fn literals_of_conditions_are_named_by_their_columns() {
        let sql = "SELECT 1, CASE WHEN a = 2 THEN 3 END FROM t JOIN u ON u.id = t.id AND u.kind = 'x' \
                   WHERE status IN ('a', 'b') AND o.total >= -5 AND day < DATE '2024-01-01' AND 7 > n \
                   AND limit = 3 AND n BETWEEN 1 AND 2 AND name ILIKE 'a%' AND status <> 'c' LIMIT 10";
        assert_eq!(
            found(&sql.replace("limit = 3", "\"limit\" = 3")),
            [
                "'x' -> kind \"x\"",
                "('a', 'b') -> statuses [\"a\",\"b\"]",
                "-5 -> min_total -5",
                "DATE '2024-01-01' -> max_day: date \"2024-01-01\"",
                "7 -> max_n 7",
                "3 -> limit_value 3",
                "1 -> min_n 1",
                "2 -> max_n_2 2",
                "'a%' -> name_like \"a%\"",
                "'c' -> other_than_status \"c\"",
            ]
        );
    }

    #[test]
    fn what_is_no_value_of_a_column_stays() {
        let sql = "SELECT date_trunc('day', at) FROM t WHERE at > now() - INTERVAL '7 days' AND a IS NULL AND b = NULL \
                   AND c IN (1, NULL) AND 1 = 1 AND x = 2 * 3 GROUP BY 1 HAVING count(*) > 5 AND sum(total) > 9";
        assert_eq!(found(sql), ["5 -> min_count 5", "9 -> min_sum_total 9"]);
    }

    #[test]
    fn subqueries_and_placeholders_are_looked_into() {
        let sql = "SELECT a FROM t WHERE b = << c >> AND c = 1 AND d IN (SELECT d FROM u WHERE e = 2)";
        assert_eq!(found(sql), ["1 -> c_2 1", "2 -> e 2"]);
    }
}
