//! `qtool schema`

use super::{Outcome, terminal};
use crate::project::{EvalFileConfig, Header, Manifest, ProjectFile, TestFile};
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
    /// The manifests under tools/
    Program,
    /// The files under evals/
    Eval,
    /// Test files: queries/<name>.test.yaml
    Test,
}

impl Schema {
    pub(super) fn run(self) -> Outcome {
        terminal::out(&match self.of {
            Of::Project => schema_text::<ProjectFile>(),
            Of::Header => schema_text::<Header>(),
            Of::Program => schema_text::<Manifest>(),
            Of::Eval => schema_text::<EvalFileConfig>(),
            Of::Test => schema_text::<TestFile>(),
        });
        Outcome::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed schemas, which editors fetch, are those of the formats.
    #[test]
    fn the_committed_schemas_are_those_of_the_formats() {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/schemas");
        for (name, text) in [
            ("qtool.schema.json", schema_text::<ProjectFile>()),
            ("header.schema.json", schema_text::<Header>()),
            ("program.schema.json", schema_text::<Manifest>()),
            ("eval.schema.json", schema_text::<EvalFileConfig>()),
            ("test.schema.json", schema_text::<TestFile>()),
        ] {
            let path = dir.join(name);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "UPDATE_EXPECT=1 rewrites {name}");
        }
    }
}
