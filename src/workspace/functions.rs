//! What a project takes from its functions in Python: the signatures of those whose manifests do not say them. They are locked,
//! so that nothing is imported where the project is served.

use super::{Locking, Workspace};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine::function_described;
use crate::load::{self, SelfDescribed};
use crate::project::{QueryForm, Signature};
use crate::source::Span;
use crate::syntax;
use crate::tool::Tool;
use crate::yaml::Document;
use serde_json::Value;

impl Workspace {
    /// Asks all functions anew what they take, and locks what they say; the names of their manifests, and whether that is
    /// something else than before.
    pub async fn relock_functions(&mut self, progress: fn(&str)) -> Vec<(String, bool)> {
        let mut asked = Vec::new();
        self.undescribed.clear();
        for of in load::self_described(&self.project.queries, &self.project.sources) {
            let path = load::signature_path(&self.dir, &of.stem);
            let read = || path.as_ref().ok().and_then(|path| std::fs::read_to_string(path).ok());
            let (before, stem) = (read(), of.stem.clone());
            if self.describe(of, Locking::Write, progress).await {
                asked.push((stem, read() != before));
            }
        }
        asked
    }

    /// Asks a function what it takes, and locks what it says. Whether it says it.
    pub(super) async fn describe(&mut self, of: SelfDescribed, locking: Locking, progress: fn(&str)) -> bool {
        progress(&format!("asking Python about {}", of.python.python));
        let (dir, file, python) = (self.dir.clone(), self.project.file.clone(), of.python.clone());
        let asked = tokio::task::spawn_blocking(move || function_described(&dir, &file, &python)).await;
        let described = match asked {
            Ok(Ok(described)) => described,
            Ok(Err(why)) => {
                self.found.push(codes::undescribed_function(self.place_of(&of), &of.python.python, &why.to_string()));
                return false;
            }
            Err(_) => {
                let why = "asking it failed";
                self.found.push(codes::undescribed_function(self.place_of(&of), &of.python.python, why));
                return false;
            }
        };
        let text = Signature::of(&described).text(&of.python.python);
        let path = load::signature_path(std::path::Path::new(""), &of.stem);
        let shown = path.map_or_else(|_| of.stem.clone(), |path| path.to_string_lossy().replace('\\', "/"));
        if locking == Locking::Write
            && let Err(error) = load::write_signature(&self.dir, &of.stem, &text)
        {
            self.found.push(codes::unreadable_file(None, &shown, &load::io_reason(&error)));
        }
        let id = self.project.sources.add(shown, text);
        let query = self.project.queries.iter_mut().find(|query| query.file == of.file);
        query.into_iter().for_each(|query| query.sidecar = Some(id));
        true
    }

    /// Functions that do not take what their manifests or locks say, asked now; or cannot be asked.
    pub fn function_flaws(&self, tools: &[Tool]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for tool in tools.iter().filter(|tool| tool.contract.alias_of.is_none()) {
            let Some(python) = tool.python() else { continue };
            let Some(place) = self.place_of_function(&tool.contract.name) else { continue };
            let told = |why: &str| codes::unrunnable_program(place, &tool.contract.name, why);
            match function_described(&self.dir, &self.project.file, python) {
                Ok(described) => {
                    let differs = differences(&described, tool);
                    found.extend(differs.into_iter().map(|why| told(&why)));
                }
                Err(why) => found.push(told(&why.to_string())),
            }
        }
        found
    }

    fn place_of_function(&self, tool: &str) -> Option<Span> {
        let sources = &self.project.sources;
        let mut manifests = self.project.queries.iter().filter(|query| query.form == QueryForm::Manifest);
        let query = manifests.find(|query| syntax::declared_name(query, sources) == tool)?;
        let file = sources.get(query.file)?;
        let document = Document::parse(file, file.whole(), &mut Diagnostics::default())?;
        Some(document.key_span(&["python"]))
    }

    /// Where a manifest names its function.
    pub(super) fn place_of(&self, of: &SelfDescribed) -> Span {
        let Some(file) = self.project.sources.get(of.file) else { return self.project.document.key_span(&["name"]) };
        let key = "python:";
        let at = file.text.find(key).unwrap_or(0);
        file.span(at, (at + key.len() - 1).min(file.text.len()))
    }
}

/// What a tool sends that its function does not take, and what the function needs that the tool does not send.
fn differences(described: &Value, tool: &Tool) -> Vec<String> {
    let parameters: Vec<&Value> = described.get("parameters").and_then(Value::as_array).into_iter().flatten().collect();
    let name = |parameter: &Value| parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let notes = described.get("notes").and_then(Value::as_array).into_iter().flatten();
    // Whatever is sent arrives in `**kwargs`.
    let takes_all = notes.filter_map(Value::as_str).any(|note| note.starts_with("`**"));
    let mut found = Vec::new();
    for sent in tool.contract.parameters() {
        if !takes_all && !parameters.iter().any(|parameter| name(parameter) == sent.name) {
            found.push(format!(
                "the function has no parameter `{}`; after a change of it, `qtool lock` asks again",
                sent.name
            ));
        }
    }
    let is_injected = |parameter: &&&Value| parameter.get("injected").is_some_and(|injected| !injected.is_null());
    for needed in parameters.iter().filter(|parameter| !is_injected(parameter)) {
        let may_be_none = needed.pointer("/type/nullable") == Some(&Value::Bool(true));
        let is_required = needed.get("required") == Some(&Value::Bool(true)) && !may_be_none;
        let sent = tool.contract.parameter(&name(needed));
        let may_be_absent = sent.is_none_or(|sent| {
            !sent.required && sent.default.is_none() && sent.default_expression.is_none() && sent.from.is_none()
        });
        if is_required && may_be_absent {
            found.push(format!("the function needs `{}`, and not every call has it", name(needed)));
        }
    }
    found
}
