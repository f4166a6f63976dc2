//! What the launcher is told: a text of JSON among its arguments. Paths are bytes, which JSON has no texts for, so
//! each byte is written as the character of its number.

use super::launch::{ProcessLimits, Sandbox};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The first argument of a launcher.
pub(super) const LAUNCHER: &str = "--confined-program-4f1c";

/// The first argument of a guard that has yet to let go of the files of its server.
pub(super) const GUARD: &str = "--confined-guard-4f1c";

/// The first argument of a guard that has done so.
pub(super) const BARE_GUARD: &str = "--confined-bare-guard-4f1c";

/// What stands before the name of each variable of the program's environment in that of the launcher: the loader and
/// the libraries of the launcher, which is not confined yet, are not to obey them.
pub(super) const MARK: u8 = b'+';

/// What the launcher is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// What its reports begin with.
    pub(super) nonce: String,
    /// The process that starts it.
    pub(super) parent: i32,
    /// Whether the program ends with the thread that started it.
    pub(super) is_tied: bool,
    /// The folder to start in.
    pub(super) folder: OnePath,
    /// The folder of its own.
    pub(super) scratch: OnePath,
    /// Whether it is held by the kernel.
    pub(super) sandbox: Sandbox,
    /// What may be read.
    pub(super) reads: Vec<OnePath>,
    /// What may be changed.
    pub(super) writes: Vec<OnePath>,
    /// Whether it may use the internet protocols.
    pub(super) network: bool,
    /// What it may take.
    pub(super) limits: ProcessLimits,
}

/// A path of any bytes.
#[derive(Debug, Clone)]
pub(super) struct OnePath(pub(super) PathBuf);

impl OnePath {
    /// Each of the paths.
    pub(super) fn each(paths: &[PathBuf]) -> Vec<OnePath> {
        paths.iter().map(|path| OnePath(path.clone())).collect()
    }

    /// The path.
    pub(super) fn as_path(&self) -> &Path {
        &self.0
    }
}

impl Serialize for OnePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.as_os_str().as_bytes().iter().map(|byte| char::from(*byte)).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for OnePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OnePath, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
        let bytes = bytes.map_err(serde::de::Error::custom)?;
        Ok(OnePath(PathBuf::from(OsString::from_vec(bytes))))
    }
}
