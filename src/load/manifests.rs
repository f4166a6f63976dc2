//! The files below `tools/`: manifests of programs, their tests, and those that look like one and are not.

use super::files::Files;
use super::listing::list;
use super::misnamed::{self, Form};
use super::{MANIFESTS, TESTS, read};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{QueryFile, QueryForm, Relatives};
use crate::source::{FileId, Sources};

const MANIFEST: &str = ".yaml";
/// What is made of the files' names.
const FORMS: [Form; 2] = [
    Form { ending: TESTS, what: "a file of tests", like: &[".test.yml", ".tests.yaml", ".tests.yml"] },
    Form { ending: MANIFEST, what: "a manifest", like: &[".yml", ".yaml.yaml"] },
];

/// The manifests, sorted by path; what cannot be read is reported and left out.
pub(super) fn manifests(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<QueryFile> {
    let mut manifests = Vec::new();
    for one in list(files, MANIFESTS, sink).iter().filter(|one| !one.is_hidden()) {
        if one.stem(TESTS).is_some() {
            continue;
        }
        let Some(stem) = one.stem(MANIFEST).filter(|stem| !stem.to_lowercase().ends_with(".yaml")) else {
            if let Some((form, stem)) = misnamed::nearly(&one.below, &FORMS) {
                let why = format!("{} ends in `{}`", form.what, form.ending);
                let rename = one.renamed(&format!("{stem}{}", form.ending));
                sink.push(codes::misnamed_file(&one.shown, &why, Some(&rename)));
            }
            continue;
        };
        let Some(file) = read(files, &one.path, sources, sink) else { continue };
        manifests.push(QueryFile {
            file,
            sidecar: None,
            is_refused: false,
            form: QueryForm::Manifest,
            stem: stem.to_owned(),
            relatives: Relatives::default(),
        });
    }
    manifests
}

/// The files of tests beside manifests, sorted by path. What is wrong with folders is said where manifests are read.
pub(super) fn tests_beside(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<FileId> {
    let found = list(files, MANIFESTS, &mut Diagnostics::default());
    let tests = found.iter().filter(|one| !one.is_hidden() && one.stem(TESTS).is_some());
    tests.filter_map(|one| read(files, &one.path, sources, sink)).collect()
}
