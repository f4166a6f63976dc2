//! What is said of the project beside its tools.

/// The project that the tools are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its own version.
    pub version: Option<&'a str>,
    /// What its data is, for people.
    pub description: Option<&'a str>,
    /// Whether the server asks for a bearer token.
    pub authenticated: bool,
}

impl About<'_> {
    /// The name, with the version where there is one.
    pub(super) fn headline(&self) -> String {
        self.version.map_or_else(|| self.name.to_owned(), |version| format!("{} {version}", self.name))
    }
}
