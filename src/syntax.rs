//! A query file as it was written: header, placeholders, one statement.
//!
//! The text is tokenized by sqlparser; `<< … >>` in operand position becomes one placeholder token and `[[ AND … ]]` a
//! marker call, both keeping their places; the tokens are then parsed. Nothing here knows a schema. Several files are
//! put together by [`link`].

mod allowed_query;
mod arrows;
pub(crate) mod ast;
mod body;
mod brackets;
pub mod choice;
pub mod clauses;
pub mod default;
mod depth;
mod dialect;
mod embedded;
mod familiar_names;
mod filters;
mod header;
mod header_sql;
mod ignored;
mod item_fields;
pub(crate) mod lexer;
pub mod link;
mod literal;
pub mod literals;
mod manifest;
mod named_later;
pub mod native;
mod neighbours;
mod operand;
mod outline_of_expression;
mod pivot;
mod placeholder;
mod quoted;
mod relation;
pub mod relatives;
mod renames;
mod rule;
pub(crate) mod scopes;
mod size;
mod spellings;
pub(crate) mod statement;
mod struct_types;
pub(crate) mod synonyms;
mod templates;
pub(crate) mod written_call;

pub use crate::diagnostic::codes::Connective;
pub use allowed_query::AllowedQuery;
pub use ast::normalized;
pub use choice::{Choice, Choices};
pub use default::{DefaultExpression, DefaultValue};
pub(crate) use dialect::QueryDialect;
pub use header::Replaced;
pub use ignored::{Clause, FunctionClause};
pub use lexer::lower_first;
pub use literal::Literal;
pub use manifest::{ManifestText, ProgramText, RequestPart, RequestText, RunPart};
pub use native::NativeStatement;
pub use outline_of_expression::outline_of_expression;
pub use placeholder::Placeholder;
pub use quoted::{Quoted, Within};
pub use relation::{CalledArgument, CalledManifest};
pub use renames::{Given, NewNames, Rename, name_of_use};
pub use rule::Rule;
pub use statement::Reference;

use crate::catalog::DatabaseKind;
use crate::diagnostic::Diagnostics;
use crate::project::{Header, QueryFile, QueryForm};
use crate::source::{FileId, Sources, Span, Spanned};
use crate::ty::either;
use crate::yaml::Document;
use body::Body;
use header_sql::HeaderSql;
use indexmap::IndexMap;
use lexer::Lexed;
use statement::Tree;
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
    /// The files of the queries whose headers it extends: what they say is in its own.
    pub extends: Vec<FileId>,
    /// The names that its parameters have here, of those that are called otherwise in the file.
    pub new_names: NewNames,
    /// What its header replaces of what guards them.
    pub replaced: Vec<Replaced>,
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
    /// What is known of a statement in a database's own SQL; `None` where it is over the project's tables.
    pub native: Option<NativeStatement>,
    /// What runs in the place of a statement; `None` where there is one.
    pub manifest: Option<Box<ManifestText>>,
    /// What is called, where this is the rows of a program as another query selects from them.
    pub called: Option<Box<CalledManifest>>,
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
    if query.form == QueryForm::Manifest {
        return manifest::parse(query, project, sources, sink);
    }
    let file = sources.get(query.file)?;
    let mut misread = Diagnostics::default();
    let Some(HeaderPart { extent, header, source }) = read_header(query, project, sources, (&mut misread, sink)) else {
        sink.extend(misread);
        return None;
    };
    let said = HeaderSql::read(header.as_ref(), sources, sink);
    let sql = file.span(extent.body, file.text.len());
    let tokens = native::tokenize(source.as_ref().map(|(_, kind)| *kind), file, sql, sink);
    if let Some(tokens) = &tokens {
        header::check_misread(file, &extent, tokens, &mut misread);
    }
    let is_misread = query.is_refused || misread.errors() > 0;
    sink.extend(misread);
    let (mut body, native) = match source {
        Some(source) => native::read((file, sql), tokens?, &said, source, sink)?,
        None => (Body::read((file, sql), tokens?, &said, sources, sink)?, None),
    };
    let mut fault = if is_misread { Some(HeaderFault::Settings) } else { said.fault };
    if fault.is_none() {
        body.quoted.extend(said.quoted(sources));
    }
    if native.is_none() && combined(&body.folded, &said.choices, sources, sink).is_none() {
        fault = Some(HeaderFault::Settings);
    }
    let params_place = header.as_ref().and_then(|header| header.place_of_params(file));
    let header = header.unwrap_or_else(|| header::ReadHeader::stand_in(query, file));
    let parsed = ParsedQuery {
        file: query.file,
        name: Spanned::new(header.name, header.name_span.unwrap_or(body.head)),
        raw_name: header.raw_name,
        header: header.header,
        document: header.document,
        outputs: body.outline.outputs,
        quoted: body.quoted,
        params_place,
        rules: said.rules,
        choices: said.choices,
        allowed_queries: said.allowed,
        defaults: said.defaults,
        shared: header.shared,
        extends: header.extends,
        new_names: NewNames::new(),
        replaced: header.replaced,
        references: body.outline.references,
        functions: body.outline.functions,
        table_functions: body.outline.table_functions,
        function_clauses: body.outline.function_clauses,
        placeholders: body.folded.placeholders,
        native,
        manifest: None,
        called: None,
        span: body.span,
        head: body.head,
        tokens: body.folded.tokens,
        trees: Arc::new(body.trees),
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

/// The header of a file, and what it says of the statement.
struct HeaderPart {
    extent: header::Extent,
    /// `None` where it cannot be read.
    header: Option<header::ReadHeader>,
    /// The database whose own SQL follows, by its name.
    source: Option<(Spanned<String>, DatabaseKind)>,
}

/// The header of a file, and whose SQL follows; `None` where nobody can say that. `misread` is told behind what is said of the
/// header's keys.
fn read_header(
    query: &QueryFile,
    project: &Document,
    sources: &Sources,
    (misread, sink): (&mut Diagnostics, &mut Diagnostics),
) -> Option<HeaderPart> {
    let file = sources.get(query.file)?;
    let extent = header::extent(file, misread)?;
    let header = header::read(query, extent.yaml, project, sources, sink);
    if header.is_none() && names_source(file.slice(extent.yaml)) {
        // As a query it would have errors that are none.
        return None;
    }
    let source = native::source(header.as_ref(), project, sink)?;
    Some(HeaderPart { extent, header, source })
}

/// Whether a header that cannot be read has a line that names a source.
fn names_source(header: &str) -> bool {
    header.lines().any(|line| line.trim_start().starts_with("source:"))
}

/// The queries in a file's header that give allowed values, by parameter; those that cannot be read are left out.
pub fn allowed_queries(query: &QueryFile, project: &Document, sources: &Sources) -> IndexMap<String, AllowedQuery> {
    let mut unheard = Diagnostics::default();
    let read = sources.get(query.file).and_then(|file| {
        let yaml = header::yaml_of(query, file, &mut unheard)?;
        // Most files have none, and this is asked of every file.
        let sidecar = query.sidecar.and_then(|id| sources.get(id)).map(|file| file.text.as_ref());
        let texts = [Some(file.slice(yaml)), sidecar];
        let is_of_interest = texts
            .iter()
            .flatten()
            .any(|text| ["allowed_values", "params_from", "extends"].iter().any(|key| text.contains(key)));
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
    if let Some(name) = &query.relatives.name {
        return name.clone();
    }
    let mut unheard = Diagnostics::default();
    let raw = sources.get(query.file).and_then(|file| {
        let yaml = header::yaml_of(query, file, &mut unheard)?;
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
            out.push_str(&format!(": {}", either::shown_types(&ty.value, &self.also)));
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
