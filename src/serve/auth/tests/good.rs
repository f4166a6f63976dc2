//! Tokens that are taken.

use super::*;
use crate::project::TokenHash;
use sha2::{Digest, Sha256};

fn hash(token: &str) -> TokenHash {
    TokenHash(Sha256::digest(token).into())
}

#[tokio::test]
async fn every_kind_of_key_signs() {
    for (header, by) in [
        (json!({ "alg": "RS256", "kid": "rsa-1" }), By::Rsa),
        (json!({ "alg": "ES256", "kid": "ec-1", "typ": "JWT" }), By::Ec),
        (json!({ "alg": "EdDSA", "kid": "ed-1", "typ": "at+jwt" }), By::Ed),
        (json!({ "alg": "EdDSA", "kid": "ed-1", "typ": "application/AT+JWT" }), By::Ed),
    ] {
        let principal = presented(&headed(header.clone(), by)).await;
        assert_eq!(principal.map(|principal| principal.name), Ok("alice".to_owned()), "{header}");
    }
}

#[tokio::test]
async fn a_principal_has_the_scopes_and_claims_of_its_token() {
    let principal = presented(&saying(json!({}))).await.unwrap();
    assert_eq!(principal.scopes.into_iter().collect::<Vec<_>>(), ["orders.read", "orders.write"]);
    assert_eq!(principal.claims["tenant_id"], 7);
    assert_eq!(principal.claims["iss"], ISSUER);
}

#[tokio::test]
async fn scopes_are_a_list_or_a_text() {
    let listed = presented(&saying(json!({ "scope": null, "scp": ["a", "b", 3] }))).await.unwrap();
    assert_eq!(listed.scopes.into_iter().collect::<Vec<_>>(), ["a", "b"]);
    let both = presented(&saying(json!({ "scope": "a", "scp": ["b"] }))).await.unwrap();
    assert_eq!(both.scopes.into_iter().collect::<Vec<_>>(), ["a"]);
    let none = presented(&saying(json!({ "scope": 3 }))).await.unwrap();
    assert!(none.scopes.is_empty());

    let config = config(json!({ "scopes_claim": "roles" }));
    let authenticator = Authenticator::with_source(&config, Issuers::new()).unwrap();
    let named = ask(&authenticator, &saying(json!({ "roles": "admin" })), NOW).await.unwrap();
    assert_eq!(named.scopes.into_iter().collect::<Vec<_>>(), ["admin"]);
}

#[tokio::test]
async fn one_of_several_audiences_is_enough() {
    assert!(presented(&saying(json!({ "aud": ["https://a.example", RESOURCE] }))).await.is_ok());
}

#[tokio::test]
async fn clocks_may_be_off_by_the_leeway() {
    for members in [
        json!({ "exp": NOW - 29 }),
        json!({ "exp": NOW as f64 + 0.5 }),
        json!({ "nbf": NOW + 30 }),
        json!({ "nbf": null }),
    ] {
        assert!(presented(&saying(members.clone())).await.is_ok(), "{members}");
    }
    let strict = config(json!({ "leeway": "1s" }));
    let authenticator = Authenticator::with_source(&strict, Issuers::new()).unwrap();
    assert!(ask(&authenticator, &saying(json!({ "exp": NOW - 29 })), NOW).await.is_err());
}

#[tokio::test]
async fn the_scheme_has_no_letter_case() {
    let token = saying(json!({}));
    for header in [format!("bearer {token}"), format!("BEARER  {token} ")] {
        assert!(sent(Some(&header)).await.is_ok(), "{header}");
    }
}

#[tokio::test]
async fn a_token_need_not_name_the_only_key() {
    let header = json!({ "alg": "ES256" });
    let token = token(&header, &claims(json!({ "iss": OTHER_ISSUER })), By::OtherEc);
    assert!(presented(&token).await.is_ok());
}

#[tokio::test]
async fn algorithms_can_be_chosen() {
    let config = config(json!({ "algorithms": ["PS256"] }));
    let issuers = Issuers::new();
    issuers.publish(ISSUER_KEYS, &[keys::rsa(json!({ "alg": null }))]);
    let authenticator = Authenticator::with_source(&config, issuers).unwrap();
    let chosen = headed(json!({ "alg": "PS256", "kid": "rsa-1" }), By::RsaPss);
    assert!(ask(&authenticator, &chosen, NOW).await.is_ok());
    let former = headed(json!({ "alg": "RS256", "kid": "rsa-1" }), By::Rsa);
    assert_eq!(ask(&authenticator, &former, NOW).await, Err(Refusal::Invalid("the algorithm is not allowed")));
}

#[tokio::test]
async fn a_fixed_token_stands_for_its_principal() {
    let claims = json!({ "tenant_id": 7 });
    let first = json!({
        "sha256": hash("first-0123456789"), "principal": "ci", "scopes": ["orders.read"], "claims": claims
    });
    let second = json!({ "sha256": hash("second-0123456789"), "principal": "batch" });
    let config = config(json!({ "authorization_servers": null, "tokens": [first, second] }));
    let issuers = Issuers::new();
    let authenticator = Authenticator::with_source(&config, issuers.clone()).unwrap();
    let first = ask(&authenticator, "first-0123456789", NOW).await.unwrap();
    assert_eq!((first.name.as_str(), first.scopes.contains("orders.read")), ("ci", true));
    assert_eq!(first.claims["tenant_id"], 7);
    let second = ask(&authenticator, "second-0123456789", NOW).await.unwrap();
    assert_eq!((second.name.as_str(), second.scopes.len()), ("batch", 0));
    for wrong in ["third-0123456789", "first-012345678", "FIRST-0123456789", &saying(json!({}))] {
        assert_eq!(ask(&authenticator, wrong, NOW).await, Err(Refusal::Invalid("the token is unknown")));
    }
    assert_eq!(issuers.asked(), 0);
}
