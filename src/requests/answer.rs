//! What came back, and its text.

use super::failure::Failure;
use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use std::borrow::Cow;
use std::fmt;
use url::Url;

/// What came back with a status of success.
#[derive(Clone)]
pub struct Answer {
    /// The status, 200 to 299.
    pub status: u16,
    /// All headers.
    pub headers: HeaderMap,
    /// The body, all of it.
    pub body: Bytes,
    /// Where it came from in the end, after redirects.
    pub final_url: Url,
}

impl Answer {
    /// The body as text, without a byte order mark: of UTF-8, or of ISO 8859-1 or windows-1252 where `content-type`
    /// says so. As on the web, the two are one.
    ///
    /// Errors: [`Failure::NotText`] for other character sets, and where the bytes are no UTF-8.
    pub fn text(&self) -> Result<Cow<'_, str>, Failure> {
        match self.encoding() {
            Some(encoding) if encoding == UTF_8 => {
                let bytes = self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body);
                std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| Failure::NotText)
            }
            Some(encoding) if encoding == WINDOWS_1252 => Ok(encoding.decode_without_bom_handling(&self.body).0),
            _ => Err(Failure::NotText),
        }
    }

    /// What `content-type` says, or UTF-8.
    fn encoding(&self) -> Option<&'static Encoding> {
        let Some(written) = self.headers.get(CONTENT_TYPE) else { return Some(UTF_8) };
        let Ok(written) = written.to_str() else { return Some(UTF_8) };
        let charset = written.split(';').skip(1).find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
        });
        charset.map_or(Some(UTF_8), |label| Encoding::for_label(label.as_bytes()))
    }
}

/// Without what may be secret.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({}, {} bytes)", self.status, self.body.len())
    }
}
