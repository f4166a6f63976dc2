//! `qtool schema`

use super::{Outcome, terminal};
use crate::project::{Header, ProjectFile};
use crate::yaml::schema_text;
use clap::ValueEnum;

/// Print the JSON Schema of a file format, for editors
#[derive(clap::Args)]
pub(super) struct Schema {
    /// Which format
    of: Of,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Of {
    /// qtool.yaml
    Project,
    /// The header of a query file, and the .yaml file beside it
    Header,
}

impl Schema {
    pub(super) fn run(self) -> Outcome {
        terminal::out(&match self.of {
            Of::Project => schema_text::<ProjectFile>(),
            Of::Header => schema_text::<Header>(),
        });
        Outcome::Fine
    }
}
