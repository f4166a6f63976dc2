//! Pages of the book that a reader types along: what they show is what comes out.
//!
//! Blocks are taken from top to bottom. One with a file's name is that file; a database is a block of its statements, as
//! `shop.sqlite.dump`. A block `console` holds commands (`$ qtool check`), each with what comes out behind it; a line `…` stands
//! for lines that are not shown. All other blocks are only read. `UPDATE_EXPECT=1` rewrites blocks without such lines.

use crate::book::{self, Block};
use crate::expect;
use crate::transcript::{Place, step};
use std::path::Path;

/// What stands for lines that are not shown.
const MORE: &str = "…";

/// Types along one page.
pub(crate) fn run(page: &Path) -> crate::Outcome {
    let text = std::fs::read_to_string(page)?;
    let folder = tempfile::tempdir()?;
    let mut place = Place { dir: folder.path().to_path_buf(), variables: Vec::new() };
    let (blocks, mut rewritten, mut problems) = (book::blocks(&text), Vec::new(), Vec::new());
    for block in &blocks {
        if !block.file.is_empty() {
            book::write(&place.dir, &block.file, &block.bytes()?)?;
        } else if block.language == "console" {
            let found = typed(block, &mut place)?.replace(&folder.path().display().to_string(), "/home/you");
            if is_shown(&block.content, &found) {
                continue;
            }
            match expect::update() && !block.content.lines().any(|line| line == MORE) {
                true => rewritten.push((block, found)),
                false => problems.push(format!("line {}: what comes out is\n{found}", block.line)),
            }
        }
    }
    if !rewritten.is_empty() {
        std::fs::write(page, book::with_blocks(&text, &rewritten))?;
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// The commands of a block, with what comes out.
fn typed(block: &Block, place: &mut Place) -> Result<String, Box<dyn std::error::Error>> {
    let mut shown = Vec::new();
    for command in block.content.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut out = format!("$ {command}\n");
        match command.strip_prefix("cd ") {
            Some(below) => place.dir.push(below),
            None => {
                let said = step(place, command, "")?;
                let lines = said.lines().filter(|line| !line.starts_with("exit code "));
                out.extend(lines.map(|line| format!("{}\n", line.strip_prefix("stderr: ").unwrap_or(line))));
            }
        }
        shown.push(out);
    }
    // Lines are no part of a page that end in blanks, and empty ones say `stderr:` alone.
    Ok(shown.join("\n").lines().map(|line| line.strip_suffix("stderr:").unwrap_or(line).to_owned() + "\n").collect())
}

/// Whether a text is what a page shows, where `…` stands for any lines.
fn is_shown(page: &str, found: &str) -> bool {
    let mut rest = found;
    let more = format!("{MORE}\n");
    let mut parts = page.split(&more).peekable();
    let mut is_first = true;
    while let Some(part) = parts.next() {
        let at = match (is_first, parts.peek().is_some()) {
            (true, _) => rest.starts_with(part).then_some(0),
            (false, true) => rest.find(part),
            (false, false) => rest.ends_with(part).then(|| rest.len() - part.len()),
        };
        let Some(at) = at else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
        is_first = false;
    }
    rest.is_empty()
}
