//! Programs that would not run on this machine.

use super::Workspace;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine;
use crate::project::QueryForm;
use crate::syntax;
use crate::tool::Tool;
use crate::yaml::Document;

impl Workspace {
    /// What would keep programs from running here, each told where its manifest says what runs.
    pub fn unrunnable_programs(&self, tools: &[Tool]) -> Vec<Diagnostic> {
        let flaws = engine::program_flaws(&self.dir, &self.project.file, tools);
        let told = flaws.into_iter().filter_map(|(tool, why)| {
            let sources = &self.project.sources;
            let mut manifests = self.project.queries.iter().filter(|query| query.form == QueryForm::Manifest);
            let query = manifests.find(|query| syntax::declared_name(query, sources) == tool)?;
            let file = sources.get(query.file)?;
            let document = Document::parse(file, file.whole(), &mut Diagnostics::default())?;
            let key = if document.has(&["python"]) { "python" } else { "run" };
            Some(codes::unrunnable_program(document.key_span(&[key]), &tool, &why))
        });
        told.collect()
    }
}
