//! Errors that are words for a person: nothing is decided by them further on, but what they are about is a type.

/// Declares an error that is a sentence, or the part of one that its documentation says.
macro_rules! in_words {
    ($(#[$meta:meta])* $vis:vis struct $name:ident;) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $vis struct $name(String);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::error::Error for $name {}

        impl<T: Into<String>> From<T> for $name {
            fn from(words: T) -> $name {
                $name(words.into())
            }
        }
    };
}

pub(crate) use in_words;
