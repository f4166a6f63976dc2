//! The text that a user wrote, and places in it.
//!
//! Every stage speaks of places as [`Span`]s: byte ranges of one file. Lines and columns exist only where a person or
//! another program needs them ([`Location`]).

use std::sync::Arc;

/// Names one file of a [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);

impl FileId {
    /// The file's position in its [`Sources`], from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in one file; `start` is included, `end` is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The smallest span that holds both; `other` must lie in the same file, else `self` is returned.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just behind this one: where an edit inserts text.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The empty span just before this one.
    pub fn before(self) -> Span {
        Span { end: self.start, ..self }
    }
}

/// A value and the place it was written at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Puts a value and its place together.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// A line and a column as editors show them: both from 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One file's text with the index of its lines.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The name the file has in its [`Sources`].
    pub id: FileId,
    /// The path: relative to the project, with `/`.
    pub path: String,
    /// The whole text.
    pub text: Arc<str>,
    shown: String,
    line_starts: Vec<usize>,
    characters: Characters,
}

/// Counts characters: a file may be one line of megabytes, with a place asked for on every word.
#[derive(Debug, Clone)]
enum Characters {
    /// As many as bytes.
    Ascii,
    /// The bytes of every [`STEP`]th one.
    Marked(Vec<usize>),
}

/// Characters between two marks.
const STEP: usize = 256;

impl Characters {
    fn of(text: &str) -> Characters {
        match text.is_ascii() {
            true => Characters::Ascii,
            false => Characters::Marked(text.char_indices().step_by(STEP).map(|(at, _)| at).collect()),
        }
    }

    /// How many there are before a byte.
    fn before(&self, text: &str, byte: usize) -> usize {
        let Characters::Marked(marks) = self else { return byte };
        let last = marks.partition_point(|mark| *mark <= byte).saturating_sub(1);
        let from = marks.get(last).copied().unwrap_or_default();
        last * STEP + text.get(from..byte).unwrap_or_default().chars().count()
    }

    /// The byte of a character, counted from 0; the end of the text where there are fewer.
    fn byte(&self, text: &str, character: usize) -> usize {
        let Characters::Marked(marks) = self else { return character.min(text.len()) };
        let Some(from) = marks.get(character / STEP) else { return text.len() };
        let rest = text.get(*from..).unwrap_or_default();
        rest.char_indices().nth(character % STEP).map_or(text.len(), |(at, _)| from + at)
    }
}

impl SourceFile {
    /// The path as seen from where the reader stands; see [`Sources::show_below`].
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The span of the bytes `start..end`, cut to the text's length.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let end = end.min(self.text.len());
        Span { file: self.id, start: start.min(end), end }
    }

    /// The span of the whole text.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }

    /// The text of a span; empty where the span does not lie in this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Line and column of a byte.
    pub fn location(&self, offset: usize) -> Location {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let offset = offset.clamp(start, self.text.len());
        let count = |byte| self.characters.before(&self.text, byte);
        Location { line, column: count(offset) - count(start) + 1 }
    }

    /// The byte at a line and column; the end of the text where the place lies behind it.
    pub fn offset(&self, location: Location) -> usize {
        let Some(start) = self.line_starts.get(location.line.saturating_sub(1)).copied() else {
            return self.text.len();
        };
        let before = self.characters.before(&self.text, start);
        self.characters.byte(&self.text, before + location.column.saturating_sub(1))
    }
}

/// All files of one compilation.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    base: String,
}

impl Sources {
    /// Takes in a file and names it.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(self.files.len() as u32);
        let (path, text) = (path.into(), text.into());
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let shown = self.shown(&path);
        let characters = Characters::of(&text);
        self.files.push(SourceFile { id, path, text, shown, line_starts, characters });
        id
    }

    /// Says where the project's folder lies, as seen from where the reader stands: empty, or a path that ends with `/`.
    pub fn show_below(&mut self, base: impl Into<String>) {
        self.base = base.into();
        for file in &mut self.files {
            file.shown = format!("{}{}", self.base, file.path);
        }
    }

    /// Shows a file under another name: one that lies nowhere.
    pub fn show_as(&mut self, path: &str, shown: &str) {
        for file in self.files.iter_mut().filter(|file| file.path == path) {
            shown.clone_into(&mut file.shown);
        }
    }

    /// A path of the project as seen from where the reader stands.
    pub fn shown(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The file of that name; a [`FileId`] of another `Sources` may have none.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.index())
    }

    /// All files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_offsets_count_bytes() {
        let mut sources = Sources::default();
        let id = sources.add("a.sql", "é = 1\nü = << x >>\n");
        let file = sources.get(id).unwrap();
        let at = file.text.find("<<").unwrap();
        let location = file.location(at);
        assert_eq!(location, Location { line: 2, column: 5 });
        assert_eq!(file.offset(location), at);
        assert_eq!(file.offset(Location { line: 99, column: 1 }), file.text.len());
    }

    #[test]
    fn every_character_of_a_long_line_has_its_place() {
        for word in ["words ", "w\u{f6}rter ", "\u{8a00}\u{8449} ", "\u{1f600}"] {
            let mut sources = Sources::default();
            let id = sources.add("a.sql", format!("{word}\n{}\n{word}", word.repeat(500)));
            let file = sources.get(id).unwrap();
            let mut expected = Location { line: 1, column: 1 };
            for (at, character) in file.text.char_indices() {
                assert_eq!(file.location(at), expected, "{word} {at}");
                assert_eq!(file.offset(expected), at, "{word} {at}");
                expected = match character {
                    '\n' => Location { line: expected.line + 1, column: 1 },
                    _ => Location { column: expected.column + 1, ..expected },
                };
            }
            assert_eq!(file.location(file.text.len()), expected);
        }
    }

    #[test]
    fn paths_are_shown_below_the_folder_that_the_project_lies_in() {
        let mut sources = Sources::default();
        let before = sources.add("a.sql", "");
        sources.show_below("shop/");
        let after = sources.add("b.sql", "");
        let shown = |id| sources.get(id).map(|file| (file.path.as_str(), file.shown()));
        assert_eq!(shown(before), Some(("a.sql", "shop/a.sql")));
        assert_eq!(shown(after), Some(("b.sql", "shop/b.sql")));
        assert_eq!(sources.shown("c.sql"), "shop/c.sql");
    }
}
