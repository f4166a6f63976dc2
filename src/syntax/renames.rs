//! Uses of another query under other names for its parameters: `FROM cheap(most => << top >>) AS c`.
//!
//! Such a use is a query of its own, named `cheap(most => top)`. In the tokens of the statement that name stands in the
//! place of the call, and the compiler makes the query under that name ([`ParsedQuery::renamed`]).

use super::ast::{joined_name, located, normalized, number, place};
use super::choice::Choices;
use super::dialect::QueryDialect;
use super::lexer::{Lexed, Written};
use super::placeholder::{Folded, Placeholder};
use super::scopes::Scopes;
use super::{AllowedQuery, DefaultExpression, ParsedQuery, Reference};
use crate::diagnostic::codes::Connective;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{SourceFile, Span, Spanned};
use indexmap::IndexMap;
use serde_json::Value as JsonValue;
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArgOperator, Query, Spanned as _, TableFactor, UnaryOperator, Value,
    Visit, Visitor,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Word};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// New names by those that parameters have in the query that is used.
pub type NewNames = BTreeMap<String, String>;

/// A parameter of the query that is used, and its name in the one that uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The parameter, as it is called there.
    pub parameter: Spanned<String>,
    /// Its name here.
    pub to: String,
}

/// A parameter of what is used, and the value that it has in this use: `units => 'metric'`.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The parameter, as it is called there.
    pub parameter: Spanned<String>,
    /// The value, as JSON has it.
    pub value: JsonValue,
    /// Where the value stands.
    pub place: Span,
}

/// What a query is called that is used under new names for its parameters, or with values for them; its own name where nothing
/// changes.
pub fn name_of_use(query: &str, names: &NewNames, given: &[Given]) -> String {
    let changed = names.iter().filter(|(from, to)| from != to).map(|(from, to)| format!("{from} => {to}"));
    let given = given.iter().map(|one| format!("{} => {}", one.parameter.value, plain_text(&one.value)));
    let all: Vec<String> = changed.chain(given).collect();
    if all.is_empty() { query.to_owned() } else { format!("{query}({})", all.join(", ")) }
}

/// A value in letters that mean nothing in a name, another one for each.
fn plain_text(value: &JsonValue) -> String {
    let mut out = String::new();
    for byte in value.to_string().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b' ' => out.push(byte.into()),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A use with new names, as it was found in a statement.
#[derive(Debug, Clone)]
pub(super) struct RenamedUse {
    /// The query.
    pub query: Spanned<String>,
    pub renames: Vec<Rename>,
    /// The values that stand in the place of a name.
    pub given: Vec<Given>,
    /// Whether it stands in an optional clause.
    pub clause: Option<Connective>,
    /// Its own name.
    pub name: String,
}

/// Puts the names of uses in the place of `query(parameter => << name >>)`.
pub(super) fn fold(file: &SourceFile, folded: Folded, sink: &mut Diagnostics) -> Option<(Folded, Vec<RenamedUse>)> {
    if !folded.tokens.iter().any(|token| token.token == Token::RArrow) {
        return Some((folded, Vec::new()));
    }
    let tokens = folded.tokens.iter().map(|token| located(file, token)).collect();
    // What does not parse is told by those who come after.
    let Ok(statement) = Parser::new(&QueryDialect).with_tokens_with_locations(tokens).parse_statement() else {
        return Some((folded, Vec::new()));
    };
    let errors = sink.errors();
    let mut walk = Walk { file, folded: &folded, scopes: Scopes::default(), found: Vec::new(), sink };
    let _ = statement.visit(&mut walk);
    let mut found = walk.found;
    if sink.errors() > errors {
        return None;
    }
    found.sort_by_key(|one| one.at);
    let Folded { mut tokens, placeholders } = folded;
    for one in found.iter().rev() {
        let span = one.this.query.span;
        tokens.splice(one.at..one.end, name_tokens(&one.this.name, one.alias.as_deref(), span));
    }
    Some((Folded { tokens, placeholders }, found.into_iter().map(|one| one.this).collect()))
}

/// The tokens that stand for a use, with an alias where the author gave none.
fn name_tokens(name: &str, alias: Option<&str>, span: Span) -> Vec<Lexed> {
    let inserted = |token: Token| Lexed { token, span, written: Written::Inserted };
    let quoted =
        |name: &str| Token::Word(Word { value: name.to_owned(), quote_style: Some('"'), keyword: Keyword::NoKeyword });
    let mut tokens = vec![inserted(quoted(name))];
    if let Some(alias) = alias {
        let word = Word { value: "AS".to_owned(), quote_style: None, keyword: Keyword::AS };
        tokens.extend([inserted(Token::Word(word)), inserted(quoted(alias))]);
    }
    tokens
}

struct Found {
    this: RenamedUse,
    at: usize,
    end: usize,
    alias: Option<String>,
}

struct Walk<'a> {
    file: &'a SourceFile,
    folded: &'a Folded,
    scopes: Scopes,
    found: Vec<Found>,
    sink: &'a mut Diagnostics,
}

impl Visitor for Walk<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.scopes.enter(query);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.scopes.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let TableFactor::Table { name, args: Some(args), alias, .. } = factor else {
            return ControlFlow::Continue(());
        };
        let is_rename =
            |arg: &FunctionArg| matches!(arg, FunctionArg::Named { operator: FunctionArgOperator::RightArrow, .. });
        if !args.args.iter().any(is_rename) {
            return ControlFlow::Continue(());
        }
        let span = place(self.file, name.span());
        if let Some(name) = joined_name(name) {
            self.used(Spanned::new(name, span), &args.args, alias.is_some());
        }
        ControlFlow::Continue(())
    }
}

impl<'a> Walk<'a> {
    fn used(&mut self, query: Spanned<String>, args: &[FunctionArg], is_aliased: bool) {
        if self.scopes.common_table(&query.value).is_some() {
            let why = format!("`{}` is a common table expression, and has no parameters of its own", query.value);
            self.sink.push(codes::invalid_query(query.span, &why));
            return;
        }
        let (mut renames, mut given): (Vec<Rename>, Vec<Given>) = (Vec::new(), Vec::new());
        let mut clause = None;
        for arg in args {
            let FunctionArg::Named { name, arg: value, operator: FunctionArgOperator::RightArrow } = arg else {
                let why = "parameters of a query are named: `parameter => << name >>`";
                self.sink.push(codes::invalid_query(self.place_of(arg, query.span), why));
                continue;
            };
            let parameter = Spanned::new(normalized(name), place(self.file, name.span));
            let is_twice = renames.iter().any(|known| known.parameter.value == parameter.value)
                || given.iter().any(|known| known.parameter.value == parameter.value);
            if is_twice {
                let why = format!("`{}` is said twice", parameter.value);
                self.sink.push(codes::invalid_query(parameter.span, &why));
            }
            let Some(placeholder) = self.placeholder(value) else {
                let place = self.place_of(arg, query.span);
                match literal(value) {
                    Some(value) => given.push(Given { parameter, value, place }),
                    None => {
                        let why = "behind `=>` stands a placeholder alone, the name of the parameter in this query, or a value";
                        self.sink.push(codes::invalid_query(place, why));
                    }
                }
                continue;
            };
            if placeholder.declared.is_some() || placeholder.default.is_some() || placeholder.optional {
                let why = "behind `=>` stands a name alone; types and defaults stand where the parameter is used, or in the header";
                self.sink.push(codes::invalid_query(placeholder.span, why));
            }
            clause = clause.or(placeholder.clause);
            renames.push(Rename { parameter, to: placeholder.name.value.clone() });
        }
        let Some((at, end)) = self.extent(query.span) else { return };
        let alias = (!is_aliased).then(|| query.value.clone());
        given.sort_by(|a, b| a.parameter.value.cmp(&b.parameter.value));
        let name = name_of_use(&query.value, &new_names(&renames), &given);
        self.found.push(Found { this: RenamedUse { query, renames, given, clause, name }, at, end, alias });
    }

    fn placeholder(&self, value: &FunctionArgExpr) -> Option<&'a Placeholder> {
        let FunctionArgExpr::Expr(Expr::Value(value)) = value else { return None };
        let Value::Placeholder(id) = &value.value else { return None };
        self.folded.placeholders.get(number(id)?)
    }

    fn place_of(&self, arg: &FunctionArg, or: Span) -> Span {
        let found = place(self.file, arg.span());
        if found.start == found.end { or } else { found }
    }

    /// The tokens from the name to the bracket that closes its parameters.
    fn extent(&self, name: Span) -> Option<(usize, usize)> {
        let at = self.folded.tokens.iter().position(|token| token.span.start == name.start)?;
        let mut depth = 0_usize;
        for (end, token) in self.folded.tokens.iter().enumerate().skip(at) {
            match token.token {
                Token::LParen => depth += 1,
                Token::RParen if depth == 1 => return Some((at, end + 1)),
                Token::RParen => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }
}

/// A value that is written out.
fn literal(value: &FunctionArgExpr) -> Option<JsonValue> {
    let FunctionArgExpr::Expr(expr) = value else { return None };
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.as_str().into()),
            Value::Boolean(is) => Some((*is).into()),
            Value::Number(digits, _) => serde_json::from_str(digits).ok(),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match expr.as_ref() {
            Expr::Value(value) => match &value.value {
                Value::Number(digits, _) => serde_json::from_str(&format!("-{digits}")).ok(),
                _ => None,
            },
            _ => None,
        },
        // `DATE '2024-01-31'`: the parameter says of which type it is.
        Expr::TypedString(typed) => match &typed.value.value {
            Value::SingleQuotedString(text) => Some(text.as_str().into()),
            _ => None,
        },
        _ => None,
    }
}

fn new_names(renames: &[Rename]) -> NewNames {
    renames.iter().map(|rename| (rename.parameter.value.clone(), rename.to.clone())).collect()
}

impl Reference {
    /// The names that this use gives to parameters, by those they have in the query that is used.
    pub fn new_names(&self) -> NewNames {
        new_names(&self.renames)
    }
}

impl ParsedQuery {
    /// The query under another name, with other names for parameters. `uses` are the new names of what it selects from.
    pub fn renamed(
        &self,
        name: String,
        names: &NewNames,
        uses: &HashMap<String, String>,
        sink: &mut Diagnostics,
    ) -> ParsedQuery {
        let mut query = self.clone();
        query.name.value = name;
        query.new_names.clone_from(names);
        for placeholder in
            query.placeholders.iter_mut().chain(query.rules.iter_mut().flat_map(|rule| &mut rule.placeholders))
        {
            rename(&mut placeholder.name.value, names);
        }
        query.shared.iter_mut().for_each(|name| rename(name, names));
        query.choices = with_new_keys::<_, Choices>(&self.choices, names);
        query.defaults = with_new_keys::<DefaultExpression, IndexMap<_, _>>(&self.defaults, names);
        query.allowed_queries = with_new_keys::<AllowedQuery, IndexMap<_, _>>(&self.allowed_queries, names);
        query.rename_params(self, names, sink);
        for reference in &mut query.references {
            for one in &mut reference.renames {
                rename(&mut one.to, names);
            }
            let Some(new) = uses.get(&reference.name) else { continue };
            let at = query
                .tokens
                .iter()
                .position(|token| token.span.start == reference.span.start && matches!(token.token, Token::Word(_)));
            if let Some(at) = at {
                let alias = (!reference.aliased).then_some(reference.query.as_str());
                query.tokens.splice(at..=at, name_tokens(new, alias, reference.span));
                reference.aliased = true;
            }
            reference.name.clone_from(new);
        }
        query
    }

    /// Renames what the header says of parameters. Two that get one name must say the same.
    fn rename_params(&mut self, before: &ParsedQuery, names: &NewNames, sink: &mut Diagnostics) {
        if let Some(params) = self.document.value.get_mut("params").and_then(|params| params.as_object_mut()) {
            params.retain(|name, _| !names.contains_key(name));
        }
        let written = before.document.value.get("params").and_then(|params| params.as_object());
        for (from, settings) in written.into_iter().flatten() {
            let Some(to) = names.get(from) else { continue };
            for (key, value) in settings.as_object().into_iter().flatten() {
                let (at, path) = (["params", from, key], ["params", to, key]);
                match self.document.value.pointer(&format!("/params/{to}/{key}")) {
                    Some(known) if known != value => {
                        let (first, second) = (self.document.value_span(&path), before.document.value_span(&at));
                        sink.push(codes::conflicting_configuration(to, key, first, second));
                    }
                    Some(_) => {}
                    None => self.document.adopt(&path, &before.document, &at),
                }
            }
        }
        let params = self.document.value.get("params").cloned();
        self.header.params = params.and_then(|params| serde_json::from_value(params).ok()).unwrap_or_default();
    }

    /// Notes that all of it stands in an optional clause of those who select from it.
    pub fn put_into_clause(&mut self, clause: Connective) {
        for placeholder in &mut self.placeholders {
            placeholder.clause.get_or_insert(clause);
        }
    }
}

fn rename(name: &mut String, names: &NewNames) {
    if let Some(new) = names.get(name) {
        name.clone_from(new);
    }
}

fn with_new_keys<T: Clone, M: FromIterator<(String, T)>>(map: &IndexMap<String, T>, names: &NewNames) -> M {
    let renamed = |(name, value): (&String, &T)| (names.get(name).unwrap_or(name).clone(), value.clone());
    map.iter().map(renamed).collect()
}
