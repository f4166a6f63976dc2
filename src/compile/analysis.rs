//! What is known of a project's files before anything is published: how far each query got, and what there is to say.

use super::LinkInput;
use super::context::Names;
use super::policies::Policies;
use crate::diagnostic::Diagnostics;
use crate::infer::TypedQuery;
use crate::prompts::Prompt;
use crate::source::FileId;
use crate::syntax::ParsedQuery;
use crate::tool::{Offered, Tool};
use std::sync::Arc;

/// What is known of a project.
#[derive(Debug)]
pub struct Analysis {
    /// The query files, as the project has them.
    pub queries: Vec<AnalysedQuery>,
    /// Numbers of query files: each behind those that it selects from. Who selects from itself is not among them.
    pub order: Vec<usize>,
    /// The prompts that compiled, sorted by name.
    pub prompts: Vec<Prompt>,
    /// What is passed on of other servers beside their tools.
    pub offered: Vec<Offered>,
    /// The tools that are made of tables, of records and of other servers.
    pub made_tools: Vec<Tool>,
    /// What there is to say of all else than a single query: of `qtool.yaml`, of prompts, of queries that are in each
    /// other's way.
    pub diagnostics: Diagnostics,
    /// The names of the queries.
    pub(super) names: Names,
    /// What callers see of the tables.
    pub(super) policies: Policies,
}

/// What is known of a query file.
#[derive(Debug)]
pub struct AnalysedQuery {
    /// The file.
    pub file: FileId,
    /// How far it got.
    pub reached: Reached,
    /// What there is to say of it.
    pub diagnostics: Diagnostics,
}

/// How far a query got: each stage holds what the next one needs.
#[derive(Debug)]
pub enum Reached {
    /// Its statement cannot be read.
    Unread,
    /// It was read; it has errors, or what it selects from has.
    Parsed(Arc<ParsedQuery>),
    /// It was linked, and has errors.
    Linked(LinkInput),
    /// A view whose parameters get their types from those who select from it.
    Untyped(LinkInput),
    /// All is known of it, and sound.
    Typed(LinkInput, Box<TypedQuery>),
}

impl Reached {
    /// What was written.
    pub fn parsed(&self) -> Option<&ParsedQuery> {
        match self {
            Reached::Unread => None,
            Reached::Parsed(query) => Some(query),
            Reached::Linked(input) | Reached::Untyped(input) | Reached::Typed(input, _) => Some(&input.query),
        }
    }

    /// The query with those that it selects from.
    pub fn link_input(&self) -> Option<&LinkInput> {
        match self {
            Reached::Unread | Reached::Parsed(_) => None,
            Reached::Linked(input) | Reached::Untyped(input) | Reached::Typed(input, _) => Some(input),
        }
    }

    /// What it means.
    pub fn typed(&self) -> Option<&TypedQuery> {
        match self {
            Reached::Typed(_, typed) => Some(typed),
            _ => None,
        }
    }

    /// Whether others may select from it.
    pub fn is_sound(&self) -> bool {
        matches!(self, Reached::Untyped(_) | Reached::Typed(..))
    }
}

impl Analysis {
    /// The same, with what was found before.
    #[must_use]
    pub fn behind(mut self, mut found: Diagnostics) -> Analysis {
        std::mem::swap(&mut self.diagnostics, &mut found);
        self.diagnostics.extend(found);
        self
    }
}
