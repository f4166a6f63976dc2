//! What `dist/` holds: the executable, the tools in every format, and what packages of the server need.

use super::executable::Executable;
use super::{failed, hash, write};
use crate::bundle::Bundle;
use crate::cli::Outcome;
use crate::emit::about::About;
use crate::emit::format::Format;
use crate::package::clients::Client;
use crate::package::registry::Source;
use crate::package::{self, Package, Secret, System, clients, docker, mcpb, registry, systemd};
use crate::tool::Tool;
use std::io::Cursor;
use std::path::Path;

/// The files beside the executable by their path below `dist/`, and what there is to say of them.
pub(super) struct Artefacts {
    files: Vec<(String, Vec<u8>)>,
    /// What was left out, and why.
    pub(super) notes: Vec<String>,
}

impl Artefacts {
    /// Makes all but the executable. `mcpb` is the executable that goes into an MCPB bundle, where one is wanted.
    pub(super) fn new(bundle: &Bundle, system: System, mcpb: Option<&Executable>) -> Result<Artefacts, Outcome> {
        let file = &bundle.file;
        let name = bundle.executable_name();
        let about = About {
            name: &file.name,
            version: file.version.as_deref(),
            description: file.description.as_deref(),
            authenticated: file.auth.is_some(),
        };
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        let tools = Tool::contracts(&bundle.tools);
        for format in Format::ALL {
            let text = format.write(&about, &tools, None).map_err(|why| failed(&why.to_string()))?;
            files.push((format.file_name().to_owned(), text.into_bytes()));
        }
        let secrets: Vec<Secret> = package::secrets(file, &bundle.tools);
        let package = Package {
            name: &file.name,
            executable: &name,
            version: file.version.as_deref().unwrap_or("0.0.0"),
            description: file.description.as_deref(),
            author: file.package.author.as_deref(),
            registry_name: file.package.registry_name.as_deref(),
            tools: &bundle.tools,
            prompts: bundle.prompts.len() + bundle.offered.iter().map(|one| one.prompts.len()).sum::<usize>(),
            secrets: &secrets,
            needs_data: needs_data(bundle),
        };
        if system == System::Linux {
            files.push(("Dockerfile".to_owned(), docker::dockerfile(&package).into_bytes()));
            files.push((".dockerignore".to_owned(), docker::ignore(&package).into_bytes()));
            files.push((format!("{name}.service"), systemd::unit(&package).into_bytes()));
        }
        let mut arguments = vec!["serve".to_owned()];
        if package.needs_data {
            arguments.extend(["--data-dir".to_owned(), "/path/to/data".to_owned()]);
        }
        let command = format!("/path/to/{}", file_name(&name, system));
        for (client, of) in CLIENTS {
            let text = clients::example(client, &package, &command, &arguments);
            files.push((format!("clients/{of}.json"), text.into_bytes()));
        }
        let manifest = mcpb::manifest(&package, system);
        let pretty = serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n";
        files.push(("manifest.json".to_owned(), pretty.into_bytes()));
        let mut notes = Vec::new();
        let mut archive = None;
        if let Some(executable) = mcpb {
            let mut zip = Cursor::new(Vec::new());
            mcpb::write(&mut zip, &manifest, &executable.bytes()?, source_date_epoch())
                .map_err(|error| failed(&format!("the MCPB bundle cannot be made: {error}")))?;
            let zip = zip.into_inner();
            archive = Some(hash(&zip));
            files.push((format!("{name}.mcpb"), zip));
        }
        let mut sources = Vec::new();
        match (&file.package.bundle_url, &archive) {
            (Some(url), Some(sha256)) => sources.push(Source::Bundle { url, sha256 }),
            (Some(_), None) => notes.push("server.json names no MCPB bundle: `--mcpb` makes one".to_owned()),
            (None, _) => {}
        }
        sources.extend(file.package.image.as_deref().map(Source::Image));
        sources.extend(file.package.url.as_deref().map(Source::Remote));
        match registry::server_json(&package, &sources) {
            Ok(json) => {
                let pretty = serde_json::to_string_pretty(&json).unwrap_or_default() + "\n";
                files.push(("server.json".to_owned(), pretty.into_bytes()));
            }
            // Who does not publish in a registry is told nothing of it.
            Err(why) if package.registry_name.is_some() => notes.push(format!("there is no server.json: {why}")),
            Err(_) => {}
        }
        let inputs = serde_json::to_string_pretty(&bundle.manifest).unwrap_or_default() + "\n";
        files.push(("build.json".to_owned(), inputs.into_bytes()));
        Ok(Artefacts { files, notes })
    }

    /// Writes all of it below a folder.
    pub(super) fn write(&self, out: &Path) -> Result<(), Outcome> {
        for (path, bytes) in &self.files {
            write(&out.join(path), bytes)?;
        }
        Ok(())
    }
}

/// The clients with the names of their files.
const CLIENTS: [(Client, &str); 4] = [
    (Client::ClaudeDesktop, "claude-desktop"),
    (Client::ClaudeCode, "claude-code"),
    (Client::VsCode, "vscode"),
    (Client::Cursor, "cursor"),
];

fn needs_data(bundle: &Bundle) -> bool {
    let is_read = |name: &&String| bundle.tools.iter().any(|tool| tool.contract.tables.contains(*name));
    let mut read = bundle.file.tables.keys().filter(is_read).filter_map(|name| bundle.file.local_path(name));
    let mut asked = bundle.tools.iter().filter_map(|tool| bundle.file.sources.get(tool.source()?)?.local_path());
    let has_files = !bundle.manifest.needs.files.is_empty();
    has_files || read.any(|path| !bundle.files.contains_key(path)) || asked.next().is_some()
}

/// The file name of an executable.
pub(super) fn file_name(name: &str, system: System) -> String {
    if system == System::Windows { format!("{name}.exe") } else { name.to_owned() }
}

/// The system that an executable is for, by its first bytes.
pub(super) fn system(executable: &[u8]) -> System {
    match executable {
        [b'M', b'Z', ..] => System::Windows,
        [0x7f, b'E', b'L', b'F', ..] => System::Linux,
        _ => System::MacOs,
    }
}

/// The time that archives carry (<https://reproducible-builds.org/specs/source-date-epoch/>), in seconds since 1970.
fn source_date_epoch() -> Option<i64> {
    std::env::var("SOURCE_DATE_EPOCH").ok()?.trim().parse().ok()
}
