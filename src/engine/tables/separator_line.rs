//! The line that Excel puts before a CSV text to say what stands between values: `sep=;`.

/// What a text says in such a line at its beginning.
pub(super) fn separator_of(text: &[u8]) -> Option<u8> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let (name, sign) = line.split_at_checked(4)?;
    match sign {
        [sign] if name.eq_ignore_ascii_case(b"sep=") && sign.is_ascii() => Some(*sign),
        _ => None,
    }
}

/// Why a text that begins so is not read as it is.
pub(super) fn separator_told(sign: u8) -> String {
    let shown = char::from(sign).escape_debug().to_string();
    format!(
        "its first line, `sep={shown}`, says what stands between values, and names no columns: declare \
         `delimiter: \"{shown}\"` and `skip_lines: 1`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_says_the_separator_is_nothing_else() {
        for text in ["sep=;\na;b\n", "SEP=;\r\na;b\r\n", "\u{feff}sep=;\n", "\"sep=;\"\na;b", "sep=;"] {
            assert_eq!(separator_of(text.as_bytes()), Some(b';'), "{text}");
        }
        assert_eq!(separator_of(b"sep=\t\na\tb\n"), Some(b'\t'));
        for text in ["sep;a\n", "sep=;a\n", "a,sep=;\n", "sep=\n", "", "sep=\u{f6}\n"] {
            assert_eq!(separator_of(text.as_bytes()), None, "{text}");
        }
    }
}
