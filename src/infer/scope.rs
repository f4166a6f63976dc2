//! Which columns a name may mean where it stands.

use super::constraint::Term;
use std::borrow::Cow;

/// A column that can be referred to.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its type.
    pub term: Term,
}

/// Something in FROM.
#[derive(Debug, Clone, Default)]
pub(super) struct Relation<'a> {
    /// The name in front of its columns.
    pub qualifier: Option<Cow<'a, str>>,
    /// Its columns.
    pub fields: Vec<Field<'a>>,
    /// Whether those are all: of what is not understood, any column may exist.
    pub is_complete: bool,
}

/// The columns that are visible at a place, and the scope around it.
#[derive(Debug, Default)]
pub(super) struct Scope<'s, 'a> {
    /// The relations of FROM.
    pub relations: Vec<Relation<'a>>,
    /// Columns that USING or a natural join has merged: they are ambiguous to nobody.
    pub merged: Vec<String>,
    /// Columns of one side that such a join has made one with that of the other.
    pub gone: Vec<Gone>,
    /// The columns of the select list, where they can be referred to.
    pub outputs: Option<&'s [Field<'a>]>,
    /// Whether the select list comes first (in ORDER BY), or last (in HAVING).
    pub outputs_first: bool,
    /// The scope of the query around.
    pub outer: Option<&'s Scope<'s, 'a>>,
}

/// A column that is there no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gone {
    /// What would stand in front of it.
    pub table: String,
    /// Its name.
    pub column: String,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// A column of this type.
    Column(Term),
    /// More than one.
    Several,
    /// None, and there can be none.
    Nothing,
    /// None that is known.
    Unclear,
}

impl<'s, 'a> Scope<'s, 'a> {
    /// A scope inside another, with nothing in it yet.
    pub(super) fn within(outer: Option<&'s Scope<'s, 'a>>) -> Scope<'s, 'a> {
        Scope { outer, ..Scope::default() }
    }

    /// Looks a column up, here and then outwards.
    pub(super) fn find(&self, qualifier: Option<&str>, name: &str) -> Found {
        let here = self.find_here(qualifier, name);
        match (&here, self.outer) {
            (Found::Nothing, Some(outer)) => outer.find(qualifier, name),
            _ => here,
        }
    }

    fn find_here(&self, qualifier: Option<&str>, name: &str) -> Found {
        let of_outputs = |found: Found| match (found, self.outputs) {
            (Found::Nothing | Found::Unclear, Some(outputs)) if qualifier.is_none() => {
                single_field(outputs.iter(), name)
            }
            (found, _) => found,
        };
        if self.outputs_first
            && qualifier.is_none()
            && let Some(outputs) = self.outputs
            && let Found::Column(term) = single_field(outputs.iter(), name)
        {
            return Found::Column(term);
        }
        let named = |relation: &&Relation<'_>| match qualifier {
            Some(qualifier) => relation.qualifier.as_deref() == Some(qualifier),
            None => true,
        };
        let relations = || self.relations.iter().filter(named);
        if qualifier.is_some() && relations().next().is_none() {
            return if self.relations.iter().all(|relation| relation.is_complete) {
                Found::Nothing
            } else {
                Found::Unclear
            };
        }
        let found = single_field(relations().flat_map(|relation| &relation.fields), name);
        match found {
            Found::Several if qualifier.is_none() && self.merged.iter().any(|merged| merged == name) => {
                let mut fields = relations().flat_map(|relation| &relation.fields);
                fields
                    .find(|field| field.name == name)
                    .map_or(Found::Several, |field| Found::Column(field.term.clone()))
            }
            Found::Nothing if !relations().all(|relation| relation.is_complete) => of_outputs(Found::Unclear),
            Found::Nothing => of_outputs(Found::Nothing),
            found => found,
        }
    }

    /// Whether something in FROM has this name.
    pub(super) fn has_relation(&self, name: &str) -> bool {
        self.relations.iter().any(|relation| relation.qualifier.as_deref() == Some(name))
            || self.outer.is_some_and(|outer| outer.has_relation(name))
    }

    /// Whether it is a column of one side that a join has made one with that of the other.
    pub(super) fn is_gone(&self, table: &str, column: &str) -> bool {
        self.gone.iter().any(|gone| gone.table == table && gone.column == column)
            || self.outer.is_some_and(|outer| outer.is_gone(table, column))
    }

    /// Whether something in FROM has a column of this name.
    pub(super) fn has_column(&self, name: &str) -> bool {
        self.relations.iter().flat_map(|relation| &relation.fields).any(|field| field.name == name)
    }

    /// The relations that a column was looked for in, for the names it may have meant.
    pub(super) fn candidates(&self, qualifier: Option<&str>) -> Vec<&Relation<'a>> {
        let named: Vec<&Relation<'_>> = self
            .relations
            .iter()
            .filter(|relation| qualifier.is_some() && relation.qualifier.as_deref() == qualifier)
            .collect();
        if named.is_empty() { self.relations.iter().collect() } else { named }
    }
}

fn single_field<'f, 'a: 'f>(fields: impl Iterator<Item = &'f Field<'a>>, name: &str) -> Found {
    let mut matching = fields.filter(|field| field.name == name);
    match (matching.next(), matching.next()) {
        (None, _) => Found::Nothing,
        (Some(field), None) => Found::Column(field.term.clone()),
        (Some(_), Some(_)) => Found::Several,
    }
}
