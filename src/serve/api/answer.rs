//! Rows as the body of an answer. What is text by rows, and Arrow, is written as fast as the client reads.

use super::accept::Format;
use super::refused;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::project::TableFormat;
use axum::body::Body;
use axum::response::Response;
use futures::stream;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde_json::json;

/// The answer with the rows in a format. What the object of JSON says beside them is in headers of the others.
pub(super) fn rows(mut result: CallResult, format: Format) -> Response {
    if result.passed.is_some() {
        return one_answer(&result, format);
    }
    let told = told_of_rows(&result);
    let body = match format {
        Format::Json => {
            result.rewrite(TableFormat::Structured);
            Ok(Body::from(result.object_json()))
        }
        Format::Csv => {
            result.rewrite(TableFormat::Csv);
            Ok(Body::from(result.table))
        }
        Format::NdJson => {
            Ok(Body::from_stream(stream::iter(result.rows.into_json_lines().map(Ok::<_, std::io::Error>))))
        }
        Format::Arrow => {
            let pieces = result.rows.into_arrow_stream();
            let pieces = pieces.map(|pieces| pieces.map(|piece| piece.map_err(std::io::Error::other)));
            pieces.map(|pieces| Body::from_stream(stream::iter(pieces)))
        }
        Format::Parquet => result.rows.parquet().map(Body::from),
    };
    let body = match body {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(%error, "the rows cannot be written in this format");
            let error = CallError::internal_of_engine(error.to_string());
            return refused(StatusCode::INTERNAL_SERVER_ERROR, &error);
        }
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    let mime = if format == Format::Csv { "text/csv; charset=utf-8; header=present" } else { format.mime() };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    headers.insert("vary", HeaderValue::from_static("accept"));
    if format != Format::Json {
        for (name, value) in told {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
    }
    response
}

/// The answer of another server as the one row of a result. There are no rows to write in another format.
fn one_answer(result: &CallResult, format: Format) -> Response {
    if format != Format::Json {
        let error = CallError::new(CallCode::NotAcceptable, "what this tool answers is written as JSON alone");
        return refused(StatusCode::NOT_ACCEPTABLE, &error.allowed(vec![Format::Json.mime().into()]));
    }
    let object = json!({
        "table_schema": [],
        "rows": [result.object()],
        "returned_result_count": 1,
        "total_result_count": 1,
        "truncated": false,
    });
    let mut response = Response::new(Body::from(object.to_string()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(Format::Json.mime()));
    response.headers_mut().insert("vary", HeaderValue::from_static("accept"));
    response
}

/// What there is to say of the rows, as headers: counts, whether there are more, where to go on.
fn told_of_rows(result: &CallResult) -> Vec<(&'static str, String)> {
    let mut told = vec![
        ("qtool-returned-result-count", result.rows.len().to_string()),
        ("qtool-truncated", result.truncated.to_string()),
    ];
    told.extend(result.total.map(|total| ("qtool-total-result-count", total.to_string())));
    told.extend(result.next_cursor.clone().map(|cursor| ("qtool-next-cursor", cursor)));
    if !result.notes.is_empty() {
        told.push(("qtool-notes", as_ascii(&result.notes.join("; "))));
    }
    told
}

/// A text as a header holds it: what is beyond ASCII is written as JSON writes it, `\u00e9`.
fn as_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_graphic() || c == ' ' {
            out.push(c);
        } else {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::as_ascii;

    #[test]
    fn a_header_holds_ascii() {
        assert_eq!(as_ascii("`status` or `größe`"), r"`status` or `gr\u00f6\u00dfe`");
        assert_eq!(as_ascii("a\n\u{1f600}"), r"a\u000a\ud83d\ude00");
    }
}
