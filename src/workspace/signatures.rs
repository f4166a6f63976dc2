//! What a project takes from its functions in Python and its programs in Fractalic's convention: what they say that they take. It is
//! locked, so that nothing is imported or run for it where the project is served.

use super::{Locking, Workspace};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine::{function_described, program_described};
use crate::load::{self, Describes, SelfDescribed};
use crate::name::RESERVED;
use crate::project::{ProjectFile, QueryForm, Returns, Signature};
use crate::source::Span;
use crate::syntax;
use crate::tool::Tool;
use crate::yaml::Document;
use serde_json::{Map, Value};
use std::path::Path;

const NOT_LOCKED: &str = "it is not locked, and this command runs nothing: `qtool lock` asks for it";
/// What a program is that does not answer as it is asked.
const OTHERWISE: &str =
    "a program that knows nothing of this convention is a tool with `run`, `json_argument: true` and `params`";

impl Workspace {
    /// Asks all functions and programs anew what they take, and locks what they say; the names of their manifests, and whether that is
    /// something else than before.
    pub async fn relock_signatures(&mut self, progress: fn(&str)) -> Vec<(String, bool)> {
        let mut asked = Vec::new();
        self.undescribed.clear();
        for of in load::self_described(&self.project.queries, &self.project.sources) {
            let path = load::signature_path(&self.dir, &of);
            let read = || path.as_ref().ok().and_then(|path| std::fs::read_to_string(path).ok());
            let (before, stem) = (read(), of.stem.clone());
            if self.describe(of, Locking::Write, progress).await {
                asked.push((stem, read() != before));
            }
        }
        asked
    }

    /// Asks a function or a program what it takes, and locks what it says. Whether it says it.
    pub(super) async fn describe(&mut self, of: SelfDescribed, locking: Locking, progress: fn(&str)) -> bool {
        progress(&match &of.by {
            Describes::Function(_) => format!("asking Python about {}", of.by.shown()),
            Describes::Program(_) => format!("asking {} what it takes", of.by.shown()),
        });
        let (dir, file, by) = (self.dir.clone(), self.project.file.clone(), of.by.clone());
        let asked = tokio::task::spawn_blocking(move || signature(&dir, &file, &by)).await;
        let signature = match asked.unwrap_or_else(|_| Err("asking it failed".to_owned())) {
            Ok(signature) => signature,
            Err(why) => {
                self.tell(&of, &why);
                return false;
            }
        };
        let text = signature.text(of.by.what(), &of.by.value());
        let path = load::signature_path(Path::new(""), &of);
        let shown = path.map_or_else(|_| of.stem.clone(), |path| path.to_string_lossy().replace('\\', "/"));
        if locking == Locking::Write
            && let Err(error) = load::write_signature(&self.dir, &of, &text)
        {
            self.found.push(codes::unreadable_file(None, &shown, &load::io_reason(&error)));
        }
        let id = self.project.sources.add(shown, text);
        let query = self.project.queries.iter_mut().find(|query| query.file == of.file);
        query.into_iter().for_each(|query| query.sidecar = Some(id));
        true
    }

    /// Asks no program what it takes: that it is not locked is a problem then. Programs do what they do when they are asked, too, so that
    /// this is for commands that call or serve.
    pub fn forgo_asking_programs(&mut self) {
        let is_function = |of: &SelfDescribed| matches!(of.by, Describes::Function(_));
        let (functions, programs) = std::mem::take(&mut self.undescribed).into_iter().partition(is_function);
        self.undescribed = functions;
        self.tell_unasked(&programs);
    }

    /// Says that nobody asks what these take.
    pub(super) fn tell_unasked(&mut self, all: &[SelfDescribed]) {
        for of in all {
            self.tell(of, NOT_LOCKED);
        }
    }

    /// Says why nobody knows what something takes.
    fn tell(&mut self, of: &SelfDescribed, why: &str) {
        let (place, shown) = (self.place_of(of), of.by.shown());
        self.found.push(match of.by {
            Describes::Function(_) => codes::undescribed_function(place, &shown, why),
            Describes::Program(_) if why == NOT_LOCKED => codes::undescribed_program(place, &shown, why),
            Describes::Program(_) => codes::undescribed_program(place, &shown, why).help(OTHERWISE),
        });
        let query = self.project.queries.iter_mut().find(|query| query.file == of.file);
        // What was locked before still holds.
        if let (Describes::Program(_), Some(query)) = (&of.by, query)
            && query.sidecar.is_none()
        {
            query.is_refused = true;
        }
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
                    let name = &tool.contract.name;
                    let locked = self.locked_signature(name);
                    let changes = locked.into_iter().flat_map(|locked| changes(&Signature::of(&described), &locked));
                    found.extend(changes.map(|why| codes::changed_function(place, name, &why)));
                    let differs = differences(&described, tool);
                    found.extend(differs.into_iter().map(|why| told(&why)));
                }
                Err(why) => found.push(told(&why.to_string())),
            }
        }
        found
    }

    /// What is locked of a tool that says itself what it takes.
    fn locked_signature(&self, tool: &str) -> Option<Value> {
        let sources = &self.project.sources;
        let query = self.project.queries.iter().find(|query| syntax::declared_name(query, sources) == tool)?;
        let file = sources.get(query.sidecar?)?;
        Some(Document::parse(file, file.whole(), &mut Diagnostics::default())?.value)
    }

    fn place_of_function(&self, tool: &str) -> Option<Span> {
        let sources = &self.project.sources;
        let mut manifests = self.project.queries.iter().filter(|query| query.form == QueryForm::Manifest);
        let query = manifests.find(|query| syntax::declared_name(query, sources) == tool)?;
        let file = sources.get(query.file)?;
        let document = Document::parse(file, file.whole(), &mut Diagnostics::default())?;
        Some(document.key_span(&["python"]))
    }

    /// Where a manifest names its function or its program.
    fn place_of(&self, of: &SelfDescribed) -> Span {
        let Some(file) = self.project.sources.get(of.file) else { return self.project.document.key_span(&["name"]) };
        let key = format!("{}:", of.by.kind().key());
        let at = file.text.find(&key).unwrap_or(0);
        file.span(at, (at + key.len() - 1).min(file.text.len()))
    }
}

/// What a function or a program says of itself.
///
/// Errors: why it does not, in words for its author.
fn signature(dir: &Path, file: &ProjectFile, by: &Describes) -> Result<Signature, String> {
    match by {
        Describes::Function(python) => {
            let described = function_described(dir, file, python).map_err(|why| why.to_string())?;
            let signature = Signature::of(&described);
            match signature.params.keys().find(|name| RESERVED.contains(&name.as_str())) {
                // Where it stands is no file to be edited.
                Some(name) => {
                    Err(format!("qtool adds a parameter `{name}` to tools itself: call it otherwise in Python"))
                }
                None => Ok(signature),
            }
        }
        Describes::Program(program) => {
            let dumped = program_described(dir, file, program).map_err(|why| why.to_string())?;
            let signature = Signature::of_program(dumped.dumped.as_ref()).map_err(|why| why.to_string())?;
            let description = signature.description.or(dumped.in_script);
            Ok(Signature { description, ..signature })
        }
    }
}

/// What a function says otherwise of itself than what is locked: the types of what it takes, and what it returns. That it takes more or
/// less shows in what it is sent.
fn changes(now: &Signature, locked: &Value) -> Vec<String> {
    const AGAIN: &str = "`qtool lock` asks again";
    let type_in = |settings: &Value| settings.get("type").and_then(Value::as_str).map(str::to_owned);
    let of = |key: &str| locked.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut found = Vec::new();
    for (name, was) in of("params") {
        let (was, is) = (type_in(&was), now.params.get(&name).and_then(type_in));
        if let (Some(was), Some(is)) = (was, is)
            && was != is
        {
            found.push(format!("`{name}` is of type {is} now, and locked as {was}; {AGAIN}"));
        }
    }
    let types = |columns: &Map<String, Value>| -> Vec<String> {
        columns.iter().map(|(name, settings)| format!("`{name}` {}", type_in(settings).unwrap_or_default())).collect()
    };
    let (was, is) = (types(&of("columns")), types(&now.columns));
    let returns = locked.get("returns").and_then(Value::as_str).unwrap_or(Returns::default().key());
    if was != is || returns != now.returns.key() {
        let told = |all: &[String], returns: &str| match (all, returns) {
            ([], _) => "no columns".to_owned(),
            (all, "rows") => all.join(", "),
            (all, returns) => format!("{} (`{returns}`)", all.join(", ")),
        };
        let (is, was) = (told(&is, now.returns.key()), told(&was, returns));
        found.push(format!("it returns {is} now, and {was} is locked; {AGAIN}"));
    }
    found
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
