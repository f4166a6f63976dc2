//! A request of a manifest fits its parameters, and goes where the manifest says at every call.

use super::programs::{check_effects, check_rows};
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::{TypedParameter, TypedQuery};
use crate::name::shown_name;
use crate::project::argument::{Piece, lone_name, names_in};
use crate::project::{Execution, HttpRequest, OutputForm, RequestMethod, UnfilledText, filled_text, has_variables};
use crate::source::Span;
use crate::syntax::{ParsedQuery, RequestPart, RequestText};
use crate::ty::Type;
use url::Url;

/// Headers that the connection writes, in small letters.
const OF_THE_CONNECTION: [&str; 12] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "te",
    "trailer",
    "upgrade",
    "expect",
    "accept-encoding",
    "proxy-authorization",
    "keep-alive",
    "proxy-connection",
];

/// Checks a request whose parameters have types.
pub(super) struct Request<'a> {
    pub(super) query: &'a ParsedQuery,
    pub(super) request: &'a RequestText,
    pub(super) typed: &'a TypedQuery,
}

impl Request<'_> {
    /// Reports all that does not fit.
    pub(super) fn check(&self, sink: &mut Diagnostics) {
        self.check_url(sink);
        for part in &self.request.parts {
            self.check_part(part, sink);
        }
        self.check_bodies(sink);
        self.check_headers(sink);
        self.check_statuses(sink);
        check_rows(self.query, &self.request.config.output, OutputForm::Json, sink);
        check_effects(self.query, (&Execution::default(), self.typed), sink);
    }

    fn http(&self) -> &HttpRequest {
        &self.request.config.http
    }

    fn key(&self, path: &[&str]) -> Span {
        self.query.document.key_span(path)
    }

    fn parameter(&self, name: &str) -> Option<&TypedParameter> {
        self.typed.parameters.iter().find(|one| one.declaration.name == name)
    }

    /// Scheme, host and port are a text, and values stand in the path alone.
    fn check_url(&self, sink: &mut Diagnostics) {
        let Some(part) = self.request.parts.iter().find(|part| part.is_url()) else { return };
        let refuse = |why: &str, sink: &mut Diagnostics| sink.push(codes::invalid_program(part.pieces.span, why));
        let pieces = &part.pieces.value;
        let Some(Piece::Text(first)) = pieces.first() else {
            return refuse("the address begins with a scheme and a host, the same at every call", sink);
        };
        if pieces.len() > 1 && first.ends_with("://") {
            return refuse("the host is the same at every call: a value stands behind the `/` of the path", sink);
        }
        if has_variables(&self.http().url) {
            return refuse("variables are filled into headers and the query, and not into the address", sink);
        }
        let behind = first.split_once("://").map(|(_, behind)| behind);
        let is_whole = pieces.len() == 1 || behind.is_some_and(|behind| behind.contains('/'));
        let url = match Url::parse(first) {
            Ok(url) if is_whole => url,
            Ok(_) => {
                return refuse("the host is the same at every call: a value stands behind the `/` of the path", sink);
            }
            Err(error) => return refuse(&format!("this is no address: {error}"), sink),
        };
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return refuse("the address begins with `https://` or `http://`, and names a host", sink);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse("a name or a password in an address is shown to everybody who reads it", sink);
        }
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value { .. } => String::new(),
        };
        let mut is_behind_path = false;
        for piece in pieces {
            match piece {
                Piece::Text(text) => is_behind_path |= text.contains(['?', '#']),
                Piece::Value { .. } if is_behind_path => {
                    return refuse("a value behind the path stands under `query`, by its name", sink);
                }
                Piece::Value { .. } => {}
            }
        }
        if pieces.iter().map(text).any(|text| text.contains('#')) {
            refuse("what stands behind `#` is never sent", sink);
        }
    }

    fn check_part(&self, part: &RequestPart, sink: &mut Diagnostics) {
        let lone = lone_name(&part.pieces.value);
        for name in names_in(&part.pieces.value) {
            let Some(parameter) = self.parameter(name) else { continue };
            let may_be_absent = parameter.declaration.may_be_null();
            if may_be_absent && !part.may_be_left_out() {
                let why = format!("parameter `{name}` may have no value, and a path is always whole");
                sink.push(
                    codes::invalid_program(part.pieces.span, &why).help("give it a default, or make it required"),
                );
            }
            if let Type::List(item) = &parameter.ty {
                let is_plain = !matches!(**item, Type::List(_) | Type::Struct(_) | Type::Map(..));
                let fits = lone.is_some() && (part.is_body() || part.takes_lists() && is_plain);
                if !fits {
                    let why = format!("`{name}` is a list: it stands by itself, in the query, a form or a body");
                    sink.push(codes::invalid_program(part.pieces.span, &why));
                }
            }
        }
        self.check_variables(part, sink);
    }

    /// Variables stand in headers and the query alone, and are written rightly.
    fn check_variables(&self, part: &RequestPart, sink: &mut Diagnostics) {
        for piece in &part.pieces.value {
            let Piece::Text(text) = piece else { continue };
            if part.is_url() || !has_variables(text) {
                continue;
            }
            if !part.takes_variables() {
                let why = "variables are filled into headers and the query, and nowhere else";
                sink.push(codes::invalid_program(part.pieces.span, why));
            } else if let Err(UnfilledText::Unreadable(why)) = filled_text(text, &|_| Some(String::new())) {
                sink.push(codes::invalid_program(part.pieces.span, &why));
            }
        }
    }

    fn check_bodies(&self, sink: &mut Diagnostics) {
        let http = self.http();
        if http.body.is_some() && !http.form.is_empty() {
            let why = "a request sends a `body` or a `form`, and not both";
            sink.push(codes::invalid_program(self.key(&["http", "form"]), why));
        }
        let has_body = http.body.is_some() || !http.form.is_empty();
        if has_body && matches!(http.effective_method(), RequestMethod::Get | RequestMethod::Head) {
            let why = format!("{} sends nothing", http.effective_method().as_str());
            let place = self.query.document.value_span(&["http", "method"]);
            sink.push(
                codes::invalid_program(place, &why).help("POST does, and is what is meant where nothing is said"),
            );
        }
    }

    fn check_headers(&self, sink: &mut Diagnostics) {
        let is_name = |name: &str| {
            !name.is_empty()
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter))
        };
        for name in self.http().headers.keys() {
            let place = self.key(&["http", "headers", name]);
            let lower = name.to_lowercase();
            if !is_name(name) {
                let why = format!("`{}` is no name of a header", shown_name(name));
                sink.push(codes::invalid_program(place, &why));
            } else if OF_THE_CONNECTION.contains(&lower.as_str()) {
                sink.push(codes::invalid_program(place, &format!("the connection writes `{name}` itself")));
            }
        }
    }

    fn check_statuses(&self, sink: &mut Diagnostics) {
        let config = &self.request.config;
        for (status, message) in &config.statuses {
            let place = self.key(&["statuses", status]);
            match status.parse::<u16>() {
                Ok(number) if (400..=599).contains(&number) => {
                    if config.empty.contains(&number) {
                        sink.push(codes::invalid_program(place, &format!("{number} means that there are no rows")));
                    }
                }
                _ => sink.push(codes::invalid_program(place, "a status that is a failure is a number from 400 to 599")),
            }
            if message.trim().is_empty() {
                let place = self.query.document.value_span(&["statuses", status]);
                sink.push(codes::invalid_program(place, "this says nothing to the caller"));
            }
        }
    }
}
