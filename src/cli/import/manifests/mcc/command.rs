//! `exec` of a tool of MCC: a program and its arguments, with values in them.

use super::super::jinja::{Filter, parsed};
use super::super::quoting::{escaped, placeholder};
use super::super::shell_words::split;
use super::super::variable::is_name;
use super::super::word::{Entry, Piece};
use super::flaw::Flaw;
use super::kind::{Kind, is_true};
use super::parameter::Presence;
use super::signature::Signature;
use super::uses::{Uses, check_others, names, scalar};
use serde_json::{Value, json};

/// What a shell does itself, without a program.
const BUILTINS: [&str; 31] = [
    "cd", "export", "eval", "exec", "source", ".", ":", "set", "unset", "alias", "unalias", "trap", "exit", "return",
    "ulimit", "umask", "read", "shift", "wait", "command", "type", "local", "if", "for", "while", "until", "case",
    "function", "time", "!", "hash",
];

/// What stands under `run` for a command.
///
/// Errors: it is more than one program with arguments, or its values have no form here.
pub(super) fn run(command: &str, signature: &mut Signature) -> Result<Vec<Value>, Flaw> {
    let entries = split(&parsed(command)?)?;
    check_program(entries.first())?;
    let mut reader = Reader { signature, uses: Uses::default() };
    let mut run = Vec::new();
    for entry in &entries {
        match entry {
            Entry::Word(word) => run.push(reader.always(word)?),
            Entry::When { name, words } => run.extend(reader.when(name, words)?),
        }
    }
    reader.uses.settle(reader.signature)?;
    Ok(run)
}

/// The program that a command runs, where it is one word of text.
pub(super) fn program(run: &[Value]) -> &str {
    run.first().and_then(Value::as_str).unwrap_or_default()
}

fn check_program(first: Option<&Entry>) -> Result<(), Flaw> {
    let Some(Entry::Word(word)) = first else { return Err(Flaw::other("it begins with no program")) };
    let [Piece::Text(text)] = word.as_slice() else {
        return Err(Flaw::other("the program itself is a value, and programs are the same at every call"));
    };
    if BUILTINS.contains(&text.as_str()) {
        return Err(Flaw::other(format!("`{text}` is a word of the shell, and no program")));
    }
    match text.split_once('=') {
        Some((name, _)) if is_name(name) => {
            Err(Flaw::other(format!("it sets `{name}` for its program: write it in `env`")))
        }
        _ => Ok(()),
    }
}

struct Reader<'a> {
    signature: &'a mut Signature,
    uses: Uses,
}

impl Reader<'_> {
    /// A word that is always there.
    fn always(&mut self, word: &[Piece]) -> Result<Value, Flaw> {
        if let [Piece::Value { name, bare: true, .. }] = word
            && let Some(parameter) = self.signature.take(name)
            && parameter.kind == Kind::Text
            && matches!(&parameter.presence, Presence::Default(value) if !is_true(value))
        {
            // To a shell, an empty text without quotes is no argument.
            self.uses.optional(name);
            return Ok(json!([self.text(word)?]));
        }
        self.uses.needed(names(word));
        Ok(self.text(word)?.into())
    }

    /// Words that are there where a parameter is true.
    fn when(&mut self, name: &str, words: &[Vec<Piece>]) -> Result<Vec<Value>, Flaw> {
        let parameter = self.signature.take(name).ok_or_else(|| Flaw::unknown(name))?;
        let (kind, always) = (parameter.kind, parameter.always());
        if kind == Kind::Boolean && parameter.presence == Presence::Optional {
            parameter.presence = Presence::Default(false.into());
        }
        let placeholder = placeholder(&parameter.name);
        match always {
            Some(true) => return words.iter().map(|word| self.always(word)).collect(),
            Some(false) => return Ok(Vec::new()),
            None => {}
        }
        let mut texts = Vec::new();
        for word in words {
            check_others(name, word, self.signature)?;
            texts.push(self.text(word)?);
        }
        if kind == Kind::Boolean {
            return Ok(vec![json!({ "if": placeholder, "then": texts })]);
        }
        if !words.iter().any(|word| names(word).iter().any(|one| one == name)) {
            return Err(Flaw::other(format!(
                "the condition on `{name}`, which is no boolean, does not cover its value"
            )));
        }
        self.uses.optional(name);
        Ok(vec![json!(texts)])
    }

    /// The text of an argument.
    fn text(&mut self, word: &[Piece]) -> Result<String, Flaw> {
        self.check_no_option(word)?;
        let mut text = String::new();
        for piece in word {
            match piece {
                Piece::Text(part) => text.push_str(&escaped(part)),
                Piece::Variable(name) => {
                    return Err(Flaw::other(format!(
                        "an argument has the variable `{name}` in it: bind a parameter to it"
                    )));
                }
                Piece::When { name, .. } => {
                    return Err(Flaw::other(format!("the condition on `{name}` covers a part of a word")));
                }
                Piece::Value { name, filter: Filter::UrlEncode, .. } => {
                    return Err(Flaw::other(format!("`{name}` is encoded as a part of an address")));
                }
                Piece::Value { name, bare, filter } => {
                    let is_word = word.len() == 1 && *filter == Filter::Quote;
                    text.push_str(&self.value(name, is_word, *bare)?);
                }
            }
        }
        Ok(text)
    }

    /// A value that an argument begins with is no option, so none may be one that is always there.
    fn check_no_option(&mut self, word: &[Piece]) -> Result<(), Flaw> {
        let Some(Piece::Value { name, .. }) = word.first() else { return Ok(()) };
        let presence = self.signature.take(name).map(|parameter| &parameter.presence);
        match presence {
            Some(Presence::Default(Value::String(text)) | Presence::Fixed(Value::String(text)))
                if text.starts_with('-') =>
            {
                Err(Flaw::other(format!("`{name}` is the option `{text}`, and no value is an option here")))
            }
            _ => Ok(()),
        }
    }

    /// The placeholder of a value. `is_word`: it is the whole word and quoted. `is_bare`: it stands without quotes.
    fn value(&mut self, name: &str, is_word: bool, is_bare: bool) -> Result<String, Flaw> {
        let parameter = self.signature.take(name).ok_or_else(|| Flaw::unknown(name))?;
        if parameter.kind.is_list() && is_word {
            parameter.as_arguments = true;
            return Ok(placeholder(&parameter.name));
        }
        let is_text = parameter.kind == Kind::Text;
        let ours = scalar(name, self.signature)?;
        if is_text && is_bare {
            self.signature.note(format!(
                "`{name}` is one argument here and no option, whatever is in it: it stands there without `quote`"
            ));
        }
        Ok(placeholder(&ours))
    }
}

#[cfg(test)]
mod tests;
