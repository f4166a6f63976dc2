//! The nearest name: what somebody who misspelt one probably meant.

/// The candidate nearest to `name`, if any is near enough: at most a third of the letters differ (letter case does not
/// count, swapped neighbours count as one), or one is the other with a prefix or suffix of its words left out.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let limit = (wanted.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let have = candidate.to_lowercase();
        let distance = if words_contain(&wanted, &have) || words_contain(&have, &wanted) {
            // Just behind a slip of the finger, before a far-off spelling.
            limit.min(2)
        } else {
            strsim::damerau_levenshtein(&wanted, &have)
        };
        let better = best.is_none_or(|(least, kept)| (distance, candidate) < (least, kept));
        if distance <= limit && better {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Whether `part` is `whole` without some of its leading or trailing `_`-separated words: `delay` of `arr_delay`.
fn words_contain(whole: &str, part: &str) -> bool {
    part.len() >= 3
        && whole.len() > part.len()
        && (whole.strip_prefix(part).is_some_and(|rest| rest.starts_with('_'))
            || whole.strip_suffix(part).is_some_and(|rest| rest.ends_with('_')))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_a_small_slip_away() {
        let names = ["status", "placed_at", "id", "arr_delay"];
        assert_eq!(nearest("statuss", names), Some("status"));
        assert_eq!(nearest("STATUS", names), Some("status"));
        assert_eq!(nearest("sttaus", names), Some("status"));
        assert_eq!(nearest("delay", names), Some("arr_delay"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("x", names), None);
    }
}
