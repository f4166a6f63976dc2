//! Versions of a tool: which is newer, and the name of one that is not the newest.

use std::cmp::Ordering;

/// `orders` and `1.2` → `orders_v1_2`.
pub(crate) fn versioned_name(name: &str, version: &str) -> String {
    let numbers: Vec<String> =
        version_numbers(version).into_iter().flatten().map(|number| number.to_string()).collect();
    format!("{name}_v{}", numbers.join("_"))
}

/// The numbers of a version: `1`, `v2`, `1.10.0`.
pub(crate) fn version_numbers(version: &str) -> Option<Vec<u64>> {
    let bare = version.trim();
    let bare = bare.strip_prefix(['v', 'V']).unwrap_or(bare);
    bare.split('.').map(|number| number.parse().ok()).collect()
}

/// Which of two versions is newer; what is not written counts as 0.
pub(crate) fn compared_versions(one: &str, other: &str) -> Ordering {
    let (one, other) = (version_numbers(one).unwrap_or_default(), version_numbers(other).unwrap_or_default());
    let number = |of: &[u64], at: usize| of.get(at).copied().unwrap_or(0);
    (0..one.len().max(other.len()))
        .map(|at| number(&one, at).cmp(&number(&other, at)))
        .find(|order| *order != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (older, newer) in [("1", "2"), ("1.9", "1.10"), ("v1", "1.0.1"), ("0.9.9", "1")] {
            assert_eq!(compared_versions(older, newer), Ordering::Less, "{older} {newer}");
        }
        assert_eq!(compared_versions("1", "1.0.0"), Ordering::Equal);
        assert_eq!((version_numbers("beta"), version_numbers("1-rc"), version_numbers("")), (None, None, None));
        assert_eq!(versioned_name("orders", "v1.2"), "orders_v1_2");
    }
}
