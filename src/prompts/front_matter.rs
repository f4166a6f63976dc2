//! Where the front matter of a prompt file stands, and where its template begins.

use crate::diagnostic::{Diagnostics, codes};
use crate::source::{SourceFile, Span};

/// The line before and after the front matter.
const FENCE: &str = "---";

/// The parts of a prompt file.
pub(super) struct Extent {
    /// The YAML, without the lines around it.
    pub(super) yaml: Span,
    /// The template: all that follows.
    pub(super) template: Span,
}

/// Finds the parts; reports a file that does not have them.
pub(super) fn extent(file: &SourceFile, sink: &mut Diagnostics) -> Option<Extent> {
    let text = file.text.as_ref();
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let mut lines = Lines { text, at: start };
    let first = lines.next().unwrap_or_default();
    if first.trim_end() != FENCE {
        let place = file.span(start, start + first.trim_end().len());
        sink.push(match is_nearly_fence(first) {
            true => codes::nearly_front_matter(place),
            false => codes::no_front_matter(place),
        });
        return None;
    }
    let yaml = lines.at;
    let mut nearly = None;
    loop {
        let end = lines.at;
        match lines.next() {
            Some(line) if line.trim_end() == FENCE => {
                let (yaml, template) = (file.span(yaml, end), file.span(lines.at, text.len()));
                return Some(Extent { yaml, template });
            }
            Some(line) if nearly.is_none() && is_nearly_fence(line) => {
                nearly = Some(file.span(end, end + line.trim_end().len()));
            }
            Some(_) => {}
            None => {
                sink.push(codes::unclosed_front_matter(file.span(start, start + FENCE.len()), nearly));
                return None;
            }
        }
    }
}

/// Whether a line has nothing but hyphens, blanks, and what programs make of hyphens; or dots, which end a document.
fn is_nearly_fence(line: &str) -> bool {
    let line = line.trim();
    let is_dash = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}') || c.is_whitespace();
    line == "..." || line == "+++" || !line.is_empty() && line != "-" && line.chars().all(is_dash)
}

/// The lines of a text with their ends, from a byte on.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Lines<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let line = self.text.get(self.at..)?.split_inclusive('\n').next()?;
        self.at += line.len();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn parts(text: &str) -> Result<(String, String), String> {
        let mut sources = Sources::default();
        let id = sources.add("prompts/p.md", text);
        let (file, mut sink) = (sources.get(id).unwrap(), Diagnostics::default());
        match extent(file, &mut sink) {
            Some(found) => Ok((file.slice(found.yaml).to_owned(), file.slice(found.template).to_owned())),
            None => {
                let problem = sink.into_sorted().remove(0);
                Err(format!("{} | {}", problem.message, file.slice(problem.primary.unwrap().span)))
            }
        }
    }

    #[test]
    fn the_front_matter_stands_between_the_first_two_fences() {
        let is = |yaml: &str, template: &str| Ok((yaml.to_owned(), template.to_owned()));
        assert_eq!(parts("---\na: 1\n---\nText\n---\nmore\n"), is("a: 1\n", "Text\n---\nmore\n"));
        assert_eq!(parts("\u{feff}\n---  \r\na: 1\r\n---\r\nText"), is("a: 1\r\n", "Text"));
        assert_eq!(parts("---\n---\n"), is("", ""));
        assert_eq!(parts("---\na: ---\n---"), is("a: ---\n", ""));
    }

    #[test]
    fn a_file_without_front_matter_is_told_where_it_is_missing() {
        let missing = |shown: &str| Err(format!("invalid prompt: the file has no front matter | {shown}"));
        assert_eq!(parts("# Title\n---\n"), missing("# Title"));
        assert_eq!(parts("----\n---\n"), missing("----"));
        assert_eq!(parts(""), missing(""));
        assert_eq!(parts("---\na: 1\n"), Err("invalid prompt: the front matter is not closed | ---".to_owned()));
    }

    #[test]
    fn a_line_that_is_nearly_a_fence_is_mended() {
        let mended = |text: &str| {
            let mut sources = Sources::default();
            let id = sources.add("prompts/p.md", text);
            let mut sink = Diagnostics::default();
            assert!(extent(sources.get(id).unwrap(), &mut sink).is_none(), "{text:?}");
            let problem = sink.into_sorted().remove(0);
            let edit = problem.helps.iter().find_map(|help| help.edits.first()).unwrap();
            let mut text = text.to_owned();
            text.replace_range(edit.span.start..edit.span.end, &edit.replacement);
            text
        };
        for mark in ["----", "--", "- - -", "\u{2014}", "+++"] {
            assert_eq!(mended(&format!("{mark}\na: 1\n---\nText")), "---\na: 1\n---\nText");
        }
        for mark in ["----", "--", "-- -", "\u{2014}", "..."] {
            assert_eq!(mended(&format!("---\na: 1\n{mark}\r\nText")), "---\na: 1\n---\r\nText");
        }
    }
}
