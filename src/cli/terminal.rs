//! Writing to the terminal: colours where they are wanted, broken pipes ignored, what else keeps output from being
//! written said.

use crate::load::io_reason;
use annotate_snippets::{Group, Level, Renderer, normalize_untrusted_str};
use anstream::ColorChoice;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something that was to be on standard output is not.
static LOST: AtomicBool = AtomicBool::new(false);

/// Decides for all that follows.
pub(crate) fn set_colour(choice: ColorChoice) {
    choice.write_global();
}

/// Writes to standard output, all of it and at once; colours are taken out where it is no terminal. `head` may close the
/// pipe: no failure. Any other failure is said, once, and is what [`is_output_lost`] tells the end of the command.
pub(crate) fn out(text: &str) {
    let mut stdout = anstream::stdout();
    // What stays in a buffer would be lost without a word when the process ends.
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(failed) if failed.kind() != ErrorKind::BrokenPipe && !LOST.swap(true, Ordering::Relaxed) => {
            error(&format!("the output cannot be written: {}", io_reason(&failed)), &[]);
        }
        _ => {}
    }
}

/// Whether something could not be written to standard output, which was said.
pub(crate) fn is_output_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// What clap has to say: help and versions are output, complaints are not.
pub(crate) fn usage(said: &clap::Error) {
    match said.use_stderr() {
        true => err(&said.render().ansi().to_string()),
        false => out(&said.render().ansi().to_string()),
    }
}

/// Writes to standard error in the same way.
pub(crate) fn err(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// An error of the command itself, in the form of the compiler's.
pub(crate) fn error(message: &str, helps: &[&str]) {
    say(Level::ERROR, message, helps);
}

/// A warning of the command itself.
pub(crate) fn warning(message: &str, helps: &[&str]) {
    say(Level::WARNING, message, helps);
}

fn say(level: Level<'static>, message: &str, helps: &[&str]) {
    let message = normalize_untrusted_str(message);
    let mut group = Group::with_title(level.primary_title(message.as_str()));
    for help in helps {
        group = group.element(Level::HELP.message(*help));
    }
    let text = Renderer::styled().render(&[group]);
    err(&format!("{text}\n"));
}

/// The columns of the terminal that standard output is; `None` where it is none.
pub(crate) fn width() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// What the command is doing, where somebody waits for it.
pub(crate) fn progress(message: &str) {
    if std::io::stderr().is_terminal() {
        err(&format!("{message}\n"));
    }
}
