//! Carries out what is certain: from diagnostics and the texts they are about to the mended texts.
//!
//! Nothing here knows files: who writes the texts back, and takes back what was no improvement, is `cli`.

use super::{Applicability, Code, Diagnostic, Edit};
use crate::source::{FileId, SourceFile, Sources, Span};
use std::ops::Range;

/// The text of a file after its certain edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// The file.
    pub file: FileId,
    /// Its whole text.
    pub text: String,
    /// How many diagnostics had an edit in it.
    pub problems: usize,
    /// What stands there instead, by place.
    pub replaced: Vec<Replaced>,
}

/// A text that an edit wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// What the edit was to mend.
    pub code: Code,
    /// Where the text stands, in bytes of the mended text.
    pub place: Range<usize>,
}

/// Carries out the [certain](Applicability::Certain) edits of all diagnostics, one suggestion each. Of edits that touch
/// one text, the first by place is carried out. Files without such edits are left out.
pub fn mend(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Mended> {
    sources.iter().filter_map(|file| mend_file(file, diagnostics)).collect()
}

fn mend_file(file: &SourceFile, diagnostics: &[Diagnostic]) -> Option<Mended> {
    let mut suggested: Vec<(Code, Vec<&Edit>)> =
        diagnostics.iter().filter_map(|diagnostic| Some((diagnostic.code, certain_edits(diagnostic, file)?))).collect();
    suggested.sort_by_key(|(_, edits)| edits.first().map(|edit| edit.span.start));
    let mut taken: Vec<(Code, &Edit)> = Vec::new();
    let mut problems = 0;
    for (code, edits) in suggested {
        if edits.iter().all(|edit| taken.iter().all(|(_, other)| !touch(edit.span, other.span))) {
            taken.extend(edits.into_iter().map(|edit| (code, edit)));
            problems += 1;
        }
    }
    if taken.is_empty() {
        return None;
    }
    let (text, replaced) = edited(&file.text, taken);
    Some(Mended { file: file.id, text, problems, replaced })
}

/// The edits of the first suggestion that is certain, by place; `None` where they do not all fit this file.
fn certain_edits<'a>(diagnostic: &'a Diagnostic, file: &SourceFile) -> Option<Vec<&'a Edit>> {
    let help =
        diagnostic.helps.iter().find(|help| help.applicability == Applicability::Certain && !help.edits.is_empty())?;
    let mut edits: Vec<&Edit> = help.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.start);
    let apart = edits.iter().zip(edits.iter().skip(1)).all(|(one, next)| !touch(one.span, next.span));
    (apart && edits.iter().all(|edit| fits(edit, file))).then_some(edits)
}

/// Whether an edit is about this text, and changes it.
fn fits(edit: &Edit, file: &SourceFile) -> bool {
    edit.span.file == file.id
        && file.text.get(edit.span.start..edit.span.end).is_some_and(|there| {
            there != edit.replacement && edit.written.as_deref().is_none_or(|name| is_name(name, there, edit))
        })
}

/// Whether a text is that name, in quotes or not and in any letter case, with as much in front of it as will stand there
/// afterwards.
fn is_name(name: &str, text: &str, edit: &Edit) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    let bare = last.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(last);
    let dots = |text: &str| text.matches('.').count();
    bare.to_lowercase() == name.to_lowercase() && dots(text) == dots(&edit.replacement)
}

/// Whether two edits of one file cannot both be carried out: they share text, or begin at one place.
fn touch(one: Span, other: Span) -> bool {
    one.start == other.start || (one.start < other.end && other.start < one.end)
}

/// The text with edits that do not touch each other, and what they wrote.
fn edited(text: &str, mut edits: Vec<(Code, &Edit)>) -> (String, Vec<Replaced>) {
    edits.sort_by_key(|(_, edit)| edit.span.start);
    let mut out = String::with_capacity(text.len());
    let mut replaced = Vec::new();
    let mut at = 0;
    for (code, edit) in edits {
        out.push_str(text.get(at..edit.span.start).unwrap_or_default());
        let start = out.len();
        out.push_str(&edit.replacement);
        replaced.push(Replaced { code, place: start..out.len() });
        at = edit.span.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, replaced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Help};
    use crate::name::near;
    use proptest::prelude::*;

    /// A file, and the span of the first occurrence of a text in it.
    struct Text {
        sources: Sources,
        file: FileId,
    }

    impl Text {
        fn new(text: &str) -> Text {
            let mut sources = Sources::default();
            let file = sources.add("queries/a.sql", text);
            Text { sources, file }
        }

        fn span(&self, wanted: &str) -> Span {
            let file = self.sources.get(self.file).unwrap();
            let start = file.text.find(wanted).unwrap();
            file.span(start, start + wanted.len())
        }

        /// The mended text and the number of problems; the text as it was where there is nothing to mend.
        fn mended(&self, diagnostics: &[Diagnostic]) -> (String, usize) {
            match mend(diagnostics, &self.sources).as_slice() {
                [] => (self.sources.get(self.file).unwrap().text.to_string(), 0),
                [mended] => (mended.text.clone(), mended.problems),
                more => panic!("one file became {}", more.len()),
            }
        }
    }

    fn problem(span: Span) -> Diagnostic {
        Diagnostic::at(Code::UnknownColumn, span, "wrong")
    }

    #[test]
    fn certain_edits_are_carried_out_and_others_are_not() {
        let text = Text::new("SELECT idd, totl FROM orders");
        let diagnostics = [
            problem(text.span("totl")).certain_fix("so", text.span("totl"), "total"),
            problem(text.span("idd")).fix("perhaps", text.span("idd"), "id").help("or think"),
            problem(text.span("FROM")).certain_fix("so", text.span("FROM").before(), "\n"),
        ];
        assert_eq!(text.mended(&diagnostics), ("SELECT idd, total \nFROM orders".to_owned(), 2));
    }

    #[test]
    fn what_was_written_is_told_with_what_it_mends() {
        let text = Text::new("é, totl, statuss");
        let fix = |code, wanted: &str, to: &str| {
            Diagnostic::at(code, text.span(wanted), "wrong").certain_fix("so", text.span(wanted), to)
        };
        let diagnostics = [fix(Code::UnknownTable, "statuss", "status"), fix(Code::UnknownColumn, "totl", "the total")];
        let mended = mend(&diagnostics, &text.sources);
        let written: Vec<(Code, &str)> =
            mended[0].replaced.iter().map(|one| (one.code, mended[0].text.get(one.place.clone()).unwrap())).collect();
        assert_eq!(written, [(Code::UnknownColumn, "the total"), (Code::UnknownTable, "status")]);
    }

    #[test]
    fn a_similar_name_is_left_to_a_person_where_names_are_free() {
        let text = Text::new("SELECT orderId, statuss FROM orders");
        let suggest = |written: &str, known: &str, is_free: bool| {
            let place = text.span(written);
            let near = near(written, [known]).unwrap();
            let problem = problem(place);
            if is_free {
                problem.similar_name("a name", near, place, known)
            } else {
                problem.similar_word("a word", near, place)
            }
        };
        assert_eq!(text.mended(&[suggest("orderId", "order_id", true)]).1, 1);
        assert_eq!(text.mended(&[suggest("statuss", "status", true)]).1, 0);
        assert_eq!(text.mended(&[suggest("statuss", "status", false)]).1, 1);
        assert_eq!(text.mended(&[suggest("statuss", "status", false).uncertain()]).1, 0);
    }

    #[test]
    fn a_byte_order_mark_and_the_line_ends_of_windows_stay() {
        let text = Text::new("\u{feff}SELECT 'é',\r\n  totl\r\nFROM orders\r\n");
        let diagnostics = [problem(text.span("totl")).certain_fix("so", text.span("totl"), "total")];
        let expected = "\u{feff}SELECT 'é',\r\n  total\r\nFROM orders\r\n";
        assert_eq!(text.mended(&diagnostics), (expected.to_owned(), 1));
    }

    #[test]
    fn of_edits_that_touch_the_first_by_place_wins() {
        let text = Text::new("abcdef");
        let fix = |from: &str, to: &str| problem(text.span(from)).certain_fix("so", text.span(from), to);
        assert_eq!(text.mended(&[fix("cd", "X"), fix("bc", "Y")]), ("aYdef".to_owned(), 1));
        assert_eq!(text.mended(&[fix("ab", "X"), fix("cd", "Y")]), ("XYef".to_owned(), 2));
        let insert = problem(text.span("c")).certain_fix("so", text.span("c").before(), "-");
        assert_eq!(text.mended(&[insert.clone(), insert.clone()]), ("ab-cdef".to_owned(), 1), "once");
        assert_eq!(text.mended(&[insert.clone(), fix("ab", "X")]), ("X-cdef".to_owned(), 2));
        assert_eq!(text.mended(&[insert, fix("bcd", "X")]), ("aXef".to_owned(), 1));
    }

    #[test]
    fn the_edits_of_one_suggestion_go_together() {
        let text = Text::new("[[ a ]]");
        let edit = |wanted: &str, replacement: &str| Edit {
            span: text.span(wanted),
            replacement: replacement.to_owned(),
            written: None,
        };
        let both = |edits: Vec<Edit>| {
            let help = Help { text: "so".to_owned(), edits, applicability: Applicability::Certain };
            Diagnostic { helps: vec![help], ..problem(text.span("a")) }
        };
        assert_eq!(text.mended(&[both(vec![edit("]]", ")"), edit("[[", "(")])]), ("( a )".to_owned(), 1));
        assert_eq!(text.mended(&[both(vec![edit("[[ a", "("), edit("a", "b")])]), ("[[ a ]]".to_owned(), 0));
    }

    #[test]
    fn a_name_is_only_replaced_where_it_stands() {
        let text = Text::new("SELECT o.\"PlacedAt\", a.o.placedat FROM orders AS o");
        let same = near("placedat", ["placed_at"]).unwrap();
        let fix =
            |place: &str| problem(text.span(place)).similar_name("a column", same, text.span(place), "o.placed_at");
        let mended = "SELECT o.placed_at, a.o.placedat FROM orders AS o".to_owned();
        assert_eq!(text.mended(&[fix("o.\"PlacedAt\"")]), (mended, 1));
        assert_eq!(text.mended(&[fix("a.o.placedat")]).1, 0, "what stands in front would be lost");
        assert_eq!(text.mended(&[fix("SELECT")]).1, 0);
        assert_eq!(text.mended(&[fix("orders")]).1, 0);
    }

    #[test]
    fn an_edit_that_changes_nothing_mends_nothing() {
        let text = Text::new("SELECT 1");
        assert_eq!(text.mended(&[problem(text.span("1")).certain_fix("so", text.span("1"), "1")]).1, 0);
    }

    /// The same by the book: one after the other from the end.
    fn naive(text: &str, edits: &[(usize, usize, String)]) -> String {
        let mut edits: Vec<_> =
            edits.iter().filter(|(start, end, new)| text.get(*start..*end).is_some_and(|there| there != new)).collect();
        edits.sort_by_key(|(start, ..)| *start);
        let mut kept: Vec<&(usize, usize, String)> = Vec::new();
        for edit in edits {
            let last = kept.last();
            if last.is_none_or(|last| last.1 <= edit.0 && last.0 != edit.0) {
                kept.push(edit);
            }
        }
        let mut text = text.to_owned();
        for (start, end, new) in kept.into_iter().rev() {
            text.replace_range(*start..*end, new);
        }
        text
    }

    proptest! {
        #[test]
        fn any_edits_give_what_applying_them_from_the_end_gives(
            text in "[ab\u{e9}\r\n\u{1F600}]{0,24}",
            edits in proptest::collection::vec((0_usize..40, 0_usize..6, "[xy\u{e9}]{0,2}"), 0..12),
        ) {
            let file = Text::new(&text);
            let edits: Vec<(usize, usize, String)> =
                edits.into_iter().map(|(start, length, new)| (start, start + length, new)).collect();
            let diagnostics: Vec<Diagnostic> = edits
                .iter()
                .map(|(start, end, new)| {
                    let span = Span { file: file.file, start: *start, end: *end };
                    problem(span).certain_fix("so", span, new.as_str())
                })
                .collect();
            prop_assert_eq!(file.mended(&diagnostics).0, naive(&text, &edits));
        }
    }
}
