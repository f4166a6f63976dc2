//! `qtool explain`

use super::{Outcome, terminal};
use crate::diagnostic::Code;
use crate::name::nearest;

/// Explain a diagnostic code: why it matters, an example and its correction
#[derive(clap::Args)]
pub(super) struct Explain {
    /// The code, as in `error[unknown-column]` [default: list them]
    code: Option<String>,
}

impl Explain {
    pub(super) fn run(self) -> Outcome {
        let Some(written) = &self.code else {
            for code in Code::ALL {
                terminal::out(&format!("{code}\n"));
            }
            return Outcome::Fine;
        };
        if let Some(code) = Code::parse(written) {
            terminal::out(code.page());
            return Outcome::Fine;
        }
        let help = match nearest(written, Code::ALL.iter().map(|code| code.as_str())) {
            Some(near) => format!("a code with a similar name exists: `{near}`"),
            None => "`qtool explain` lists the codes".to_owned(),
        };
        terminal::error(&format!("there is no code `{written}`"), &[help.as_str()]);
        Outcome::CouldNotRun
    }
}
