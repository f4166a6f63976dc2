//! The parts of a request: texts of the manifest, with the values of a call in the place of placeholders. No value is more
//! than the part that it stands in.

use super::super::Order;
use super::super::values::{has_value, json_of, text_of};
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::project::argument::{Piece, lone_name, names_in, pieces};
use crate::project::{HttpRequest, UnfilledText, filled_text, has_variables};
use crate::requests::{InvalidPart, Prepared, header_value, path_segment, query_pair, secret_header_value};
use crate::ty::Type;
use http::{HeaderName, Method};
use serde_json::{Map, Value};
use url::Url;

/// The request of a call.
///
/// Errors: a value cannot be the part that it stands in.
pub(super) fn prepared(http: &HttpRequest, order: Order<'_>) -> Result<Prepared, CallError> {
    let parts = Parts { order };
    let mut url = parts.url(&http.url)?;
    let pairs = parts.pairs(&http.query)?;
    if !pairs.is_empty() {
        let written = url.query().filter(|query| !query.is_empty()).map(str::to_owned);
        let all: Vec<String> = written.into_iter().chain(pairs).collect();
        url.set_query(Some(&all.join("&")));
    }
    let method = Method::from_bytes(http.effective_method().as_str().as_bytes())
        .map_err(|error| CallError::internal(error.to_string()))?;
    let broken = |error: crate::requests::InvalidRequest| CallError::internal(error.to_string());
    let mut prepared = Prepared::new(method, url).map_err(broken)?;
    let has_header = |name: &str| http.headers.keys().any(|known| known.eq_ignore_ascii_case(name));
    if let Some(body) = &http.body {
        let body = parts.body(body)?.unwrap_or(Value::Null);
        prepared = prepared.with_body(body.to_string());
        if !has_header("content-type") {
            prepared = with_header(prepared, "content-type", "application/json")?;
        }
    } else if !http.form.is_empty() {
        prepared = prepared.with_body(parts.pairs(&http.form)?.join("&"));
        if !has_header("content-type") {
            prepared = with_header(prepared, "content-type", "application/x-www-form-urlencoded")?;
        }
    }
    if !has_header("accept") {
        prepared = with_header(prepared, "accept", "application/json, */*;q=0.1")?;
    }
    for (name, text) in &http.headers {
        let Some(value) = parts.text(text)? else { continue };
        let is_secret = has_variables(text);
        let made = if is_secret { secret_header_value(&value) } else { header_value(&value) };
        let value = made.map_err(|why| parts.invalid(text, why))?;
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| CallError::internal(error.to_string()))?;
        prepared = prepared.with_header(name, value).map_err(broken)?;
    }
    Ok(prepared)
}

fn with_header(prepared: Prepared, name: &'static str, value: &str) -> Result<Prepared, CallError> {
    let value = header_value(value).map_err(|why| CallError::internal(why.to_string()))?;
    prepared.with_header(HeaderName::from_static(name), value).map_err(|why| CallError::internal(why.to_string()))
}

struct Parts<'a> {
    order: Order<'a>,
}

impl Parts<'_> {
    /// The address. What is between two `/` is one segment, whatever values are in it.
    fn url(&self, written: &str) -> Result<Url, CallError> {
        // What is behind the path has no values in it.
        let (path, behind) =
            written.split_at_checked(written.find('?').unwrap_or(written.len())).unwrap_or((written, ""));
        let parts = self.pieces(path)?;
        let mut url = String::new();
        // The segment that is being written: its text, and the parameter of its first value.
        let (mut segment, mut first): (String, Option<&str>) = (String::new(), None);
        for piece in &parts {
            match piece {
                Piece::Text(text) => {
                    for (at, part) in text.split('/').enumerate() {
                        if at > 0 {
                            self.end_segment(&mut url, &mut segment, &mut first)?;
                            url.push('/');
                        }
                        segment.push_str(part);
                    }
                }
                Piece::Value { name, .. } => {
                    segment.push_str(&text_of(self.order, name)?);
                    first = first.or(Some(name));
                }
            }
        }
        self.end_segment(&mut url, &mut segment, &mut first)?;
        url.push_str(behind);
        Url::parse(&url).map_err(|error| CallError::internal(error.to_string()))
    }

    fn end_segment(&self, url: &mut String, segment: &mut String, first: &mut Option<&str>) -> Result<(), CallError> {
        match first.take() {
            Some(name) => url.push_str(&path_segment(segment).map_err(|why| invalid(name, why))?),
            None => url.push_str(segment),
        }
        segment.clear();
        Ok(())
    }

    /// Names and values of a query or a form.
    fn pairs(&self, all: &indexmap::IndexMap<String, String>) -> Result<Vec<String>, CallError> {
        let mut pairs = Vec::new();
        for (name, written) in all {
            let parts = self.pieces(written)?;
            let list = lone_name(&parts).and_then(|of| self.order.contract.parameter(of));
            match list.filter(|parameter| matches!(parameter.ty, Type::List(_))) {
                Some(parameter) => {
                    let items = json_of(self.order, parameter)?;
                    for item in items.as_ref().and_then(Value::as_array).into_iter().flatten() {
                        pairs.push(query_pair(name, &item.as_str().map_or_else(|| item.to_string(), str::to_owned)));
                    }
                }
                None => pairs.extend(self.text(written)?.map(|text| query_pair(name, &text))),
            }
        }
        Ok(pairs)
    }

    /// A JSON body; `None` of what has no value.
    fn body(&self, written: &Value) -> Result<Option<Value>, CallError> {
        Ok(Some(match written {
            Value::String(text) => {
                let parts = self.pieces(text)?;
                match lone_name(&parts).and_then(|name| self.order.contract.parameter(name)) {
                    Some(parameter) => return json_of(self.order, parameter),
                    None => match self.text(text)? {
                        Some(text) => Value::from(text),
                        None => return Ok(None),
                    },
                }
            }
            Value::Array(items) => {
                let items = items.iter().map(|item| self.body(item)).collect::<Result<Vec<_>, _>>()?;
                Value::Array(items.into_iter().flatten().collect())
            }
            Value::Object(map) => {
                let mut all = Map::new();
                for (key, value) in map {
                    if let Some(value) = self.body(value)? {
                        all.insert(key.clone(), value);
                    }
                }
                Value::Object(all)
            }
            other => other.clone(),
        }))
    }

    /// A text with values and variables; `None` where a parameter in it has no value.
    fn text(&self, written: &str) -> Result<Option<String>, CallError> {
        let parts = self.pieces(written)?;
        if !names_in(&parts).all(|name| has_value(self.order, name)) {
            return Ok(None);
        }
        let mut text = String::new();
        for piece in &parts {
            match piece {
                Piece::Text(written) => {
                    let filled = filled_text(written, &|name| std::env::var(name).ok());
                    text.push_str(&filled.map_err(|why| match why {
                        UnfilledText::NotSet(name) => CallError::internal(format!("the variable `{name}` is not set")),
                        UnfilledText::Unreadable(why) => CallError::internal(why),
                    })?);
                }
                Piece::Value { name, .. } => text.push_str(&text_of(self.order, name)?),
            }
        }
        Ok(Some(text))
    }

    fn pieces(&self, written: &str) -> Result<Vec<Piece>, CallError> {
        // What cannot be read was refused when it was compiled.
        pieces(written).map_err(|_| CallError::internal("a part of a request cannot be read"))
    }

    fn invalid(&self, written: &str, why: InvalidPart) -> CallError {
        let name = pieces(written).ok().and_then(|parts| names_in(&parts).next().map(str::to_owned));
        match name {
            Some(name) => invalid(&name, why),
            None => CallError::internal(why.to_string()),
        }
    }
}

fn invalid(name: &str, why: InvalidPart) -> CallError {
    let message = match why {
        InvalidPart::EmptySegment => format!("`{name}` may not be empty: it is a part of a path"),
        InvalidPart::DotSegment => format!("`{name}` may not be `.` or `..`: it is a part of a path"),
        InvalidPart::Control => {
            format!("`{name}` may have no line breaks and control characters: it is sent in a header")
        }
        InvalidPart::NotAscii => format!("`{name}` may have letters of ASCII alone: it is sent in a header"),
    };
    CallError::about(CallCode::InvalidArgument, name, message)
}
