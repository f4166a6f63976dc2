//! The front matter of a sheet's `README.md`: who writes where nobody says, and words to group by.

use super::super::manifests::read_yaml::document;
use super::flaw::Flaw;
use super::front_matter::front_matter;
use serde_json::Value;

/// What a `README.md` says that has a form here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Readme {
    /// Who writes where nobody says.
    pub(super) actor: Option<String>,
    /// Words to group tools by.
    pub(super) tags: Vec<String>,
    /// What the sheet is for.
    pub(super) purpose: Option<String>,
    /// Keys that have no form here.
    pub(super) others: Vec<String>,
}

/// Reads a `README.md`; without front matter it says nothing.
///
/// Errors: its front matter is none.
pub(super) fn readme(text: &str) -> Result<Readme, Flaw> {
    let Some((yaml, _)) = front_matter(text).filter(|_| text.starts_with("---")) else {
        return Ok(Readme::default());
    };
    let Value::Object(said) = document(yaml).map_err(|why| Flaw::from(why.to_string()))? else {
        return Err("its front matter is no mapping".into());
    };
    let words = |key: &str| {
        let text = said.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    let tags = said.get("tags").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let known = ["default_actor", "tags", "purpose"];
    Ok(Readme {
        actor: words("default_actor"),
        tags: tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
        purpose: words("purpose"),
        others: said.keys().filter(|key| !known.contains(&key.as_str())).cloned().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_form_is_read() {
        let found = readme("---\npurpose: Plans.\ndefault_actor: agent:x\ntags: [a, b]\nlinks: { t: u }\n---\n# x\n");
        let expected = Readme {
            actor: Some("agent:x".to_owned()),
            tags: vec!["a".to_owned(), "b".to_owned()],
            purpose: Some("Plans.".to_owned()),
            others: vec!["links".to_owned()],
        };
        assert_eq!(found, Ok(expected));
        assert_eq!(readme("# x\n"), Ok(Readme::default()));
        assert!(readme("---\n- 1\n---\n").is_err());
    }
}
