//! The comments before a statement, and between its tokens.

/// A comment, by the bytes that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Comment {
    /// Its form.
    pub(super) form: Form,
    /// The first byte.
    pub(super) start: usize,
    /// One past the last byte; the line break behind a line does not count.
    pub(super) end: usize,
}

/// How a comment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `/* … */`, with others inside.
    Block,
    /// `-- …`, and all lines directly below that begin so.
    Lines,
}

/// Whether a character shows nothing: white space, a byte order mark, spaces without width.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{180e}' | '\u{ad}')
}

/// Where the first character stands that is not blank, from a byte on.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start_matches(is_blank).len()
}

/// The comment that stands at a byte, behind blanks; `None` where something else does, or where it never ends.
pub(super) fn next(text: &str, at: usize) -> Option<Comment> {
    let start = skip_blanks(text, at);
    let rest = text.get(start..)?;
    if rest.starts_with("/*") {
        let end = block_end(text, start)?;
        return Some(Comment { form: Form::Block, start, end });
    }
    if !rest.starts_with("--") {
        return None;
    }
    let mut end = start;
    for line in rest.split_inclusive('\n') {
        if !line.trim_start_matches(is_blank).starts_with("--") {
            break;
        }
        end += line.len();
    }
    let lines = text.get(start..end)?.trim_end_matches(['\n', '\r']);
    Some(Comment { form: Form::Lines, start, end: start + lines.len() })
}

/// All comments of a text from one byte to another, which holds nothing else but blanks.
pub(super) fn all(text: &str, from: usize, to: usize) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = from;
    while let Some(comment) = text.get(..to).and_then(|text| next(text, at)) {
        at = comment.end;
        found.push(comment);
    }
    found
}

/// One past the end of the block comment that begins at a byte. Comments nest, as they do for the parser.
fn block_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)?) {
            (b'/', b'*') => {
                depth += 1;
                at += 2;
            }
            (b'*', b'/') => {
                depth = depth.checked_sub(1)?;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(Form, &str)> {
        all(text, 0, text.len()).iter().map(|one| (one.form, text.get(one.start..one.end).unwrap())).collect()
    }

    #[test]
    fn comments_nest_and_lines_belong_together() {
        assert_eq!(
            texts("\u{feff} -- a\r\n  -- b\n\n-- c\n/* d /* e */ */ -- f"),
            [
                (Form::Lines, "-- a\r\n  -- b"),
                (Form::Lines, "-- c"),
                (Form::Block, "/* d /* e */ */"),
                (Form::Lines, "-- f")
            ]
        );
        assert_eq!(texts("SELECT /* a */"), []);
        assert_eq!(texts("/* never ends"), []);
        assert_eq!(texts("/*/ */"), [(Form::Block, "/*/ */")]);
    }
}
