//! A compiled project as one piece of data, and the executable that holds it: a copy of qtool with the bundle in a
//! section of its own.
//!
//! A bundle holds everything that a server needs but the data: tools, prompts, settings, the locked schemas, and the
//! files of tables that are embedded. It holds no clock, no path of the machine it was made on, and nothing of the
//! environment: the same project gives the same bytes.

pub mod contract;
mod executable;
pub mod published;
pub mod scan;

pub use executable::{embedded, of_executable, write_executable};

use crate::catalog::{Catalog, lock};
use crate::project::ProjectFile;
use crate::prompts::Prompt;
use crate::tool::{Needs, Offered, Tool};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

/// What every bundle begins with; the number is that of the format.
const MAGIC: &[u8; 16] = b"qtool-bundle/2\n\0";
const HASH: usize = 32;
const LENGTH: usize = 8;

/// A compiled project.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// What it says of itself.
    pub manifest: Manifest,
    /// `qtool.yaml`.
    pub file: ProjectFile,
    /// The tools, sorted by name.
    pub tools: Vec<Tool>,
    /// The prompts, sorted by name.
    pub prompts: Vec<Prompt>,
    /// What is passed on of other servers beside their tools.
    pub offered: Vec<Offered>,
    /// The locked schemas of the tables.
    pub catalog: Catalog,
    /// The content of the files of embedded tables, by their path as `qtool.yaml` has it.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Where a bundle comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of qtool that made it.
    pub qtool: String,
    /// The hash of what callers rely on ([`contract::contract_hash`]).
    pub contract: String,
    /// The SHA-256 of every file that it was made of, by its path in the project.
    pub inputs: BTreeMap<String, String>,
    /// What it needs on the machine that it runs on, beside the data.
    #[serde(default, skip_serializing_if = "Needs::is_empty")]
    pub needs: Needs,
}

/// What is wrong with a bundle.
#[derive(Debug)]
pub enum BundleError {
    /// It is not one, or one of another version of the format.
    Foreign,
    /// Its bytes are not those that were written.
    Damaged,
    /// Its content cannot be read: it is of a version of qtool that wrote something else.
    Unreadable(String),
    /// The executable cannot be read or written.
    Executable(String),
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BundleError::Foreign => f.write_str("it holds a bundle of another version of the format"),
            BundleError::Damaged => f.write_str("its bundle is damaged: the bytes are not those that were built"),
            BundleError::Unreadable(why) => write!(f, "its bundle cannot be read: {why}"),
            BundleError::Executable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BundleError {}

/// The content as it is written: JSON, because every part of it can be read back from that.
#[derive(Serialize, Deserialize)]
struct Content {
    manifest: Manifest,
    project: ProjectFile,
    tools: Vec<Tool>,
    prompts: Vec<Prompt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offered: Vec<Offered>,
    tables: Vec<(String, String)>,
    files: Vec<(String, usize)>,
}

impl Bundle {
    /// The bytes: what it is, the hash of all that follows, the length of the JSON, the JSON, the embedded files.
    ///
    /// Errors: none that a compiled project can cause.
    pub fn write(&self) -> Result<Vec<u8>, BundleError> {
        let content = Content {
            manifest: self.manifest.clone(),
            project: self.file.clone(),
            tools: self.tools.clone(),
            prompts: self.prompts.clone(),
            offered: self.offered.clone(),
            tables: self.catalog.tables.iter().map(|(name, table)| (name.clone(), lock::write(name, table))).collect(),
            files: self.files.iter().map(|(path, bytes)| (path.clone(), bytes.len())).collect(),
        };
        let json = serde_json::to_vec(&content).map_err(|error| BundleError::Unreadable(error.to_string()))?;
        let mut body = (json.len() as u64).to_le_bytes().to_vec();
        body.extend(json);
        self.files.values().for_each(|bytes| body.extend_from_slice(bytes));
        let mut out = MAGIC.to_vec();
        out.extend(Sha256::digest(&body));
        out.extend(body);
        Ok(out)
    }

    /// Reads what [`Bundle::write`] wrote.
    ///
    /// Errors: other bytes, or a format of another version.
    pub fn read(bytes: &[u8]) -> Result<Bundle, BundleError> {
        let (bundle, behind) = Bundle::split(bytes)?;
        // Writers of sections may fill up to a round length.
        if behind.iter().any(|byte| *byte != 0) { Err(BundleError::Damaged) } else { Ok(bundle) }
    }

    /// Reads one that other bytes follow.
    fn read_prefix(bytes: &[u8]) -> Result<Bundle, BundleError> {
        Bundle::split(bytes).map(|(bundle, _)| bundle)
    }

    /// The bundle that bytes begin with, and what is behind it.
    fn split(bytes: &[u8]) -> Result<(Bundle, &[u8]), BundleError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(BundleError::Foreign)?;
        let (hash, body) = rest.split_at_checked(HASH).ok_or(BundleError::Damaged)?;
        let (length, rest) = body.split_at_checked(LENGTH).ok_or(BundleError::Damaged)?;
        let length = length.try_into().map(u64::from_le_bytes).ok().and_then(|length| usize::try_from(length).ok());
        let (json, mut blobs) = length.and_then(|length| rest.split_at_checked(length)).ok_or(BundleError::Damaged)?;
        let content: Content = match serde_json::from_slice(json) {
            Ok(content) => content,
            Err(_) if Sha256::digest(body).as_slice() != hash => return Err(BundleError::Damaged),
            Err(error) => return Err(BundleError::Unreadable(error.to_string())),
        };
        let mut files = BTreeMap::new();
        for (path, length) in content.files {
            let (file, behind) = blobs.split_at_checked(length).ok_or(BundleError::Damaged)?;
            files.insert(path, file.to_vec());
            blobs = behind;
        }
        let end = body.len() - blobs.len();
        if Sha256::digest(body.get(..end).unwrap_or_default()).as_slice() != hash {
            return Err(BundleError::Damaged);
        }
        let mut catalog = Catalog::default();
        for (name, text) in content.tables {
            let table =
                lock::read(&name, &text).map_err(|_| BundleError::Unreadable(format!("the schema of `{name}`")))?;
            catalog.tables.insert(name, table);
        }
        let Content { manifest, project, tools, prompts, offered, .. } = content;
        Ok((Bundle { manifest, file: project, tools, prompts, offered, catalog, files }, blobs))
    }
}

impl Bundle {
    /// The name of its executable: the project's in snake_case.
    pub fn executable_name(&self) -> String {
        executable_name(&self.file.name)
    }
}

/// The name of the executable of a project.
pub fn executable_name(project: &str) -> String {
    let name = crate::name::snake_case(project);
    let plain: String = name.chars().filter(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_').collect();
    if plain.trim_matches('_').is_empty() { "server".to_owned() } else { plain }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests;
