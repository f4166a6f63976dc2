//! A manifest: what a header says of a tool, and a program with placeholders in its arguments. It is read into the same
//! [`ParsedQuery`] as a query file, whose statement selects its parameters and is never run.

use super::ast::located;
use super::header::{self, ReadHeader};
use super::header_sql::HeaderSql;
use super::lexer::{Lexed, Written};
use super::renames::NewNames;
use super::statement::{Tree, parse_tokens};
use super::{HeaderFault, ParsedQuery, Placeholder, Trees, size};
use crate::diagnostic::codes::Connective;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::RESERVED;
use crate::project::argument::{Piece, PieceFlaw, pieces};
use crate::project::{
    OutputConfig, OutputForm, ProgramConfig, PythonConfig, QueryFile, RequestConfig, RunArgument, Runs,
    SimpleJsonConfig, StdinForm,
};
use crate::source::{SourceFile, Sources, Span, Spanned};
use crate::yaml::Document;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Word};
use std::collections::HashSet;
use std::sync::Arc;

/// What a manifest says that runs, with the places of its parts.
#[derive(Debug, Clone)]
pub enum ManifestText {
    /// A program.
    Program(ProgramText),
    /// A request to a web service.
    Request(RequestText),
    /// A function in Python.
    Python(Box<PythonConfig>),
    /// A program in Fractalic's convention.
    SimpleJson(Box<SimpleJsonConfig>),
}

impl ManifestText {
    /// What it gives.
    pub fn output(&self) -> OutputForm {
        let usual = match self {
            ManifestText::Program(_) => OutputForm::Text,
            ManifestText::Request(_) | ManifestText::Python(_) | ManifestText::SimpleJson(_) => OutputForm::Json,
        };
        self.output_config().form.unwrap_or(usual)
    }

    /// All that it says of what it gives.
    pub fn output_config(&self) -> &OutputConfig {
        match self {
            ManifestText::Program(program) => &program.config.output,
            ManifestText::Request(request) => &request.config.output,
            ManifestText::Python(python) => &python.output,
            ManifestText::SimpleJson(program) => &program.output,
        }
    }
}

/// A request, with the places of its parts.
#[derive(Debug, Clone)]
pub struct RequestText {
    /// What the manifest says.
    pub config: RequestConfig,
    /// The texts that may have placeholders.
    pub parts: Vec<RequestPart>,
}

/// A text of a request.
#[derive(Debug, Clone)]
pub struct RequestPart {
    /// The key below `http`: `url`, `query`, `headers`, `form` or `body`.
    pub key: String,
    /// Its parts, with the place of the text.
    pub pieces: Spanned<Vec<Piece>>,
}

impl RequestPart {
    /// Whether it is the address.
    pub fn is_url(&self) -> bool {
        self.key == "url"
    }

    /// Whether it stands in a JSON body.
    pub fn is_body(&self) -> bool {
        self.key == "body"
    }

    /// Whether it is left out where a parameter in it has no value.
    pub fn may_be_left_out(&self) -> bool {
        !self.is_url()
    }

    /// Whether a list is several of it.
    pub fn takes_lists(&self) -> bool {
        self.key == "query" || self.key == "form"
    }

    /// Whether variables of the server are filled in.
    pub fn takes_variables(&self) -> bool {
        self.key == "query" || self.key == "headers"
    }
}

/// A program, with the places of its parts.
#[derive(Debug, Clone)]
pub struct ProgramText {
    /// What it says.
    pub config: ProgramConfig,
    /// The entries of `run`, in their order.
    pub run: Vec<RunPart>,
}

/// An entry of `run`.
#[derive(Debug, Clone)]
pub struct RunPart {
    /// The arguments that it is, in parts; of a text, one.
    pub arguments: Vec<Spanned<Vec<Piece>>>,
    /// The parameter that must be true for them to be there.
    pub condition: Option<Spanned<String>>,
    /// Whether they are left out together.
    pub together: bool,
    /// Where it stands.
    pub span: Span,
}

/// Reads a manifest. `None` where it is too broken to go on; what is wrong is in the sink.
pub(super) fn parse(
    query: &QueryFile,
    project: &Document,
    sources: &Sources,
    sink: &mut Diagnostics,
) -> Option<(ParsedQuery, Option<HeaderFault>)> {
    let file = sources.get(query.file)?;
    let errors = sink.errors();
    let mut header = header::read(query, file.whole(), project, sources, sink)?;
    let runs = header.runs.take()?;
    let mut reader = Reader { file, document: &header.document, placeholders: Vec::new(), sink };
    reader.refuse_choices(&header);
    let key = runs.kind().key();
    let manifest = reader.manifest(runs, &header);
    let placeholders = reader.placeholders;
    refuse_reserved(&placeholders, sink);
    if sink.errors() > errors {
        return None;
    }
    size::check_placeholders(&placeholders, sink)?;
    let said = HeaderSql::read(Some(&header), sources, sink);
    let place = header.document.key_span(&[key]);
    let tokens = selecting(&placeholders, place);
    let placed = tokens.iter().map(|token| located(file, token)).collect();
    let statement = Tree { statement: parse_tokens(placed).ok()?, tokens: tokens.clone(), file: file.id };
    let parsed = ParsedQuery {
        file: query.file,
        name: Spanned::new(header.name, header.name_span.unwrap_or(place)),
        raw_name: header.raw_name,
        header: header.header,
        document: header.document,
        placeholders,
        outputs: Vec::new(),
        rules: said.rules,
        shared: header.shared,
        extends: header.extends,
        new_names: NewNames::new(),
        replaced: header.replaced,
        choices: said.choices,
        allowed_queries: said.allowed,
        defaults: said.defaults,
        references: Vec::new(),
        functions: Vec::new(),
        table_functions: Vec::new(),
        function_clauses: Vec::new(),
        quoted: Vec::new(),
        params_place: None,
        native: None,
        manifest: Some(Box::new(manifest)),
        called: None,
        span: place,
        head: place,
        tokens,
        trees: Arc::new(Trees { statement, apart: Vec::new() }),
    };
    let fault = if query.is_refused { Some(HeaderFault::Settings) } else { said.fault };
    Some((parsed, fault))
}

/// The names of what qtool adds to tools are no parameter's: a call could not tell which of the two is meant.
fn refuse_reserved(placeholders: &[Placeholder], sink: &mut Diagnostics) {
    let mut told = HashSet::new();
    for name in placeholders.iter().map(|one| &one.name) {
        if RESERVED.contains(&name.value.as_str()) && told.insert(&name.value) {
            sink.push(codes::reserved_name(name.span, &name.value));
        }
    }
}

/// `SELECT`, and all placeholders with commas between.
fn selecting(placeholders: &[Placeholder], place: Span) -> Vec<Lexed> {
    let select = Word { value: "SELECT".to_owned(), quote_style: None, keyword: Keyword::SELECT };
    let mut tokens = vec![Lexed { token: Token::Word(select), span: place, written: Written::Inserted }];
    for (at, placeholder) in placeholders.iter().enumerate() {
        if at > 0 {
            tokens.push(Lexed { token: Token::Comma, span: placeholder.span, written: Written::Inserted });
        }
        let token = Token::Placeholder(format!("${}", at + 1));
        tokens.push(Lexed { token, span: placeholder.span, written: Written::Placeholder(at) });
    }
    if placeholders.is_empty() {
        let one = Token::Number("1".to_owned(), false);
        tokens.push(Lexed { token: one, span: place, written: Written::Inserted });
    }
    tokens
}

/// Reads the texts of a manifest.
struct Reader<'a> {
    file: &'a SourceFile,
    document: &'a Document,
    placeholders: Vec<Placeholder>,
    sink: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn manifest(&mut self, runs: Runs, header: &ReadHeader) -> ManifestText {
        match runs {
            Runs::Program(config) => {
                let run = self.run(&config.run);
                self.of_stdin(&config, header);
                ManifestText::Program(ProgramText { config, run })
            }
            Runs::Request(config) => {
                let parts = self.request(&config);
                ManifestText::Request(RequestText { config, parts })
            }
            Runs::Python(config) => {
                self.all_parameters(header);
                ManifestText::Python(Box::new(config))
            }
            Runs::SimpleJson(config) => {
                self.all_parameters(header);
                ManifestText::SimpleJson(Box::new(config))
            }
        }
    }

    fn run(&mut self, entries: &[RunArgument]) -> Vec<RunPart> {
        let entry = |(at, entry): (usize, &RunArgument)| self.entry(&at.to_string(), entry);
        entries.iter().enumerate().map(entry).collect()
    }

    fn request(&mut self, config: &RequestConfig) -> Vec<RequestPart> {
        let mut parts = Vec::new();
        for (keys, text) in config.http.texts() {
            let path: Vec<&str> = ["http"].into_iter().chain(keys.iter().map(String::as_str)).collect();
            let place = self.document.value_span(&path);
            let Some(pieces) = self.pieces(text, place) else { continue };
            let key = keys.first().cloned().unwrap_or_default();
            self.add(&pieces, place, text, key != "url");
            parts.push(RequestPart { key, pieces: Spanned::new(pieces, place) });
        }
        parts
    }

    fn entry(&mut self, at: &str, entry: &RunArgument) -> RunPart {
        let together = matches!(entry, RunArgument::Together(_));
        let mut part =
            RunPart { arguments: Vec::new(), condition: None, together, span: self.document.value_span(&["run", at]) };
        for (keys, text) in entry.texts() {
            let path: Vec<&str> = ["run", at].into_iter().chain(keys.iter().map(String::as_str)).collect();
            let place = self.document.value_span(&path);
            let Some(pieces) = self.pieces(text, place) else { continue };
            self.add(&pieces, place, text, together);
            if keys.first().is_some_and(|key| key == "if") {
                match crate::project::argument::lone_name(&pieces) {
                    Some(name) => part.condition = Some(Spanned::new(name.to_owned(), place)),
                    None => {
                        let why = "`if` names one parameter, as `<< name >>`, and nothing else";
                        self.sink.push(codes::invalid_setting(place, why));
                    }
                }
                continue;
            }
            part.arguments.push(Spanned::new(pieces, place));
        }
        part
    }

    /// The parts of a text; `None` where it cannot be read, which is told.
    fn pieces(&mut self, text: &str, place: Span) -> Option<Vec<Piece>> {
        let flaw = match pieces(text) {
            Ok(pieces) => return Some(pieces),
            Err(flaw) => flaw,
        };
        let span = self.within(place, text, flaw.range());
        self.sink.push(match flaw {
            PieceFlaw::Unclosed(_) => codes::unclosed_placeholder_of_manifest(span),
            PieceFlaw::NoName(_, name) => codes::invalid_parameter_name(span, &name),
            PieceFlaw::MoreThanName(_, name) => codes::placeholder_with_type(span, &name),
        });
        None
    }

    /// The place of a part of a text; that of the whole where it does not stand there byte by byte.
    fn within(&self, place: Span, text: &str, range: std::ops::Range<usize>) -> Span {
        match self.file.slice(place).find(text) {
            Some(at) => self.file.span(place.start + at + range.start, place.start + at + range.end),
            None => place,
        }
    }

    fn add(&mut self, pieces: &[Piece], place: Span, text: &str, together: bool) {
        for piece in pieces {
            let Piece::Value { name, range } = piece else { continue };
            let span = self.within(place, text, range.clone());
            self.placeholders.push(placeholder(name, span, together.then_some(Connective::And)));
        }
    }

    /// Choices are pieces of SQL, and there is none.
    fn refuse_choices(&mut self, header: &ReadHeader) {
        for (name, _) in header.header.params.iter().filter(|(_, config)| config.choices.is_some()) {
            let place = self.document.key_span(&["params", name, "choices"]);
            let why = "choices are pieces of a statement, and a program has none";
            self.sink
                .push(codes::invalid_setting(place, why).help("say `allowed_values`: one of them is the argument"));
        }
    }

    /// With all parameters on the standard input, each is used.
    fn of_stdin(&mut self, config: &ProgramConfig, header: &ReadHeader) {
        if config.stdin == Some(StdinForm::Json) || config.json_argument {
            self.all_parameters(header);
        }
    }

    /// Every parameter is used, also where no text names it.
    fn all_parameters(&mut self, header: &ReadHeader) {
        for name in header.header.params.keys() {
            if !self.placeholders.iter().any(|one| one.name.value == *name) {
                let span = self.document.key_span(&["params", name]);
                self.placeholders.push(placeholder(name, span, None));
            }
        }
    }
}

fn placeholder(name: &str, span: Span, clause: Option<Connective>) -> Placeholder {
    Placeholder {
        name: Spanned::new(name.to_owned(), span),
        head: span,
        span,
        declared: None,
        default: None,
        optional: false,
        list: false,
        also: Vec::new(),
        clause,
    }
}
