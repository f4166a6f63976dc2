//! Words for rows and tables, out of their names.

/// Words whose plural is told from the singular by nobody, and those that only look like a plural.
const BOTH: [&str; 7] = ["series", "species", "news", "data", "status", "address", "analysis"];

/// A name as words: `film_actor` is `film actor`.
fn spaced(name: &str) -> String {
    name.replace('_', " ").trim().to_owned()
}

/// One of what a table is called by: `orders` has a row for each `order`.
pub(super) fn singular(name: &str) -> String {
    let words = spaced(name);
    let (before, last) = words.rsplit_once(' ').map_or(("", words.as_str()), |(before, last)| (before, last));
    let one = singular_word(last);
    if before.is_empty() { one } else { format!("{before} {one}") }
}

fn singular_word(word: &str) -> String {
    if BOTH.contains(&word) || word.len() < 4 {
        return word.to_owned();
    }
    let without = |ending: &str, put: &str| word.strip_suffix(ending).map(|stem| format!("{stem}{put}"));
    let es = ["sses", "xes", "ches", "shes", "tuses", "nuses", "ruses"];
    if matches!(word, "movies" | "cookies" | "caches") {
        return without("s", "").unwrap_or_default();
    }
    if word.ends_with("ies") {
        return without("ies", "y").unwrap_or_default();
    }
    if es.iter().any(|ending| word.ends_with(ending)) {
        return without("es", "").unwrap_or_default();
    }
    if word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        return without("s", "").unwrap_or_default();
    }
    word.to_owned()
}

/// Many of what a table is called by.
pub(super) fn plural(name: &str) -> String {
    let one = singular(name);
    let is_vowel = |letter: Option<char>| letter.is_some_and(|letter| "aeiou".contains(letter));
    if ["series", "species", "news", "data"].iter().any(|word| one.ends_with(word)) {
        return one;
    }
    if let Some(stem) = one.strip_suffix('y').filter(|stem| !is_vowel(stem.chars().last())) {
        return format!("{stem}ies");
    }
    if let Some(stem) = one.strip_suffix("sis") {
        return format!("{stem}ses");
    }
    match ["s", "x", "ch", "sh"].iter().any(|ending| one.ends_with(ending)) {
        true => format!("{one}es"),
        false => format!("{one}s"),
    }
}

/// `an` before a vowel, else `a`.
pub(super) fn article(words: &str) -> &'static str {
    let is_vowel =
        words.starts_with(['a', 'e', 'i', 'o', 'u']) && !words.starts_with("us") && !words.starts_with("uni");
    if is_vowel { "an" } else { "a" }
}

/// A sentence begins with a capital.
pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_called_by_many_or_by_one() {
        for (name, one, many) in [
            ("orders", "order", "orders"),
            ("order_details", "order detail", "order details"),
            ("categories", "category", "categories"),
            ("addresses", "address", "addresses"),
            ("statuses", "status", "statuses"),
            ("houses", "house", "houses"),
            ("boxes", "box", "boxes"),
            ("movies", "movie", "movies"),
            ("film_actor", "film actor", "film actors"),
            ("staff", "staff", "staffs"),
            ("bus", "bus", "buses"),
            ("days", "day", "days"),
            ("analyses", "analyse", "analyses"),
            ("series", "series", "series"),
        ] {
            assert_eq!((singular(name).as_str(), plural(name).as_str()), (one, many), "{name}");
        }
        assert_eq!((article("order"), article("user"), article("row")), ("an", "a", "a"));
        assert_eq!(joined(&["a".to_owned(), "b".to_owned(), "c".to_owned()]), "a, b and c");
        assert_eq!(capital("order detail"), "Order detail");
    }
}
