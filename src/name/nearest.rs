//! The nearest name: what somebody who misspelt one probably meant.

use std::cmp::Reverse;

/// A known name near to one that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near<'w, 'c> {
    /// The name that was written.
    pub written: &'w str,
    /// The nearest one that is known.
    pub name: &'c str,
    /// Whether it was plainly a slip: nothing differs but letter case and what separates the words, or one letter of
    /// at least five that is no digit (`q1` and `q2` are two things), and no other known name is as near.
    pub is_slip: bool,
}

/// The candidate nearest to what was written, and how sure that is.
pub fn near<'w, 'c>(written: &'w str, candidates: impl IntoIterator<Item = &'c str>) -> Option<Near<'w, 'c>> {
    let wanted = Form::of(written);
    let mut found: Vec<Found<'c>> =
        candidates.into_iter().filter_map(|candidate| Found::compare(&wanted, candidate)).collect();
    found.sort_unstable();
    found.dedup();
    let best = *found.first()?;
    let within = |most: usize| found.iter().filter(|other| other.distance <= most).count();
    let is_slip = match best.distance {
        0 => within(0) == 1,
        1 => within(1) == 1 && is_one_letter(&wanted, &Form::of(best.name)),
        _ => false,
    };
    Some(Near { written, name: best.name, is_slip })
}

/// The candidate nearest to `name`, if any is near enough: at most a third of the letters differ (letter case does not
/// count, swapped neighbours count as one), words are left out, shortened or in another order, or the end is cut off.
/// Of two as near, the one that begins alike for longer.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    near(name, candidates).map(|near| near.name)
}

/// How far names are whose words are the same in part: behind a slip of the finger, before a far-off spelling.
const RELATED: usize = 2;

/// A candidate that is near enough. The order of the fields is the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Found<'c> {
    distance: usize,
    common_start: Reverse<usize>,
    difference_in_length: usize,
    name: &'c str,
}

impl<'c> Found<'c> {
    fn compare(wanted: &Form, name: &'c str) -> Option<Found<'c>> {
        let have = Form::of(name);
        let common = wanted.lower.chars().zip(have.lower.chars()).take_while(|(a, b)| a == b).count();
        Some(Found {
            distance: distance(wanted, &have)?,
            common_start: Reverse(common),
            difference_in_length: wanted.length.abs_diff(have.length),
            name,
        })
    }
}

/// A name in the forms that are compared.
struct Form {
    /// In lower case.
    lower: String,
    /// The same without what separates words.
    bare: String,
    /// Its words.
    words: Vec<String>,
    /// The number of its characters.
    length: usize,
}

impl Form {
    fn of(name: &str) -> Form {
        let lower = name.to_lowercase();
        let words: Vec<String> =
            lower.split(['_', '-', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Form { bare: words.concat(), words, length: lower.chars().count(), lower }
    }
}

fn distance(wanted: &Form, have: &Form) -> Option<usize> {
    if wanted.bare == have.bare && !have.bare.is_empty() {
        return Some(0);
    }
    let edits = strsim::damerau_levenshtein(&wanted.lower, &have.lower);
    let limit = (wanted.length / 3).max(1);
    let spelling = (edits <= limit).then_some(edits);
    let related = (have_words_in_common(wanted, have) || one_is_cut_off(wanted, have)).then_some(RELATED);
    spelling.into_iter().chain(related).min()
}

/// Whether names that differ in one letter are long enough to be known by the others, and differ in no digit.
fn is_one_letter(wanted: &Form, have: &Form) -> bool {
    let digits = |form: &Form| form.lower.chars().filter(|c| c.is_numeric()).collect::<String>();
    wanted.length.max(have.length) >= 5 && digits(wanted) == digits(have)
}

/// `delay` and `arr_delay`, `delay_arr` and `arr_delay`, `arrival_delay` and `arr_delay`.
fn have_words_in_common(wanted: &Form, have: &Form) -> bool {
    words_contain(&wanted.lower, &have.lower)
        || words_contain(&have.lower, &wanted.lower)
        || same_words(wanted, have)
        || words_shortened(wanted, have)
}

/// Whether `part` is `whole` without some of its leading or trailing `_`-separated words: `delay` of `arr_delay`.
fn words_contain(whole: &str, part: &str) -> bool {
    part.len() >= 3
        && whole.len() > part.len()
        && (whole.strip_prefix(part).is_some_and(|rest| rest.starts_with('_'))
            || whole.strip_suffix(part).is_some_and(|rest| rest.ends_with('_')))
}

/// The same words in another order.
fn same_words(wanted: &Form, have: &Form) -> bool {
    let sorted = |form: &Form| {
        let mut words = form.words.clone();
        words.sort_unstable();
        words
    };
    wanted.words.len() > 1 && wanted.words.len() == have.words.len() && sorted(wanted) == sorted(have)
}

/// Word by word the same or the beginning of the other's, and some word the same.
fn words_shortened(wanted: &Form, have: &Form) -> bool {
    let pairs = || wanted.words.iter().zip(&have.words);
    let begins = |long: &str, short: &str| short.len() >= 3 && long.starts_with(short);
    wanted.words.len() == have.words.len()
        && pairs().any(|(a, b)| a == b)
        && pairs().all(|(a, b)| a == b || begins(a, b) || begins(b, a))
}

/// Whether one is the first two thirds of the other, or more: `tailnum` and `tail_number`.
fn one_is_cut_off(wanted: &Form, have: &Form) -> bool {
    let cut =
        |long: &str, short: &str| short.len() >= 4 && short.len() * 3 >= long.len() * 2 && long.starts_with(short);
    cut(&wanted.bare, &have.bare) || cut(&have.bare, &wanted.bare)
}

#[cfg(test)]
mod tests {
    use super::{Near, near, nearest};

    const FLIGHTS: &str = "year month day dep_time sched_dep_time dep_delay arr_time sched_arr_time arr_delay carrier \
                           flight tailnum origin dest air_time distance hour minute time_hour";

    #[test]
    fn the_nearest_name_is_a_small_slip_away() {
        let names = ["status", "placed_at", "id", "arr_delay"];
        assert_eq!(nearest("statuss", names), Some("status"));
        assert_eq!(nearest("STATUS", names), Some("status"));
        assert_eq!(nearest("sttaus", names), Some("status"));
        assert_eq!(nearest("delay", names), Some("arr_delay"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("_", names), None);
    }

    #[test]
    fn words_may_be_swapped_shortened_or_run_together() {
        for (written, name) in [
            ("arr_dealy", "arr_delay"),
            ("delay_arr", "arr_delay"),
            ("arrival_delay", "arr_delay"),
            ("departure_delay", "dep_delay"),
            ("scheduled_dep_time", "sched_dep_time"),
            ("DepDelay", "dep_delay"),
            ("airtime", "air_time"),
            ("tail_number", "tailnum"),
            ("carier", "carrier"),
            ("orig", "origin"),
        ] {
            assert_eq!(nearest(written, FLIGHTS.split(' ')), Some(name), "{written}");
        }
        for written in ["departure", "arrival", "passengers", "price", "name"] {
            assert_eq!(nearest(written, FLIGHTS.split(' ')), None, "{written}");
        }
        assert_eq!(nearest("datetime", ["date", "time"]), None);
    }

    #[test]
    fn of_two_as_near_the_one_that_begins_alike_wins() {
        assert_eq!(nearest("sales", ["bales", "saled"]), Some("saled"));
        assert_eq!(nearest("total_b", ["total_c", "total_a"]), Some("total_a"));
        assert_eq!(nearest("total_b", ["total_a", "total_c"]), Some("total_a"));
    }

    #[test]
    fn only_a_plain_slip_is_sure() {
        let is_slip = |written, names: &[&'static str]| {
            near(written, names.iter().copied()).is_some_and(|near: Near<'_, '_>| near.is_slip)
        };
        assert!(is_slip("statuss", &["status", "id"]));
        assert!(is_slip("sttaus", &["status", "id"]));
        assert!(is_slip("orderId", &["order_id", "order_ids"]));
        assert!(is_slip("Id", &["id", "status"]));
        assert!(is_slip("statuss", &["status", "status"]));
        assert!(!is_slip("orderz", &["orders", "order"]), "two are as near");
        assert!(!is_slip("id_", &["id", "ID"]), "two are the same");
        assert!(!is_slip("q2_sales", &["q1_sales"]), "a digit is no slip");
        assert!(!is_slip("idd", &["id"]), "too short");
        assert!(!is_slip("dist", &["dest", "distance"]), "too short");
        assert!(!is_slip("x", &["o"]), "too short");
        assert!(!is_slip("delay", &["arr_delay"]), "a word is more than a slip");
        assert!(!is_slip("pryyce", &["price"]), "two letters");
    }
}
