//! Tokens that are refused, each for its own reason: one that is refused for another reason proves nothing.

use super::*;

async fn refused(forged: &str, reason: &'static str) {
    assert_eq!(presented(forged).await, Err(Refusal::Invalid(reason)), "{forged}");
}

const ALGORITHM: &str = "the algorithm is not allowed";
const MISMATCH: &str = "the algorithm is not that of the key";
const SIGNATURE: &str = "the signature is wrong";
const SHAPE: &str = "the token is not of three parts";
const UNKNOWN_KEY: &str = "the key is unknown";
const UNKNOWN_ISSUER: &str = "the issuer is unknown";
const AUDIENCE: &str = "the token is for another audience";
const EXPIRY: &str = "`exp` is missing or not a number";

#[tokio::test]
async fn signed_with_another_key() {
    refused(&headed(json!({ "alg": "ES256", "kid": "ec-1" }), By::OtherEc), SIGNATURE).await;
}

#[tokio::test]
async fn not_signed() {
    for name in ["none", "None", "NONE", ""] {
        let message = format!("{}.{}", encoded(&json!({ "alg": name, "kid": "ec-1" })), encoded(&claims(json!({}))));
        refused(&format!("{message}."), SHAPE).await;
        refused(&format!("{message}.AAAA"), ALGORITHM).await;
    }
    refused(&headed(json!({ "kid": "ec-1" }), By::Ec), ALGORITHM).await;
    refused(&headed(json!({ "alg": ["ES256"], "kid": "ec-1" }), By::Ec), ALGORITHM).await;
}

#[tokio::test]
async fn signed_with_the_public_key_as_a_secret() {
    refused(&headed(json!({ "alg": "HS256", "kid": "rsa-1" }), By::Hmac), ALGORITHM).await;
    refused(&headed(json!({ "alg": "RS256", "kid": "rsa-1" }), By::Hmac), SIGNATURE).await;
    refused(&headed(json!({ "alg": "HS256", "kid": "oct-1" }), By::Hmac), ALGORITHM).await;
}

#[tokio::test]
async fn signed_with_an_algorithm_that_is_not_allowed() {
    refused(&headed(json!({ "alg": "RS384", "kid": "rsa-1" }), By::Rsa384), ALGORITHM).await;
    refused(&headed(json!({ "alg": "PS256", "kid": "rsa-1" }), By::RsaPss), ALGORITHM).await;
}

#[tokio::test]
async fn signed_with_an_algorithm_that_the_key_is_not_for() {
    let config = config(json!({ "algorithms": ["RS256", "RS384"] }));
    let authenticator = Authenticator::with_source(&config, Issuers::new()).unwrap();
    let forged = headed(json!({ "alg": "RS384", "kid": "rsa-1" }), By::Rsa384);
    assert_eq!(ask(&authenticator, &forged, NOW).await, Err(Refusal::Invalid(MISMATCH)));
}

#[tokio::test]
async fn the_algorithm_of_one_key_with_another() {
    refused(&headed(json!({ "alg": "RS256", "kid": "ec-1" }), By::Ec), MISMATCH).await;
    refused(&headed(json!({ "alg": "ES256", "kid": "rsa-1" }), By::Ec), MISMATCH).await;
    refused(&headed(json!({ "alg": "EdDSA", "kid": "ec-1" }), By::Ed), MISMATCH).await;
    refused(&headed(json!({ "alg": "ES256", "kid": "ec-1" }), By::Ed), SIGNATURE).await;
}

#[tokio::test]
async fn signed_with_the_key_of_another_issuer() {
    refused(&headed(json!({ "alg": "ES256", "kid": "other-1" }), By::OtherEc), UNKNOWN_KEY).await;
    let header = json!({ "alg": "ES256", "kid": "ec-1" });
    refused(&token(&header, &claims(json!({ "iss": OTHER_ISSUER })), By::Ec), UNKNOWN_KEY).await;
}

#[tokio::test]
async fn a_key_that_cannot_be_looked_up() {
    for id in ["../ec-1", "EC-1", "", "ec-1\u{0}", "https://evil.example/keys#ec-1"] {
        refused(&headed(json!({ "alg": "ES256", "kid": id }), By::Ec), UNKNOWN_KEY).await;
    }
    refused(&headed(json!({ "alg": "ES256", "kid": 1 }), By::Ec), "`kid` is not a text").await;
    refused(&headed(json!({ "alg": "ES256" }), By::Ec), "the token does not name its key").await;
    refused(&headed(json!({ "alg": "RS256", "kid": "enc-1" }), By::Rsa), UNKNOWN_KEY).await;
}

#[tokio::test]
async fn a_key_brought_along_is_not_looked_at() {
    let own = keys::other_ec(json!({ "kid": "ec-1" }));
    let header = json!({ "alg": "ES256", "kid": "ec-1", "jwk": own });
    refused(&headed(header, By::OtherEc), SIGNATURE).await;
    let header = json!({ "alg": "ES256", "jwk": own });
    refused(&headed(header, By::OtherEc), "the token does not name its key").await;
    for name in ["jku", "x5u"] {
        let mut header = json!({ "alg": "ES256", "kid": "other-1" });
        header[name] = json!(OTHER_KEYS);
        refused(&headed(header, By::OtherEc), UNKNOWN_KEY).await;
    }
}

#[tokio::test]
async fn out_of_its_time() {
    refused(&saying(json!({ "exp": NOW - 31 })), "the token has expired").await;
    refused(&saying(json!({ "exp": NOW - 30 })), "the token has expired").await;
    refused(&saying(json!({ "exp": -1 })), "the token has expired").await;
    refused(&saying(json!({ "nbf": NOW + 31 })), "the token is not valid yet").await;
    refused(&saying(json!({ "nbf": "0" })), "`nbf` is not a number").await;
    let early = Authenticator::with_source(&config(json!({})), Issuers::new()).unwrap();
    let broken_clock = UNIX_EPOCH - Duration::from_secs(1);
    let header = format!("Bearer {}", saying(json!({})));
    assert_eq!(early.authenticate(Some(&header), broken_clock).await, Err(Refusal::Invalid("the token has expired")));
}

#[tokio::test]
async fn without_what_a_token_must_say() {
    refused(&saying(json!({ "exp": null })), EXPIRY).await;
    refused(&saying(json!({ "exp": (NOW + 300).to_string() })), EXPIRY).await;
    refused(&saying(json!({ "sub": null })), "`sub` is missing").await;
    refused(&saying(json!({ "sub": "" })), "`sub` is missing").await;
    refused(&saying(json!({ "sub": 7 })), "`sub` is missing").await;
    refused(&saying(json!({ "aud": null })), AUDIENCE).await;
    refused(&saying(json!({ "iss": null })), "`iss` is missing").await;
    refused(&saying(json!({ "iss": [ISSUER] })), "`iss` is missing").await;
    let mut nothing = claims(json!({}));
    nothing["exp"] = Value::Null;
    refused(&token(&json!({ "alg": "ES256", "kid": "ec-1" }), &nothing, By::Ec), EXPIRY).await;
}

#[tokio::test]
async fn for_another_server() {
    for audience in [
        json!("https://other.example.com/mcp"),
        json!("https://tools.example.com/mcp/"),
        json!("https://tools.example.com"),
        json!("HTTPS://TOOLS.EXAMPLE.COM/mcp"),
        json!(["https://a.example", "https://b.example"]),
        json!([]),
        json!([[RESOURCE]]),
        json!({ "aud": RESOURCE }),
        json!(format!("https://a.example {RESOURCE}")),
    ] {
        refused(&saying(json!({ "aud": audience })), AUDIENCE).await;
    }
}

#[tokio::test]
async fn from_another_issuer() {
    let slash = "https://login.example.com/";
    for issuer in ["https://evil.example.com", slash, "https://LOGIN.example.com", "", ISSUER_KEYS] {
        refused(&saying(json!({ "iss": issuer })), UNKNOWN_ISSUER).await;
    }
}

#[tokio::test]
async fn with_a_header_that_asks_for_more() {
    let header = json!({ "alg": "ES256", "kid": "ec-1", "crit": ["exp"] });
    refused(&headed(header, By::Ec), "`crit` is not supported").await;
    let header = json!({ "alg": "ES256", "kid": "ec-1", "crit": ["b64"], "b64": false });
    refused(&headed(header, By::Ec), "`crit` is not supported").await;
    for kind in [json!("secevent+jwt"), json!("dpop+jwt"), json!(""), json!(1)] {
        let header = json!({ "alg": "ES256", "kid": "ec-1", "typ": kind });
        refused(&headed(header, By::Ec), "`typ` is not that of an access token").await;
    }
}

#[tokio::test]
async fn tampered_with() {
    let good = saying(json!({}));
    let parts: Vec<&str> = good.split('.').collect();
    let (header, payload, signature) = (parts[0], parts[1], parts[2]);
    let richer = encoded(&claims(json!({ "sub": "root" })));
    refused(&format!("{header}.{richer}.{signature}"), SIGNATURE).await;
    let other = if signature.starts_with('A') { 'B' } else { 'A' };
    let (_, rest) = signature.split_at(1);
    refused(&format!("{header}.{payload}.{other}{rest}"), SIGNATURE).await;
    let (shorter, _) = signature.split_at(signature.len() - 4);
    refused(&format!("{header}.{payload}.{shorter}"), SIGNATURE).await;
    refused(&format!("{header}.{payload}.{signature}AAAA"), SIGNATURE).await;
    refused(&format!("{header}.{payload}.{signature}=="), SIGNATURE).await;
    refused(&format!("{header}.{payload}.A"), SIGNATURE).await;
    let zeros = URL_SAFE_NO_PAD.encode([0_u8; 64]);
    refused(&format!("{header}.{payload}.{zeros}"), SIGNATURE).await;
}

#[tokio::test]
async fn of_another_shape() {
    let good = saying(json!({}));
    let parts: Vec<&str> = good.split('.').collect();
    let (header, payload, signature) = (parts[0], parts[1], parts[2]);
    for shape in [
        format!("{header}.{payload}"),
        format!("{header}.{payload}."),
        format!("{header}..{signature}"),
        format!(".{payload}.{signature}"),
        format!("{good}.{signature}"),
        format!("{good}.a.b"),
        "..".to_owned(),
        "opaque".to_owned(),
    ] {
        refused(&shape, SHAPE).await;
    }
    refused(&format!("AAAA.{payload}.{signature}"), "the header is not a JSON object").await;
    let list = encoded(&json!([1]));
    refused(&format!("{list}.{payload}.{signature}"), "the header is not a JSON object").await;
    refused(&format!("{header}.{list}.{signature}"), "the claims are not a JSON object").await;
}

#[tokio::test]
async fn too_long() {
    let huge = saying(json!({ "note": "a".repeat(20_000) }));
    refused(&huge, "the token is too long").await;
    refused(&"a".repeat(16 * 1024 + 1), "the token is too long").await;
    refused(&"a".repeat(16 * 1024), SHAPE).await;
    let deep = URL_SAFE_NO_PAD.encode("[".repeat(5_000));
    refused(&format!("{deep}.{deep}.AAAA"), "the header is not a JSON object").await;
}

#[tokio::test]
async fn not_exactly_one_token() {
    let good = saying(json!({}));
    for empty in ["Bearer", "Bearer ", "bearer    "] {
        assert_eq!(sent(Some(empty)).await, Err(Refusal::Invalid("the token is empty")), "{empty}");
    }
    for several in [
        format!("Bearer {good} {good}"),
        format!("Bearer {good},{good}"),
        format!("Bearer {good}, Bearer {good}"),
        format!("Bearer \"{good}\""),
        format!("Bearer {good}\u{e9}"),
    ] {
        assert_eq!(sent(Some(&several)).await, Err(Refusal::Invalid("not exactly one token")), "{several}");
    }
}

#[tokio::test]
async fn no_bearer_token_at_all() {
    let good = saying(json!({}));
    let basic = "Basic YWxpY2U6c2VjcmV0".to_owned();
    for header in [basic, format!("Token {good}"), good.clone(), format!("Bearer:{good}")] {
        assert_eq!(sent(Some(&header)).await, Err(Refusal::Missing), "{header}");
    }
    assert_eq!(sent(Some("")).await, Err(Refusal::Missing));
    assert_eq!(sent(None).await, Err(Refusal::Missing));
}
