//! What failures of a server mean, by their codes: its own words may hold names, addresses and values, and are never told.

use crate::engine::sources::error::{Rule, SourceError};
use crate::engine::sources::server::failure::{Failure, LOST, of_io, of_tls};
use mysql_async::{DriverError, Error, IoError, TlsError};

/// Codes by which a connection, and not a statement, has ended: the server goes, has ended the session, or has lost a part of
/// what was sent.
const LOSSES: [u16; 13] = [1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161, 1243, 1927, 2006, 3169, 4031];

/// The server does not wait for who rested longer than it allows.
const RESTED_TOO_LONG: u16 = 4031;

/// There is no session of that number.
const NO_SESSION: u16 = 1094;

/// What a failed statement means for who asked for rows of `table`.
pub(super) fn source_error(error: &Error, source: &str, table: &str) -> SourceError {
    let name = source.to_owned();
    let code = match error {
        Error::Server(told) => told.code,
        Error::Io(_) | Error::Driver(DriverError::ConnectionClosed) => {
            return SourceError::Down { source: name, why: LOST.to_owned() };
        }
        Error::Driver(DriverError::PacketTooLarge | DriverError::StmtParamsNumberExceedsLimit { .. }) => {
            return SourceError::TooLarge { source: name };
        }
        _ => return SourceError::Other { source: name, code: "protocol".to_owned() },
    };
    match code {
        // A database, a table, a column or a function is no more, a view leads to none, or a statement is to be read anew.
        1049 | 1051 | 1054 | 1146 | 1305 | 1356 | 1615 => {
            SourceError::Changed { source: name, table: table.to_owned() }
        }
        // The user may not use a database, read a table or a column of it, or call a function of a view.
        1044 | 1142 | 1143 | 1370 => SourceError::Forbidden { source: name, table: table.to_owned() },
        1317 | 3024 | 1969 => SourceError::Cancelled,
        1205 | 1213 | 3572 => SourceError::Busy { source: name },
        // A number is out of the range of its type.
        1264 | 1690 => SourceError::Overflow { source: name },
        // Memory, disk, or the size of a message are what the statement took.
        1021 | 1037 | 1038 | 1041 | 1114 | 1153 => SourceError::TooLarge { source: name },
        1040 | 1203 | 1226 => SourceError::Down { source: name, why: by_code(code).why },
        code if LOSSES.contains(&code) => SourceError::Down { source: name, why: LOST.to_owned() },
        code => SourceError::Other { source: name, code: code.to_string() },
    }
}

/// What a failure means where an author has written the statement of the query: it may fail for the values of a call.
pub(super) fn of_an_author(error: SourceError, query: &str) -> SourceError {
    match error {
        SourceError::Changed { source, .. } => SourceError::outdated(source, query),
        SourceError::Forbidden { source, .. } => SourceError::Denied { source, query: query.to_owned() },
        SourceError::Other { source, code } => match code.parse() {
            // What is none of a type, of a day, of a document or of a pattern is so by the values of a call, and a query that
            // stands for one value may have several. The words of a full-text search have a grammar, too.
            Ok(1064 | 1139 | 1242 | 1292 | 1365 | 1411 | 1525 | 3140..=3158 | 3684..=3699 | 4037..=4044) => {
                SourceError::Unfit { source }
            }
            // A letter that the characters of a column have not.
            Ok(1267 | 1270 | 1271 | 1366 | 3988) => SourceError::Unfit { source },
            _ => SourceError::Other { source, code },
        },
        error => error,
    }
}

/// What a failed statement means that changes data: a rule of the database may be against it, or another transaction.
pub(super) fn of_a_change(error: &Error, source: &str, query: &str) -> SourceError {
    let name = source.to_owned();
    let Error::Server(told) = error else { return source_error(error, source, query) };
    let rule = match told.code {
        1205 | 1213 => return SourceError::Serialization { source: name },
        1290 | 1792 | 1836 => {
            return SourceError::Refusing { source: name, why: "the user, or the server, may only read".to_owned() };
        }
        1142 | 1143 => return SourceError::Denied { source: name, query: query.to_owned() },
        1062 | 1586 => Rule::Unique,
        1048 | 1364 => Rule::NotNull,
        3819 | 4025 => Rule::Check,
        1216 | 1217 | 1451 | 1452 => Rule::ForeignKey,
        1264 | 1265 | 1366 | 1406 => Rule::Type,
        // Raised by a trigger, in words of its author.
        1644 => Rule::Own,
        _ => return of_an_author(source_error(error, source, query), query),
    };
    // `Column 'a' cannot be null`; of a key, the server names the values and the index.
    let column = told.message.split('\'').nth(1).filter(|_| rule == Rule::NotNull);
    let columns = column.map(str::to_owned).into_iter().collect();
    SourceError::Violated { source: name, rule, columns, says: on_a_line(&told.message) }
}

/// A message on one line, and not too long.
fn on_a_line(message: &str) -> String {
    message.chars().take(300).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Whether an error is one of a statement alone, behind which the connection takes the next.
pub(super) fn is_of_the_statement(error: &Error) -> bool {
    matches!(error, Error::Server(told) if !LOSSES.contains(&told.code))
}

/// Whether there is nobody whose statement could be ended.
pub(super) fn is_over(error: &Error) -> bool {
    matches!(error, Error::Server(told) if told.code == NO_SESSION)
}

/// Whether a server has no TLS at all.
pub(super) fn has_no_tls(error: &Error) -> bool {
    matches!(error, Error::Driver(DriverError::NoClientSslFlagFromServer))
}

/// Why an attempt to connect failed.
pub(super) fn connect_failure(error: &Error) -> Failure {
    match error {
        Error::Server(told) => by_code(told.code),
        Error::Io(IoError::Io(error)) => of_io(error),
        Error::Io(IoError::Tls(TlsError::Tls(error))) => Failure::refusal(of_tls(error)),
        Error::Io(IoError::Tls(TlsError::InvalidDnsName(_))) => {
            Failure::refusal("no certificate can be for the name in the address")
        }
        Error::Io(IoError::Tls(_)) => Failure::refusal("TLS fails"),
        Error::Driver(DriverError::NoClientSslFlagFromServer) => {
            Failure::refusal("it has no TLS; where anybody on the way may read along, say `tls: { mode: insecure }`")
        }
        Error::Driver(
            DriverError::CleartextPluginDisabled
            | DriverError::MysqlOldPasswordDisabled
            | DriverError::UnknownAuthPlugin { .. },
        ) => Failure::refusal("it asks for a proof of the user that is not known here"),
        Error::Driver(DriverError::ConnectionClosed) => Failure::passing(LOST),
        _ => Failure::passing("what answers there is no MySQL"),
    }
}

/// What a code of the server means for who connects.
fn by_code(code: u16) -> Failure {
    let refused = |why: &str| Failure::refusal(why);
    match code {
        1045 => refused("the password is not right, or the user may not come from here"),
        1698 => refused("it does not let this user in with a password"),
        1044 => refused("the user may not use the database of the address"),
        1049 => refused("it has no database of the name in the address"),
        1129 | 1130 => refused("it does not let anybody in from here"),
        1251 | 2059 => refused("it asks for a proof of the user that is not known here"),
        1820 | 1862 => refused("the password of the user has expired"),
        3118 | 4151 => refused("the account of the user is locked"),
        3159 => refused("it lets nobody in without TLS"),
        1040 => Failure::passing("all of its connections are taken"),
        1203 | 1226 => Failure::passing("the user has as many connections as it may have"),
        1053 | 1077 | 1079 => Failure::passing("it is shutting down"),
        RESTED_TOO_LONG => Failure::passing("it closed a connection that rested"),
        _ => Failure::passing("it refuses the connection"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mysql_async::ServerError;

    fn server(code: u16) -> Error {
        Error::Server(ServerError { code, message: "canary".to_owned(), state: "HY000".to_owned() })
    }

    #[test]
    fn no_word_of_a_server_is_told() {
        for code in 1000..4300 {
            let told = source_error(&server(code), "shop", "orders");
            assert!(
                !of_an_author(told.clone(), "q").to_string().contains("canary") && !told.to_string().contains("canary")
            );
            assert!(!connect_failure(&server(code)).why.contains("canary"), "{code}");
        }
    }

    #[test]
    fn codes_mean_what_is_to_be_done() {
        let told = |code| source_error(&server(code), "shop", "orders");
        let source = "shop".to_owned();
        assert_eq!(told(1146), SourceError::Changed { source: source.clone(), table: "orders".to_owned() });
        assert_eq!(told(1317), SourceError::Cancelled);
        assert_eq!(told(1927), SourceError::Down { source: source.clone(), why: LOST.to_owned() });
        assert_eq!(told(1142), SourceError::Forbidden { source: source.clone(), table: "orders".to_owned() });
        assert_eq!(told(1999), SourceError::Other { source: source.clone(), code: "1999".to_owned() });
        let denied = SourceError::Denied { source: source.clone(), query: "q".to_owned() };
        assert_eq!(of_an_author(told(1370), "q"), denied);
        assert_eq!(of_an_author(told(1365), "q"), SourceError::Unfit { source });
        assert!(is_of_the_statement(&server(1146)) && !is_of_the_statement(&server(1053)));
        assert!(connect_failure(&server(1045)).is_refusal && !connect_failure(&server(1040)).is_refusal);
    }
}
