//! A command of a shell as the arguments that it is, where it is one program with arguments and nothing else. A
//! template may have values in it, and conditions around whole words or inside of quotes.

use super::jinja::{Filter, Node};
use super::variable::{Dollar, dollar};
use super::word::{Entry, Piece};
use std::fmt;

/// Why a command is more than a program with arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShellFlaw {
    /// It has this, which a shell does.
    Does(&'static str),
    /// A quote is not closed.
    OpenQuote,
    /// A condition covers a part of a word.
    PartOfWord(String),
    /// A value that is quoted stands in quotes.
    QuotedTwice(String),
}

impl fmt::Display for ShellFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShellFlaw::Does(what) => write!(f, "it has {what}, and no shell runs here"),
            ShellFlaw::OpenQuote => f.write_str("a quote is not closed"),
            ShellFlaw::PartOfWord(name) => write!(f, "the condition on `{name}` covers a part of a word"),
            ShellFlaw::QuotedTwice(name) => {
                write!(f, "`{{{{ {name} | quote }}}}` stands in quotes, which its own would end")
            }
        }
    }
}

/// The words of a command.
///
/// Errors: the first part of it that only a shell can do.
pub(crate) fn split(nodes: &[Node]) -> Result<Vec<Entry>, ShellFlaw> {
    let mut splitter = Splitter::default();
    for node in nodes {
        match node {
            Node::When { name, then } if splitter.quote == Quote::Without => splitter.words_when(name, then)?,
            Node::When { name, then } => splitter.piece_when(name, then)?,
            other => splitter.feed(other)?,
        }
    }
    if splitter.quote != Quote::Without {
        return Err(ShellFlaw::OpenQuote);
    }
    splitter.end_word();
    Ok(splitter.entries.into_iter().chain(splitter.words.into_iter().map(Entry::Word)).collect())
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Quote {
    #[default]
    Without,
    Single,
    Double,
}

#[derive(Default)]
struct Splitter {
    entries: Vec<Entry>,
    /// The words since the last condition.
    words: Vec<Vec<Piece>>,
    /// The word that is being read.
    word: Option<Vec<Piece>>,
    quote: Quote,
    /// Whether the command ended: only spaces may follow.
    ended: bool,
    /// The condition that nothing but a space may follow.
    glued: Option<String>,
}

impl Splitter {
    /// A condition around words.
    fn words_when(&mut self, name: &str, then: &[Node]) -> Result<(), ShellFlaw> {
        let is_glued = self.word.is_some() || self.glued.is_some();
        let begins_apart = matches!(then.first(), Some(Node::Text(text)) if text.starts_with([' ', '\t', '\n']));
        if is_glued && !begins_apart {
            return Err(ShellFlaw::PartOfWord(name.to_owned()));
        }
        self.end_word();
        let before = std::mem::take(&mut self.words);
        self.entries.extend(before.into_iter().map(Entry::Word));
        self.glued = None;
        for node in then {
            self.feed(node)?;
        }
        if self.quote != Quote::Without {
            return Err(ShellFlaw::PartOfWord(name.to_owned()));
        }
        let is_open = self.word.is_some();
        self.end_word();
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            self.entries.push(Entry::When { name: name.to_owned(), words });
        }
        self.glued = (is_glued || is_open).then(|| name.to_owned());
        Ok(())
    }

    /// A condition inside of quotes.
    fn piece_when(&mut self, name: &str, then: &[Node]) -> Result<(), ShellFlaw> {
        let (quote, before) = (self.quote, self.word.take());
        self.word = Some(Vec::new());
        let words = self.words.len();
        for node in then {
            self.feed(node)?;
        }
        let inside = self.word.take();
        match inside {
            Some(then) if self.quote == quote && self.words.len() == words => {
                self.word = before;
                self.push(Piece::When { name: name.to_owned(), then });
                Ok(())
            }
            _ => Err(ShellFlaw::PartOfWord(name.to_owned())),
        }
    }

    fn feed(&mut self, node: &Node) -> Result<(), ShellFlaw> {
        match node {
            Node::Text(text) => self.text(text),
            Node::Value { name, filter } => self.value(name, *filter),
            Node::When { name, .. } => Err(ShellFlaw::PartOfWord(name.clone())),
        }
    }

    fn value(&mut self, name: &str, filter: Filter) -> Result<(), ShellFlaw> {
        if filter == Filter::Quote && self.quote != Quote::Without {
            return Err(ShellFlaw::QuotedTwice(name.to_owned()));
        }
        self.begin()?;
        let bare = self.quote == Quote::Without && filter != Filter::Quote;
        self.push(Piece::Value { name: name.to_owned(), filter, bare });
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), ShellFlaw> {
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let length = match self.quote {
                Quote::Without => self.outside(sign, rest)?,
                Quote::Single => self.in_single(sign, rest)?,
                Quote::Double => self.in_double(sign, rest)?,
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        Ok(())
    }

    /// Reads what stands outside of quotes; how many bytes it has.
    fn outside(&mut self, sign: char, rest: &str) -> Result<usize, ShellFlaw> {
        let next = rest.get(sign.len_utf8()..).and_then(|rest| rest.chars().next());
        let is_first = self.word.is_none();
        match sign {
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => {
                self.end_word();
                self.ended |= !self.entries.is_empty() || !self.words.is_empty();
            }
            '\\' if next == Some('\n') => return Ok(2),
            '\\' => {
                let next = next.ok_or(ShellFlaw::Does("a `\\` in front of a value"))?;
                self.letter(next)?;
                return Ok(1 + next.len_utf8());
            }
            '\'' => self.open(Quote::Single)?,
            '"' => self.open(Quote::Double)?,
            '$' => return self.dollar(rest, true),
            '{' if next == Some('}') => {
                self.letter('{')?;
                self.letter('}')?;
                return Ok(2);
            }
            '~' | '#' if !is_first => self.letter(sign)?,
            _ => match of_shell(sign) {
                Some(what) => return Err(ShellFlaw::Does(what)),
                None => self.letter(sign)?,
            },
        }
        Ok(sign.len_utf8())
    }

    fn in_single(&mut self, sign: char, rest: &str) -> Result<usize, ShellFlaw> {
        match sign {
            '\'' => self.quote = Quote::Without,
            '$' => return self.dollar(rest, false),
            _ => self.letter(sign)?,
        }
        Ok(sign.len_utf8())
    }

    fn in_double(&mut self, sign: char, rest: &str) -> Result<usize, ShellFlaw> {
        let next = rest.chars().nth(1);
        match sign {
            '"' => self.quote = Quote::Without,
            '`' => return Err(ShellFlaw::Does("the output of another program")),
            '$' => return self.dollar(rest, true),
            '\\' if next == Some('\n') => return Ok(2),
            '\\' => {
                let escaped = next.filter(|next| matches!(next, '$' | '`' | '"' | '\\'));
                self.letter(escaped.unwrap_or('\\'))?;
                return Ok(1 + escaped.map_or(0, char::len_utf8));
            }
            _ => self.letter(sign)?,
        }
        Ok(sign.len_utf8())
    }

    /// What stands at a `$`. In single quotes no shell reads it, and yet a variable was put in when the file was read.
    fn dollar(&mut self, rest: &str, is_shell: bool) -> Result<usize, ShellFlaw> {
        match dollar(rest) {
            Dollar::Variable(name, length) => {
                self.begin()?;
                self.push(Piece::Variable(name));
                Ok(length)
            }
            Dollar::Shell if is_shell || rest.starts_with("${") => {
                Err(ShellFlaw::Does("`$` with more than the name of a variable behind it"))
            }
            Dollar::Shell | Dollar::Sign => {
                self.letter('$')?;
                Ok(1)
            }
        }
    }

    fn open(&mut self, quote: Quote) -> Result<(), ShellFlaw> {
        self.begin()?;
        self.quote = quote;
        Ok(())
    }

    /// Something of a word stands here.
    fn begin(&mut self) -> Result<(), ShellFlaw> {
        if let Some(name) = self.glued.take() {
            return Err(ShellFlaw::PartOfWord(name));
        }
        if self.ended {
            return Err(ShellFlaw::Does("several commands"));
        }
        self.word.get_or_insert_default();
        Ok(())
    }

    fn letter(&mut self, letter: char) -> Result<(), ShellFlaw> {
        self.begin()?;
        match self.word.as_mut().and_then(|word| word.last_mut()) {
            Some(Piece::Text(text)) => text.push(letter),
            _ => self.push(Piece::Text(letter.to_string())),
        }
        Ok(())
    }

    fn push(&mut self, piece: Piece) {
        self.word.get_or_insert_default().push(piece);
    }

    fn end_word(&mut self) {
        self.glued = None;
        self.words.extend(self.word.take());
    }
}

/// What a shell makes of a sign outside of quotes, where it makes something of it.
fn of_shell(sign: char) -> Option<&'static str> {
    Some(match sign {
        '|' => "a pipe or `||`",
        '&' => "`&` or `&&`",
        ';' => "several commands",
        '<' | '>' => "a redirection",
        '(' | ')' => "a subshell",
        '`' => "the output of another program",
        '*' | '?' | '[' => "a pattern of file names",
        '{' | '}' => "braces",
        '~' => "`~` for a home",
        '#' => "a comment",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
