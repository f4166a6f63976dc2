//! Which redirects are followed: those within one origin that keep the message. Another origin would be given the
//! headers of this one.

use reqwest::StatusCode;
use reqwest::redirect::Policy;

/// How many are followed for one request.
const MOST: usize = 5;

/// The policy of redirects.
pub(super) fn policy() -> Policy {
    Policy::custom(|attempt| {
        let keeps = matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
        let stays = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
        if keeps && stays && attempt.previous().len() <= MOST { attempt.follow() } else { attempt.stop() }
    })
}
