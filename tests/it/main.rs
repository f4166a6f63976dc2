//! The integration tests: one executable, because every one links DataFusion again. A case is a folder under
//! `tests/cases/<stage>/`; a new one needs no Rust. `UPDATE_EXPECT=1` rewrites what is expected.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod book;
mod cases;
mod expect;
mod markers;
mod object_store;
mod object_store_cases;
mod project;
mod transcript;

datatest_stable::harness! {
    { test = cases::run, root = "tests/cases", pattern = r"/query\.sql$" },
    { test = book::page, root = "book/src/diagnostics", pattern = r"^[a-z0-9-]+\.md$" },
    { test = transcript::run, root = "tests/transcripts", pattern = r"/steps\.txt$" },
    { test = project::every_tool_answers, root = "tests/example", pattern = r"^calls\.json$" },
    { test = object_store_cases::run, root = "tests/object_store", pattern = r"\.json$" },
}
