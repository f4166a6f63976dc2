//! The statements that a session keeps: the server has read and planned them, and runs them again.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Statement};

/// How many texts are kept.
const MOST: usize = 64;

/// A text that is longer is not: it has a long list of values, and the next list has another length.
const LONGEST: usize = 4_096;

/// The texts that a session has run, the last one at the end.
#[derive(Default)]
pub(super) struct Statements(Mutex<Vec<Text>>);

/// A text, and what the server has of it; nothing where it was run once.
struct Text {
    sql: String,
    kept: Option<Kept>,
}

/// What the server has of a text.
#[derive(Clone)]
pub(super) struct Kept {
    /// By what it is run.
    pub(super) statement: Statement,
    /// When the server had read it: since then its rows have the types that they had then, or it is refused.
    pub(super) since: Instant,
}

impl fmt::Debug for Statements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statements").finish_non_exhaustive()
    }
}

/// Whether a text that was prepared with these types is one for those that are wanted: some the server finds itself.
fn is_for(prepared: &[Type], wanted: &[Type]) -> bool {
    let is_same = |(own, wanted): (&Type, &Type)| *wanted == Type::UNKNOWN || own == wanted;
    prepared.len() == wanted.len() && prepared.iter().zip(wanted).all(is_same)
}

impl Statements {
    /// What the server has of a text, which it is given when the text comes a second time; `None` where it is run as it is.
    ///
    /// Errors: the server does not take it, or is gone.
    pub(super) async fn kept(&self, client: &Client, sql: &str, types: &[Type]) -> Result<Option<Kept>, Error> {
        if sql.len() > LONGEST {
            return Ok(None);
        }
        match self.sight(sql) {
            None => Ok(None),
            // A text has the types of its placeholders from the columns beside them. Where those have changed, it is another.
            Some(Some(kept)) => Ok(is_for(kept.statement.params(), types).then_some(kept)),
            Some(None) => {
                let statement = client.prepare_typed(sql, types).await?;
                let kept = Kept { statement, since: Instant::now() };
                if let Some(text) = self.texts().iter_mut().find(|text| text.sql == sql) {
                    text.kept = Some(kept.clone());
                }
                Ok(Some(kept))
            }
        }
    }

    /// Forgets a text that has failed: what the server has of it may be of a table that has changed.
    pub(super) fn forget(&self, sql: &str) {
        self.texts().retain(|text| text.sql != sql);
    }

    /// What is kept of a text that was run before; afterwards it is the last one that was.
    fn sight(&self, sql: &str) -> Option<Option<Kept>> {
        let mut texts = self.texts();
        match texts.iter().position(|text| text.sql == sql) {
            Some(at) => {
                let text = texts.remove(at);
                let kept = text.kept.clone();
                texts.push(text);
                Some(kept)
            }
            None => {
                if texts.len() >= MOST {
                    texts.remove(0);
                }
                texts.push(Text { sql: sql.to_owned(), kept: None });
                None
            }
        }
    }

    fn texts(&self) -> std::sync::MutexGuard<'_, Vec<Text>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
