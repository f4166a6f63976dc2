//! Lists of rows that calls bring: their fields, which are typed one by one, become one parameter.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::RESERVED;
use crate::project::AutomaticParameter;
use crate::syntax::native::{RowList, WriteBounds};
use crate::syntax::{NativeStatement, ParsedQuery};
use crate::tool::{Changes, Constraints, Parameter};
use crate::ty::Type;

/// What can be said of a list itself.
const OF_LISTS: [&str; 4] = ["description", "required", "min_items", "max_items"];

/// Checks what is said of lists.
pub(super) fn check(query: &ParsedQuery, native: &NativeStatement, changes: &Changes, sink: &mut Diagnostics) {
    for list in &native.lists {
        let name = &list.name.value;
        let path = |key: &'static str| query.document.value_span(&["params", name, key]);
        let is_of_changes = |one: &AutomaticParameter| one.is_of_changes() && one.as_str() == name;
        if RESERVED.contains(&name.as_str()) || AutomaticParameter::ALL.iter().any(is_of_changes) {
            sink.push(codes::reserved_name(list.name.span, name));
        }
        if list.fields.iter().all(|field| is_bound(query, &field.parameter)) {
            let why = format!("nobody sends a field of `{name}`: each of them comes from somewhere else");
            sink.push(codes::foreign_change(list.name.span, &why, Some("write `VALUES (…)` with the placeholders")));
        }
        for field in list.fields.iter().filter(|field| query.defaults.contains_key(&field.parameter)) {
            let why = "a field of a list of rows has no default that is SQL: where it is left out, that of its column is taken";
            sink.push(codes::invalid_setting(query.document.value_span(&["params", &field.parameter, "default"]), why));
        }
        let said = query.document.value.get("params").and_then(|params| params.get(name)?.as_object());
        for key in said.into_iter().flat_map(|said| said.keys()).filter(|key| !OF_LISTS.contains(&key.as_str())) {
            let field = list.fields.first().map(|field| field.parameter.as_str()).unwrap_or_default();
            let why = format!("`{name}` is a list of rows, and `{key}` is said of a field of them");
            let place = query.document.key_span(&["params", name, key]);
            sink.push(
                codes::invalid_setting(place, &why).help(format!("say it so: `params: {{ {field}: {{ {key}: … }} }}`")),
            );
        }
        let Some(config) = query.header.params.get(name) else { continue };
        if config.required == Some(false) {
            sink.push(codes::invalid_setting(path("required"), "a list of rows is sent with every call"));
        }
        let most = most_rows(list, query, native, changes);
        if let Some(asked) = config.max_items.filter(|asked| *asked > most) {
            let why = format!("{asked} rows are more than a call can write, which is {most}");
            sink.push(codes::invalid_setting(path("max_items"), &why));
        }
        if let Some(least) = config.min_items.filter(|least| *least > config.max_items.unwrap_or(most)) {
            let why = format!("no list has {least} rows: at most {} are taken", config.max_items.unwrap_or(most));
            sink.push(codes::invalid_setting(path("min_items"), &why));
        }
    }
}

/// Whether no agent sends a parameter.
fn is_bound(query: &ParsedQuery, parameter: &str) -> bool {
    let config = query.header.params.get(parameter);
    config.is_some_and(|config| config.from.is_some() || config.fixed.is_some() || config.hidden == Some(true))
}

/// How many rows are written at most: those that may be changed, and whose values a statement takes.
fn most_rows(list: &RowList, query: &ParsedQuery, native: &NativeStatement, changes: &Changes) -> u64 {
    let others = query.placeholders.len().saturating_sub(list.fields.len());
    let values = native.kind.most_values().saturating_sub(others) / list.fields.len().max(1);
    // What the other statements write counts too, and so does a list that several of them write.
    let writes = native.changes.iter().flat_map(|change| &change.writes);
    let (mut uses, mut beside) = (0_u64, 0_u64);
    for write in writes {
        let is_own = write.values.iter().any(|(_, occurrence)| {
            let name = query.placeholders.get(*occurrence).map(|one| one.name.value.as_str());
            name.is_some_and(|name| list.fields.iter().any(|field| field.parameter == name))
        });
        match &write.bounds {
            WriteBounds::List if is_own => uses += 1,
            WriteBounds::List => beside += 1,
            WriteBounds::Rows(rows) => beside += rows,
            _ => {}
        }
    }
    (changes.max_changes.saturating_sub(beside) / uses.max(1)).min(values as u64).max(1)
}

/// The parameters with each list in the place of its fields. Those that no agent sends stay what they are.
pub(super) fn gathered(
    parameters: Vec<Parameter>,
    query: &ParsedQuery,
    native: &NativeStatement,
    changes: &Changes,
) -> Vec<Parameter> {
    let mut found: Vec<Parameter> = Vec::new();
    for parameter in parameters {
        let list = native.list_of(&parameter.name).filter(|_| parameter.from.is_none());
        let Some(list) = list else {
            found.push(parameter);
            continue;
        };
        let name = parameter.name.split_once('.').map(|(_, name)| name.to_owned()).unwrap_or_default();
        let at = found.iter().position(|one| one.name == list.name.value);
        let at = at.unwrap_or_else(|| {
            found.push(of_list(list, query, native, changes));
            found.len() - 1
        });
        found
            .get_mut(at)
            .into_iter()
            .for_each(|of| of.fields.push(Parameter { name: name.clone(), ..parameter.clone() }));
    }
    for list in found.iter_mut().filter(|one| one.is_list_of_rows()) {
        let fields = list.fields.iter().map(|field| (field.name.clone(), field.ty.clone()));
        list.ty = Type::List(Box::new(Type::Struct(fields.collect())));
    }
    found
}

fn of_list(list: &RowList, query: &ParsedQuery, native: &NativeStatement, changes: &Changes) -> Parameter {
    let config = query.header.params.get(&list.name.value);
    let constraints = Constraints {
        min_items: Some(config.and_then(|config| config.min_items).unwrap_or(1).max(1)),
        max_items: config.and_then(|config| config.max_items).or(Some(most_rows(list, query, native, changes))),
        ..Constraints::default()
    };
    Parameter {
        name: list.name.value.clone(),
        ty: Type::List(Box::new(Type::Json)),
        also: Vec::new(),
        description: config.and_then(|config| config.description.as_deref()).map(|text| text.trim().to_owned()),
        required: true,
        default: None,
        default_expression: None,
        constraints,
        examples: Vec::new(),
        choices: Vec::new(),
        allowed_query: None,
        from: None,
        fields: Vec::new(),
    }
}
