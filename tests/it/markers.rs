//! Comments that say what a case is about: `-- error: [code]` (in YAML `# error: [code]`) above the line of the
//! diagnostic or at its end. They must agree with the diagnostics in update mode too, because expected files are
//! usually written by the program itself.

use qtool::diagnostic::{Diagnostic, Severity};
use qtool::source::Sources;
use std::collections::BTreeSet;

/// A marker, or a diagnostic in the same form: path, line (0 for one without a place), severity, code.
type Mark = (String, usize, &'static str, String);

/// Compares the markers in all sources with the diagnostics. Warnings that no marker names are left alone.
pub(crate) fn check(sources: &Sources, diagnostics: &[Diagnostic]) -> Result<(), String> {
    let markers = markers(sources);
    let named: BTreeSet<&String> = markers.iter().map(|(_, _, _, code)| code).collect();
    let mut missing: BTreeSet<Mark> = markers.iter().cloned().collect();
    let mut problems = Vec::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let code = diagnostic.code.to_string();
        let place = diagnostic.primary.as_ref().and_then(|label| {
            let file = sources.get(label.span.file)?;
            Some((file.path.clone(), file.location(label.span.start).line))
        });
        let found = match &place {
            Some((path, line)) => {
                let places = [line.saturating_sub(1), *line].map(|line| (path.clone(), line, severity, code.clone()));
                // One at the end of the line above may be that of the line above.
                let unmet = places.iter().find(|mark| missing.contains(mark));
                unmet.or_else(|| places.iter().find(|mark| markers.contains(mark))).cloned()
            }
            None => markers.iter().find(|mark| mark.1 == 0 && mark.2 == severity && mark.3 == code).cloned(),
        };
        match found {
            Some(mark) => {
                missing.remove(&mark);
            }
            None if severity == "warning" && !named.contains(&code) => {}
            None => problems.push(format!("no marker for {severity}[{code}] at {place:?}: {}", diagnostic.message)),
        }
    }
    problems.extend(missing.iter().map(|mark| format!("no diagnostic for the marker {mark:?}")));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Whether a marker names that code anywhere.
pub(crate) fn names(sources: &Sources, code: &str) -> bool {
    markers(sources).iter().any(|mark| mark.3 == code)
}

fn markers(sources: &Sources) -> Vec<Mark> {
    let mut found = Vec::new();
    for file in sources.iter() {
        for (at, line) in file.text.lines().enumerate() {
            for severity in ["error", "warning"] {
                let opening = format!("{severity}: [");
                let mut parts = line.split(opening.as_str());
                let before = parts.next().unwrap_or_default().trim_end();
                // A second marker of a line stands behind the first.
                if !(before.ends_with("--") || before.ends_with('#') || before.contains(": [")) {
                    continue;
                }
                for part in parts {
                    let Some((code, tail)) = part.split_once(']') else { continue };
                    let line = if tail.contains("nowhere") { 0 } else { at + 1 };
                    found.push((file.path.clone(), line, severity, code.to_owned()));
                }
            }
        }
    }
    found
}
