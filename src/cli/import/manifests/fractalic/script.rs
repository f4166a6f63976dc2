//! What the text of a script says of it, without running it: how it takes its arguments.

/// How a script takes its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// As one JSON object in its first argument, and it answers to the question whether it does.
    Json,
    /// As options that `argparse` reads.
    Options,
    /// The text does not tell.
    Unknown,
}

/// How a script takes its arguments.
pub(super) fn takes(text: &str) -> Takes {
    match text {
        _ if text.contains("__test__") => Takes::Json,
        _ if text.contains("argparse") => Takes::Options,
        _ => Takes::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_tells_how_arguments_come() {
        assert_eq!(takes("if argv == '{\"__test__\": true}': # import argparse"), Takes::Json);
        assert_eq!(takes("import argparse"), Takes::Options);
        assert_eq!(takes("print(1)"), Takes::Unknown);
    }
}
