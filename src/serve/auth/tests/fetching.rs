//! When keys are fetched, and what happens where they cannot be.

use super::*;
use futures::future::join_all;

const DAY: u64 = 24 * 3_600;

/// A server with one issuer, which publishes `ec-1`.
fn server() -> (Authenticator, Arc<Issuers>) {
    let issuers = Arc::new(Issuers::default());
    issuers.publish(ISSUER_KEYS, &[keys::ec(json!({}))]);
    let config = config(json!({ "authorization_servers": [{ "issuer": ISSUER, "jwks_url": ISSUER_KEYS }] }));
    (Authenticator::with_source(&config, issuers.clone()).unwrap(), issuers)
}

/// Good for a week.
fn lasting(id: &str, by: By) -> String {
    token(&json!({ "alg": "ES256", "kid": id }), &claims(json!({ "exp": NOW + 7 * DAY })), by)
}

fn unknown(id: usize) -> String {
    lasting(&format!("made-up-{id}"), By::OtherEc)
}

const UNKNOWN_KEY: Refusal = Refusal::Invalid("the key is unknown");

#[tokio::test]
async fn keys_are_fetched_once_in_ten_minutes() {
    let (authenticator, issuers) = server();
    assert_eq!(issuers.asked(), 0);
    let good = lasting("ec-1", By::Ec);
    for (second, asked) in [(0, 1), (1, 1), (599, 1), (600, 2), (601, 2), (1_199, 2), (1_200, 3)] {
        assert!(ask(&authenticator, &good, NOW + second).await.is_ok(), "{second}");
        assert_eq!(issuers.asked(), asked, "{second}");
    }
}

#[tokio::test]
async fn many_callers_share_one_fetch() {
    let (authenticator, issuers) = server();
    let good = lasting("ec-1", By::Ec);
    let answers = join_all((0..50).map(|_| ask(&authenticator, &good, NOW))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(issuers.asked(), 1);
}

#[tokio::test]
async fn a_new_key_is_found_after_the_pause() {
    let (authenticator, issuers) = server();
    assert!(ask(&authenticator, &lasting("ec-1", By::Ec), NOW).await.is_ok());
    issuers.publish(ISSUER_KEYS, &[keys::other_ec(json!({ "kid": "ec-2" }))]);
    let new = lasting("ec-2", By::OtherEc);
    assert_eq!(ask(&authenticator, &new, NOW + 29).await, Err(UNKNOWN_KEY));
    assert_eq!(issuers.asked(), 1);
    assert!(ask(&authenticator, &new, NOW + 30).await.is_ok());
    assert_eq!(issuers.asked(), 2);
    // A key that is no longer published is no longer good.
    assert_eq!(ask(&authenticator, &lasting("ec-1", By::Ec), NOW + 31).await, Err(UNKNOWN_KEY));
}

#[tokio::test]
async fn made_up_keys_cause_a_fetch_in_thirty_seconds_at_most() {
    let (authenticator, issuers) = server();
    for id in 0..200 {
        assert_eq!(ask(&authenticator, &unknown(id), NOW).await, Err(UNKNOWN_KEY));
    }
    assert_eq!(issuers.asked(), 1);
    for second in 0..120 {
        assert_eq!(ask(&authenticator, &unknown(0), NOW + second).await, Err(UNKNOWN_KEY));
    }
    assert_eq!(issuers.asked(), 4);
    let forged: Vec<String> = (0..50).map(unknown).collect();
    join_all(forged.iter().map(|forged| ask(&authenticator, forged, NOW + 120))).await;
    assert_eq!(issuers.asked(), 5);
}

#[tokio::test]
async fn tokens_of_unknown_issuers_cause_no_fetch() {
    let (authenticator, issuers) = server();
    let forged = token(&json!({ "alg": "ES256", "kid": "ec-1" }), &claims(json!({ "iss": OTHER_ISSUER })), By::Ec);
    assert_eq!(ask(&authenticator, &forged, NOW).await, Err(Refusal::Invalid("the issuer is unknown")));
    assert_eq!(issuers.asked(), 0);
}

#[tokio::test]
async fn without_keys_nobody_can_be_told() {
    let (authenticator, issuers) = server();
    issuers.break_down(ISSUER_KEYS);
    let good = lasting("ec-1", By::Ec);
    for second in [0, 1, 29] {
        assert_eq!(ask(&authenticator, &good, NOW + second).await, Err(Refusal::Unavailable));
    }
    assert_eq!(issuers.asked(), 1);
    issuers.publish(ISSUER_KEYS, &[keys::ec(json!({}))]);
    assert!(ask(&authenticator, &good, NOW + 30).await.is_ok());
}

#[tokio::test]
async fn former_keys_are_good_for_a_day() {
    let (authenticator, issuers) = server();
    let good = lasting("ec-1", By::Ec);
    assert!(ask(&authenticator, &good, NOW).await.is_ok());
    issuers.break_down(ISSUER_KEYS);
    for second in [600, 1_200, DAY - 1] {
        assert!(ask(&authenticator, &good, NOW + second).await.is_ok(), "{second}");
    }
    assert_eq!(issuers.asked(), 4);
    assert_eq!(ask(&authenticator, &good, NOW + DAY).await, Err(Refusal::Unavailable));
    issuers.publish(ISSUER_KEYS, &[keys::ec(json!({}))]);
    assert!(ask(&authenticator, &good, NOW + DAY + 60).await.is_ok());
}

#[tokio::test]
async fn an_unknown_key_is_undecided_while_fetches_fail() {
    let (authenticator, issuers) = server();
    assert!(ask(&authenticator, &lasting("ec-1", By::Ec), NOW).await.is_ok());
    issuers.break_down(ISSUER_KEYS);
    assert_eq!(ask(&authenticator, &unknown(0), NOW + 30).await, Err(Refusal::Unavailable));
    assert!(ask(&authenticator, &lasting("ec-1", By::Ec), NOW + 31).await.is_ok());
}

#[tokio::test]
async fn an_answer_that_is_no_key_set_changes_nothing() {
    let (authenticator, issuers) = server();
    let good = lasting("ec-1", By::Ec);
    assert!(ask(&authenticator, &good, NOW).await.is_ok());
    for (turn, text) in ["", "<html>", "[]", "{\"keys\": {}}"].into_iter().enumerate() {
        issuers.documents.lock().unwrap().insert(ISSUER_KEYS.to_owned(), text.to_owned());
        assert!(ask(&authenticator, &good, NOW + 600 * (turn as u64 + 1)).await.is_ok(), "{text}");
    }
    assert_eq!(issuers.asked(), 5);
}

#[tokio::test]
async fn a_caller_that_hangs_up_does_not_end_the_fetch() {
    let (authenticator, issuers) = server();
    let good = lasting("ec-1", By::Ec);
    {
        let mut call = Box::pin(ask(&authenticator, &good, NOW));
        assert!(futures::poll!(&mut call).is_pending());
        while issuers.asked() == 0 {
            tokio::task::yield_now().await;
        }
    }
    assert!(ask(&authenticator, &good, NOW).await.is_ok());
    assert_eq!(issuers.asked(), 1);
}

#[tokio::test]
async fn a_clock_set_back_fetches_again() {
    let (authenticator, issuers) = server();
    let good = token(&json!({ "alg": "ES256", "kid": "ec-1" }), &claims(json!({ "nbf": null })), By::Ec);
    assert!(ask(&authenticator, &good, NOW).await.is_ok());
    assert!(ask(&authenticator, &good, NOW - 10).await.is_ok());
    assert_eq!(issuers.asked(), 1);
    assert!(ask(&authenticator, &good, NOW - 3_600).await.is_ok());
    assert_eq!(issuers.asked(), 2);
}
