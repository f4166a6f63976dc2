//! The header of a query file and the `.yaml` file beside it.

use crate::diagnostic::{Diagnostics, codes};
use crate::name;
use crate::project::{Header, QueryFile};
use crate::source::{SourceFile, Sources, Span};
use crate::yaml::{Document, Shape};
use std::sync::LazyLock;

const OPEN: &str = "/*---";
const CLOSE: &str = "---*/";

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<Header>);

/// What the header says.
pub(super) struct ReadHeader {
    pub header: Header,
    pub document: Document,
    pub name: String,
    /// Where the header gives the name, if it does.
    pub name_span: Option<Span>,
    pub raw_name: String,
}

impl ReadHeader {
    /// What stands in for a header with errors, so that the statement can be looked at.
    pub(super) fn stand_in(query: &QueryFile, file: &SourceFile) -> ReadHeader {
        ReadHeader {
            header: Header::default(),
            document: Document::empty(file.span(0, 0)),
            name: name::snake_case(&query.stem),
            name_span: None,
            raw_name: query.stem.clone(),
        }
    }
}

/// Reads the header, whose YAML stands at `yaml`, and the sidecar; `None` where they have errors.
pub(super) fn read(query: &QueryFile, yaml: Span, sources: &Sources, sink: &mut Diagnostics) -> Option<ReadHeader> {
    let file = sources.get(query.file)?;
    let document = Document::parse(file, yaml, sink);
    let document = match query.sidecar.and_then(|id| sources.get(id)) {
        Some(sidecar) => {
            let beside = Document::parse(sidecar, sidecar.whole(), sink);
            document.zip(beside).map(|(own, beside)| own.overlaid(beside))
        }
        None => document,
    }?;
    let header: Header = document.read(&SHAPE, sink)?;
    let name_span = header.name.is_some().then(|| document.value_span(&["name"]));
    let raw_name = header.name.clone().unwrap_or_else(|| query.stem.clone());
    let name = name::snake_case(&raw_name);
    if !name::is_legal(&name) {
        sink.push(codes::invalid_tool_name(name_span.unwrap_or(file.span(0, 0)), &raw_name));
        return None;
    }
    Some(ReadHeader { header, document, name, name_span, raw_name })
}

/// The bytes of the YAML, and where the SQL begins.
pub(super) fn extent(file: &SourceFile, sink: &mut Diagnostics) -> Option<(Span, usize)> {
    let text = file.text.as_ref();
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - trimmed.len();
    // `/*-----` is a banner, not a header.
    if !trimmed.strip_prefix(OPEN).is_some_and(|rest| !rest.starts_with('-') || rest.starts_with(CLOSE)) {
        return Some((file.span(start, start), start));
    }
    let yaml = start + OPEN.len();
    match text.get(yaml..).and_then(|rest| rest.find(CLOSE)) {
        Some(len) => Some((file.span(yaml, yaml + len), yaml + len + CLOSE.len())),
        None => {
            sink.push(codes::unclosed_header(file.span(start, yaml)));
            None
        }
    }
}
