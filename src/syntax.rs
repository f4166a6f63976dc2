//! A query file as it was written: header, placeholders, one statement.
//!
//! The text is tokenized by sqlparser; `<< … >>` in operand position becomes one placeholder token and `[[ AND … ]]` a
//! marker call, both keeping their places; the tokens are then parsed. Nothing here knows a schema. Several files are
//! put together by [`link`].

mod allowed_query;
pub(crate) mod ast;
mod brackets;
pub mod choice;
pub mod clauses;
pub mod default;
mod depth;
mod dialect;
mod embedded;
mod header;
mod ignored;
pub(crate) mod lexer;
pub mod link;
mod literal;
mod placeholder;
mod quoted;
mod renames;
mod rule;
pub(crate) mod scopes;
mod size;
mod spellings;
pub(crate) mod statement;

pub use crate::diagnostic::codes::Connective;
pub use allowed_query::AllowedQuery;
pub use ast::normalized;
pub use choice::{Choice, Choices};
pub use default::{DefaultExpression, DefaultValue};
pub(crate) use dialect::QueryDialect;
pub use ignored::{Clause, FunctionClause};
pub use lexer::lower_first;
pub use literal::Literal;
pub use placeholder::Placeholder;
pub use quoted::{Quoted, Within};
pub use renames::{NewNames, Rename, name_of_use};
pub use rule::Rule;
pub use statement::Reference;

use crate::diagnostic::Diagnostics;
use crate::project::{Header, QueryFile};
use crate::source::{FileId, Sources, Span, Spanned};
use crate::yaml::Document;
use indexmap::IndexMap;
use lexer::Lexed;
use statement::{Outline, Tree};
use std::sync::Arc;

/// The name of the marker function that an optional `AND` clause becomes.
pub const OPTIONAL_AND: &str = "qtool_optional_and";
/// The name of the marker function that an optional `OR` clause becomes.
pub const OPTIONAL_OR: &str = "qtool_optional_or";

/// A query file after reading: what was written, one [`Placeholder`] an occurrence.
#[derive(Debug, Clone)]
pub struct ParsedQuery {
    /// The file.
    pub file: FileId,
    /// The tool's name in snake_case, with the place that names it.
    pub name: Spanned<String>,
    /// The name as it was written.
    pub raw_name: String,
    /// The header with the sidecar's keys.
    pub header: Header,
    /// The places of the header's keys and values.
    pub document: Document,
    /// Every occurrence of a placeholder, in order.
    pub placeholders: Vec<Placeholder>,
    /// The columns of the result that have names of their own, with the places of the expressions.
    pub outputs: Vec<Spanned<String>>,
    /// The conditions that every call must meet.
    pub rules: Vec<Rule>,
    /// The parameters that only groups of the project speak of, not the header itself.
    pub shared: Vec<String>,
    /// What can be chosen, by parameter.
    pub choices: Choices,
    /// The queries of the header that give allowed values, by parameter.
    pub allowed_queries: IndexMap<String, AllowedQuery>,
    /// The defaults of the header that are SQL, by parameter.
    pub defaults: IndexMap<String, DefaultExpression>,
    /// The tables and queries it selects from, one an occurrence; its own common table expressions are left out.
    pub references: Vec<Reference>,
    /// The functions it calls, by name, one an occurrence.
    pub functions: Vec<Spanned<String>>,
    /// The functions it selects from, likewise.
    pub table_functions: Vec<Spanned<String>>,
    /// The clauses of its calls that not every function has.
    pub function_clauses: Vec<FunctionClause>,
    /// What looks like a placeholder and is none, in quotes and in comments.
    pub quoted: Vec<Quoted>,
    /// Where `params` can be written into a header that has none, and what stands around it there.
    pub params_place: Option<(Span, &'static str, &'static str)>,
    /// Where the statement stands.
    pub span: Span,
    /// Its first word: the place of what is said of the whole query.
    pub head: Span,
    /// The statement's tokens, with placeholders where choices are put.
    tokens: Vec<Lexed>,
    pub(crate) trees: Arc<Trees>,
}

/// A query file's statement as it was parsed.
#[derive(Debug)]
pub(crate) struct Trees {
    /// With the first of all choices.
    pub statement: Tree,
    /// Where there are choices, what the query refers to stands in these: the statement with placeholders in their place,
    /// if that parses, and each choice by itself.
    pub apart: Vec<Tree>,
}

/// What is wrong with the header of a file that was read: it becomes no tool, and its statement is looked at for errors
/// of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderFault {
    /// SQL in it has errors; all else that it says holds.
    Sql,
    /// Its settings say nothing: not even types and defaults can be told.
    Settings,
}

/// Reads one query file, and what it takes from `project`, the document of `qtool.yaml`. `None` where it is too broken to
/// go on; what is wrong is in the sink. A file whose header has errors is read on, so that those of its statement are
/// reported as well.
pub fn parse(
    query: &QueryFile,
    project: &Document,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<(ParsedQuery, Option<HeaderFault>)> {
    let file = sources.get(query.file)?;
    let mut misread = Diagnostics::default();
    let extent = header::extent(file, &mut misread);
    let Some(extent) = extent else {
        sink.extend(misread);
        return None;
    };
    let header = header::read(query, extent.yaml, project, sources, sink);
    let rules = match &header {
        Some(header) => rule::read(&header.header.rules, &header.document, sources, sink),
        None => Some(Vec::new()),
    };
    let choices = match &header {
        Some(header) => choice::read(&header.header, &header.document, sources, sink),
        None => Some(Choices::new()),
    };
    let defaults = match &header {
        Some(header) => default::read(&header.header, &header.document, sources, sink),
        None => Some(IndexMap::new()),
    };
    let allowed = match &header {
        Some(header) => allowed_query::read(&header.header, &header.document, sources, sink),
        None => Some(IndexMap::new()),
    };
    let sql = file.span(extent.body, file.text.len());
    let tokens = lexer::tokenize(file, sql.start, sql.end, sink);
    if let Some(tokens) = &tokens {
        header::check_misread(file, &extent, tokens, &mut misread);
    }
    let is_misread = query.is_refused || misread.errors() > 0;
    sink.extend(misread);
    let tokens = tokens?;
    size::check(&tokens, sink)?;
    let hidden = quoted::hides_signs(file.slice(sql), &tokens);
    let mut quoted = if hidden { quoted::find(file, sql, quoted::Home::Statement) } else { Vec::new() };
    let folded = placeholder::fold(file, tokens, sink)?;
    size::check_placeholders(&folded.placeholders, sink)?;
    let (folded, renamed) = renames::fold(file, folded, sink)?;
    let (span, head) = statement::extent(file, &folded.tokens, sink)?;
    depth::check(&folded.tokens, sink)?;
    let flawed = [rules.is_none(), defaults.is_none(), allowed.is_none()].contains(&true);
    let broken = header.is_none() || choices.is_none() || is_misread;
    let (choices, defaults) = (choices.unwrap_or_default(), defaults.unwrap_or_default());
    // What is told of the query is told of it with the first choices.
    let first = |name: &str| choices.get(name).and_then(|all| all.first()).cloned();
    let tokens = choice::expand(&folded.tokens, &folded.placeholders, &first, true);
    let statement = statement::parse(file, &tokens, sink)?;
    size::check_statement(&statement, head, sink)?;
    let mut outline = statement::outline(&statement, file, &tokens, sink)?;
    let mut apart = Vec::new();
    if !choices.is_empty() {
        // What a choice refers to stands in the choice.
        let mut unheard = Diagnostics::default();
        let bare = statement::parse(file, &folded.tokens, &mut unheard);
        let bare = bare.and_then(|bare| {
            let outline = statement::outline(&bare, file, &folded.tokens, &mut unheard)?;
            Some((Tree { statement: bare, tokens: folded.tokens.clone(), file: file.id }, outline))
        });
        if let Some((tree, bare)) = bare {
            outline = Outline { outputs: outline.outputs, ..bare };
            apart.push(tree);
        }
        for (tree, of_choice) in choice::outlines(&choices, sources) {
            outline.references.extend(of_choice.references);
            outline.functions.extend(of_choice.functions);
            outline.table_functions.extend(of_choice.table_functions);
            outline.function_clauses.extend(of_choice.function_clauses);
            apart.push(tree);
        }
    }
    for reference in &mut outline.references {
        if let Some(used) = renamed.iter().find(|used| used.query.span.start == reference.span.start) {
            reference.query.clone_from(&used.query.value);
            reference.renames.clone_from(&used.renames);
            reference.clause = used.clause;
        }
    }
    let inline = folded.placeholders.iter().filter_map(|one| match &one.default.as_ref()?.value {
        DefaultValue::Expression(expression) => Some(expression.as_ref()),
        DefaultValue::Literal(_) => None,
    });
    for default in defaults.values().chain(inline) {
        outline.functions.extend(default.functions.iter().cloned());
        outline.function_clauses.extend(default.function_clauses.iter().cloned());
    }
    let of_rules = rules.iter().flatten().flat_map(|rule| &rule.function_clauses);
    outline.function_clauses.extend(of_rules.cloned());
    if !broken && !flawed {
        let in_header =
            rules.iter().flatten().map(|one| one.span).chain(choices.values().flatten().map(|one| one.span));
        let in_header = in_header.chain(defaults.values().map(|one| one.span));
        let in_header = in_header.chain(allowed.iter().flat_map(|all| all.values()).map(|one| one.span));
        for span in in_header {
            quoted.extend(
                sources.get(span.file).map(|file| quoted::find(file, span, quoted::Home::Header)).unwrap_or_default(),
            );
        }
    }
    let broken = combined(&folded, &choices, sources, sink).is_none() || broken;
    let params_place = header.as_ref().and_then(|header| header.place_of_params(file));
    let header = header.unwrap_or_else(|| header::ReadHeader::stand_in(query, file));
    let fault = match (broken, flawed) {
        (true, _) => Some(HeaderFault::Settings),
        (false, true) => Some(HeaderFault::Sql),
        (false, false) => None,
    };
    let parsed = ParsedQuery {
        file: query.file,
        name: Spanned::new(header.name, header.name_span.unwrap_or(head)),
        raw_name: header.raw_name,
        header: header.header,
        document: header.document,
        outputs: outline.outputs,
        quoted,
        params_place,
        rules: rules.unwrap_or_default(),
        choices,
        allowed_queries: allowed.unwrap_or_default(),
        defaults,
        shared: header.shared,
        references: outline.references,
        functions: outline.functions,
        table_functions: outline.table_functions,
        function_clauses: outline.function_clauses,
        placeholders: folded.placeholders,
        span,
        head,
        tokens: folded.tokens,
        trees: Arc::new(Trees { statement: Tree { statement, tokens, file: file.id }, apart }),
    };
    Some((parsed, fault))
}

/// Parses the statement with all combinations of the choices that the file has; `None` where one cannot be parsed.
fn combined(folded: &placeholder::Folded, choices: &Choices, sources: &Sources, sink: &mut Diagnostics) -> Option<()> {
    let used = |name: &&String| folded.placeholders.iter().any(|one| one.name.value == **name);
    let names: Vec<&String> = choices.keys().filter(used).collect();
    let counts: Vec<usize> = names.iter().filter_map(|name| choices.get(*name)).map(Vec::len).collect();
    if names.is_empty() || counts.contains(&0) {
        return Some(());
    }
    if choice::are_too_many(&counts) {
        // Said where all that it selects from are known.
        return Some(());
    }
    let errors = sink.errors();
    for picks in choice::combinations(&counts) {
        let picked = |wanted: &str| {
            let at = names.iter().position(|name| *name == wanted)?;
            choices.get(wanted)?.get(*picks.get(at)?).cloned()
        };
        let tokens = choice::expand(&folded.tokens, &folded.placeholders, &picked, false);
        depth::check(&tokens, sink)?;
        statement::check(&tokens, sources, sink);
    }
    (sink.errors() == errors).then_some(())
}

/// The queries in a file's header that give allowed values, by parameter; those that cannot be read are left out.
pub fn allowed_queries(query: &QueryFile, project: &Document, sources: &Sources) -> IndexMap<String, AllowedQuery> {
    let mut unheard = Diagnostics::default();
    let read = sources.get(query.file).and_then(|file| {
        let yaml = header::extent(file, &mut unheard)?.yaml;
        // Most files have none, and this is asked of every file.
        let sidecar = query.sidecar.and_then(|id| sources.get(id)).map(|file| file.text.as_ref());
        let texts = [Some(file.slice(yaml)), sidecar];
        let is_of_interest =
            texts.iter().flatten().any(|text| text.contains("allowed_values") || text.contains("params_from"));
        if !is_of_interest {
            return None;
        }
        let header = header::read(query, yaml, project, sources, &mut unheard)?;
        allowed_query::read(&header.header, &header.document, sources, &mut unheard)
    });
    read.unwrap_or_default()
}

/// The name a query file goes by, as far as it can be told of a file with errors.
pub fn declared_name(query: &QueryFile, sources: &Sources) -> String {
    let mut unheard = Diagnostics::default();
    let raw = sources.get(query.file).and_then(|file| {
        let yaml = header::extent(file, &mut unheard)?.yaml;
        let document = Document::parse(file, yaml, &mut unheard)?;
        document.value.get("name")?.as_str().map(str::to_owned)
    });
    crate::name::snake_case(raw.as_deref().unwrap_or(&query.stem))
}

impl Placeholder {
    /// Writes the placeholder as a user would: reading it gives the same name, type, default and optionality.
    pub fn to_sql(&self) -> String {
        let mut out = format!("<< {}", self.name.value);
        if self.optional {
            out.push('?');
        }
        if let Some(ty) = &self.declared {
            out.push_str(&format!(": {}", ty.value));
        }
        if let Some(default) = &self.default {
            out.push_str(&format!(" = {}", default.value));
        }
        out.push_str(" >>");
        out
    }
}

#[cfg(test)]
mod tests;
