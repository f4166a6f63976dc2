//! How long a server asks to wait before the next request: `Retry-After` (RFC 9110, 10.2.3).

use chrono::{DateTime, NaiveDateTime, Utc};
use http::HeaderMap;
use http::header::RETRY_AFTER;
use std::time::Duration;

/// A longer wait is cut to it: it can be added to any instant.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);
/// The three forms of a date (RFC 9110, 5.6.7); the first is the one that is sent today.
const FORMS: [&str; 3] = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// The wait that the headers of an answer ask for, seen from `now`; none for a date that is past.
pub(super) fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // All digits: what cannot be read is too large.
        return Some(text.parse().map_or(LONGEST, Duration::from_secs).min(LONGEST));
    }
    let date = FORMS.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
    let wait = date.and_utc().signed_duration_since(now);
    Some(wait.to_std().unwrap_or(Duration::ZERO).min(LONGEST))
}
