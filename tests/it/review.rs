//! The diff of tools: `before` and `after` are projects, `expected.txt` holds a line for every change between them.

use crate::cases::{Outcome, copy_all};
use crate::expect;
use qtool::review::{Contract, compare};
use std::collections::BTreeMap;
use std::path::Path;

/// Compares the two sides of a case.
pub(crate) fn run(expected: &Path) -> crate::Outcome {
    let case = expected.parent().ok_or("a case is a folder")?;
    let (before, after) = (side(&case.join("before"))?, side(&case.join("after"))?);
    let lines: String = compare(&before, &after).iter().map(|change| format!("{change}\n")).collect();
    expect::compare(case, &BTreeMap::from([("expected.txt".to_owned(), lines)]))?;
    Ok(())
}

/// The tools of one side; without a `qtool.yaml` of its own it is over the tables of all cases.
fn side(dir: &Path) -> Result<Contract, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    if !dir.join("qtool.yaml").is_file() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        std::fs::copy(shared.join("qtool.yaml"), folder.path().join("qtool.yaml"))?;
        copy_all(&shared.join("snapshots"), &folder.path().join("snapshots"))?;
    }
    copy_all(dir, folder.path())?;
    let outcome = Outcome::with(folder.path(), true);
    let compilation = outcome.compilation.ok_or("the project does not load")?;
    if compilation.errors > 0 {
        let said: Vec<_> = compilation.diagnostics.iter().map(|one| one.message.clone()).collect();
        return Err(format!("{}: {said:?}", dir.display()).into());
    }
    Ok(Contract { tools: compilation.tools })
}
