//! Tests of tools: calls with what they must give, over rows that stand in for data.
//!
//! [`file`] reads them, [`fixture`] types their rows by the locked schemas, [`run`] calls the tools, and
//! [`expectation`] judges what comes back. [`report`] and [`junit`] tell of it; [`coverage`] says what no test has tried.

pub mod comparison;
pub mod coverage;
pub mod diff;
pub mod expectation;
pub mod file;
pub mod fixture;
pub mod golden;
pub mod junit;
pub mod report;
pub mod run;
mod sees;

pub use coverage::Coverage;
pub use file::{Case, Suite, read};
pub use report::Report;
pub use run::{Bench, Ran, Settings, Verdict, run};
