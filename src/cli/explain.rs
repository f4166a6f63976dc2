//! `qtool explain`

use super::{Outcome, terminal};
use crate::diagnostic::Code;
use crate::engine::code::CallCode;
use crate::name::nearest;
use crate::review::{RULES, Rule};

/// Explain a diagnostic code, that of a failed call, or that of a change in a review: why it matters, an example and its correction
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
            terminal::out("\nof changes in a review:\n\n");
            for rule in RULES {
                terminal::out(&format!("{}\n", rule.code));
            }
            return Outcome::Fine;
        };
        // Some name both: what is wrong with a query, and with a call.
        let rule = RULES.iter().find(|rule| rule.code == written).map(page_of_rule);
        let pages = [
            Code::parse(written).map(|code| code.page().to_owned()),
            CallCode::parse(written).map(|code| code.page().to_owned()),
            rule,
        ];
        if pages.iter().any(Option::is_some) {
            terminal::out(&pages.into_iter().flatten().collect::<Vec<_>>().join("\n"));
            return Outcome::Fine;
        }
        let names = Code::ALL.iter().map(|code| code.as_str()).chain(CallCode::ALL.iter().map(|code| code.as_str()));
        let names = names.chain(RULES.iter().map(|rule| rule.code));
        let help = match nearest(written, names) {
            Some(near) => format!("a code with a similar name exists: `{near}`"),
            None => "`qtool explain` lists the codes".to_owned(),
        };
        terminal::error(&format!("there is no code `{written}`"), &[help.as_str()]);
        Outcome::CouldNotRun
    }
}

/// What a review says of a change, and what it means.
fn page_of_rule(rule: &Rule) -> String {
    let (code, class, why) = (rule.code, rule.class, rule.why);
    format!("# {code}\n\nA change that `qtool review` and `qtool diff` tell: {class}.\n\n{why}\n")
}
