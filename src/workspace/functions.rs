//! What a project takes from its functions in Python: the signatures of those whose manifests do not say them. They are locked,
//! so that nothing is imported where the project is served.

use super::{Locking, Workspace};
use crate::diagnostic::codes;
use crate::engine::function_described;
use crate::load::{self, SelfDescribed};
use crate::project::Signature;
use crate::source::Span;

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

    /// Where a manifest names its function.
    pub(super) fn place_of(&self, of: &SelfDescribed) -> Span {
        let Some(file) = self.project.sources.get(of.file) else { return self.project.document.key_span(&["name"]) };
        let key = "python:";
        let at = file.text.find(key).unwrap_or(0);
        file.span(at, (at + key.len() - 1).min(file.text.len()))
    }
}
