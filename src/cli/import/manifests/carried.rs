//! What is read of another program, and what was made of it.

/// A file of another program.
#[derive(Debug, Clone)]
pub(crate) struct Foreign {
    /// Its path as messages show it, below the folder that is imported: `/` between the names.
    pub(crate) path: String,
    /// What stands in it.
    pub(crate) text: String,
}

/// What was made of files of another program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Imported {
    /// Manifests: the name of a tool, and the text of `tools/<name>.yaml`.
    pub(crate) manifests: Vec<(String, String)>,
    /// Tools and files that nothing was written for: what it is, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// What is otherwise here than there in the tools that were written, a line each.
    pub(crate) notes: Vec<String>,
    /// The same by tool, until all are read: a note, and the tools that it is about.
    of_tools: Vec<(String, Vec<String>)>,
}

/// How many tools a note names.
const MOST_NAMED: usize = 3;

impl Imported {
    /// Nothing is written for this.
    pub(crate) fn leave_out(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.left_out.push((what.into(), why.into()));
    }

    /// Notes something of a tool.
    pub(crate) fn note_of(&mut self, tool: &str, note: String) {
        match self.of_tools.iter_mut().find(|(known, _)| *known == note) {
            Some((_, tools)) => tools.push(tool.to_owned()),
            None => self.of_tools.push((note, vec![tool.to_owned()])),
        }
    }

    /// Writes the notes of tools, each once with the tools that it is about.
    pub(crate) fn settle(&mut self) {
        for (note, tools) in std::mem::take(&mut self.of_tools) {
            let named: Vec<String> = tools.iter().take(MOST_NAMED).map(|tool| format!("`{tool}`")).collect();
            let more = match tools.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            self.notes.push(format!("{}{more}: {note}", named.join(", ")));
        }
    }

    /// Whether there is a tool of that name already.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.manifests.iter().any(|(known, _)| known == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_stands_once_for_all_its_tools() {
        let mut imported = Imported::default();
        for tool in ["a", "b", "c", "d"] {
            imported.note_of(tool, "it is slow".to_owned());
        }
        imported.note_of("b", "it is old".to_owned());
        imported.settle();
        imported.settle();
        assert_eq!(imported.notes, ["`a`, `b`, `c` and 1 more: it is slow", "`b`: it is old"]);
    }
}
