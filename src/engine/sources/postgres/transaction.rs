//! The words around a statement: how its transaction begins and ends.

use crate::project::Isolation;

/// What each transaction begins with: it is for reading alone, whatever a statement before has said of the session.
const BEGIN: &str = "BEGIN READ ONLY";

/// The same for what is to be of one moment.
const ONE_STATE: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// What is said of a transaction behind a pooler: that which is said of a session elsewhere, and what somebody else may have
/// said of the one that it gets, as far as it changes what is read or written. Its tables and types for as long as a session
/// lasts come last: where nothing is said of them, they stand for those of the server.
const SHARED: &str = "; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; \
     SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL standard_conforming_strings = on; \
     SET LOCAL client_min_messages = error; SET LOCAL client_encoding = 'UTF8'; SET LOCAL bytea_output TO DEFAULT; \
     SET LOCAL default_text_search_config TO DEFAULT; SET LOCAL transform_null_equals TO DEFAULT; \
     SET LOCAL array_nulls TO DEFAULT; SET LOCAL row_security TO DEFAULT; SET LOCAL xmloption TO DEFAULT; \
     SET LOCAL quote_all_identifiers = off; SET LOCAL lc_monetary TO DEFAULT; SET LOCAL lc_numeric TO DEFAULT; SET LOCAL lc_time TO DEFAULT; \
     SET LOCAL statement_timeout TO DEFAULT";

/// What is said of a transaction for a statement that its author has written: names without a schema are those of the server,
/// and of `public`, whatever the user's own path is, and whatever somebody else has made for as long as a session lasts.
const AUTHORED: &str = "; SET LOCAL search_path = public, pg_temp";

/// What a transaction ends with. A function that a view calls may change settings for as long as the session lasts: what it has
/// changed in a transaction that is rolled back is as it was.
pub(super) const END: &str = "ROLLBACK";

/// The same where functions of others may have taken locks that a session holds until it ends.
const END_UNLOCKING: &str = "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()";

/// What is said of a session of one's own behind functions of others that were called in a transaction that lasts: what they
/// have changed of it is as it was when it began.
const RESET: &str = "RESET ALL; SELECT pg_catalog.pg_advisory_unlock_all()";

/// Whose the sessions are that transactions run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sessions {
    /// Each is that of one connection: what is said of it lasts, and what is prepared in it is there for the next statement.
    Own,
    /// A pooler gives each transaction another one, which others have before and after it.
    Shared,
}

impl Sessions {
    /// What a transaction begins with.
    pub(super) fn begin(self) -> String {
        self.beginning(BEGIN)
    }

    /// The same for a statement that its author has written.
    pub(super) fn begin_authored(self) -> String {
        self.beginning(BEGIN) + AUTHORED
    }

    /// The same for statements that see one state of the data.
    pub(super) fn begin_in_one_state(self) -> String {
        self.beginning(ONE_STATE)
    }

    /// The same for statements of an author that change data.
    pub(super) fn begin_changing(self, isolation: Isolation) -> String {
        self.beginning(&format!("BEGIN ISOLATION LEVEL {} READ WRITE", isolation.keywords())) + AUTHORED
    }

    fn beginning(self, begin: &str) -> String {
        [begin, if self == Sessions::Shared { SHARED } else { "" }].concat()
    }

    /// What is said behind a transaction that lasts; nothing where the next one gets another session, and says all itself.
    pub(super) fn behind_changes(self) -> Option<&'static str> {
        (self == Sessions::Own).then_some(RESET)
    }

    /// What a transaction ends with that functions of others were called in. Locks that others hold are in no session but ours
    /// released by us.
    pub(super) fn end_behind_functions(self) -> &'static str {
        if self == Sessions::Own { END_UNLOCKING } else { END }
    }
}
