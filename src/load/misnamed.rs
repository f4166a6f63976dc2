//! Names of files that are nearly those of a form: `UP.SQL`, `report.MD`, `orders.yml`, `orders.yaml.txt`.

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

#[cfg(test)]
mod tests {
    use super::*;

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
