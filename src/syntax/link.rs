//! Puts a query and the queries it selects from together: one numbering of parameters over all their statements.
//!
//! The statements stay apart, because names are looked up where they stand: a query's own common table expressions hide
//! another query, and do not reach into it. Two forms of each are made from the same tokens: the parsed statement, whose
//! places still name file, line and column, and the text that a tool keeps, in which every placeholder is `$n`.

pub use super::ast::number;

use super::ast::located;
use super::choice::{self, Choice};
use super::dialect::QueryDialect;
use super::lexer::{Lexed, Written, decode};
use super::native::Preview;
use super::statement::parse_tokens;
use super::{OPTIONAL_AND, OPTIONAL_OR, ParsedQuery, Placeholder, Rule, native};
use crate::project::ColumnConfig;
use crate::source::{SourceFile, Sources, Span};
use sqlparser::ast::Statement;
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};
use std::collections::HashMap;

/// A query with all that it selects from.
#[derive(Debug)]
pub struct LinkedQuery<'a> {
    /// The statements: each query after those it selects from, the query itself last.
    pub parts: Vec<LinkedPart<'a>>,
    /// The conditions that every call must meet: those of the queries it selects from, and its own.
    pub rules: Vec<LinkedRule<'a>>,
    /// The number of occurrences in the statements; the further ones stand in rules.
    pub in_statements: usize,
    /// What `$1` to `$n` are in the statements and texts.
    pub slots: Vec<Slot>,
    /// What `$1` to `$n` are in [`LinkedPart::by_occurrence`].
    pub occurrences: Vec<&'a Placeholder>,
    /// What is chosen from, in the order of first use.
    pub choices: Vec<LinkedChoice<'a>>,
    /// The slots by name, and whether they are a list.
    index: HashMap<(&'a str, bool), usize>,
}

/// One of the statements of a linked query.
#[derive(Debug)]
pub struct LinkedPart<'a> {
    /// The query file.
    pub query: &'a ParsedQuery,
    /// The parsed statement. Every use of one parameter is the same `$n`, so that the planner sees equal expressions
    /// as equal (`GROUP BY date_trunc(<< unit >>, at)`).
    pub statement: Statement,
    /// The statement with a `$n` of its own for every occurrence, so that each can be typed from its own place.
    pub by_occurrence: Statement,
    /// The statement as text.
    pub text: String,
    /// What shows the rows that are changed, by statement, of one in a database's own SQL that changes some.
    pub previews: Vec<Option<Preview>>,
}

/// A rule of a linked query, as `SELECT (condition) AS holds`.
#[derive(Debug)]
pub struct LinkedRule<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// The parsed statement, with one `$n` a parameter.
    pub statement: Statement,
    /// The statement with a `$n` of its own for every occurrence.
    pub by_occurrence: Statement,
    /// The statement as text.
    pub text: String,
}

/// A parameter by which SQL is chosen.
#[derive(Debug, Clone, Copy)]
pub struct LinkedChoice<'a> {
    /// Its name.
    pub name: &'a str,
    /// What there is to choose from.
    pub all: &'a [Choice],
    /// Which one is in the statements.
    pub pick: usize,
}

/// What one `$n` of a linked query stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The parameter's name.
    pub name: String,
    /// Whether it is the whole list behind `IN`; the same parameter may also be used as one value.
    pub list: bool,
}

impl LinkedQuery<'_> {
    /// The query itself.
    pub fn own(&self) -> Option<&ParsedQuery> {
        self.parts.last().map(|part| part.query)
    }

    /// What headers say of a column of the result: the query's own, then the nearest that it selects from.
    pub fn column_configs(&self, name: &str) -> impl Iterator<Item = &ColumnConfig> {
        self.parts.iter().rev().filter_map(move |part| part.query.header.columns.get(name))
    }

    /// The description that they have of it.
    pub fn column_description(&self, name: &str) -> Option<&str> {
        self.column_configs(name).find_map(|config| config.description.as_deref())
    }

    /// What was read, for people: the placeholders with their places, what the query refers to, and the statements with
    /// a `$n` for every occurrence.
    pub fn listing(&self, sources: &Sources) -> String {
        let mut out = String::new();
        for (at, one) in self.occurrences.iter().enumerate() {
            let Some(file) = sources.get(one.span.file) else { continue };
            let place = file.location(one.span.start);
            let mut how: Vec<&str> = Vec::new();
            how.extend(one.list.then_some("list"));
            how.extend(one.clause.map(|_| "in an optional clause"));
            let how = if how.is_empty() { String::new() } else { format!("  ({})", how.join(", ")) };
            out.push_str(&format!(
                "${}  {}:{}:{}  {}{how}\n",
                at + 1,
                file.path,
                place.line,
                place.column,
                one.to_sql()
            ));
        }
        for part in &self.parts {
            out.push_str(&format!("\n{}:\n{:#}\n", part.query.name.value, part.by_occurrence));
        }
        out
    }

    /// The slot of an occurrence.
    pub fn slot_of(&self, occurrence: &Placeholder) -> Option<usize> {
        self.index.get(&(occurrence.name.value.as_str(), occurrence.list)).copied()
    }
}

/// Links a query. `uses` are the queries it selects from, directly or not, each after those it selects from itself.
/// `picks` tells which choices are put in, in the order of [`LinkedQuery::choices`]; where it ends, the first.
///
/// `None` where a part does not parse: one that uses a choice of another. By itself it was parsed before.
pub fn link<'a>(
    query: &'a ParsedQuery,
    uses: &[&'a ParsedQuery],
    picks: &[usize],
    sources: &Sources,
) -> Option<LinkedQuery<'a>> {
    let mut linked = LinkedQuery {
        parts: Vec::new(),
        rules: Vec::new(),
        in_statements: 0,
        slots: Vec::new(),
        occurrences: Vec::new(),
        choices: choices(query, uses, picks),
        index: HashMap::new(),
    };
    for part in uses.iter().copied().chain([query]) {
        let file = sources.get(part.file)?;
        let part = linked.part(part, file, sources)?;
        linked.parts.push(part);
    }
    linked.in_statements = linked.occurrences.len();
    for part in uses.iter().copied().chain([query]) {
        for rule in &part.rules {
            let file = sources.get(rule.span.file)?;
            let Writer { text, tokens, each, .. } = linked.write(&rule.tokens, &rule.placeholders, file, None)?;
            let (statement, by_occurrence) = (parse_tokens(tokens).ok()?, parse_tokens(each).ok()?);
            linked.rules.push(LinkedRule { rule, statement, by_occurrence, text });
        }
    }
    Some(linked)
}

/// What there is to choose from in a query and those it selects from: of the parameters that are used.
pub fn choices<'a>(query: &'a ParsedQuery, uses: &[&'a ParsedQuery], picks: &[usize]) -> Vec<LinkedChoice<'a>> {
    let mut found: Vec<LinkedChoice<'a>> = Vec::new();
    let parts = || uses.iter().copied().chain([query]);
    for placeholder in parts().flat_map(|part| &part.placeholders) {
        let name = placeholder.name.value.as_str();
        if found.iter().any(|one| one.name == name) {
            continue;
        }
        // Its own first: who extends a query may say more of what is chosen.
        if let Some(all) = std::iter::once(query).chain(uses.iter().copied()).find_map(|part| part.choices.get(name)) {
            let pick = picks.get(found.len()).copied().unwrap_or(0);
            found.push(LinkedChoice { name, all, pick });
        }
    }
    found
}

/// Parses the text that a tool keeps, with what `chosen` puts in the place of `$n`, counted from 0.
pub fn parse_text(text: &str, chosen: &dyn Fn(usize) -> Option<String>) -> Result<Statement, ParserError> {
    let tokens = Tokenizer::new(&QueryDialect, text).tokenize_with_location()?;
    let tokens = choice::spliced(tokens, chosen)?;
    parse_tokens(tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect())
}

impl ParsedQuery {
    /// The first place of a word, however it is written.
    pub fn place_of_word(&self, file: &SourceFile, word: &str) -> Option<Span> {
        let is_it = |token: &&Lexed| {
            let written = file.slice(token.span).trim_matches(['"', '`', '[', ']']);
            token.written == Written::AsIs && written.eq_ignore_ascii_case(word)
        };
        self.tokens.iter().find(is_it).map(|token| token.span)
    }

    /// The texts in quotes that stand in its statement, with their places.
    pub fn texts_of_statement(&self) -> Vec<(Span, String)> {
        let text = |token: &Lexed| match &token.token {
            Token::SingleQuotedString(text) => Some((token.span, text.clone())),
            _ => None,
        };
        self.tokens.iter().filter_map(text).collect()
    }

    /// The statement's tokens without what ends it.
    fn statement_tokens(&self) -> &[Lexed] {
        let end = self.tokens.iter().rposition(|token| token.token != Token::SemiColon).map_or(0, |at| at + 1);
        self.tokens.get(..end).unwrap_or_default()
    }
}

impl<'a> LinkedQuery<'a> {
    fn part(&mut self, query: &'a ParsedQuery, file: &SourceFile, sources: &Sources) -> Option<LinkedPart<'a>> {
        let Writer { text, tokens, each, .. } =
            self.write(query.statement_tokens(), &query.placeholders, file, Some((query, sources)))?;
        let (statement, by_occurrence) = match &query.native {
            Some(native) => {
                let is_in_row =
                    |slot: usize| self.slots.get(slot).is_some_and(|slot| native.list_of(&slot.name).is_some());
                let previews = native::previews(tokens.clone(), native, &is_in_row);
                let (statement, by_occurrence) = (native::tree(tokens, native)?, native::tree(each, native)?);
                return Some(LinkedPart { query, statement, by_occurrence, text, previews });
            }
            None => (parse_tokens(tokens).ok()?, parse_tokens(each).ok()?),
        };
        Some(LinkedPart { query, statement, by_occurrence, text, previews: Vec::new() })
    }

    /// The tokens of the two statements that tokens make, and their text. `choosing`: choices are put into the statements of
    /// a query; the text has their `$n`.
    fn write<'t>(
        &mut self,
        tokens: &'t [Lexed],
        placeholders: &'a [Placeholder],
        file: &'t SourceFile,
        choosing: Option<(&'a ParsedQuery, &Sources)>,
    ) -> Option<Writer<'t>> {
        let is_verbatim = choosing.is_some_and(|(query, _)| query.native.is_some());
        let mut writer =
            Writer { file, text: String::new(), tokens: Vec::new(), each: Vec::new(), last: None, is_verbatim };
        // The inserted brackets that are open: of a clause, with the slots inside it, or of another kind.
        let mut brackets: Vec<Option<ClauseSlots>> = Vec::new();
        for token in tokens {
            let mut placed = token.token.clone();
            let mut alone = placed.clone();
            match &token.written {
                Written::Placeholder(at) => {
                    let placeholder = placeholders.get(*at)?;
                    let slot = self.slot(placeholder);
                    placed = numbered(slot);
                    alone = numbered(self.occurrences.len());
                    self.occurrences.push(placeholder);
                    // Of nested clauses each decides for itself.
                    let innermost = brackets.iter_mut().rev().find_map(Option::as_mut);
                    innermost.into_iter().for_each(|slots| slots.own.push(slot));
                    let chosen = choosing.zip(self.chosen(&placeholder.name.value));
                    if let Some(((_, sources), choice)) = chosen {
                        writer.choose(token, &placed, choice, sources)?;
                        continue;
                    }
                }
                Written::Inserted if token.token == Token::LParen => {
                    brackets.push(writer.last.is_some_and(is_marker).then(ClauseSlots::default));
                }
                Written::Inserted if token.token == Token::RParen => {
                    if let Some(slots) = brackets.pop().flatten() {
                        // One that has none of its own applies with those inside it.
                        let slots = if slots.own.is_empty() { slots.nested } else { slots.own };
                        let around = brackets.iter_mut().rev().find_map(Option::as_mut);
                        around.into_iter().for_each(|outer| outer.nested.extend(&slots));
                        writer.insert(Token::Comma, token);
                        writer.insert(Token::SingleQuotedString(slot_list(&slots)), token);
                    }
                }
                Written::Inserted if choosing.is_some() => {
                    // A use with new names needs values for them, which are in the query that is used.
                    let slots = choosing.map(|(query, _)| self.slots_of_use(query, &token.token)).unwrap_or_default();
                    let innermost = brackets.iter_mut().rev().find_map(Option::as_mut);
                    innermost.into_iter().for_each(|inside| inside.own.extend(&slots));
                }
                Written::Inserted | Written::AsIs => {}
            }
            writer.write(token, placed, alone);
        }
        Some(writer)
    }

    fn slots_of_use(&self, query: &ParsedQuery, token: &Token) -> Vec<usize> {
        let Token::Word(word) = token else { return Vec::new() };
        let used = query.references.iter().filter(|one| one.name == word.value && word.quote_style.is_some());
        let names = used.flat_map(|one| &one.renames).map(|rename| rename.to.as_str());
        names.filter_map(|name| [false, true].iter().find_map(|list| self.index.get(&(name, *list)).copied())).collect()
    }

    fn chosen(&self, name: &str) -> Option<&'a Choice> {
        let choice = self.choices.iter().find(|choice| choice.name == name)?;
        choice.all.get(choice.pick)
    }

    fn slot(&mut self, placeholder: &'a Placeholder) -> usize {
        self.slot_of(placeholder).unwrap_or_else(|| {
            self.index.insert((placeholder.name.value.as_str(), placeholder.list), self.slots.len());
            self.slots.push(Slot { name: placeholder.name.value.clone(), list: placeholder.list });
            self.slots.len() - 1
        })
    }
}

/// The slots of an optional clause: its own, and those of the clauses inside it.
#[derive(Default)]
struct ClauseSlots {
    own: Vec<usize>,
    nested: Vec<usize>,
}

/// Writes the two token sequences and the text.
struct Writer<'t> {
    file: &'t SourceFile,
    text: String,
    tokens: Vec<TokenWithSpan>,
    each: Vec<TokenWithSpan>,
    last: Option<&'t Lexed>,
    /// Whether blanks are written as they stand in the file.
    is_verbatim: bool,
}

impl<'t> Writer<'t> {
    fn write(&mut self, token: &'t Lexed, placed: Token, alone: Token) {
        self.text.push_str(self.gap(token));
        match &token.written {
            Written::AsIs => self.text.push_str(self.file.slice(token.span)),
            Written::Placeholder(_) | Written::Inserted => self.text.push_str(&placed.to_string()),
        }
        self.last = Some(token);
        let TokenWithSpan { span, .. } = located(self.file, token);
        self.tokens.push(TokenWithSpan::new(placed, span));
        self.each.push(TokenWithSpan::new(alone, span));
    }

    /// What separates a token from the last one in the text: a line break where the source has one, nothing where they touch
    /// there, else a blank. Next to a placeholder there is always something: `LIKE<<x>>AND` is three words.
    fn gap(&self, token: &Lexed) -> &'t str {
        let Some(last) = self.last else {
            return "";
        };
        let between = self.file.text.get(last.span.end..token.span.start).unwrap_or_default();
        match between {
            "" if last.written == Written::AsIs && token.written == Written::AsIs => "",
            between if self.is_verbatim && !between.is_empty() && between.trim().is_empty() => between,
            between if between.contains('\n') => "\n",
            _ => " ",
        }
    }

    /// Writes a choice into the statements, and the `$n` that it stands for into the text.
    fn choose(&mut self, token: &'t Lexed, placed: &Token, choice: &Choice, sources: &Sources) -> Option<()> {
        self.text.push_str(self.gap(token));
        self.text.push_str(&placed.to_string());
        self.last = Some(token);
        for token in &choice.tokens {
            let located = located(sources.get(token.span.file)?, token);
            self.tokens.push(located.clone());
            self.each.push(located);
        }
        Some(())
    }

    /// Writes a token that stands nowhere, at the place of another.
    fn insert(&mut self, token: Token, at: &Lexed) {
        self.text.push_str(if token == Token::Comma { "" } else { " " });
        self.text.push_str(&token.to_string());
        let TokenWithSpan { span, .. } = located(self.file, at);
        self.tokens.push(TokenWithSpan::new(token.clone(), span));
        self.each.push(TokenWithSpan::new(token, span));
    }
}

fn is_marker(token: &Lexed) -> bool {
    let of_name = |name: &str| matches!(&token.token, Token::Word(word) if word.value == name);
    token.written == Written::Inserted && (of_name(OPTIONAL_AND) || of_name(OPTIONAL_OR))
}

/// The slots whose values an optional clause needs, as the second argument of its marker: `$1 $3`. The expressions
/// inside may be moved elsewhere by the planner, where nobody would look for their placeholders.
fn slot_list(slots: &[usize]) -> String {
    slots.iter().map(|slot| format!("${}", slot + 1)).collect::<Vec<_>>().join(" ")
}

/// The token `$n` for the n-th thing, counted from 0.
fn numbered(at: usize) -> Token {
    Token::Placeholder(format!("${}", at + 1))
}

/// The span that a planner's location pair means: it may lie in any of the files.
pub fn place(sources: &Sources, start: (u64, u64), end: (u64, u64)) -> Option<Span> {
    let (file, from) = decode(start.0, start.1);
    let (_, to) = decode(end.0, end.1);
    let file = sources.iter().nth(file)?;
    (from.line > 0).then(|| file.span(file.offset(from), file.offset(to)))
}
