//! Names of files that are nearly those of a form: `UP.SQL`, `report.MD`, `orders.yml`, `orders.yaml.txt`.

use crate::name::near;

/// A form of files, told by the ending of their names.
pub(super) struct Form {
    /// The ending.
    pub(super) ending: &'static str,
    /// What such a file is called, with its article.
    pub(super) what: &'static str,
    /// Endings that others have for it, in lower case.
    pub(super) like: &'static [&'static str],
}

/// The form that a file's name nearly has, and the name without its ending. One that is right is none of them, except
/// where it ends in one of another form's endings too.
pub(super) fn nearly<'f>(name: &str, forms: &'f [Form]) -> Option<(&'f Form, String)> {
    let bare = name.trim();
    // As some editors and systems add it.
    let lower = bare.to_lowercase();
    let cut = lower.strip_suffix(".txt").unwrap_or(&lower).trim_end();
    for form in forms {
        for ending in form.like.iter().chain([&form.ending]) {
            let Some(stem) = cut.strip_suffix(ending).filter(|stem| !stem.is_empty() && !stem.ends_with('/')) else {
                continue;
            };
            // In the letters that it is written in.
            let stem: String = bare.chars().take(stem.chars().count()).collect();
            return Some((form, stem.trim_end().to_owned()));
        }
    }
    None
}

/// What is added to the names of files that are kept beside another.
const BACKUPS: [&str; 7] = [".bak", ".old", ".orig", ".save", ".off", ".disabled", "~"];

/// The query that a file seems to hold settings of, by its ending: one of another language, a misspelt one, or one that
/// was put aside. What is put aside beside the file that is read is left alone: `has_sidecar` tells of a query.
pub(super) fn settings(name: &str, has_sidecar: &dyn Fn(&str) -> bool) -> Option<String> {
    let (name, is_aside) = match BACKUPS.iter().find_map(|ending| name.strip_suffix(ending)) {
        Some(name) => (name, true),
        None => (name, false),
    };
    let (stem, ending) = name.rsplit_once('.')?;
    let lower = ending.to_lowercase();
    let is_right = lower == "yaml" || lower == "yml";
    let is_slip = lower.starts_with('y') && lower.len() > 1 && near(&lower, ["yaml", "yml"]).is_some();
    let is_settings = if is_aside { is_right } else { is_slip || ["json", "toml"].contains(&ending) };
    let is_query = !stem.is_empty() && !stem.ends_with('/');
    (is_settings && is_query && !(is_aside && has_sidecar(stem))).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_that_are_nearly_that_of_settings_are_seen() {
        let none = |_: &str| false;
        for name in ["a.yam", "a.ymal", "a.yalm", "a.YAM", "a.ym", "a.json", "a.toml"].into_iter().chain([
            "a.yml.bak",
            "a.yaml~",
            "a.yaml.old",
            "a.yaml.off",
            "a.yml.disabled",
        ]) {
            assert_eq!(settings(name, &none).as_deref(), Some("a"), "{name}");
        }
        for name in ["a.xml", "a.yarn", "a.y", "a.csv", "a.sql.bak", ".yam", "a.json.bak", "yam", "a.txt"] {
            assert_eq!(settings(name, &none), None, "{name}");
        }
        assert_eq!(settings("b/a.test.yam", &none).as_deref(), Some("b/a.test"));
        assert_eq!(settings("a.yaml.bak", &|stem| stem == "a"), None);
    }

    #[test]
    fn names_that_are_nearly_right_are_seen() {
        let forms = [
            Form { ending: ".md", what: "a prompt", like: &[".markdown"] },
            Form { ending: ".yaml", what: "a sidecar", like: &[".sql.yaml", ".yml"] },
        ];
        let seen = |name: &str| nearly(name, &forms).map(|(form, stem)| format!("{stem}{}", form.ending));
        for (name, meant) in [
            ("UP.MD", "UP.md"),
            ("a/b.Markdown", "a/b.md"),
            ("a.md.txt", "a.md"),
            ("a.md ", "a.md"),
            ("A.YML", "A.yaml"),
            ("a.sql.yaml", "a.yaml"),
            ("a.yaml.txt", "a.yaml"),
        ] {
            assert_eq!(seen(name).as_deref(), Some(meant), "{name}");
        }
        for name in ["README", "a.txt", "a.md~", "a.yaml.bak", "a.csv", ".md", "a.mdx"] {
            assert_eq!(seen(name), None, "{name}");
        }
    }
}
