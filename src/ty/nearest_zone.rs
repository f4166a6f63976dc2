//! The time zone that is meant by a name that is none.

use super::coerce::TimeZoneName;

/// A time zone whose name differs by one letter, by two that are swapped, or by letter case; `None` where there is none.
///
/// There is no list of all names to look in: each name that is that near is tried.
pub fn nearest_zone(name: &str) -> Option<String> {
    if name.len() > 64 || !name.is_ascii() || !name.contains('/') {
        return None;
    }
    let is_zone = |name: &String| TimeZoneName::parse(name).is_some();
    let cased = capitalised(name);
    Some(cased.clone())
        .filter(is_zone)
        .or_else(|| variants(name).find(is_zone))
        .or_else(|| variants(&cased).find(is_zone))
}

/// `europe/berlin` → `Europe/Berlin`, `america/new york` → `America/New_York`.
fn capitalised(name: &str) -> String {
    let mut starts = true;
    let one = |c: char| {
        let c = if c == ' ' { '_' } else { c };
        let cased = if starts { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        starts = !c.is_ascii_alphabetic();
        cased
    };
    name.chars().map(one).collect()
}

/// Every name that is one edit away.
fn variants(name: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = name.chars().collect();
    let signs = ('a'..='z').chain('A'..='Z').chain(['_', '/', '-']);
    (0..=letters.len()).flat_map(move |at| {
        let (before, behind) = letters.split_at_checked(at).unwrap_or((&[], &[]));
        let text = |middle: &[char], left: usize| -> String {
            before.iter().chain(middle).chain(behind.iter().skip(left)).collect()
        };
        let swapped = match behind {
            [one, two, ..] => vec![text(&[*two, *one], 2)],
            _ => Vec::new(),
        };
        let left_out = if behind.is_empty() { Vec::new() } else { vec![text(&[], 1)] };
        let written = signs.clone().flat_map(|sign| [text(&[sign], 0), text(&[sign], 1)]);
        left_out.into_iter().chain(swapped).chain(written).collect::<Vec<String>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zone_that_is_meant_is_found() {
        for (written, meant) in [
            ("Europe/Berln", "Europe/Berlin"),
            ("Europe/Belrin", "Europe/Berlin"),
            ("europe/berlin", "Europe/Berlin"),
            ("America/New York", "America/New_York"),
            ("Europe/Pariss", "Europe/Paris"),
        ] {
            assert_eq!(nearest_zone(written).as_deref(), Some(meant), "{written}");
        }
        for none in ["Berlin", "Mars/Olympus", "", "/"] {
            assert_eq!(nearest_zone(none), None, "{none}");
        }
    }
}
