//! The index that tools are searched in.

use bm25::{Document, Language, SearchEngine, SearchEngineBuilder};
use std::sync::OnceLock;

/// The index of the tools, made by the first search.
#[derive(Default)]
pub(super) struct Index(OnceLock<SearchEngine<usize>>);

impl Index {
    /// The places of the tools that fit a query, the best first (Okapi BM25). Only the first search looks at the words of
    /// the tools.
    pub(super) fn search(&self, query: &str, words: impl Iterator<Item = String>) -> Vec<usize> {
        let engine = self.0.get_or_init(|| {
            let documents = words.enumerate().map(|(at, words)| Document { id: at, contents: words });
            SearchEngineBuilder::with_documents(Language::English, documents).build()
        });
        engine.search(&spaced(query), None).into_iter().map(|found| found.document.id).collect()
    }
}

/// Names in words.
pub(super) fn spaced(text: &str) -> String {
    text.replace(['_', '-', '.'], " ")
}
