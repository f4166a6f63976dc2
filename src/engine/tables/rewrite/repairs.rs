//! What was made of values and rows that cannot be read.

/// How many values and rows of files cannot be read as declared, and what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::engine::tables) struct Repairs {
    /// Values that are null in their place.
    pub(in crate::engine::tables) nulls: u64,
    /// Rows that are left out.
    pub(in crate::engine::tables) skipped: u64,
    /// The first of them.
    pub(in crate::engine::tables) first: Option<String>,
}

impl Repairs {
    pub(super) fn add_null(&mut self, why: String) {
        self.nulls += 1;
        self.first.get_or_insert(why);
    }

    pub(super) fn add_skipped(&mut self, why: String) {
        self.skipped += 1;
        self.first.get_or_insert(why);
    }

    /// Those of another file, behind these.
    pub(super) fn join(&mut self, other: &Repairs) {
        self.nulls += other.nulls;
        self.skipped += other.skipped;
        if self.first.is_none() {
            self.first.clone_from(&other.first);
        }
    }

    /// What is said to who reads the rows; `None` where there is nothing to say.
    pub(in crate::engine::tables) fn words(&self) -> Option<String> {
        let plural = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let nulls = format!("{} that cannot be read {} null", plural(self.nulls, "value"), be(self.nulls));
        let skipped = format!("{} that cannot be read {} left out", plural(self.skipped, "row"), be(self.skipped));
        match (self.nulls, self.skipped) {
            (0, 0) => None,
            (_, 0) => Some(format!("of the data, {nulls}")),
            (0, _) => Some(format!("of the data, {skipped}")),
            _ => Some(format!("of the data, {nulls}, and {skipped}")),
        }
    }
}

fn be(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
