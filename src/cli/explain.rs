//! `qtool explain`

use super::{Outcome, terminal};
use crate::diagnostic::Code;
use crate::engine::code::CallCode;
use crate::name::nearest;

/// Explain a diagnostic code, or that of a failed call: why it matters, an example and its correction
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
            terminal::out("\nof calls that fail:\n\n");
            for code in CallCode::ALL {
                terminal::out(&format!("{code}\n"));
            }
            return Outcome::Fine;
        };
        // Some name both: what is wrong with a query, and with a call.
        let pages = [Code::parse(written).map(Code::page), CallCode::parse(written).map(CallCode::page)];
        if pages.iter().any(Option::is_some) {
            terminal::out(&pages.into_iter().flatten().collect::<Vec<_>>().join("\n"));
            return Outcome::Fine;
        }
        let names = Code::ALL.iter().map(|code| code.as_str()).chain(CallCode::ALL.iter().map(|code| code.as_str()));
        let help = match nearest(written, names) {
            Some(near) => format!("a code with a similar name exists: `{near}`"),
            None => "`qtool explain` lists the codes".to_owned(),
        };
        terminal::error(&format!("there is no code `{written}`"), &[help.as_str()]);
        Outcome::CouldNotRun
    }
}
