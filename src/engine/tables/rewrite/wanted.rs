//! Whether anybody may still want what is rewritten.

use super::super::whole::Flaw;
use std::sync::{Arc, Weak};

/// Whether there is still a table whose calls may want what is rewritten: a file takes long, and the table may be closed.
#[derive(Debug, Clone)]
pub(in crate::engine::tables) struct Wanted(Weak<()>);

impl Wanted {
    /// For as long as there is somebody who holds that.
    pub(super) fn by(holder: &Arc<()>) -> Wanted {
        Wanted(Arc::downgrade(holder))
    }

    /// Errors: there is nobody any more.
    pub(super) fn check(&self) -> Result<(), Flaw> {
        if self.0.strong_count() == 0 { Err("nobody waits for it any more".into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wanted_of_a_table_that_is_closed() {
        let table = Arc::new(());
        let wanted = Wanted::by(&table);
        assert_eq!(wanted.check(), Ok(()));
        drop(table);
        assert!(wanted.check().is_err());
    }
}
