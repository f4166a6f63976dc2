//! The nearest name: what somebody who misspelt one probably meant.

use std::cmp::Reverse;

/// A known name near to one that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near<'w, 'c> {
    /// The name that was written.
    pub written: &'w str,
    /// The nearest one that is known.
    pub name: &'c str,
    /// How alike they are.
    pub likeness: Likeness,
}

impl Near<'_, '_> {
    /// The same, where there is a reason to doubt that it was meant.
    #[must_use]
    pub fn doubtful(self) -> Self {
        Near { likeness: Likeness::Similar, ..self }
    }
}

/// How alike what was written and a known name are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// Nothing differs but letter case and what separates the words, and no other known name is as near.
    Same,
    /// One letter of at least five differs that is no digit (`q1` and `q2` are two things), and no other known name is
    /// as near: a slip, if nothing is meant that is not known.
    Slip,
    /// More differs, or there is another as near.
    Similar,
}

/// The candidate nearest to what was written, and how alike they are.
pub fn near<'w, 'c>(written: &'w str, candidates: impl IntoIterator<Item = &'c str>) -> Option<Near<'w, 'c>> {
    let wanted = Form::of(written);
    let mut found: Vec<Found<'c>> =
        candidates.into_iter().filter_map(|candidate| Found::compare(&wanted, candidate)).collect();
    found.sort_unstable();
    found.dedup();
    let best = *found.first()?;
    let within = |most: usize| found.iter().filter(|other| other.distance <= most).count();
    let have = Form::of(best.name);
    let has_other_numbers = wanted.numbers() != have.numbers();
    let likeness = match best.distance {
        0 if within(0) == 1 && !has_other_numbers => Likeness::Same,
        1 if within(1) == 1 && !has_other_numbers && wanted.length.max(have.length) >= 5 => Likeness::Slip,
        _ => Likeness::Similar,
    };
    Some(Near { written, name: best.name, likeness })
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

    /// Its numbers: `v1_2` has two, `v12` has one.
    fn numbers(&self) -> Vec<&str> {
        self.lower.split(|c: char| !c.is_numeric()).filter(|number| !number.is_empty()).collect()
    }
}

fn distance(wanted: &Form, have: &Form) -> Option<usize> {
    if wanted.bare == have.bare && !have.bare.is_empty() {
        return Some(0);
    }
    let edits = strsim::damerau_levenshtein(&wanted.lower, &have.lower);
    let limit = (wanted.length / 3).max(1);
    // Two names of which nothing is the same are not near, however short.
    let is_alike = edits < wanted.length.max(have.length);
    let spelling = (edits <= limit && is_alike).then_some(edits);
    let related = (have_words_in_common(wanted, have) || one_is_cut_off(wanted, have)).then_some(RELATED);
    spelling.into_iter().chain(related).min()
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
    use super::{Likeness, near, nearest};

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
    fn names_are_the_same_but_for_spelling_or_differ_by_a_slip_or_by_more() {
        use Likeness::{Same, Similar, Slip};
        let cases: [(Likeness, &str, &[&str], &str); 16] = [
            (Same, "orderId", &["order_id", "order_ids"], "letter case and separators"),
            (Same, "Id", &["id", "status"], "letter case, however short"),
            (Same, "Q1_SALES", &["q1_sales", "q2_sales"], "the same number"),
            (Slip, "statuss", &["status", "id"], "a letter too many"),
            (Slip, "sttaus", &["status", "id"], "two letters swapped"),
            (Slip, "statuss", &["status", "status"], "one name, known twice"),
            (Similar, "orderz", &["orders", "order"], "two are as near"),
            (Similar, "id_", &["id", "ID"], "two are the same"),
            (Similar, "q2_sales", &["q1_sales"], "a digit is no slip"),
            (Similar, "v12", &["v1_2"], "a separator between digits is one of them"),
            (Similar, "idd", &["id"], "too short"),
            (Similar, "dist", &["dest", "distance"], "too short"),
            (Similar, "delay", &["arr_delay"], "a word is more than a slip"),
            (Similar, "pryyce", &["price"], "two letters"),
            (Similar, "tail_number", &["tailnum"], "a word cut off"),
            (Similar, "delay_arr", &["arr_delay"], "words in another order"),
        ];
        for (likeness, written, names, why) in cases {
            let found = near(written, names.iter().copied()).map(|near| near.likeness);
            assert_eq!(found, Some(likeness), "{written}: {why}");
        }
    }

    #[test]
    fn a_doubtful_name_is_only_similar() {
        let near = near("orderId", ["order_id"]).unwrap();
        assert_eq!(near.likeness, Likeness::Same);
        assert_eq!(near.doubtful().likeness, Likeness::Similar);
        assert_eq!(near.doubtful().name, "order_id");
    }
}
