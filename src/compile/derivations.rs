//! Compiles how derived fields of records are made where `qtool.yaml` says so: by SQL, by a tool of the project, or by a language model.
//!
//! Each becomes a tool that nobody sees. That of SQL is compiled as a query file is, whose placeholders are fields of the record,
//! with the types of the contract.

use super::Compilation;
use super::derived_models;
use super::guest_text::{GuestText, asks_for};
use crate::diagnostic::{Diagnostics, Severity, codes};
use crate::name::{nearest, shown_name};
use crate::project::{
    Derivation, DerivationKind, DerivedConfig, LogicalType, Project, Property, RecordContract, RecordToolKind,
    RecordsConfig,
};
use crate::source::Span;
use crate::syntax::outline_of_expression;
use crate::tool::{Annotations, DerivedQuery, OutputColumn, Tool};
use crate::ty::Type;
use serde_json::{Map, json};
use std::collections::{HashMap, HashSet};

/// What the query is called.
const NAME: &str = "value_of_field";

/// What compiles a project, on the stack that this one is compiled on.
pub(super) type Compile<'a> = &'a dyn Fn(&Project) -> Compilation;

/// Where a field is made.
struct Made<'a> {
    project: &'a Project,
    contract: &'a RecordContract,
    property: &'a Property,
    config: &'a DerivedConfig,
    /// What callers of the tools over these records need.
    scopes: &'a [String],
    /// Where it is said.
    path: [&'a str; 4],
}

/// Gives tools over records the queries that their fields are made by. What is wrong with them is in the sink; then there are no such
/// tools.
pub(super) fn resolve(project: &Project, compile: Compile<'_>, tools: &mut Vec<Tool>, sink: &mut Diagnostics) {
    let mut queries: HashMap<(&str, &str), DerivedQuery> = HashMap::new();
    for (records, config) in &project.file.records {
        let Some(known) = project.records.get(records) else { continue };
        for derivation in &known.derivations {
            check_lookup(project, (records, config), derivation, sink);
        }
        let own = known.derivations.iter().filter(|derivation| derivation.file.is_none());
        for target in own.flat_map(|derivation| &derivation.targets) {
            let (Some(property), Some(derived)) = (known.contract.property(target), config.derived.get(target)) else {
                continue;
            };
            let path = ["records", records, "derived", target];
            let scopes = config.scopes.as_slice();
            let made = Made { project, contract: &known.contract, property, config: derived, scopes, path };
            let query = match (&derived.sql, &derived.ai) {
                (Some(sql), _) => made.of_sql(sql, compile, sink),
                (None, Some(model)) => derived_models::model_query((project, &path), model, sink),
                (None, None) => made.of_tool(tools, sink),
            };
            queries.extend(query.map(|query| ((records.as_str(), target.as_str()), query)));
        }
    }
    tools.retain_mut(|tool| give(tool, &queries));
}

/// What is looked up past the tools is what every caller may read.
fn check_lookup(
    project: &Project,
    (name, config): (&str, &RecordsConfig),
    derivation: &Derivation,
    sink: &mut Diagnostics,
) {
    let Some(lookup) = &derivation.lookup else { return };
    let source = plain_path(&format!("{}/{}", config.path, lookup.source));
    let is_in = |path: &str| {
        // A pattern may mean any file below the folder that it begins with.
        let fixed = path.find(['*', '?', '[', '{']).and_then(|at| path.get(..at));
        let folder = fixed.map_or(path, |fixed| fixed.rsplit_once('/').map_or("", |(folder, _)| folder));
        let path = plain_path(folder);
        let is_below = |outer: &str, inner: &str| {
            outer.is_empty() || inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
        };
        is_below(&path, &source) || is_below(&source, &path)
    };
    let file = derivation.file.as_deref().unwrap_or_default();
    let place = project.document.key_span(&["records", name]);
    let read = project.file.tables.keys().filter(|table| project.file.local_path(table).is_some_and(is_in));
    for table in read {
        let scopes = project.file.records.get(table).map(|other| other.scopes.as_slice()).unwrap_or_default();
        let why = match scopes.iter().find(|scope| !config.scopes.contains(scope)) {
            _ if project.file.is_policied(table) => {
                format!("`derivations/{file}` reads `{table}`, of which callers see different rows, past its policy")
            }
            Some(scope) => {
                format!(
                    "`derivations/{file}` reads `{table}`, which is for callers with the scope `{}`",
                    shown_name(scope)
                )
            }
            None => continue,
        };
        sink.push(codes::invalid_setting(place, &why));
    }
}

/// A path without `.` and `..`, as far as they lead nowhere else.
fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Gives a tool the queries of its fields; whether it has all of them.
fn give(tool: &mut Tool, queries: &HashMap<(&str, &str), DerivedQuery>) -> bool {
    let Some(records) = tool.contract.tables.first().cloned() else { return true };
    let mut tables = tool.contract.tables.clone();
    let mut effects = tool.contract.annotations;
    let Some(set) = tool.record_set_mut() else { return true };
    for one in set.derivations.iter_mut().filter(|one| one.derivation.file.is_none()) {
        let target = one.derivation.targets.first().map(String::as_str).unwrap_or_default();
        let Some(query) = queries.get(&(records.as_str(), target)) else { return false };
        tables.extend(query.tool.contract.tables.iter().cloned());
        one.derivation.kind = kind_of(one.derivation.kind, &query.tool);
        one.query = Some(Box::new(query.clone()));
        if set.acts == RecordToolKind::Materialize {
            effects = with_effects_of(effects, query.tool.contract.annotations);
        }
    }
    // The first stays: it is the table of the records.
    let mut seen = HashSet::new();
    tables.retain(|table| seen.insert(table.clone()));
    tool.contract.tables = tables;
    tool.contract.annotations = effects;
    true
}

/// How a field is made by a tool: what kind of tool it is, shows when that is compiled.
fn kind_of(said: DerivationKind, tool: &Tool) -> DerivationKind {
    match said {
        DerivationKind::Tool if tool.request().is_some() => DerivationKind::Http,
        DerivationKind::Tool if tool.program().is_some() || tool.python().is_some() => DerivationKind::Python,
        said => said,
    }
}

/// The effects of a tool that calls another one.
fn with_effects_of(own: Annotations, called: Annotations) -> Annotations {
    Annotations {
        read_only: own.read_only && called.read_only,
        destructive: own.destructive || called.destructive,
        // What changes nothing may be done again.
        idempotent: own.idempotent && (called.idempotent || called.read_only),
        open_world: own.open_world || called.open_world,
    }
}

impl Made<'_> {
    fn place(&self, key: &str) -> Span {
        self.project.document.value_span(&[self.path.as_slice(), &[key]].concat())
    }

    /// The name of the records.
    fn name(&self) -> &str {
        self.path[1]
    }

    fn target(&self) -> &str {
        &self.property.name
    }

    /// The query that SQL becomes; `None` where it has errors.
    fn of_sql(&self, sql: &str, compile: Compile<'_>, sink: &mut Diagnostics) -> Option<DerivedQuery> {
        let place = self.place("sql");
        let (text, settings) = self.text(sql, place);
        let guest = self.guest(&text, &settings)?;
        let Compilation { tools, diagnostics, .. } = compile(&guest);
        let errors = diagnostics.into_iter().filter(|found| found.severity == Severity::Error);
        let before = sink.errors();
        errors.for_each(|error| sink.push(text.told(error, &guest)));
        let tool = tools.into_iter().find(|tool| tool.contract.name == NAME);
        if tool.is_none() && sink.errors() == before {
            sink.push(codes::invalid_setting(place, "it cannot be compiled"));
        }
        let tool = tool.filter(|_| sink.errors() == before)?;
        let [column] = tool.contract.columns() else {
            let found = tool.contract.columns().len();
            let why = format!("it gives {found} columns, and a field has one value");
            sink.push(codes::invalid_setting(place, &why));
            return None;
        };
        let column = column.clone();
        self.check(&tool, &column, place, sink)?;
        let tool = strictly(tool);
        let arguments = tool.contract.parameters().iter().map(|one| (one.name.clone(), one.name.clone())).collect();
        Some(DerivedQuery { tool, arguments, column: column.name, model: None })
    }

    /// The query, and its settings.
    fn text(&self, sql: &str, place: Span) -> (GuestText, String) {
        let sql = sql.trim();
        let words = outline_of_expression(sql).map(|outline| outline.words).unwrap_or_default();
        let is_query = words.first().is_some_and(|word| matches!(word.as_str(), "select" | "with" | "values"));
        let mut text = GuestText::new(if is_query { "" } else { "SELECT (\n" }, place);
        text.push_part(self.project, place, sql);
        text.push_str(if is_query { "" } else { "\n) AS \"value\"" });
        let mut params = Map::new();
        for property in self.contract.properties().iter().filter(|property| asks_for(sql, &property.name)) {
            // What a record has no value of is null.
            let said = json!({"type": property.logical_type.ty().to_string(), "default": null});
            params.insert(property.name.clone(), said);
        }
        let settings = json!({"params": params, "description": NAME});
        (text, settings.to_string())
    }

    /// The project that it is compiled in: all tables, and this query.
    fn guest(&self, text: &GuestText, settings: &str) -> Option<Project> {
        let mut own = self.project.file.clone();
        // What is said of tools is said of others.
        own.records.clear();
        own.table_tools.clear();
        own.upstreams.clear();
        own.policies.clear();
        own.toolsets.clear();
        own.lints = Default::default();
        text.project(NAME, settings, own, self.project.catalog.clone())
    }

    /// The tool that gives the value; `None` where there is none that can.
    fn of_tool(&self, tools: &[Tool], sink: &mut Diagnostics) -> Option<DerivedQuery> {
        let (name, place) = (self.config.tool.as_deref()?, self.place("tool"));
        let Some(tool) = tools.iter().find(|tool| tool.contract.name == name) else {
            let told = codes::invalid_setting(place, &format!("there is no tool `{}`", shown_name(name)));
            let names = tools.iter().map(|tool| tool.contract.name.as_str());
            sink.push(codes::meant(told, name, nearest(name, names)));
            return None;
        };
        let errors = sink.errors();
        let reads = tool.has_statement() && tool.change().is_none();
        if !reads && !is_of_manifest(tool) {
            let why = format!(
                "`{name}` is neither a query that reads, nor a tool of a manifest: a field is made of the one row of such a one"
            );
            sink.push(codes::invalid_setting(place, &why));
            return None;
        }
        let needed = self.scopes;
        if let Some(scope) = tool.contract.scopes.iter().find(|scope| !needed.contains(scope)) {
            let why = format!(
                "`{name}` is for callers with the scope `{}`, and what it gives would be read by others",
                shown_name(scope)
            );
            let help = format!("say the same of the records: `scopes: [{}]`", tool.contract.scopes.join(", "));
            sink.push(codes::invalid_setting(place, &why).help(help));
        }
        self.check_arguments(tool, sink);
        let columns = tool.contract.columns();
        let column = match (&self.config.value, columns) {
            (Some(value), _) => columns.iter().find(|column| column.name == *value),
            (None, [only]) => Some(only),
            (None, _) => columns.iter().find(|column| column.name == self.target()),
        };
        let Some(column) = column else {
            self.tell_column(tool, place, sink);
            return None;
        };
        self.check(tool, column, place, sink)?;
        (sink.errors() == errors).then(|| DerivedQuery {
            tool: strictly(tool.clone()),
            arguments: self.config.arguments.clone().into_iter().collect(),
            column: column.name.clone(),
            model: None,
        })
    }

    /// That it is not known which column has the value.
    fn tell_column(&self, tool: &Tool, place: Span, sink: &mut Diagnostics) {
        let names = || tool.contract.columns().iter().map(|column| column.name.as_str());
        let told = match &self.config.value {
            Some(value) => {
                let why = format!("`{}` has no column `{}`", tool.contract.name, shown_name(value));
                let told = codes::invalid_setting(self.place("value"), &why);
                codes::meant(told, value, nearest(value, names()))
            }
            None => {
                let why = format!(
                    "`{}` has several columns, and none that is called `{}`",
                    tool.contract.name,
                    self.target()
                );
                let known = names().collect::<Vec<_>>().join(", ");
                codes::invalid_setting(place, &why).help(format!("say by `value` which has the value: {known}"))
            }
        };
        sink.push(told);
    }

    /// Every parameter that must have a value has one, of its type.
    fn check_arguments(&self, tool: &Tool, sink: &mut Diagnostics) {
        let published = || tool.contract.published();
        let place = |parameter: &str| {
            self.project.document.value_span(&[self.path.as_slice(), &["arguments", parameter]].concat())
        };
        for (name, field) in &self.config.arguments {
            let Some(parameter) = published().find(|parameter| parameter.name == *name) else {
                let key = self.project.document.key_span(&[self.path.as_slice(), &["arguments", name]].concat());
                let why = format!("`{}` has no parameter `{}`", tool.contract.name, shown_name(name));
                let names = published().map(|parameter| parameter.name.as_str());
                sink.push(codes::meant(codes::invalid_setting(key, &why), name, nearest(name, names)));
                continue;
            };
            let Some(property) = self.contract.property(field) else { continue };
            let is_taken = fits(property.logical_type, &parameter.ty)
                || parameter.ty.is_numeric() && property.logical_type.ty().is_numeric();
            if !is_taken {
                let ty = property.logical_type.ty();
                let why =
                    format!("the field `{field}` is of type {ty}, and the parameter `{name}` of {}", parameter.ty);
                sink.push(codes::invalid_setting(place(name), &why));
            }
        }
        let is_missing = |parameter: &&crate::tool::Parameter| {
            parameter.required && !self.config.arguments.contains_key(&parameter.name)
        };
        for parameter in published().filter(is_missing) {
            let why = format!("`{}` needs `{}`, and no field is said for it", tool.contract.name, parameter.name);
            let told = codes::invalid_setting(self.place("tool"), &why);
            sink.push(told.help(format!("say which: `arguments: {{ {}: … }}`", parameter.name)));
        }
    }

    /// What it gives is the same for every caller, and a value of the field.
    fn check(&self, tool: &Tool, column: &OutputColumn, place: Span, sink: &mut Diagnostics) -> Option<()> {
        let errors = sink.errors();
        let is_policied = |table: &&String| self.project.file.is_policied(table);
        if let Some(table) = tool.contract.tables.iter().find(is_policied) {
            let why = format!("callers see different rows of `{table}`, and a field is the same for all of them");
            sink.push(codes::invalid_setting(place, &why));
        }
        if tool.contract.tables.iter().any(|table| table == self.name()) {
            let why = format!(
                "it reads `{}` itself, whose fields are not made yet: a field is made of those of its record",
                self.name()
            );
            let told = codes::invalid_setting(place, &why);
            sink.push(
                told.help("write `<< field >>` for a field; what is counted over all records is a query of its own"),
            );
        }
        let of_caller = |table: &&String| self.project.file.caller_source(table).is_some();
        let bound = tool.contract.parameters().iter().find(|parameter| parameter.from.is_some());
        if bound.is_some() || tool.contract.tables.iter().any(|table| of_caller(&table)) {
            let why = "it depends on who calls it, and a field is the same for all of them";
            sink.push(codes::invalid_setting(place, why));
        }
        // What stands in a document shows when it is there.
        let is_document = is_of_manifest(tool) && column.ty == Type::Json;
        if !is_document && !fits(self.property.logical_type, &column.ty) {
            let ty = self.property.logical_type.ty();
            let why = format!("`{}` is of type {ty}, and what is to be its value of {}", self.target(), column.ty);
            let told = codes::invalid_setting(place, &why);
            let help = match (&ty, &self.config.sql) {
                (Type::Json, _) => "give a list, a struct, or the text of one in JSON".to_owned(),
                (_, Some(_)) => format!("cast it: `CAST(… AS {ty})`"),
                (_, None) if is_of_manifest(tool) => {
                    format!(
                        "say that it gives one: `output: json`, `columns: {{ {}: {{ type: {ty} }} }}`",
                        self.target()
                    )
                }
                (_, None) => format!("cast it in the query: `CAST(… AS {ty}) AS {}`", column.name),
            };
            sink.push(told.help(help));
        }
        (sink.errors() == errors).then_some(())
    }
}

/// Whether it is a program, a function or a request, which a manifest says.
fn is_of_manifest(tool: &Tool) -> bool {
    tool.program().is_some() || tool.python().is_some() || tool.request().is_some()
}

/// Values of fields are what they are: what is forgiven to agents, such as the text `null` for none, is not meant for them.
fn strictly(mut tool: Tool) -> Tool {
    tool.contract.strict = true;
    tool
}

/// Whether values of a type are values of a field as they are.
fn fits(field: LogicalType, ty: &Type) -> bool {
    match field {
        LogicalType::String => matches!(ty, Type::Text | Type::Uuid),
        LogicalType::Integer => matches!(ty, Type::Smallint | Type::Int | Type::Bigint),
        LogicalType::Number => matches!(ty, Type::Real | Type::Double) || ty.is_integer(),
        LogicalType::Boolean => *ty == Type::Boolean,
        LogicalType::Date => *ty == Type::Date,
        LogicalType::Timestamp => matches!(ty, Type::Timestamp(_)),
        LogicalType::Array => matches!(ty, Type::List(_) | Type::Json | Type::Text),
        LogicalType::Object => matches!(ty, Type::Struct(_) | Type::Map(..) | Type::Json | Type::Text),
    }
}
