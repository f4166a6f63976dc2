//! Where a program or a function runs, with which variables, and what it may reach and take.

use super::limits::ByteSize;
use super::settings::Timeout;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a program or a function runs, with which variables, and what it may reach and take.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// The folder that it runs in, and that modules of Python are found in, below the roots of the project. Default: that of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub cwd: Option<String>,
    /// Variables of its environment; values may have variables of the server's in them: `{ TOKEN: "${WEATHER_TOKEN}" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub env: IndexMap<String, String>,
    /// A file with more of them, a `NAME=value` on each line. It is read at each call of a program, and when a worker
    /// starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub env_file: Option<String>,
    /// Variables of the server's environment that it has too, by name or as patterns with `*`. What looks like a secret is
    /// passed by its whole name alone, and what `qtool.yaml` names is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub passthrough: Vec<String>,
    /// Files and folders that it may read, beside its own and those that every program needs: below the roots, or absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub reads: Vec<String>,
    /// Folders that it may write, below the roots. Default: none but one of its own, which is gone behind the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub writes: Vec<String>,
    /// Whether it may use the network. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// What one call of a program, or a worker, may take.
    #[serde(default, skip_serializing_if = "ProgramLimits::is_default")]
    pub limits: ProgramLimits,
}

impl Execution {
    /// A path as it is meant in the folder that it runs in, from that of the project.
    pub fn in_folder(&self, path: &str) -> String {
        self.cwd.as_ref().map_or_else(|| path.to_owned(), |folder| format!("{}/{path}", folder.trim_end_matches('/')))
    }
}

/// What one call of a program may take: all of its processes together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramLimits {
    /// Processor time. Default: that of `timeout`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Timeout>,
    /// Memory. Default: 512MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<ByteSize>,
    /// Files that are open in one process. Default: 256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 8, max = 65_536))]
    pub files: Option<u64>,
    /// Processes and threads. Default: 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4096))]
    pub processes: Option<u64>,
    /// The largest file that it writes. Default: 64MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_size: Option<ByteSize>,
    /// What it writes to its standard output. Default: 8MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<ByteSize>,
}

impl ProgramLimits {
    /// Whether nothing is said.
    pub fn is_default(&self) -> bool {
        *self == ProgramLimits::default()
    }
}
