//! What is said of a parameter: in its placeholders, in the header, and in the queries that are selected from.
//!
//! One name has one configuration everywhere; a setting written twice must say the same.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::{RESERVED, nearest};
use crate::project::{AllowedValues, BoundFrom, ParamConfig};
use crate::source::{FileId, Span, Spanned};
use crate::syntax::default;
use crate::syntax::link::LinkedQuery;
use crate::syntax::{AllowedQuery, DefaultExpression, DefaultValue, ParsedQuery, Placeholder};
use crate::ty::Type;
use crate::ty::either::Declared;
use crate::yaml::Document;
use indexmap::IndexMap;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// One parameter's configuration with the places of its settings.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The parameter's name.
    pub name: String,
    /// The first occurrence.
    pub first_use: Span,
    /// Where `: type` would be inserted.
    pub type_edit: Span,
    /// The declared type.
    pub ty: Option<Spanned<Type>>,
    /// The types that it may be sent as beside that one.
    pub also: Vec<Type>,
    /// The type that a default tells by its form (`DATE '…'`), or that its SQL has.
    pub default_type: Option<Type>,
    /// The default, where it is SQL that is evaluated at every call.
    pub expression: Option<DefaultExpression>,
    /// Whether that SQL may give NULL.
    pub default_may_be_null: bool,
    /// The query that gives its allowed values, and the file whose values they are.
    pub allowed_query: Option<(FileId, AllowedQuery)>,
    /// The type of what that query gives.
    pub allowed_type: Option<Type>,
    /// Whether a `?` makes it optional.
    pub optional: bool,
    /// Whether all its occurrences stand in optional clauses.
    pub only_in_clauses: bool,
    /// All settings but the type.
    pub config: ParamConfig,
    settings: HashMap<String, Setting>,
}

/// Whose placeholder it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Of a query whose header another one extends.
    Extended,
    /// Of any other.
    Own,
}

/// Where a setting was written.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The value's place.
    pub span: Span,
    /// The places of its items, where it is a list.
    pub items: Vec<Span>,
    value: Value,
}

impl Declaration {
    /// The place of a setting; the first use where it was not written.
    pub fn span_of(&self, setting: &str) -> Span {
        self.settings.get(setting).map_or(self.first_use, |found| found.span)
    }

    /// The place of an item of a list setting.
    pub fn item_span(&self, setting: &str, at: usize) -> Span {
        let found = self.settings.get(setting);
        found.and_then(|found| found.items.get(at)).copied().unwrap_or_else(|| self.span_of(setting))
    }

    /// The only values that are accepted, where there are such.
    pub fn allowed_values(&self) -> Option<&[Value]> {
        self.config.allowed_values.as_ref().and_then(AllowedValues::listed)
    }

    /// Whether a call may leave the parameter out.
    pub fn is_required(&self) -> bool {
        let is_brought = self.config.from.as_ref().is_some_and(|from| *from != BoundFrom::Default);
        let stated = is_brought || self.config.required == Some(true);
        stated || !self.optional && !self.only_in_clauses && !self.has_default()
    }

    /// Whether there is something that it is where the agent sends nothing.
    pub fn has_default(&self) -> bool {
        self.config.default.is_some() || self.expression.is_some()
    }

    /// Whether a call may leave it out without anything in its place.
    pub fn may_be_absent(&self) -> bool {
        !self.is_required() && !self.has_default()
    }

    /// Whether it is NULL at some calls.
    pub fn may_be_null(&self) -> bool {
        match &self.expression {
            Some(_) => self.default_may_be_null,
            None => self.may_be_absent(),
        }
    }
}

/// Collects the declarations of all parameters of a linked query, in the order of first use in the query itself.
pub fn collect(linked: &LinkedQuery<'_>, sink: &mut Diagnostics) -> Vec<Declaration> {
    let own = linked.own();
    let mut names: IndexMap<&str, Vec<&Placeholder>> = IndexMap::new();
    // The query's own parameters first: they are what its author has in mind.
    let statements = linked.occurrences.iter().copied().take(linked.in_statements);
    let own_first = own.into_iter().flat_map(|own| &own.placeholders).chain(statements);
    for placeholder in own_first {
        names.entry(&placeholder.name.value).or_default();
    }
    for (at, placeholder) in linked.occurrences.iter().copied().enumerate() {
        let name = placeholder.name.value.as_str();
        match names.get_mut(name) {
            Some(places) if at < linked.in_statements => places.push(placeholder),
            Some(_) => {}
            None => sink.push(codes::invalid_rule(placeholder.span, &no_parameter(name, names.keys()))),
        }
    }
    if let Some(own) = own {
        let in_rules = linked.occurrences.iter().skip(linked.in_statements).map(|one| one.name.value.as_str());
        let in_rules: Vec<&str> = in_rules.collect();
        unused(own, &names.keys().copied().collect::<Vec<_>>(), &in_rules, sink);
    }
    names.into_iter().filter_map(|(name, places)| declaration(name, places, linked, sink)).collect()
}

fn no_parameter<'a>(name: &str, known: impl Iterator<Item = &'a &'a str>) -> String {
    match nearest(name, known.copied()) {
        Some(near) => format!("the query has no parameter `{name}`; there is `{near}`"),
        None => format!("the query has no parameter `{name}`"),
    }
}

fn unused(query: &ParsedQuery, names: &[&str], in_rules: &[&str], sink: &mut Diagnostics) {
    let lists = || query.native.iter().flat_map(|native| &native.lists);
    for declared in query.header.params.keys() {
        // What is said of a list of rows is no affair of its fields.
        if lists().any(|list| list.name.value == *declared) {
            continue;
        }
        if !names.contains(&declared.as_str()) && !query.shared.contains(declared) {
            let span = query.document.key_span(&["params", declared]);
            sink.push(if RESERVED.contains(&declared.as_str()) {
                codes::reserved_name(span, declared)
            } else if in_rules.contains(&declared.as_str()) {
                codes::parameter_of_rules(span, declared)
            } else {
                codes::unused_parameter(span, declared, names)
            });
        }
    }
}

fn declaration(
    name: &str,
    occurrences: Vec<&Placeholder>,
    linked: &LinkedQuery<'_>,
    sink: &mut Diagnostics,
) -> Option<Declaration> {
    let own_file = linked.own()?.file;
    let first = occurrences.iter().find(|one| one.span.file == own_file).or(occurrences.first())?;
    let mut declaration = Declaration {
        name: name.to_owned(),
        first_use: first.name.span,
        type_edit: first.head.after(),
        ty: None,
        also: Vec::new(),
        default_type: None,
        expression: None,
        default_may_be_null: false,
        allowed_query: None,
        allowed_type: None,
        optional: occurrences.iter().any(|placeholder| placeholder.optional),
        only_in_clauses: occurrences.iter().all(|placeholder| placeholder.clause.is_some()),
        config: ParamConfig::default(),
        settings: HashMap::new(),
    };
    let (told, others): (Vec<&ParsedQuery>, _) =
        linked.parts.iter().map(|part| part.query).partition(|query| is_told_elsewhere(query, name, linked));
    others.iter().for_each(|query| declaration.read_header(query, sink));
    for placeholder in occurrences.iter().copied() {
        let is_extended = told.iter().any(|query| query.placeholders.iter().any(|one| std::ptr::eq(one, placeholder)));
        declaration.read_placeholder(placeholder, if is_extended { Origin::Extended } else { Origin::Own }, sink);
    }
    let merged: serde_json::Map<String, Value> =
        declaration.settings.iter().map(|(key, setting)| (key.clone(), setting.value.clone())).collect();
    declaration.config = serde_json::from_value(Value::Object(merged)).unwrap_or_default();
    let has_default = declaration.has_default();
    if declaration.config.default == Some(Value::Null) {
        // A default of null is none, and says so.
        declaration.optional = true;
        declaration.config.default = None;
    }
    if declaration.expression.is_some() {
        declaration.config.default = None;
    }
    match declaration.config.required {
        Some(true) => {
            let place = declaration.span_of("required");
            if declaration.optional && !has_default {
                sink.push(codes::conflicting_configuration(name, "required", first.head, place));
            }
            if has_default {
                sink.push(codes::conflicting_configuration(name, "required", declaration.span_of("default"), place));
            }
        }
        Some(false) => declaration.optional = true,
        None => {}
    }
    if declaration.config.choices.is_some() {
        declaration.choose(linked, sink);
    }
    declaration.hide(sink);
    Some(declaration)
}

/// Whether all that a query's header says of a parameter is a part of the header of one that extends it, which may say
/// otherwise. It is not where the parameter is called otherwise there: what protects it would be lost with its name.
fn is_told_elsewhere(query: &ParsedQuery, name: &str, linked: &LinkedQuery<'_>) -> bool {
    let written = |query: &ParsedQuery| {
        let renamed: Vec<String> =
            query.new_names.iter().filter(|(_, new)| *new == name).map(|(written, _)| written.clone()).collect();
        let is_itself = !query.new_names.contains_key(name);
        renamed.into_iter().chain(is_itself.then(|| name.to_owned())).collect::<BTreeSet<String>>()
    };
    let here = written(query);
    let tells = |other: &ParsedQuery| {
        other.extends.contains(&query.file)
            && here.is_subset(&written(other))
            && other.document.value.pointer(&format!("/params/{name}")).is_some()
    };
    linked.parts.iter().any(|part| tells(part.query))
}

impl Declaration {
    fn read_header(&mut self, part: &ParsedQuery, sink: &mut Diagnostics) {
        let Some(Value::Object(settings)) = part.document.value.pointer(&format!("/params/{}", self.name)) else {
            return;
        };
        for (key, value) in settings {
            // SQL that cannot be read is reported where it stands.
            let is_unread = key == "default" && default::sql(value).is_some();
            if is_unread && !part.defaults.contains_key(&self.name) {
                continue;
            }
            let setting = header_setting(&part.document, &self.name, key, value);
            if key == "type" {
                match Declared::parse(value.as_str().unwrap_or_default()) {
                    Ok(Declared { ty, also }) => self.declare(Spanned::new(ty, setting.span), also, sink),
                    Err(unknown) => sink.push(codes::unknown_type(setting.span, &unknown)),
                }
            } else {
                self.set(key, setting, sink);
            }
            if key == "allowed_values" && self.allowed_query.is_none() {
                self.allowed_query = part.allowed_queries.get(&self.name).map(|query| (part.file, query.clone()));
            }
            if key == "default" && self.expression.is_none() {
                self.expression = part.defaults.get(&self.name).cloned();
            }
        }
    }

    /// A parameter by which SQL is chosen is a text, one of the names of the choices.
    fn choose(&mut self, linked: &LinkedQuery<'_>, sink: &mut Diagnostics) {
        let config = &self.config;
        let others = [
            ("type", self.ty.as_ref().is_some_and(|ty| ty.value != Type::Text)),
            ("allowed_values", config.allowed_values.is_some()),
            ("from", config.from.is_some()),
            ("pattern", config.pattern.is_some()),
            ("minimum", config.minimum.is_some()),
            ("maximum", config.maximum.is_some()),
            ("exclusive_minimum", config.exclusive_minimum.is_some()),
            ("exclusive_maximum", config.exclusive_maximum.is_some()),
            ("min_length", config.min_length.is_some()),
            ("max_length", config.max_length.is_some()),
            ("min_items", config.min_items.is_some()),
            ("max_items", config.max_items.is_some()),
        ];
        for (key, _) in others.iter().filter(|(_, is_there)| *is_there) {
            let span = match (*key, &self.ty) {
                ("type", Some(ty)) => ty.span,
                (key, _) => self.span_of(key),
            };
            let why = format!("`{key}` says what values are accepted, and so do the names of the choices");
            sink.push(codes::invalid_choice(span, &why));
        }
        let of_name = |one: &&&Placeholder| one.name.value == self.name;
        for placeholder in linked.occurrences.iter().take(linked.in_statements).filter(of_name) {
            if placeholder.list {
                let why = "behind IN without brackets stands a list of values, which no choice is";
                sink.push(codes::invalid_choice(placeholder.span, why));
            }
        }
        if self.optional && !self.has_default() && !self.only_in_clauses {
            let why = "a choice has to be made in every call: make it required, or give it a default";
            let stated = self.config.required == Some(false);
            let place = if stated { self.span_of("required") } else { self.first_use };
            sink.push(codes::invalid_choice(place, why));
        }
        let keys = self.config.choices.iter().flat_map(IndexMap::keys).map(|key| Value::from(key.as_str())).collect();
        self.config.allowed_values = Some(AllowedValues::List(keys));
        self.ty.get_or_insert_with(|| Spanned::new(Type::Text, self.first_use));
    }

    /// What is fixed or hidden is sent by nobody, as what is bound to the caller is.
    fn hide(&mut self, sink: &mut Diagnostics) {
        let ways = [
            ("fixed", self.config.fixed.is_some()),
            ("hidden", self.config.hidden == Some(true)),
            ("from", self.config.from.is_some()),
        ];
        let mut ways = ways.iter().filter(|(_, is_there)| *is_there).map(|(key, _)| *key);
        if let (Some(first), Some(other)) = (ways.next(), ways.next()) {
            let why = format!("`{first}` and `{other}` of `{}` each say where its value comes from", self.name);
            sink.push(codes::invalid_setting(self.span_of(first), &why));
        }
        match (&self.config.from, &self.config.fixed) {
            (Some(_), _) => {}
            (None, Some(value)) => self.config.from = Some(BoundFrom::Fixed(value.clone())),
            (None, None) if self.config.hidden == Some(true) => self.config.from = Some(BoundFrom::Default),
            (None, None) => {}
        }
    }

    fn read_placeholder(&mut self, placeholder: &Placeholder, origin: Origin, sink: &mut Diagnostics) {
        if let Some(ty) = &placeholder.declared {
            self.declare(ty.clone(), placeholder.also.clone(), sink);
        }
        // Who extends a query says by its header what is sent, or is there where nothing is.
        let is_told = ["default", "fixed", "required"].iter().any(|key| self.settings.contains_key(*key));
        let default = placeholder.default.as_ref().filter(|_| origin == Origin::Own || !is_told);
        if let Some(default) = default {
            let setting = Setting { span: default.span, items: Vec::new(), value: default.value.setting() };
            match &default.value {
                DefaultValue::Literal(literal) => self.default_type = literal.evidence(),
                DefaultValue::Expression(expression) => self.expression = Some(expression.as_ref().clone()),
            }
            self.set("default", setting, sink);
        }
    }

    fn declare(&mut self, ty: Spanned<Type>, also: Vec<Type>, sink: &mut Diagnostics) {
        match &self.ty {
            Some(known) if known.value != ty.value || self.also != also => {
                sink.push(codes::conflicting_configuration(&self.name, "type", known.span, ty.span));
            }
            Some(_) => {}
            None => (self.ty, self.also) = (Some(ty), also),
        }
    }

    fn set(&mut self, key: &str, setting: Setting, sink: &mut Diagnostics) {
        match self.settings.get(key) {
            Some(known) if known.value != setting.value => {
                sink.push(codes::conflicting_configuration(&self.name, key, known.span, setting.span));
            }
            Some(_) => {}
            None => {
                self.settings.insert(key.to_owned(), setting);
            }
        }
    }
}

fn header_setting(document: &Document, name: &str, key: &str, value: &Value) -> Setting {
    let items = value.as_array().map_or(0, Vec::len);
    Setting {
        span: document.value_span(&["params", name, key]),
        items: (0..items).map(|at| document.value_span(&["params", name, key, &at.to_string()])).collect(),
        value: value.clone(),
    }
}
