//! What is selected from, with what the planner passes over.

use super::Search;
use crate::source::Span;
use sqlparser::ast::{
    FunctionArg, Join, ObjectName, Spanned as _, TableAlias, TableFactor, TableFunctionArgs, TableSampleKind,
    TableSampleModifier, TableVersion, TableWithJoins,
};

impl Search<'_> {
    pub(super) fn tables(&mut self, tables: &TableWithJoins) {
        let TableWithJoins { relation: _, joins } = tables;
        for join in joins {
            let Join { relation, global, join_operator: _ } = join;
            if *global {
                let span = self.at(relation.span());
                self.refuse(span, "GLOBAL before JOIN", "leave it out");
            }
        }
    }

    pub(super) fn factor(&mut self, factor: &TableFactor) {
        match factor {
            TableFactor::Table { .. } => self.table(factor),
            TableFactor::Derived { lateral: _, subquery, alias, sample } => {
                self.aliased(alias.as_ref());
                self.sample(self.from(subquery.span()), sample.as_ref());
            }
            TableFactor::Function { lateral: _, name, args, with_ordinality, alias } => {
                self.aliased(alias.as_ref());
                if *with_ordinality && !name.to_string().eq_ignore_ascii_case("unnest") {
                    self.ordinality(name);
                }
                for arg in args {
                    if let FunctionArg::Named { name, arg: _, operator: _ } = arg {
                        let span = self.at(name.span);
                        self.refuse(span, "the name of an argument here", "give the arguments in their order");
                    }
                }
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                self.tables(table_with_joins);
                self.aliased(alias.as_ref());
            }
            // The planner refuses offsets.
            TableFactor::UNNEST { alias, array_exprs: _, with_offset: _, with_offset_alias: _, with_ordinality: _ } => {
                self.aliased(alias.as_ref());
            }
            // Refused by the planner.
            TableFactor::TableFunction { .. }
            | TableFactor::JsonTable { .. }
            | TableFactor::OpenJsonTable { .. }
            | TableFactor::Pivot { .. }
            | TableFactor::Unpivot { .. }
            | TableFactor::MatchRecognize { .. }
            | TableFactor::XmlTable { .. }
            | TableFactor::SemanticView { .. } => {}
        }
    }

    fn table(&mut self, factor: &TableFactor) {
        let TableFactor::Table {
            name,
            alias,
            args,
            with_hints,
            version,
            with_ordinality,
            partitions,
            json_path,
            sample,
            index_hints,
        } = factor
        else {
            return;
        };
        let start = self.from(name.span());
        self.aliased(alias.as_ref());
        if let Some(TableFunctionArgs { args: _, settings: Some(_) }) = args {
            let span = self.words(start, &["SETTINGS"]);
            self.refuse(span, "SETTINGS", "leave it out");
        }
        if let Some(hint) = with_hints.first() {
            let span = self.word_before(hint.span(), "WITH");
            self.refuse(
                span,
                "a hint for a table",
                "leave it out: a query takes no locks, and sees each file as it is",
            );
        }
        if let Some(version) = version {
            let span = self.version(start, version);
            self.refuse(span, "a version of a table", "leave it out: a table is read as it is when the tool is called");
        }
        if *with_ordinality {
            self.ordinality(name);
        }
        if let Some(partition) = partitions.first() {
            let span = self.word_before(partition.span, "PARTITION");
            self.refuse(span, "PARTITION", "write a condition on the column that the table is partitioned by");
        }
        if json_path.is_some() {
            let span = self.at(name.span());
            self.refuse(span, "a path into a table", "write `unnest(column)` in the SELECT list of a subquery");
        }
        self.sample(start, sample.as_ref());
        if !index_hints.is_empty() {
            let span = self.at(name.span());
            self.refuse(span, "a hint for an index", "leave it out: tables have no indexes");
        }
    }

    fn version(&self, start: usize, version: &TableVersion) -> Span {
        match version {
            TableVersion::ForSystemTimeAsOf(_) => self.words(start, &["FOR", "SYSTEM_TIME"]),
            TableVersion::TimestampAsOf(_) => self.words(start, &["TIMESTAMP", "AS", "OF"]),
            TableVersion::VersionAsOf(_) => self.words(start, &["VERSION", "AS", "OF"]),
            TableVersion::Function(call) => self.at(call.span()),
            TableVersion::Changes { changes, at: _, end: _ } => self.at(changes.span()),
        }
    }

    fn ordinality(&mut self, name: &ObjectName) {
        let span = self.words(self.from(name.span()), &["WITH", "ORDINALITY"]);
        self.refuse(span, "WITH ORDINALITY", "number the rows in SELECT: `row_number() OVER (ORDER BY …)`");
    }

    fn sample(&mut self, start: usize, sample: Option<&TableSampleKind>) {
        let Some(TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample)) = sample else {
            return;
        };
        let word = match sample.modifier {
            TableSampleModifier::Sample => "SAMPLE",
            TableSampleModifier::TableSample => "TABLESAMPLE",
        };
        let span = self.words(start, &[word]);
        self.refuse(span, word, "for about a tenth of the rows write `WHERE random() < 0.1`");
    }

    fn aliased(&mut self, alias: Option<&TableAlias>) {
        let Some(alias) = alias else { return };
        self.alias(alias);
        // The parser takes it for a name.
        let is_final = alias.name.quote_style.is_none() && alias.name.value.eq_ignore_ascii_case("final");
        if is_final && !alias.explicit {
            let span = self.at(alias.name.span);
            self.refuse(span, "FINAL", "leave it out; if it is a name, write `AS final`");
        }
    }

    pub(super) fn alias(&mut self, alias: &TableAlias) {
        let TableAlias { explicit: _, name: _, columns, at } = alias;
        for column in columns.iter().filter(|column| column.data_type.is_some()) {
            let span = self.at(column.name.span);
            self.refuse(span, "a type behind the name of a column", "write `CAST(column AS type)` in SELECT");
        }
        if let Some(at) = at {
            let span = self.at(at.span);
            self.refuse(span, "AT behind the name of a table", "number the rows: `row_number() OVER (ORDER BY …)`");
        }
    }
}
