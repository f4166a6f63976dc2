//! Parameters: which came and went, what is sent without them, and what each accepts.

use super::types::{Relation, Side, relation};
use super::{Found, constraints, is_same_value, plain_value};
use crate::project::BoundFrom;
use crate::review::change::Kind;
use crate::review::sql::{Piece, canonical, compact, named, pieces};
use crate::tool::{Parameter, Tool, ToolAllowedQuery};
use crate::ty::coerce::Coercion;
use crate::ty::{Type, either};
use serde_json::{Value, json};
use sqlparser::tokenizer::Token;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the parameters of a tool before and after.
pub(super) struct Parameters {
    /// The old names of those that have new ones.
    pub(super) renamed: BTreeMap<String, String>,
    /// The names of those that came or went, or whose absence means something else: conditions on them are other ones.
    pub(super) others: BTreeSet<String>,
}

/// Compares the parameters of a tool.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) -> Parameters {
    // Those of policies are told with these.
    let is_own = |one: &Parameter| one.policy().is_none();
    let is_gone = |one: &&Parameter| is_own(one) && after.contract.parameter(&one.name).is_none();
    let is_new = |one: &&Parameter| is_own(one) && before.contract.parameter(&one.name).is_none();
    let (all_before, all_after) = (with_fields(before), with_fields(after));
    let gone: Vec<&Parameter> = all_before.iter().filter(is_gone).filter(|one| is_told(one, after)).collect();
    let new: Vec<&Parameter> = all_after.iter().filter(is_new).filter(|one| is_told(one, before)).collect();
    let renamed = renamed(before, after, &gone, &new);
    let is_renamed = |name: &str| renamed.iter().any(|(old, new)| old == name || new == name);

    for parameter in gone.iter().filter(|one| !is_renamed(&one.name)) {
        removed(parameter, found);
    }
    for parameter in all_after.iter().filter(|one| is_own(one) && is_told(one, before)) {
        let named = |name: &str| all_before.iter().find(|one| one.name == name);
        let old = renamed.iter().find(|(_, new)| **new == parameter.name).and_then(|(old, _)| named(old));
        match old.or_else(|| named(&parameter.name)) {
            Some(old) => compare_one(old, parameter, found),
            None => added(parameter, found),
        }
    }
    reordered(before, after, &renamed, found);
    let others = gone.iter().chain(&new).map(|one| one.name.clone()).filter(|name| !is_renamed(name));
    let is_other =
        |one: &&Parameter| before.contract.parameter(&one.name).is_some_and(|old| old.required != one.required);
    let others =
        others.chain(after.contract.parameters().iter().filter(is_other).map(|one| one.name.clone())).collect();
    Parameters { renamed, others }
}

/// The parameters, and behind each list of rows its fields, which are called `list.field`.
fn with_fields(tool: &Tool) -> Vec<Parameter> {
    let fields = |list: &Parameter| {
        let name = |field: &Parameter| format!("{}.{}", list.name, field.name);
        list.fields.iter().map(|field| Parameter { name: name(field), ..field.clone() }).collect::<Vec<_>>()
    };
    let parameters = tool.contract.parameters().iter();
    parameters.flat_map(|one| std::iter::once(one.clone()).chain(fields(one))).collect()
}

/// Whether what became of a parameter is not told by what became of the list whose field it is.
fn is_told(parameter: &Parameter, other: &Tool) -> bool {
    match parameter.name.split_once('.') {
        Some((list, _)) if parameter.from.is_none() => {
            other.contract.parameter(list).is_some_and(Parameter::is_list_of_rows)
        }
        _ => true,
    }
}

fn removed(parameter: &Parameter, found: &mut Found<'_>) {
    let name = Some(parameter.name.as_str());
    match &parameter.from {
        Some(from) if from.is_of_caller() => {
            found.push(Kind::BoundParameterRemoved, name, (Some(from.to_string()), None));
        }
        Some(from) => found.push(Kind::HiddenParameterRemoved, name, (Some(hidden(parameter, from)), None)),
        None => found.push(Kind::ParameterRemoved, name, (Some(parameter.ty.to_string()), None)),
    }
}

fn added(parameter: &Parameter, found: &mut Found<'_>) {
    let name = Some(parameter.name.as_str());
    let ty = || (None, Some(parameter.ty.to_string()));
    match &parameter.from {
        Some(from) if from.is_of_caller() => {
            found.push(Kind::BoundParameterAdded, name, (None, Some(from.to_string())));
        }
        Some(from) => found.push(Kind::HiddenParameterAdded, name, (None, Some(hidden(parameter, from)))),
        None if parameter.required => found.push(Kind::RequiredParameterAdded, name, ty()),
        None => found.push(Kind::OptionalParameterAdded, name, ty()),
    }
}

/// A parameter that went and one that came are the same where they have one type and stand at the same places of the
/// statements.
fn renamed(before: &Tool, after: &Tool, gone: &[&Parameter], new: &[&Parameter]) -> BTreeMap<String, String> {
    let mut renamed = BTreeMap::new();
    if gone.is_empty() || new.is_empty() {
        return renamed;
    }
    let (old_uses, new_uses) = (uses(before), uses(after));
    for parameter in new {
        let is_same = |one: &&&Parameter| {
            let places = old_uses.get(one.name.as_str());
            one.ty == parameter.ty
                && one.from.is_some() == parameter.from.is_some()
                && !renamed.contains_key(&one.name)
                && places.is_some()
                && places == new_uses.get(parameter.name.as_str())
        };
        if let Some(old) = gone.iter().find(is_same) {
            renamed.insert(old.name.clone(), parameter.name.clone());
        }
    }
    renamed
}

/// How many tokens before a placeholder, and behind it, tell its place.
const BEFORE: usize = 3;
const BEHIND: usize = 1;

/// What stands around each use of each parameter, in the order of the statements; other placeholders count as the same.
fn uses(tool: &Tool) -> BTreeMap<&str, Vec<Vec<String>>> {
    let mut uses: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    let names: BTreeMap<String, &str> =
        tool.contract.parameters().iter().map(|one| (format!("${}", one.name), one.name.as_str())).collect();
    let statements = tool.statements().map(|(_, statement)| statement);
    for statement in statements.chain(tool.contract.rules.iter().map(|rule| rule.statement.as_str())) {
        let text = named(&canonical(statement), &tool.contract.placeholders, &BTreeMap::new());
        let Some(pieces) = pieces(&text) else { continue };
        let words: Vec<Piece> = pieces.into_iter().filter(|piece| !piece.is_blank()).collect();
        for (at, word) in words.iter().enumerate() {
            let Some(name) = names.get(word.text.trim_end()).filter(|_| is_placeholder(word)) else { continue };
            let around = words.get(at.saturating_sub(BEFORE)..).unwrap_or_default();
            let count = at.min(BEFORE) + 1 + BEHIND;
            let masked = |word: &Piece| match is_placeholder(word) {
                true => "$".to_owned(),
                // The list of what an optional clause needs has names in it.
                false => word.text.trim().split('$').next().unwrap_or_default().to_owned(),
            };
            uses.entry(name).or_default().push(around.iter().take(count).map(masked).collect());
        }
    }
    uses
}

fn is_placeholder(piece: &Piece) -> bool {
    matches!(piece.token, Token::Placeholder(_))
}

fn reordered(before: &Tool, after: &Tool, renamed: &BTreeMap<String, String>, found: &mut Found<'_>) {
    let new_name = |one: &Parameter| renamed.get(&one.name).unwrap_or(&one.name).clone();
    let mut old: Vec<String> = before.contract.parameters().iter().map(new_name).collect();
    let mut new: Vec<String> = after.contract.parameters().iter().map(|one| one.name.clone()).collect();
    old.retain(|name| after.contract.parameter(name).is_some());
    new.retain(|name| old.contains(name));
    if old != new {
        found.push_texts(Kind::ParametersReordered, None, Some(&old.join(", ")), Some(&new.join(", ")));
    }
}

fn compare_one(before: &Parameter, after: &Parameter, found: &mut Found<'_>) {
    // All that a parameter is: who adds to it is told here that it is compared nowhere.
    let Parameter {
        name,
        ty,
        also,
        description: _,
        required: _,
        default: _,
        default_expression: _,
        constraints: _,
        examples,
        choices: _,
        allowed_query: _,
        from: _,
        fields,
    } = after;
    let subject = Some(name.as_str());
    if before.name != *name {
        let kind = if after.from.is_some() { Kind::BoundParameterRenamed } else { Kind::ParameterRenamed };
        found.push(kind, subject, (Some(before.name.clone()), Some(name.clone())));
    }
    binding(before, after, found);
    // That of a list of rows is that of its fields.
    let is_list_of_rows = before.is_list_of_rows() && !fields.is_empty();
    if before.ty != *ty && !is_list_of_rows {
        let kind = match relation(&before.ty, ty, Side::Input) {
            Relation::Same => Kind::SpellingChanged,
            Relation::Narrower => Kind::ParameterTypeNarrowed,
            Relation::Wider => Kind::ParameterTypeWidened,
            Relation::Other => Kind::ParameterTypeChanged,
        };
        found.push_values(kind, subject, &before.ty, ty);
    }
    if before.also != *also {
        let is_within = |some: &[Type], all: &[Type]| some.iter().all(|one| all.contains(one));
        let kind = match (is_within(also, &before.also), is_within(&before.also, also)) {
            (true, true) => Kind::SpellingChanged,
            (true, false) => Kind::ParameterTypeNarrowed,
            (false, true) => Kind::ParameterTypeWidened,
            (false, false) => Kind::ParameterTypeChanged,
        };
        let (old, new) = (either::shown_types(&before.ty, &before.also), either::shown_types(ty, also));
        found.push_values(kind, subject, &old, &new);
    }
    let count = found.changes.len();
    constraints::compare(before, after, found);
    allowed_query(name, before.allowed_query.as_ref(), after.allowed_query.as_ref(), found);
    choices(before, after, found);
    if before.choices != after.choices && found.changes.len() == count {
        let keys = |of: &Parameter| of.choices.iter().map(|one| one.key.as_str()).collect::<Vec<_>>().join(", ");
        found.push_values(Kind::SpellingChanged, subject, &keys(before), &keys(after));
    }
    defaults(before, after, found);
    if before.description != after.description {
        let kind = Kind::ParameterDescriptionChanged;
        found.push_texts(kind, subject, before.description.as_deref(), after.description.as_deref());
    }
    if before.examples != *examples {
        let listed = |values: &[Value]| {
            (!values.is_empty()).then(|| values.iter().map(plain_value).collect::<Vec<_>>().join(", "))
        };
        let (old, new) = (listed(&before.examples), listed(examples));
        found.push_texts(Kind::ExamplesChanged, subject, old.as_deref(), new.as_deref());
    }
}

fn binding(before: &Parameter, after: &Parameter, found: &mut Found<'_>) {
    let name = Some(after.name.as_str());
    match (&before.from, &after.from) {
        (None, Some(from)) if from.is_of_caller() => {
            found.push(Kind::ParameterBound, name, (None, Some(from.to_string())));
        }
        (None, Some(from)) => found.push(Kind::ParameterFixed, name, (None, Some(hidden(after, from)))),
        (Some(from), None) if from.is_of_caller() => {
            found.push(Kind::ParameterUnbound, name, (Some(from.to_string()), None));
        }
        (Some(from), None) => found.push(Kind::ParameterFreed, name, (Some(hidden(before, from)), None)),
        (Some(old), Some(new)) if !old.is_of_caller() && !new.is_of_caller() => {
            let is_same = old == new && Absent::of(before) == Absent::of(after);
            let (old, new) = (hidden(before, old), hidden(after, new));
            if !is_same {
                found.push(Kind::HiddenValueChanged, name, (Some(old), Some(new)));
            }
        }
        (Some(old), Some(new)) if old != new => {
            found.push(Kind::BindingChanged, name, (Some(hidden(before, old)), Some(hidden(after, new))));
        }
        _ => {}
    }
}

/// What a parameter is that no caller sends.
fn hidden(parameter: &Parameter, from: &BoundFrom) -> String {
    match from {
        BoundFrom::Fixed(value) => format!("fixed to {}", plain_value(value)),
        BoundFrom::Default => match Absent::of(parameter).words() {
            Some(default) => format!("always its default {default}"),
            None => "always left out".to_owned(),
        },
        of_caller => of_caller.to_string(),
    }
}

/// What a call without the parameter means.
#[derive(Debug, PartialEq)]
enum Absent<'a> {
    /// It is refused.
    Refused,
    /// NULL, or the clause is left out.
    Nothing,
    Value(&'a Value),
    Computed(&'a str),
}

impl<'a> Absent<'a> {
    fn of(parameter: &'a Parameter) -> Absent<'a> {
        match (&parameter.default_expression, &parameter.default) {
            (Some(sql), _) => Absent::Computed(sql),
            (None, Some(value)) => Absent::Value(value),
            (None, None) if parameter.required => Absent::Refused,
            (None, None) => Absent::Nothing,
        }
    }

    fn words(&self) -> Option<String> {
        match self {
            Absent::Refused | Absent::Nothing => None,
            Absent::Value(value) => Some(plain_value(value)),
            Absent::Computed(sql) => Some((*sql).to_owned()),
        }
    }
}

fn defaults(before: &Parameter, after: &Parameter, found: &mut Found<'_>) {
    let (old, new) = (Absent::of(before), Absent::of(after));
    // Who sends a parameter now, or no longer, is told by its binding.
    let is_bound = before.from.is_some() || after.from.is_some();
    if old == new || is_bound {
        // Said in another way, a call without it means the same.
        let said =
            |of: &Parameter| json!({"required": of.required, "default": of.default, "sql": of.default_expression});
        let is_as_before = said(before) == said(after) || before.from.is_some() != after.from.is_some();
        if !is_as_before {
            found.push_values(Kind::SpellingChanged, Some(&after.name), &said(before), &said(after));
        }
        return;
    }
    let ty = &after.ty;
    let is_equal = |old: &Value, new: &Value| {
        is_same_value(old, new) || ty.compare(old, new, &Coercion::default()) == Some(Ordering::Equal)
    };
    let kind = match (&old, &new) {
        (Absent::Refused, _) => Kind::ParameterBecameOptional,
        (_, Absent::Refused) => Kind::ParameterBecameRequired,
        (Absent::Nothing, _) => Kind::DefaultAdded,
        (_, Absent::Nothing) => Kind::DefaultRemoved,
        (Absent::Computed(old), Absent::Computed(new)) if compact(old) == compact(new) => Kind::SpellingChanged,
        (Absent::Computed(_), Absent::Computed(_)) => Kind::DefaultExpressionChanged,
        (Absent::Value(old), Absent::Value(new)) if is_equal(old, new) => Kind::SpellingChanged,
        _ => Kind::DefaultChanged,
    };
    found.push_texts(kind, Some(&after.name), old.words().as_deref(), new.words().as_deref());
}

fn allowed_query(
    name: &str,
    before: Option<&ToolAllowedQuery>,
    after: Option<&ToolAllowedQuery>,
    found: &mut Found<'_>,
) {
    let text = |of: Option<&ToolAllowedQuery>| of.map(|of| of.query.clone());
    let (old, new) = (text(before), text(after));
    if old != new {
        let is_same = |old: &String, new: &String| canonical(old) == canonical(new);
        let same = old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| is_same(old, new));
        let kind = if same { Kind::SpellingChanged } else { Kind::AllowedQueryChanged };
        found.push_texts(kind, Some(name), old.as_deref(), new.as_deref());
    }
    let refresh = |of: Option<&ToolAllowedQuery>| {
        of.and_then(|of| of.refresh.as_ref())
            .and_then(|refresh| serde_json::to_value(refresh).ok())
            .map(|one| plain_value(&one))
    };
    let (old, new) = (refresh(before), refresh(after));
    if old != new {
        found.push(Kind::AllowedValuesRefreshChanged, Some(name), (old, new));
    }
}

/// The SQL of choices that are there before and after; which there are is told by the allowed values.
fn choices(before: &Parameter, after: &Parameter, found: &mut Found<'_>) {
    for new in &after.choices {
        let Some(old) = before.choices.iter().find(|old| old.key == new.key && old.sql != new.sql) else { continue };
        let same = compact(&old.sql) == compact(&new.sql);
        let kind = if same { Kind::SpellingChanged } else { Kind::ChoiceSqlChanged };
        let shown = |sql: &str| format!("{}: {sql}", new.key);
        found.push_texts(kind, Some(&after.name), Some(&shown(&old.sql)), Some(&shown(&new.sql)));
    }
    // A value became SQL, or the other way round.
    if before.choices.is_empty() != after.choices.is_empty() {
        let shown = |of: &Parameter| {
            let all = of.choices.iter().map(|one| format!("{}: {}", one.key, one.sql));
            (!of.choices.is_empty()).then(|| all.collect::<Vec<_>>().join(", "))
        };
        found.push_texts(Kind::ChoiceSqlChanged, Some(&after.name), shown(before).as_deref(), shown(after).as_deref());
    }
}
