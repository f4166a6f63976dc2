//! Who calls, as the request and its token tell it.

use super::auth::Principal;
use crate::engine::bind::Caller;
use http::HeaderMap;
use std::collections::HashMap;

/// What a call says of its caller, with the headers whose names are wanted.
pub(super) fn caller(headers: &HeaderMap, principal: Option<&Principal>, is_wanted: impl Fn(&str) -> bool) -> Caller {
    let claims = principal.map(|principal| principal.claims.clone()).unwrap_or_default();
    let named = principal.map(|principal| principal.name.as_str().into());
    let names = headers.keys().map(|name| name.as_str()).filter(|name| is_wanted(name));
    let headers: HashMap<String, String> =
        names.filter_map(|name| Some((name.to_owned(), whole(headers, name)?))).collect();
    Caller { principal: named, claims, headers, now: None }
}

/// All lines of a header as one value, as RFC 9110 puts them together (section 5.3). Of two lines neither may pass for the
/// whole: one of them is a proxy's, and which one nobody knows.
fn whole(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(name).iter().map(|value| value.to_str().ok()).collect::<Option<Vec<&str>>>()?;
    Some(lines.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn a_header_that_comes_twice_is_neither_of_its_lines() {
        let mut headers = HeaderMap::new();
        headers.append("x-tenant", HeaderValue::from_static("1"));
        assert_eq!(caller(&headers, None, |_| true).headers.get("x-tenant").map(String::as_str), Some("1"));
        headers.append("x-tenant", HeaderValue::from_static("2"));
        assert_eq!(caller(&headers, None, |_| true).headers.get("x-tenant").map(String::as_str), Some("1, 2"));
        assert!(caller(&headers, None, |name| name == "traceparent").headers.is_empty());
    }
}
