//! A look at the values of columns whose declared type does not say what they are: days that are none are kept in columns of
//! days, and truth values in those of small numbers.

use super::describe::number;
use super::error::is_of_the_statement;
use super::session::Session;
use crate::engine::sources::dialect::mysql::{is_no_day, quoted};
use crate::engine::sources::survey::{Proposal, ProposalReason, Surveyed, SurveyedColumn};
use crate::ty::Type;
use mysql_async::prelude::Queryable;
use mysql_async::{Error, Row};
use std::time::{Duration, Instant};

/// How long all rows of a table are looked at.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long all tables are looked at.
const PATIENCE_FOR_ALL: Duration = Duration::from_secs(30);

/// So many rows are looked at where all of them take too long.
const FEW: usize = 1_000;

/// What a small number is declared as that stands for a truth value, mostly.
const TRUTH: &str = "tinyint(1)";

/// Proposes types for columns whose values are not what is declared, or are less.
///
/// Errors: the connection is lost. A table that cannot be read now is left as it is.
pub(super) async fn propose(session: &mut Session, tables: &mut [Surveyed]) -> Result<(), Error> {
    let began = Instant::now();
    session.limit(Some(PATIENCE)).await?;
    for table in tables.iter_mut().filter(|table| table.unreadable.is_none()) {
        if began.elapsed() > PATIENCE_FOR_ALL {
            break;
        }
        propose_for(session, table).await?;
    }
    session.limit(None).await
}

async fn propose_for(session: &mut Session, table: &mut Surveyed) -> Result<(), Error> {
    let doubts: Vec<(usize, String)> =
        table.columns.iter().enumerate().filter_map(|(at, column)| Some((at, doubt(column)?))).collect();
    if doubts.is_empty() {
        return Ok(());
    }
    let name: Vec<String> = table.schema.iter().chain([&table.name]).map(|part| quoted(part)).collect();
    let name = name.join(".");
    let counts: Vec<&str> = doubts.iter().map(|(_, counts)| counts.as_str()).collect();
    let few = format!("(SELECT * FROM {name} LIMIT {FEW}) AS few");
    for from in [name, few] {
        let looked: Result<Option<Row>, Error> =
            session.connection().query_first(format!("SELECT {} FROM {from}", counts.join(", "))).await;
        let row = match looked {
            Ok(Some(row)) => row,
            Err(error) if !is_of_the_statement(&error) => return Err(error),
            Ok(None) | Err(_) => continue,
        };
        for (place, (at, _)) in doubts.iter().enumerate() {
            let (values, misfits) = (number(&row, place * 2), number(&row, place * 2 + 1));
            if let (Some(column), Some(values), Some(misfits)) = (table.columns.get_mut(*at), values, misfits) {
                column.proposal = proposal(column, values, misfits);
            }
        }
        break;
    }
    Ok(())
}

/// What counts the values of a column, and those that are none of the type that it may be.
fn doubt(column: &SurveyedColumn) -> Option<String> {
    let name = quoted(&column.name);
    let is_other = match &column.ty {
        _ if column.declared == TRUTH => format!("{name} NOT IN (0, 1)"),
        Some(Type::Date | Type::Timestamp(_) | Type::Timestamptz(_)) => is_no_day(&name),
        _ => return None,
    };
    Some(format!("COUNT({name}), COUNT(CASE WHEN {name} IS NOT NULL AND ({is_other}) THEN 1 END)"))
}

fn proposal(column: &SurveyedColumn, values: u64, misfits: u64) -> Option<Proposal> {
    match (column.declared == TRUTH, values, misfits) {
        (true, 1.., 0) => Some(Proposal { ty: Type::Boolean, why: ProposalReason::Truths }),
        (false, _, 1..) => Some(Proposal { ty: Type::Text, why: ProposalReason::Misfit }),
        _ => None,
    }
}
