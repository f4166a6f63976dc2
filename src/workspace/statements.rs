//! What a project takes from its databases for the queries that are in their own SQL: the columns of the results. They are
//! locked, so that the databases are asked once.

use super::{Locking, Workspace};
use crate::catalog::StatementAnswer;
use crate::compile;
use crate::diagnostic::codes;
use crate::engine::prepare_statement;
use crate::load::{self, Disk};
use crate::project::{RefusedStatement, UnpreparedStatement};

/// A query in a database's own SQL whose answer is locked.
#[derive(Debug)]
pub struct StatementNow {
    /// Its name.
    pub name: String,
    /// The answer that is locked.
    pub locked: StatementAnswer,
    /// What the database says now; or why it says nothing.
    pub now: Result<StatementAnswer, RefusedStatement>,
}

impl Workspace {
    /// The queries in a database's own SQL that are locked, and what their databases say now. `progress` is told what is
    /// asked.
    pub async fn statements_now(&self, progress: fn(&str)) -> Vec<StatementNow> {
        let mut found = Vec::new();
        for of in compile::unprepared_statements(&self.project) {
            let Some(locked) = load::locked_statement(&Disk::new(&self.dir), &of) else { continue };
            progress(&format!("asking source {} about {}", of.source, of.name));
            let now = self.statement_now(&of).await;
            found.push(StatementNow { name: of.name, locked, now });
        }
        found
    }

    /// Asks the databases anew about all queries in their own SQL and locks what they say; their names, and whether that is
    /// another answer than before.
    pub async fn relock_statements(&mut self, progress: fn(&str)) -> Vec<(String, bool)> {
        let mut asked = Vec::new();
        self.unprepared.clear();
        for of in compile::unprepared_statements(&self.project) {
            let locked = load::locked_statement(&Disk::new(&self.dir), &of);
            let (name, file) = (of.name.clone(), of.file);
            self.prepare(of, Locking::Write, progress).await;
            if let Some(Ok(answer)) = self.project.statements.get(&file) {
                asked.push((name, locked.as_ref() != Some(answer)));
            }
        }
        asked
    }

    /// Removes the locked answers about queries that are gone; their names.
    pub fn remove_other_statements(&self) -> Vec<String> {
        load::remove_other_statements(&self.dir, &self.query_names())
    }

    /// What a database says of a query now.
    ///
    /// Errors: it cannot be asked, or refuses it.
    pub async fn statement_now(&self, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement> {
        let (dir, file, of) = (self.dir.clone(), self.project.file.clone(), of.clone());
        // On a task of its own: a panic is an error of this query.
        let asked = tokio::spawn(async move { prepare_statement(&dir, &file, &of).await });
        asked.await.unwrap_or_else(|_| Err(RefusedStatement::Source("its reader failed".to_owned())))
    }

    /// Asks a database about a query, and locks the answer.
    pub(super) async fn prepare(&mut self, of: UnpreparedStatement, locking: Locking, progress: fn(&str)) {
        progress(&format!("asking source {} about {}", of.source, of.name));
        let answer = self.statement_now(&of).await;
        if let Ok(answer) = &answer
            && locking == Locking::Write
        {
            let source = self.project.sources.get(of.file).map_or_else(String::new, |file| file.path.clone());
            if let Err(error) = load::write_statement(&self.dir, &source, &of, answer) {
                let why = load::io_reason(&error);
                let path = format!("{}/{}.snap", load::STATEMENT_LOCKS, of.name);
                self.found.push(codes::unreadable_file(None, &path, &why));
            }
        }
        self.project.statements.insert(of.file, answer);
    }
}
