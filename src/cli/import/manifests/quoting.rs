//! Texts of others in the texts of a manifest, where `<<` opens a placeholder.

/// The text, so that it stands for itself.
pub(crate) fn escaped(text: &str) -> String {
    text.replace("<<", "<<<<")
}

/// The placeholder of a parameter.
pub(crate) fn placeholder(name: &str) -> String {
    format!("<< {name} >>")
}
