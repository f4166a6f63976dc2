//! `qtool completions`

use super::{Outcome, terminal};
use clap_complete::Shell;

/// Print completions for a shell
#[derive(clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "qtool", &mut script);
        terminal::out(&String::from_utf8_lossy(&script));
        Outcome::Fine
    }
}
