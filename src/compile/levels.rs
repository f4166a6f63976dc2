//! How loud each lint is: as the header of the query says that a finding is about, else that of a query which it also
//! points to, else as the project says.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::project::{LintLevel, Lints, Project};
use crate::source::FileId;
use crate::syntax::ParsedQuery;
use std::collections::HashMap;
use std::sync::Arc;

/// The levels of a project and of its queries.
pub(super) struct Levels<'a> {
    project: &'a Lints,
    /// By the files of a query: its own, and the sidecar.
    queries: HashMap<FileId, &'a Lints>,
}

impl<'a> Levels<'a> {
    pub(super) fn of(project: &'a Project, parsed: &'a [Arc<ParsedQuery>]) -> Levels<'a> {
        let sidecars: HashMap<FileId, FileId> =
            project.queries.iter().filter_map(|query| Some((query.file, query.sidecar?))).collect();
        let mut queries = HashMap::new();
        for query in parsed {
            for file in sidecars.get(&query.file).copied().into_iter().chain([query.file]) {
                queries.insert(file, &query.header.lints);
            }
        }
        Levels { project: &project.file.lints, queries }
    }

    /// Takes over what was found, at its level: what is allowed is left out, what is denied becomes an error.
    pub(super) fn report(&self, found: Diagnostics, sink: &mut Diagnostics) {
        for mut diagnostic in found.into_sorted() {
            match self.level(&diagnostic) {
                Some(LintLevel::Allow) => continue,
                Some(LintLevel::Deny) => diagnostic.severity = Severity::Error,
                Some(LintLevel::Warn) => diagnostic.severity = Severity::Warning,
                None if diagnostic.code.is_silent() => continue,
                None => {}
            }
            sink.push(diagnostic);
        }
    }

    fn level(&self, diagnostic: &Diagnostic) -> Option<LintLevel> {
        // A finding may be worse than its code: then nobody may allow it. The worst come first.
        if !diagnostic.code.is_lint() || diagnostic.severity < diagnostic.code.severity() {
            return None;
        }
        let mut places = diagnostic.primary.iter().chain(&diagnostic.secondary);
        let query = places.find_map(|label| self.queries.get(&label.span.file)?.level(diagnostic.code));
        query.or_else(|| self.project.level(diagnostic.code))
    }
}
