//! Questions to the person at the terminal.

use super::{Outcome, terminal};
use dialoguer::console::Term;
use dialoguer::{Confirm, Select};
use std::io::ErrorKind;
use std::sync::Once;

/// What the shell is told of a program that Ctrl-C ended: 128 and the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// Asks for one of several answers; `None` where the person would rather not say (Escape).
///
/// Errors: Ctrl-C, and a terminal that gives no answer, which is said with `help`.
pub(super) fn choose(prompt: &str, answers: &[&str], default: usize, help: &str) -> Result<Option<usize>, Outcome> {
    ask(|| Select::new().with_prompt(prompt).items(answers).default(default).interact_opt(), help)
}

/// Asks for yes or no, as [`choose`] does.
pub(super) fn confirm(prompt: &str, help: &str) -> Result<Option<bool>, Outcome> {
    ask(|| Confirm::new().with_prompt(prompt).default(false).interact_opt(), help)
}

fn ask<T>(question: impl FnOnce() -> dialoguer::Result<Option<T>>, help: &str) -> Result<Option<T>, Outcome> {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch_for_interrupts);
    question().map_err(|dialoguer::Error::IO(error)| {
        show_cursor();
        if error.kind() == ErrorKind::Interrupted {
            return Outcome::Ended(INTERRUPTED);
        }
        terminal::error(&format!("the terminal gave no answer ({error})"), &[help]);
        Outcome::CouldNotRun
    })
}

/// A question hides the cursor, and Ctrl-C would end the program there: whoever presses it gets the cursor back.
fn watch_for_interrupts() {
    let watch = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if runtime.is_ok_and(|runtime| runtime.block_on(tokio::signal::ctrl_c()).is_ok()) {
            show_cursor();
            std::process::exit(INTERRUPTED.into());
        }
    };
    std::thread::spawn(watch);
}

fn show_cursor() {
    // A terminal that cannot is one without a cursor.
    let _ = Term::stderr().show_cursor();
}
