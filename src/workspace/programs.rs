//! Programs that would not run on this machine.

use super::Workspace;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine;
use crate::project::{QueryForm, RecordToolKind, variables_of};
use crate::syntax;
use crate::tool::{Needs, Tool};
use crate::yaml::Document;

impl Workspace {
    /// The files of the project that programs of tools need and that are not there, each told with its tool.
    pub fn missing_files(&self, tools: &[Tool]) -> Vec<String> {
        let missing = self.missing(tools).into_iter();
        missing.map(|(tool, path)| format!("`{tool}` needs `{path}`, which is not there")).collect()
    }

    /// What would keep programs from running here, each told where its manifest says what runs.
    pub fn unrunnable_programs(&self, tools: &[Tool]) -> Vec<Diagnostic> {
        let mut flaws = engine::program_flaws(&self.dir, &self.project.file, tools);
        for (tool, path) in self.missing(tools) {
            // What is said of it already names it.
            if !flaws.iter().any(|(of, why)| *of == tool && why.contains(&path)) {
                flaws.push((tool, format!("`{path}` is not there")));
            }
        }
        let told = flaws.into_iter().filter_map(|(tool, why)| {
            let sources = &self.project.sources;
            let mut manifests = self.project.queries.iter().filter(|query| query.form == QueryForm::Manifest);
            let query = manifests.find(|query| syntax::declared_name(query, sources) == tool)?;
            let file = sources.get(query.file)?;
            let document = Document::parse(file, file.whole(), &mut Diagnostics::default())?;
            let key =
                ["python", "http", "simple_json", "run"].into_iter().find(|key| document.has(&[*key])).unwrap_or("run");
            Some(codes::unrunnable_program(document.key_span(&[key]), &tool, &why))
        });
        told.chain(self.unrunnable_upstreams(tools)).chain(self.unset_keys()).collect()
    }

    /// The keys of models that no variable holds.
    fn unset_keys(&self) -> Vec<Diagnostic> {
        let mut unset = Vec::new();
        for (records, config) in &self.project.file.records {
            let keys = config.derived.iter().filter_map(|(field, made)| Some((field, made.ai.as_ref()?.key.as_ref()?)));
            for (field, key) in keys {
                let names = variables_of(key).into_iter().filter(|name| std::env::var_os(name).is_none());
                let tool = config.tool_name(RecordToolKind::Materialize, records);
                let place = || self.project.document.value_span(&["records", records, "derived", field, "ai", "key"]);
                unset.extend(names.map(|name| {
                    codes::unrunnable_program(place(), &tool, &format!("the variable `{name}` is not set"))
                }));
            }
        }
        unset
    }

    /// The names of tools with the files of the project that they need and that are not there.
    fn missing(&self, tools: &[Tool]) -> Vec<(String, String)> {
        let mut missing = Vec::new();
        for tool in tools.iter().filter(|tool| tool.contract.alias_of.is_none()) {
            let needed = Needs::of(std::slice::from_ref(tool)).files;
            let gone = needed.into_iter().filter(|path| !self.dir.join(path).exists());
            missing.extend(gone.map(|path| (tool.contract.name.clone(), path)));
        }
        missing
    }
}
