//! The front matter of Markdown: YAML between two lines of `---`.

/// The YAML and what follows; `None` where there is no front matter.
pub(super) fn front_matter(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut at = 0;
    let mut yaml = None;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_end() == "---";
        match yaml {
            None if !is_fence => return None,
            None => yaml = Some(at + line.len()),
            Some(start) if is_fence => return Some((text.get(start..at)?, text.get(at + line.len()..)?)),
            Some(_) => {}
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_stands_between_two_fences() {
        assert_eq!(front_matter("---\na: 1\n---\nx\n---\n"), Some(("a: 1\n", "x\n---\n")));
        assert_eq!(front_matter("\n---\r\na: 1\r\n---"), Some(("a: 1\r\n", "")));
        assert_eq!(front_matter("# x\n---\na: 1\n---\n"), None);
        assert_eq!(front_matter("---\na: 1\n"), None);
    }
}
