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
        names.filter_map(|name| Some((name.to_owned(), only(headers, name)?))).collect();
    let scopes = principal.map(|principal| principal.scopes.clone()).unwrap_or_default();
    Caller { principal: named, claims, headers, scopes, ..Caller::default() }
}

/// The only line of a header. Of two lines neither may pass for the whole, and nor may both together: one of them is a proxy's,
/// and which one nobody knows.
fn only(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut lines = headers.get_all(name).iter();
    let line = lines.next()?.to_str().ok()?;
    lines.next().is_none().then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn a_header_that_comes_twice_is_none() {
        let mut headers = HeaderMap::new();
        headers.append("x-tenant", HeaderValue::from_static("1"));
        assert_eq!(caller(&headers, None, |_| true).headers.get("x-tenant").map(String::as_str), Some("1"));
        headers.append("x-tenant", HeaderValue::from_static("2"));
        assert!(caller(&headers, None, |_| true).headers.is_empty());
        assert!(caller(&headers, None, |name| name == "traceparent").headers.is_empty());
    }
}
