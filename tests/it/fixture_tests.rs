//! `qtool test` on small projects: each folder is copied, the commands of its `commands.txt` are run there one after
//! the other, and all that they say and record is compared with `expected.txt`. A line is what follows `qtool test`.

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
    cases::add_upstream(folder.path())?;
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
    if out.contains("--record") {
        add_recorded(&folder.path().join("snapshots/answers"), &mut out)?;
    }
    let produced = BTreeMap::from([("expected.txt".to_owned(), without_times(&out))]);
    expect::compare(case, &produced)?;
    Ok(())
}

/// Adds what was recorded of each tool.
fn add_recorded(answers: &Path, out: &mut String) -> std::io::Result<()> {
    let mut files = Vec::new();
    for tool in std::fs::read_dir(answers)? {
        files.extend(std::fs::read_dir(tool?.path())?.flatten().map(|file| file.path()));
    }
    files.sort();
    for file in files {
        let name = file.strip_prefix(answers).unwrap_or(&file).display().to_string();
        out.push_str(&format!("recorded: {name}\n{}\n", std::fs::read_to_string(&file)?));
    }
    Ok(())
}

/// A report in which nothing took any time.
fn without_times(text: &str) -> String {
    static TIMES: LazyLock<regex::Regex> =
        LazyLock::new(|| regex::Regex::new(r#"( in |\btime="|"milliseconds": )\d+(?:\.\d+)?"#).unwrap());
    TIMES.replace_all(text, "${1}0").into_owned()
}
