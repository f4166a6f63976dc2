//! What callers are told, and what is published.

use super::super::{metadata, metadata_url};
use super::*;

const METADATA: &str = "https://tools.example.com/.well-known/oauth-protected-resource/mcp";

#[test]
fn a_refusal_says_where_tokens_come_from() {
    let known = format!("Bearer resource_metadata=\"{METADATA}\"");
    assert_eq!(Refusal::Missing.challenge(METADATA), known);
    let invalid = Refusal::Invalid("the token has expired");
    let expected = format!("{known}, error=\"invalid_token\", error_description=\"the token has expired\"");
    assert_eq!(invalid.challenge(METADATA), expected);
    assert_eq!([Refusal::Missing.status(), invalid.status(), Refusal::Unavailable.status()], [401, 401, 503]);
    assert_eq!(invalid.reason(), "the token has expired");
}

#[test]
fn nothing_breaks_out_of_a_quoted_string() {
    let header = Refusal::Missing.challenge("https://a.example/\"\u{e9}\r\nx: y");
    assert_eq!(header, "Bearer resource_metadata=\"https://a.example/x: y\"");
}

#[test]
fn the_metadata_name_the_issuers() {
    let document = metadata(&config(json!({})), &["orders.read".to_owned()]);
    let expected = json!({
        "resource": RESOURCE,
        "authorization_servers": [ISSUER, OTHER_ISSUER],
        "scopes_supported": ["orders.read"],
        "bearer_methods_supported": ["header"]
    });
    assert_eq!(document, expected);
}

#[test]
fn metadata_without_values_are_left_out() {
    let document = metadata(&config(json!({ "authorization_servers": null })), &[]);
    assert_eq!(document, json!({ "resource": RESOURCE, "bearer_methods_supported": ["header"] }));
}

#[test]
fn metadata_lie_before_the_path_of_the_resource() {
    let of = |resource: &str| metadata_url(&config(json!({ "resource": resource })));
    assert_eq!(of(RESOURCE).as_deref(), Some(METADATA));
    let bare = Some("https://a.example:8443/.well-known/oauth-protected-resource");
    assert_eq!(of("https://a.example:8443").as_deref(), bare);
    assert_eq!(of("https://a.example:8443/").as_deref(), bare);
    assert_eq!(of("no url"), None);
}

#[test]
fn a_principal_shows_no_claims() {
    let claims = json!({ "email": "alice@example.com" }).as_object().unwrap().clone();
    let principal = Principal { name: "alice".to_owned(), scopes: Default::default(), claims };
    let shown = format!("{principal:?}");
    assert!(shown.contains("alice") && !shown.contains("example.com"), "{shown}");
}

#[test]
fn a_bad_configuration_is_refused() {
    let config = config(json!({ "resource": "tools", "leeway": "1h" }));
    let problems = Authenticator::with_source(&config, Issuers::new()).err().unwrap().to_string();
    assert!(problems.contains("`resource`") && problems.contains("`leeway`"), "{problems}");
}
