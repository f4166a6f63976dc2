//! The pages of the diagnostics are run: the example gives the page's code, and the corrected file gives it no more.

use crate::cases::Outcome;
use base64::Engine as _;
use qtool::diagnostic::Code;
use std::path::Path;

/// The project of a page that brings none.
const SHARED: [(&str, &str); 3] = [
    (
        "qtool.yaml",
        "name: example\ntables:\n  orders: { path: data/orders.csv }\n  customers: { path: data/customers.csv }\n",
    ),
    ("snapshots/tables/orders.snap", "id bigint\ncustomer_id bigint\nstatus text\nplaced_at timestamp\ntotal double\n"),
    ("snapshots/tables/customers.snap", "id bigint\nname text\ncity text\n"),
];

/// Runs the page of one code.
pub(crate) fn page(path: &Path) -> crate::Outcome {
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let text = std::fs::read_to_string(path)?;
    if name == "index" {
        return index(path, &text);
    }
    let code = Code::ALL.iter().find(|code| code.as_str() == name).ok_or("no code has the name of this page")?;
    if !text.starts_with(&format!("# {name}\n")) {
        return Err("the page begins with the code as its heading".into());
    }
    let blocks = blocks(&text);
    let folder = tempfile::tempdir()?;
    let own_project = blocks.iter().any(|block| block.file == "qtool.yaml");
    if !own_project {
        for (file, content) in SHARED {
            write(folder.path(), file, content.as_bytes())?;
        }
    }
    for block in blocks.iter().filter(|block| !block.fixed) {
        write(folder.path(), &block.file, &block.bytes()?)?;
    }
    let locked = text.contains("<!-- locked -->") || !own_project;
    let found = codes(folder.path(), locked);
    if !found.contains(code) {
        return Err(format!("the example gives {found:?}").into());
    }
    if blocks.iter().any(|block| block.fixed) {
        for block in blocks.iter().filter(|block| block.fixed) {
            write(folder.path(), &block.file, &block.bytes()?)?;
        }
        let left = codes(folder.path(), locked);
        if left.contains(code) {
            return Err(format!("the corrected example still gives {left:?}").into());
        }
    }
    Ok(())
}

/// The index names every code, and every code has its page.
fn index(path: &Path, text: &str) -> crate::Outcome {
    for code in Code::ALL {
        let page = format!("{code}.md");
        if !text.contains(&format!("({page})")) {
            return Err(format!("the index has no link to {page}").into());
        }
        if !path.with_file_name(&page).exists() {
            return Err(format!("{page} is missing").into());
        }
    }
    Ok(())
}

fn codes(dir: &Path, locked: bool) -> Vec<Code> {
    let outcome = Outcome::with(dir, locked);
    let opened = if locked { Vec::new() } else { outcome.of_opening(dir) };
    outcome.diagnostics.iter().chain(&opened).map(|diagnostic| diagnostic.code).collect()
}

fn write(dir: &Path, file: &str, content: &[u8]) -> std::io::Result<()> {
    let path = dir.join(file);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, content)
}

/// A fenced block that names a file: ```` ```sql queries/example.sql ````, or with `fixed` before the name.
struct Block {
    language: String,
    fixed: bool,
    file: String,
    content: String,
}

impl Block {
    fn bytes(&self) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        if self.language == "base64" {
            return Ok(base64::engine::general_purpose::STANDARD.decode(self.content.trim())?);
        }
        Ok(self.content.clone().into_bytes())
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let content: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default().to_owned();
        let mut rest = words.peekable();
        let fixed = rest.next_if_eq(&"fixed").is_some();
        if let Some(file) = rest.next() {
            let content = content.join("\n") + "\n";
            blocks.push(Block { language, fixed, file: file.to_owned(), content });
        }
    }
    blocks
}
