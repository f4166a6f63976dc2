//! `qtool test` on small projects: each folder is copied, the commands of its `commands.txt` are run there one after
//! the other, and all that they say is compared with `expected.txt`. A line is what follows `qtool test`.

use crate::{cases, expect};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Runs the case that a `commands.txt` belongs to.
pub(crate) fn run(commands: &Path) -> crate::Outcome {
    let case = commands.parent().ok_or("a case is a folder")?;
    let folder = tempfile::tempdir()?;
    cases::copy_all(case, folder.path())?;
    let mut out = String::new();
    for line in std::fs::read_to_string(commands)?.lines() {
        let ran = Command::new(env!("CARGO_BIN_EXE_qtool"))
            .arg("test")
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()?;
        let code = ran.status.code().ok_or("it was killed")?;
        out.push_str(&format!("$ qtool test {line}\n"));
        out.push_str(&String::from_utf8(ran.stderr)?);
        out.push_str(&String::from_utf8(ran.stdout)?);
        out.push_str(&format!("exit code: {code}\n\n"));
    }
    let produced = BTreeMap::from([("expected.txt".to_owned(), without_times(&out))]);
    expect::compare(case, &produced)?;
    Ok(())
}

/// A report in which nothing took any time.
fn without_times(text: &str) -> String {
    static TIMES: LazyLock<regex::Regex> =
        LazyLock::new(|| regex::Regex::new(r#"( in |\btime="|"milliseconds": )\d+(?:\.\d+)?"#).unwrap());
    TIMES.replace_all(text, "${1}0").into_owned()
}
