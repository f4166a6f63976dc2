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

/// What the header says, and where the SQL begins.
pub(super) struct ReadHeader {
    pub header: Header,
    pub document: Document,
    pub name: String,
    /// Where the header gives the name, if it does.
    pub name_span: Option<Span>,
    pub raw_name: String,
    pub body_start: usize,
}

/// Reads the header; `None` where it has errors.
pub(super) fn read(query: &QueryFile, sources: &Sources, sink: &mut Diagnostics) -> Option<ReadHeader> {
    let file = sources.get(query.file)?;
    let (range, body_start) = extent(file, sink)?;
    let document = Document::parse(file, file.span(range.0, range.1), sink);
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
    Some(ReadHeader { header, document, name, name_span, raw_name, body_start })
}

/// The bytes of the YAML, and where the SQL begins.
fn extent(file: &SourceFile, sink: &mut Diagnostics) -> Option<((usize, usize), usize)> {
    let text = file.text.as_ref();
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.len() - trimmed.len();
    if !trimmed.starts_with(OPEN) {
        return Some(((start, start), start));
    }
    let yaml = start + OPEN.len();
    match text.get(yaml..).and_then(|rest| rest.find(CLOSE)) {
        Some(len) => Some(((yaml, yaml + len), yaml + len + CLOSE.len())),
        None => {
            sink.push(codes::unclosed_header(file.span(start, yaml)));
            None
        }
    }
}
