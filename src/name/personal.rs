//! What of a person texts look like.

use regex::Regex;
use std::net::IpAddr;
use std::sync::LazyLock;

/// One in so many may be none: there are always some.
const ONE_MAY_BE_NONE: usize = 20;

/// An address of mail, as far as a regular expression tells it from other texts.
pub const EMAIL_FORM: &str = r"^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$";

static EMAIL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(EMAIL_FORM).ok());
static PHONE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\+?[0-9(][0-9 ().\-/]{5,20}[0-9]$").ok());
static DAY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}").ok());

/// What values may be of a person, with what tells one.
type Kind = (&'static str, fn(&str) -> bool);

/// What of a person nearly all of some values are, as a word for `pii`.
pub fn kind_of_values(values: &[&str]) -> Option<&'static str> {
    let kinds: [Kind; 5] = [
        ("email", is_email),
        ("iban", is_iban),
        ("card_number", is_card),
        ("ip_address", is_address),
        ("phone", is_phone),
    ];
    let others = |is_it: fn(&str) -> bool| values.iter().filter(|value| !is_it(value.trim())).count();
    let is_kind = |(_, is_it): &&Kind| others(*is_it) * ONE_MAY_BE_NONE <= values.len();
    kinds.iter().find(is_kind).filter(|_| !values.is_empty()).map(|(kind, _)| *kind)
}

fn is_email(text: &str) -> bool {
    EMAIL.as_ref().is_some_and(|form| form.is_match(text))
}

/// A number as it is dialled: with a plus or with something between its digits, else it may be any number.
fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_dialled = text.starts_with('+') || text.contains([' ', '-', '(', '/']);
    let has_form = |form: &LazyLock<Option<Regex>>| form.as_ref().is_some_and(|form| form.is_match(text));
    (7..=15).contains(&digits) && is_dialled && has_form(&PHONE) && !has_form(&DAY)
}

/// The number of a card (ISO/IEC 7812): 13 to 19 digits, the last of which checks the others.
fn is_card(text: &str) -> bool {
    let text: String = text.chars().filter(|one| !matches!(one, ' ' | '-')).collect();
    let digits: Vec<u32> = text.chars().filter_map(|one| one.to_digit(10)).collect();
    let doubled = |(at, digit): (usize, &u32)| match (at % 2, digit * 2) {
        (0, _) => *digit,
        (_, twice) => twice / 10 + twice % 10,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    digits.len() == text.len() && (13..=19).contains(&digits.len()) && sum.is_multiple_of(10)
}

/// The number of an account (ISO 13616): its letters count from 10, and the whole is 1 more than a multiple of 97.
fn is_iban(text: &str) -> bool {
    let text: String = text.chars().filter(|one| *one != ' ').collect();
    let (Some(head), Some(tail)) = (text.get(..4), text.get(4..)) else { return false };
    let begins_well = head.chars().take(2).all(|one| one.is_ascii_uppercase())
        && head.chars().skip(2).all(|one| one.is_ascii_digit());
    let rest = tail.chars().chain(head.chars()).try_fold(0_u32, |rest, one| {
        let value = one.to_digit(36)?;
        Some(if value < 10 { rest * 10 + value } else { rest * 100 + value } % 97)
    });
    (15..=34).contains(&text.len()) && begins_well && rest == Some(1)
}

/// The address of a machine. A version of something has as many numbers, but seldom all of them large.
fn is_address(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_persons_are_told_from_others() {
        for (values, kind) in [
            (&["ann@acme.org", "bob@bolt.org"][..], Some("email")),
            (&["+49 30 901820", "(030) 90182-0"], Some("phone")),
            (&["4111 1111 1111 1111", "5500-0000-0000-0004"], Some("card_number")),
            (&["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], Some("iban")),
            (&["192.168.0.1", "2001:db8::1"], Some("ip_address")),
            (&["2024-01-01", "2024-02-01"], None),
            (&["4111111111111112"], None),
            (&["DE89370400440532013001"], None),
            (&["1234567", "7654321"], None),
            (&["N14228", "B6"], None),
            (&["ann@acme.org", "none", "unknown"], None),
            (&[], None),
        ] {
            assert_eq!(kind_of_values(values), kind, "{values:?}");
        }
    }
}
