//! The files that are no queries: prompts, evaluations, and the file of the project itself.

use super::files::Files;
use super::listing::{Found, list};
use super::misnamed::{self, Form};
use super::{EVALS, MANIFESTS, PROJECT_FILE, PROMPTS, QUERIES, read};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{EvalFile, PromptFile, RecordsConfig, SkillOf};
use crate::records::folder::DERIVATIONS;
use crate::source::{FileId, Sources};
use indexmap::IndexMap;
use std::path::Path;

/// The folder of skills in one of records.
const SKILLS: &str = "skills";

const PROMPT: Form = Form { ending: ".md", what: "a prompt", like: &[".md.j2", ".markdown", ".mdown", ".mkd"] };
const DERIVATION: Form = Form { ending: ".yaml", what: "a derivation", like: &[".yml"] };
const EVAL: Form = Form { ending: ".yaml", what: "a file of evaluations", like: &[".yml"] };
const PROJECT: Form = Form { ending: ".yaml", what: "the project's file", like: &[".yml", ".toml"] };

/// The prompt files below `prompts/`, sorted by path; what cannot be read is reported and left out.
pub(super) fn prompts(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<PromptFile> {
    let found = of_form(files, PROMPTS, &PROMPT, sources, sink);
    found.into_iter().map(|(file, stem)| PromptFile { file, stem, skill_of: None }).collect()
}

/// The skills of records: the files in the folder `skills` of each, sorted by path.
pub(super) fn skills(
    files: &dyn Files,
    records: &IndexMap<String, RecordsConfig>,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Vec<PromptFile> {
    let mut found = Vec::new();
    for (name, config) in records {
        let folder = format!("{}/{SKILLS}", config.path.trim_end_matches('/'));
        let tools = config.kinds().into_iter().map(|kind| (kind, config.tool_name(kind, name))).collect();
        let of = SkillOf { records: name.clone(), actor: config.actor.clone(), tools };
        // Folio reads none in folders below.
        let own = of_form(files, &folder, &PROMPT, sources, sink).into_iter().filter(|(_, stem)| !stem.contains('/'));
        found.extend(own.map(|(file, stem)| PromptFile { file, stem, skill_of: Some(of.clone()) }));
    }
    found
}

/// What says how derived fields of the records in a folder are made, sorted by path.
pub(super) fn derivation_files(
    files: &dyn Files,
    folder: &str,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Vec<(FileId, String)> {
    let folder = format!("{}/{DERIVATIONS}", folder.trim_end_matches('/'));
    // Folio reads none in folders below.
    let found = of_form(files, &folder, &DERIVATION, sources, sink);
    found.into_iter().filter(|(_, stem)| !stem.contains('/')).collect()
}

/// The evaluation files below `evals/`, sorted by path; what cannot be read is reported and left out.
pub(super) fn evals(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<EvalFile> {
    let found = of_form(files, EVALS, &EVAL, sources, sink);
    found.into_iter().map(|(file, stem)| EvalFile { file, stem }).collect()
}

/// The files of one form below a folder, with their paths below it without the ending.
fn of_form(
    files: &dyn Files,
    folder: &str,
    form: &Form,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Vec<(FileId, String)> {
    let mut read_files = Vec::new();
    for one in list(files, folder, sink).iter().filter(|one| !one.is_hidden()) {
        match one.stem(form.ending) {
            Some(stem) => read_files.extend(read(files, &one.path, sources, sink).map(|id| (id, stem.to_owned()))),
            None => report(one, form, sink),
        }
    }
    read_files
}

fn report(file: &Found, form: &Form, sink: &mut Diagnostics) {
    let Some((_, stem)) = misnamed::nearly(&file.below, std::slice::from_ref(form)) else { return };
    let rename = file.renamed(&format!("{stem}{}", form.ending));
    let why = format!("{} ends in `{}`", form.what, form.ending);
    sink.push(codes::misnamed_file(&file.shown, &why, Some(&rename)));
}

/// The files and folders of a project's own folder that are called nearly as those that are read.
pub(super) fn check_folder(files: &dyn Files, sink: &mut Diagnostics) {
    for name in names(files) {
        let lower = name.to_lowercase();
        if let Some(right) = project_file(&name) {
            sink.push(codes::misnamed_file(&name, &format!("the project's file is called `{right}`"), None));
        } else if let Some(right) =
            [QUERIES, MANIFESTS, PROMPTS, EVALS].iter().find(|right| lower == **right && name != **right)
        {
            sink.push(codes::misnamed_file(&name, "its name is written in lower case", Some(right)));
        }
    }
}

/// A file of a folder that is called nearly as the file of a project.
pub(super) fn nearly_project(files: &dyn Files) -> Option<String> {
    names(files).into_iter().find(|name| project_file(name).is_some())
}

/// What a file should be called that is nearly called as the project's.
fn project_file(name: &str) -> Option<&'static str> {
    if name == PROJECT_FILE {
        return None;
    }
    let (_, stem) = misnamed::nearly(name.trim_start_matches('.'), &[PROJECT])?;
    (stem.to_lowercase() == "qtool").then_some(PROJECT_FILE)
}

/// The names in the project's own folder, sorted.
fn names(files: &dyn Files) -> Vec<String> {
    let entries = files.list(Path::new("")).ok().flatten().map(|folder| folder.entries);
    let names = entries.into_iter().flatten().map(|entry| entry.name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
