//! Writing to the terminal: colours where they are wanted, broken pipes ignored, what else keeps output from being
//! written said.

use crate::load::io_reason;
use annotate_snippets::{Group, Level, Renderer, normalize_untrusted_str};
use anstream::ColorChoice;
use std::borrow::Cow;
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
    write_out(&mut anstream::stdout(), text);
}

/// Writes what tables hold to standard output: as it is where that is read by a program, and with pictures of control
/// characters on a terminal, which takes them for commands.
pub(crate) fn out_data(text: &str) {
    let mut stdout = std::io::stdout();
    match stdout.is_terminal() {
        true => write_out(&mut stdout, &harmless_text(text)),
        false => write_out(&mut stdout, text),
    }
}

/// A text without what a terminal takes for a command, or shows in another order than it stands there.
pub(crate) fn harmless_text(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_harmful = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || turns(c);
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    // The pictures stand in the order of the characters.
    let picture = |c: char| match u32::from(c) {
        code @ ..0x20 => char::from_u32(0x2400 + code),
        0x7f => Some('\u{2421}'),
        _ => None,
    };
    let shown = |c: char| if is_harmful(c) { picture(c).unwrap_or(char::REPLACEMENT_CHARACTER) } else { c };
    // A line of CSV may end in both.
    Cow::Owned(text.replace("\r\n", "\n").chars().map(shown).collect())
}

fn write_out(stdout: &mut impl Write, text: &str) {
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
    // They may quote what a table holds.
    let helps: Vec<String> = helps.iter().map(|help| normalize_untrusted_str(help)).collect();
    let mut group = Group::with_title(level.primary_title(message.as_str()));
    for help in &helps {
        group = group.element(Level::HELP.message(help.as_str()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_takes_nothing_of_a_table_for_a_command() {
        assert_eq!(harmless_text("a,b\r\n1,\t2\n"), "a,b\n1,\t2\n");
        assert_eq!(harmless_text("\u{1b}[31mred\u{7}\u{7f}\u{8}"), "␛[31mred␇␡␈");
        assert_eq!(harmless_text("\u{9b}31m \u{202e}exe"), "\u{fffd}31m \u{fffd}exe");
        assert!(matches!(harmless_text("plain, ä and 漢\n"), Cow::Borrowed(_)));
    }
}
