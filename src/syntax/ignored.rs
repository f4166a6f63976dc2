//! SQL that the parser takes and the planner passes over: it would do nothing, so it is refused where it stands.
//!
//! What the planner refuses itself is left to it. The parts of the syntax tree are taken apart without `..`, so that one
//! that the parser learns of has to be decided on here. Clauses of functions are collected only: which of them a function
//! has is known where functions are.

mod tables;

use super::ast::normalized;
use super::lexer::Lexed;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{Span, Spanned};
use sqlparser::ast::{
    ConnectByKind, Cte, DataType, DuplicateTreatment, ExactNumberInfo, ExcludeSelectItem, Expr, ForClause, Function,
    FunctionArgumentClause, FunctionArgumentList, FunctionArguments, GroupByExpr, GroupByWithModifier, Ident,
    NullTreatment, ObjectName, ObjectNamePart, OrderBy, OrderByKind, PipeOperator, Query, Select, SelectFlavor,
    SelectItem, Setting, Spanned as _, Statement, TableFactor, TableWithJoins, Visit, Visitor,
    WildcardAdditionalOptions,
};
use sqlparser::tokenizer::{Span as Parsed, Token};
use std::ops::ControlFlow;

/// A clause of a function that not every function has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clause {
    /// `f(x) FILTER (WHERE …)`
    Filter,
    /// `f(DISTINCT x)`
    Distinct,
    /// `f(x ORDER BY y)`
    OrderBy,
    /// `f(x) OVER (…)`
    Over,
    /// `f(x) WITHIN GROUP (ORDER BY y)`
    WithinGroup,
    /// `f(x) IGNORE NULLS`, `f(x) RESPECT NULLS`
    Nulls,
}

impl Clause {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Clause::Filter => "FILTER",
            Clause::Distinct => "DISTINCT",
            Clause::OrderBy => "ORDER BY",
            Clause::Over => "OVER",
            Clause::WithinGroup => "WITHIN GROUP",
            Clause::Nulls => "IGNORE or RESPECT NULLS",
        }
    }
}

/// A call with such a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionClause {
    /// The function's name.
    pub function: Spanned<String>,
    /// The clause.
    pub clause: Clause,
    /// Whether the call has OVER.
    pub windowed: bool,
    /// Where the clause stands.
    pub span: Span,
}

/// Refuses what would do nothing; the clauses of functions. `place` tells where a part of the tree stands.
pub(super) fn check(
    statement: &Statement,
    tokens: &[Lexed],
    place: &dyn Fn(Parsed) -> Span,
    sink: &mut Diagnostics,
) -> Vec<FunctionClause> {
    let mut search = Search { tokens, place, sink, clauses: Vec::new() };
    let _ = statement.visit(&mut search);
    search.clauses
}

struct Search<'a> {
    tokens: &'a [Lexed],
    place: &'a dyn Fn(Parsed) -> Span,
    sink: &'a mut Diagnostics,
    clauses: Vec<FunctionClause>,
}

impl Visitor for Search<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.query(query);
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.select(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.factor(factor);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) => self.function(function),
            Expr::Cast { kind: _, expr: inner, data_type, array: _, format: _ } => {
                self.data_type(expr.span(), inner.span().end, data_type);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

// Queries.
impl Search<'_> {
    fn query(&mut self, query: &Query) {
        let Query {
            with,
            body,
            order_by,
            // A count per group is refused by the planner, and so is FETCH.
            limit_clause: _,
            fetch: _,
            // These are refused as what is no query.
            locks: _,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        let start = self.from(query.span());
        for cte in with.iter().flat_map(|with| &with.cte_tables) {
            self.common_table(cte);
        }
        // The planner refuses INTERPOLATE and WITH FILL, and expands ALL over a SELECT.
        if let Some(OrderBy { kind: OrderByKind::All(_), interpolate: _ }) = order_by
            && body.as_select().is_none()
        {
            let span = self.words(start, &["ORDER", "BY", "ALL"]);
            self.refuse(span, "ORDER BY ALL behind a set operation", "name the columns to sort by");
        }
        if let Some(clause) = for_clause {
            let words: &[&str] = match clause {
                ForClause::Browse => &["FOR", "BROWSE"],
                ForClause::Json { .. } => &["FOR", "JSON"],
                ForClause::Xml { .. } => &["FOR", "XML"],
            };
            let span = self.words(start, words);
            self.refuse(span, &words.join(" "), "leave it out: the caller of a tool chooses the format of its result");
        }
        if let Some(Setting { key, value: _ }) = settings.as_ref().and_then(|settings| settings.first()) {
            let span = self.word_before(key.span, "SETTINGS");
            self.refuse(span, "SETTINGS", "leave it out: limits of a tool are set in its header and in `qtool.yaml`");
        }
        if format_clause.is_some() {
            let span = self.words(start, &["FORMAT"]);
            self.refuse(span, "FORMAT", "leave it out: the caller of a tool chooses the format of its result");
        }
        for operator in pipe_operators {
            self.pipe_operator(operator);
        }
    }

    fn common_table(&mut self, cte: &Cte) {
        // The dialect has no MATERIALIZED.
        let Cte { alias, query: _, from, materialized: _, closing_paren_token: _ } = cte;
        self.alias(alias);
        if let Some(from) = from {
            let span = self.at(from.span);
            self.refuse(span, "FROM behind a common table expression", "leave it out");
        }
    }

    fn pipe_operator(&mut self, operator: &PipeOperator) {
        let PipeOperator::Aggregate { full_table_exprs, group_by_expr } = operator else { return };
        for one in full_table_exprs.iter().chain(group_by_expr) {
            if one.order_by.asc.is_some() || one.order_by.nulls_first.is_some() {
                let span = self.at(one.expr.expr.span());
                self.refuse(span, "an order inside of AGGREGATE", "sort behind it: `|> ORDER BY …`");
            }
        }
    }

    fn select(&mut self, select: &Select) {
        let Select {
            select_token,
            // They are comments.
            optimizer_hints: _,
            // Planned.
            distinct: _,
            select_modifiers,
            top,
            // Of no meaning without `top`. Refused by the planner are `lateral_views`, `cluster_by`, `sort_by`, and `distribute_by` by the engine.
            top_before_distinct: _,
            projection,
            exclude,
            // Refused as what is no query.
            into: _,
            from,
            lateral_views: _,
            prewhere,
            selection,
            connect_by,
            group_by,
            cluster_by: _,
            distribute_by: _,
            sort_by: _,
            having: _,
            // Written out before the planner sees them.
            named_window: _,
            qualify: _,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        let start = self.from(select_token.0.span);
        if select_modifiers.as_ref().is_some_and(|modifiers| modifiers.is_any_set()) {
            let span = self.at(select_token.0.span);
            self.refuse(span, "a modifier of SELECT such as HIGH_PRIORITY or SQL_NO_CACHE", "leave it out");
        }
        if top.is_some() {
            let span = self.words(start, &["TOP"]);
            let help = "the first rows are those of `ORDER BY … LIMIT 5`, behind all else";
            self.sink.push(codes::invalid_query(span, "there is no TOP").help(help));
        }
        if let Some(mode) = value_table_mode {
            let span = self.at(select_token.0.span);
            self.refuse(span, &format!("SELECT {mode}"), "select the columns, or one `struct(…)` with a name");
        }
        if let Some(ExcludeSelectItem::Single(name)) = exclude {
            self.exclude(name);
        } else if let Some(ExcludeSelectItem::Multiple(names)) = exclude {
            names.iter().take(1).for_each(|name| self.exclude(name));
        }
        self.projection(projection);
        from.iter().for_each(|tables| self.tables(tables));
        self.conditions(prewhere.as_ref(), selection.is_some(), connect_by);
        self.group_by(start, group_by);
        if *flavor == SelectFlavor::FromFirstNoSelect {
            self.only_from(from);
        }
    }

    fn exclude(&mut self, name: &ObjectName) {
        let span = self.at(name.span());
        self.refuse(span, "EXCLUDE behind the list of columns", "write it directly behind `*`: `* EXCLUDE (a)`");
    }

    fn projection(&mut self, items: &[SelectItem]) {
        for item in items {
            match item {
                SelectItem::Wildcard(options) | SelectItem::QualifiedWildcard(_, options) => self.wildcard(options),
                // The planner refuses several names of one column.
                SelectItem::UnnamedExpr(_)
                | SelectItem::ExprWithAlias { expr: _, alias: _ }
                | SelectItem::ExprWithAliases { expr: _, aliases: _ } => {}
            }
        }
    }

    fn wildcard(&mut self, options: &WildcardAdditionalOptions) {
        let WildcardAdditionalOptions {
            wildcard_token,
            opt_ilike,
            // Planned.
            opt_exclude: _,
            opt_except: _,
            opt_replace: _,
            // Refused by the planner.
            opt_rename: _,
            opt_alias: _,
        } = options;
        if opt_ilike.is_some() {
            let span = self.words(self.from(wildcard_token.0.span), &["ILIKE"]);
            self.refuse(span, "`* ILIKE`", "name the columns, or leave others out: `* EXCLUDE (a, b)`");
        }
    }

    fn conditions(&mut self, prewhere: Option<&Expr>, has_where: bool, connect_by: &[ConnectByKind]) {
        if let Some(condition) = prewhere {
            let span = self.word_before(condition.span(), "PREWHERE");
            let diagnostic = codes::invalid_query(span, &because("PREWHERE"));
            self.sink.push(match has_where {
                true => diagnostic.help("write its condition into WHERE, with AND"),
                false => diagnostic.fix("write it as WHERE", span, "WHERE"),
            });
        }
        let help = "write a recursive query: `WITH RECURSIVE tree AS (… UNION ALL …)`";
        for kind in connect_by {
            match kind {
                ConnectByKind::ConnectBy { connect_token, nocycle: _, relationships: _ } => {
                    let span = self.at(connect_token.0.span);
                    self.refuse(span, "CONNECT BY", help);
                }
                ConnectByKind::StartWith { start_token, condition: _ } => {
                    let span = self.at(start_token.0.span);
                    self.refuse(span, "START WITH", help);
                }
            }
        }
    }

    fn group_by(&mut self, start: usize, group_by: &GroupByExpr) {
        let (from, modifiers) = match group_by {
            GroupByExpr::All(modifiers) => (start, modifiers),
            GroupByExpr::Expressions(keys, modifiers) => {
                let from = keys.last().map_or(start, |key| self.from(key.span()));
                (from, modifiers)
            }
        };
        for modifier in modifiers {
            let (words, help): (&[&str], &str) = match modifier {
                GroupByWithModifier::Rollup => (&["WITH", "ROLLUP"], "write `GROUP BY ROLLUP (a, b)`"),
                GroupByWithModifier::Cube => (&["WITH", "CUBE"], "write `GROUP BY CUBE (a, b)`"),
                GroupByWithModifier::Totals => {
                    (&["WITH", "TOTALS"], "write `GROUP BY GROUPING SETS ((a, b), ())`: the row of `()` has the totals")
                }
                GroupByWithModifier::GroupingSets(_) => {
                    (&["GROUPING", "SETS"], "write only the sets: `GROUP BY GROUPING SETS ((a), (b))`")
                }
            };
            let span = self.words(from, words);
            self.refuse(span, &format!("{} behind the keys of GROUP BY", words.join(" ")), help);
        }
    }

    /// `FROM orders` and no more.
    fn only_from(&mut self, from: &[TableWithJoins]) {
        let first = from.first().map_or_else(Parsed::empty, |tables| tables.relation.span());
        let span = self.word_before(first, "FROM");
        let why = "FROM without SELECT gives rows without columns";
        self.sink.push(codes::invalid_query(span, why).fix("select the columns", span.before(), "SELECT * "));
    }
}

// Expressions.
impl Search<'_> {
    fn function(&mut self, function: &Function) {
        let Function { name, uses_odbc_syntax: _, parameters, args, filter, null_treatment, over, within_group } =
            function;
        if *parameters != FunctionArguments::None {
            let span = self.at(name.span());
            self.refuse(span, "a second list of arguments", "give all arguments in one pair of brackets");
        }
        let mut found: Vec<(Clause, &[&str], bool)> = Vec::new();
        match args {
            FunctionArguments::None => {}
            FunctionArguments::Subquery(_) => {
                let span = self.at(name.span());
                // The parser takes no second pair of brackets there.
                if name.to_string().eq_ignore_ascii_case("array") {
                    self.refuse(
                        span,
                        "`array` of a query",
                        "select the list: `(SELECT array_agg(x ORDER BY x) FROM …)`",
                    );
                } else {
                    self.refuse(span, "a query as the only argument", "put it in brackets of its own: `f((SELECT …))`");
                }
            }
            FunctionArguments::List(FunctionArgumentList { duplicate_treatment, args: _, clauses }) => {
                if *duplicate_treatment == Some(DuplicateTreatment::Distinct) {
                    found.push((Clause::Distinct, &["DISTINCT"], true));
                }
                for clause in clauses {
                    match clause {
                        FunctionArgumentClause::OrderBy(_) => found.push((Clause::OrderBy, &["ORDER", "BY"], true)),
                        FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => {
                            found.push((Clause::Nulls, nulls(*treatment), true));
                        }
                        // Refused by the planner.
                        FunctionArgumentClause::Limit(_)
                        | FunctionArgumentClause::OnOverflow(_)
                        | FunctionArgumentClause::Having(_)
                        | FunctionArgumentClause::Separator(_)
                        | FunctionArgumentClause::JsonNullClause(_)
                        | FunctionArgumentClause::JsonReturningClause(_) => {}
                    }
                }
            }
        }
        found.extend(filter.as_ref().map(|_| (Clause::Filter, ["FILTER"].as_slice(), false)));
        found.extend((!within_group.is_empty()).then_some((
            Clause::WithinGroup,
            ["WITHIN", "GROUP"].as_slice(),
            false,
        )));
        found.extend(null_treatment.map(|treatment| (Clause::Nulls, nulls(treatment), false)));
        found.extend(over.as_ref().map(|_| (Clause::Over, ["OVER"].as_slice(), false)));
        self.clauses_of(name, &found, over.is_some());
    }

    fn clauses_of(&mut self, name: &ObjectName, found: &[(Clause, &[&str], bool)], windowed: bool) {
        let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() else { return };
        for (clause, words, inside) in found {
            let function = Spanned::new(normalized(ident), self.at(ident.span));
            let span = self.in_call(ident, words, *inside).unwrap_or(function.span);
            self.clauses.push(FunctionClause { function, clause: *clause, windowed, span });
        }
    }

    /// The planner takes these types and forgets what is in their brackets.
    fn data_type(&mut self, cast: Parsed, behind: sqlparser::tokenizer::Location, ty: &DataType) {
        let text = ty.to_string();
        let Some((word, rest)) = text.split_once('(') else { return };
        let length = rest.trim_end_matches(')');
        let (why, help) = match ty {
            DataType::Varchar(Some(_)) | DataType::Char(Some(_)) | DataType::String(Some(_)) => (
                format!("the length of `{}` in a cast", text.to_lowercase()),
                format!("cut the text, and cast to `text` where needed: `left(x, {length})`"),
            ),
            DataType::Float(ExactNumberInfo::Precision(_) | ExactNumberInfo::PrecisionAndScale(_, _)) => {
                (format!("the precision of `{}` in a cast", text.to_lowercase()), "write `real` or `double`".to_owned())
            }
            _ => return,
        };
        let from = self.from(Parsed::new(behind, behind));
        let from = if behind.line == 0 { self.from(cast) } else { from };
        let span = self.find(from, &[word], |_, _| true).unwrap_or_else(|| self.at(cast));
        self.refuse(span, &why, &help);
    }
}

// Places.
impl Search<'_> {
    fn refuse(&mut self, span: Span, what: &str, help: &str) {
        self.sink.push(codes::invalid_query(span, &because(what)).help(help));
    }

    fn at(&self, span: Parsed) -> Span {
        (self.place)(span)
    }

    /// The first token at or behind the beginning of a part of the tree; the first of all where its place is not known.
    fn from(&self, span: Parsed) -> usize {
        let start = self.at(span);
        let at = |token: &Lexed| token.span.file == start.file && token.span.start >= start.start;
        self.tokens.iter().position(at).unwrap_or(0)
    }

    /// Where these words stand behind a token, outside of brackets that open there; that token, where they do not.
    fn words(&self, from: usize, words: &[&str]) -> Span {
        let whole = || self.tokens.get(from).map_or_else(|| self.at(Parsed::empty()), |token| token.span);
        self.find(from, words, |depth, _| depth <= 0).unwrap_or_else(whole)
    }

    /// The nearest such word before a part of the tree; that part, where there is none.
    fn word_before(&self, span: Parsed, word: &str) -> Span {
        let before = self.tokens.get(..self.from(span)).unwrap_or_default();
        before.iter().rev().find(|token| is_word(token, word)).map_or_else(|| self.at(span), |token| token.span)
    }

    /// Where these words stand in a call: among its arguments, or behind their brackets.
    fn in_call(&self, name: &Ident, words: &[&str], inside: bool) -> Option<Span> {
        let from = self.from(name.span) + 1;
        self.find(from, words, |depth, closed| if inside { depth == 1 && !closed } else { depth == 0 && closed })
    }

    /// Where these words stand, where the depth of brackets, and whether one was closed down to the first, are accepted.
    fn find(&self, from: usize, words: &[&str], accepts: impl Fn(i32, bool) -> bool) -> Option<Span> {
        let (mut depth, mut closed) = (0, false);
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            match token.token {
                Token::LParen => depth += 1,
                Token::RParen => {
                    depth -= 1;
                    closed |= depth == 0;
                }
                _ => {}
            }
            let here = self.tokens.get(at..at + words.len()).unwrap_or_default();
            let is_here = here.len() == words.len() && here.iter().zip(words).all(|(one, word)| is_word(one, word));
            if is_here && accepts(depth, closed) {
                return here.last().map(|last| token.span.to(last.span));
            }
        }
        None
    }
}

fn because(what: &str) -> String {
    format!("{what} is not supported, and would do nothing")
}

fn nulls(treatment: NullTreatment) -> &'static [&'static str] {
    match treatment {
        NullTreatment::IgnoreNulls => &["IGNORE", "NULLS"],
        NullTreatment::RespectNulls => &["RESPECT", "NULLS"],
    }
}

fn is_word(token: &Lexed, word: &str) -> bool {
    matches!(&token.token, Token::Word(one) if one.quote_style.is_none() && one.value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
