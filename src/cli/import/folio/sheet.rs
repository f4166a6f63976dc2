//! One sheet: which of its files qtool takes as they are, and what `qtool.yaml` says of it.

use super::super::manifests::carried::Imported;
use super::super::manifests::flow;
use super::contract::Contract;
use super::derivation::{Becomes, Made, derivation};
use super::disk::{Listing, joined, listing, text};
use super::expression::written;
use super::flaw::Flaw;
use super::readme::{Readme, readme};
use super::skill;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::PathBuf;

/// What every sheet has.
pub(super) const CONTRACT: &str = "contract.yaml";
/// Its records.
pub(super) const RECORDS: &str = "records.jsonl";
/// The files of Folio at the top of a sheet.
const OWN: [&str; 4] = [CONTRACT, RECORDS, "provenance.jsonl", "README.md"];
/// Its folders whose files an import does not look into.
const OTHERS: [&str; 2] = ["scripts/", "prompts/"];

/// A sheet as it is carried over.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// What the records are called.
    pub(crate) name: String,
    /// Its folder.
    pub(crate) from: PathBuf,
    /// Where it lies in the project.
    pub(crate) path: String,
    /// The files that are copied there, below its folder; `None` where it lies there already.
    pub(crate) files: Option<Vec<String>>,
    /// What `qtool.yaml` says of it below `records`, its name first.
    pub(crate) entry: String,
}

/// Where a sheet lies, and where it shall.
#[derive(Debug)]
pub(super) struct Place {
    /// Its folder.
    pub(super) from: PathBuf,
    /// Its folder below the one that is imported, as messages show it.
    pub(super) below: String,
    /// Its folder in the project.
    pub(super) path: String,
    /// Whether it lies there already.
    pub(super) is_kept: bool,
    /// What the records are called.
    pub(super) name: String,
}

/// Reads a sheet. `others` are the folders of all that are carried over, below the one that is imported.
///
/// Errors: its folder cannot be read.
pub(super) fn sheet(
    place: Place,
    contract: &Contract,
    others: &HashSet<String>,
    said: &mut Imported,
) -> Result<Sheet, Flaw> {
    let listing = listing(&place.from)?;
    let mut reading = Reading { place: &place, contract, others, listing: &listing, said, taken: Vec::new() };
    let made = reading.derivations();
    let has_skills = reading.skills();
    reading.others(place.is_kept);
    let taken = std::mem::take(&mut reading.taken);
    let front = reading.readme();
    reading.notes(&front, has_skills);
    let entry = entry(&place, &front, &made);
    let files = (!place.is_kept).then_some(taken);
    Ok(Sheet { name: place.name, from: place.from, path: place.path, files, entry })
}

struct Reading<'a> {
    place: &'a Place,
    contract: &'a Contract,
    others: &'a HashSet<String>,
    listing: &'a Listing,
    said: &'a mut Imported,
    /// The files that are copied.
    taken: Vec<String>,
}

impl Reading<'_> {
    fn leave_out(&mut self, file: &str, why: impl Into<String>) {
        self.said.leave_out(format!("`{}/{file}`", self.place.below), why);
    }

    /// The files in a folder of the sheet with this ending, and their names without it. Others are told.
    fn of_form(&mut self, folder: &str, ending: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for file in &self.listing.files {
            let Some(name) = file.strip_prefix(folder) else { continue };
            match name.strip_suffix(ending).filter(|stem| !stem.contains('/')) {
                Some(stem) => found.push((file.clone(), stem.to_owned())),
                None => self.leave_out(file, format!("Folio reads `{folder}*{ending}` alone")),
            }
        }
        found
    }

    /// Takes the files that stay what they are; the fields that SQL makes.
    fn derivations(&mut self) -> Vec<Made> {
        let mut made = Vec::new();
        let mut targets: HashSet<String> = HashSet::new();
        for (file, _) in self.of_form("derivations/", ".yaml") {
            let read = text(&self.place.from.join(&file)).and_then(|text| derivation(&text, self.contract));
            let found = match read {
                Ok(found) => found,
                Err(why) => {
                    self.leave_out(&file, why.to_string());
                    continue;
                }
            };
            if let Some(twice) = found.targets.iter().find(|target| targets.contains(*target)) {
                self.leave_out(&file, format!("`{twice}` is made by another file"));
                continue;
            }
            match self.becomes(&file, found.becomes) {
                Ok(sql) => {
                    made.extend(sql);
                    targets.extend(found.targets);
                }
                Err(why) => self.leave_out(&file, why.to_string()),
            }
        }
        made
    }

    /// Takes a file that stays what it is; the fields that SQL makes.
    ///
    /// Errors: nothing is taken.
    fn becomes(&mut self, file: &str, becomes: Becomes) -> Result<Vec<Made>, Flaw> {
        match becomes {
            Becomes::File(source) => {
                let path = joined("", &source).filter(|path| self.listing.files.contains(path));
                let path = path.ok_or_else(|| format!("its `source`, `{source}`, is no file of the sheet"))?;
                if ![".csv", ".json", ".jsonl"].iter().any(|ending| path.to_lowercase().ends_with(ending)) {
                    return Err(format!("its `source`, `{source}`, is neither CSV nor JSON").into());
                }
                self.taken.push(path);
            }
            Becomes::Sheet(other) => {
                let path = joined(&self.place.below, &other);
                if !self.place.is_kept && !path.is_some_and(|path| self.others.contains(&path)) {
                    let why = format!(
                        "its `source_sheet`, `{other}`, is none of those that are carried over: import the folder above both"
                    );
                    return Err(why.into());
                }
            }
            Becomes::Sql(made) if self.place.is_kept => {
                let lines =
                    made.iter().map(|one| format!("`{}: {}`", flow::text(&one.target), flow::flow(&of_made(one))));
                let lines: Vec<String> = lines.collect();
                let why = format!(
                    "it stays Folio's to make: to make it here, remove the file and write below `derived` of `{}`: {}",
                    self.place.name,
                    lines.join(", ")
                );
                return Err(why.into());
            }
            Becomes::Sql(made) => return Ok(made),
            Becomes::Theirs(why) => self.leave_out(file, format!("it stays Folio's to make: {why}")),
        }
        self.taken.push(file.to_owned());
        Ok(Vec::new())
    }

    /// Takes the skills that are prompts here; whether there are some.
    fn skills(&mut self) -> bool {
        let mut has_some = false;
        for (file, stem) in self.of_form("skills/", ".md") {
            match text(&self.place.from.join(&file)).and_then(|text| skill::check(&text, &stem)) {
                Ok(()) => {
                    has_some = true;
                    self.taken.push(file);
                }
                Err(why) => self.leave_out(&file, why.to_string()),
            }
        }
        has_some
    }

    /// Takes what else belongs to a sheet, and tells what does not, where it would not come along.
    fn others(&mut self, is_kept: bool) {
        let is_own = |file: &str| OWN.contains(&file) || OTHERS.iter().any(|folder| file.starts_with(folder));
        for file in &self.listing.files {
            let is_read = file.starts_with("derivations/") || file.starts_with("skills/");
            if is_own(file) {
                self.taken.push(file.clone());
            } else if !is_kept && !is_read && !self.taken.contains(file) {
                let why = match file.as_str() {
                    "datapackage.json" => format!("`qtool records export {}` makes one", self.place.name),
                    _ => "it is no part of a sheet".to_owned(),
                };
                self.leave_out(file, why);
            }
        }
        for link in &self.listing.others {
            self.leave_out(link, "it is a link, or lies too deep");
        }
        self.taken.sort();
        self.taken.dedup();
    }

    fn readme(&mut self) -> Readme {
        let file = "README.md";
        if !self.listing.files.iter().any(|known| known == file) {
            return Readme::default();
        }
        match text(&self.place.from.join(file)).and_then(|text| readme(&text)) {
            Ok(front) => front,
            Err(why) => {
                self.leave_out(file, format!("its front matter: {why}"));
                Readme::default()
            }
        }
    }

    fn notes(&mut self, front: &Readme, has_skills: bool) {
        let name = self.place.name.as_str();
        let actor = match &front.actor {
            Some(_) => {
                "a caller without a token writes as the `default_actor` of its README.md: nobody else does, whatever an agent says"
            }
            None => "a caller without a token may not write: say by `actor` who that is",
        };
        self.said.note_of(name, actor.to_owned());
        if has_skills {
            self.said
                .note_of(name, format!("its prompts are called `{name}_…` in the place of `{}:…`", self.contract.id));
        }
        if front.purpose.is_some() && !self.contract.is_described {
            self.said.note_of(
                name,
                "agents read the `description` of its contract, and not the `purpose` of its README.md".to_owned(),
            );
        }
        for key in &front.others {
            self.said.note_of(name, format!("`{key}` of its README.md has no form here"));
        }
        if self.place.is_kept && !self.listing.files.iter().any(|file| file == RECORDS) {
            self.said.note_of(name, format!("it has no `{RECORDS}`: make an empty one"));
        }
    }
}

fn of_made(made: &Made) -> Value {
    match made.respects_override {
        true => json!({"sql": made.sql}),
        false => json!({"sql": made.sql, "respect_human_override": false}),
    }
}

/// What `qtool.yaml` says of a sheet.
fn entry(place: &Place, front: &Readme, made: &[Made]) -> String {
    let mut out = format!("{}:\n  path: {}\n", place.name, flow::text(&place.path));
    if let Some(actor) = &front.actor {
        out.push_str(&format!("  actor: {}\n", flow::text(actor)));
    }
    if !front.tags.is_empty() {
        out.push_str(&format!("  tags: {}\n", flow::flow(&json!(front.tags))));
    }
    if !made.is_empty() {
        out.push_str("  derived:\n");
    }
    for one in made {
        out.push_str(&format!("    {}:\n      sql: {}", flow::text(&one.target), written(&one.sql, 8)));
        if !one.respects_override {
            out.push_str("      respect_human_override: false\n");
        }
    }
    out
}
