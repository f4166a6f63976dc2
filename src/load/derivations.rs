//! How derived fields of records are made: the files of `derivations` in their folder, and `derived` of `qtool.yaml`.

use super::files::Files;
use super::others::derivation_files;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{nearest, shown_name};
use crate::project::argument::{PieceFlaw, names_in, pieces};
use crate::project::{
    Derivation, DerivationHead, DerivationKind, DerivedConfig, Lookup, LookupFile, ModelConfig, RecordContract,
    RecordsConfig,
};
use crate::source::{Sources, Span};
use crate::syntax::outline_of_expression;
use crate::yaml::{Document, Shape};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static HEAD: LazyLock<Shape> = LazyLock::new(Shape::of::<DerivationHead>);
static LOOKUP: LazyLock<Shape> = LazyLock::new(Shape::of::<LookupFile>);

/// A derivation, and where it says what it makes of what.
struct Placed {
    derivation: Derivation,
    targets: Vec<Span>,
    inputs: Vec<Span>,
}

/// How the derived fields of records are made, each behind those that it needs. What is wrong is in the sink, and left out.
pub(super) fn derivations(
    files: &dyn Files,
    (name, config, contract): (&str, &RecordsConfig, &RecordContract),
    document: &Document,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Vec<Derivation> {
    let mut found: Vec<Placed> = Vec::new();
    for (id, stem) in derivation_files(files, &config.path, sources, sink) {
        let Some(source) = sources.get(id) else { continue };
        let Some(own) = Document::parse(source, source.whole(), sink) else { continue };
        found.extend(of_file(&own, &format!("{stem}.yaml"), source.slice(source.whole()), sink));
    }
    for (target, derived) in &config.derived {
        found.extend(of_setting((name, target, derived), (document, sources), sink));
    }
    let errors = sink.errors();
    for placed in &found {
        check(placed, contract, sink);
    }
    check_once(&found, sink);
    if sink.errors() > errors {
        return Vec::new();
    }
    in_order(found, sink)
}

/// What a file says; `None` where it has errors.
fn of_file(document: &Document, file: &str, text: &str, sink: &mut Diagnostics) -> Option<Placed> {
    let head: DerivationHead = document.read(&HEAD, sink)?;
    let respects_override = head.materialization.respect_human_override;
    let lookup = match head.kind {
        DerivationKind::Import | DerivationKind::CrossSheet => {
            let read: LookupFile = document.read(&LOOKUP, sink)?;
            Some(lookup_of(read, document, sink)?)
        }
        DerivationKind::Tool => {
            let why =
                "a file of derivations is Folio's, which has no such kind: say `tool` below `derived` in qtool.yaml";
            sink.push(codes::invalid_setting(document.value_span(&["kind"]), why));
            return None;
        }
        DerivationKind::Sql | DerivationKind::Ai | DerivationKind::Python | DerivationKind::Http => None,
    };
    if let Some(why) = lookup.as_ref().and_then(|lookup| flaw_of_values(lookup, &head.targets)) {
        sink.push(codes::invalid_setting(document.value_span(&["targets"]), &why));
        return None;
    }
    let places = |key: &str, count: usize| {
        (0..count).map(|at| document.value_span(&[key, &at.to_string()])).collect::<Vec<Span>>()
    };
    Some(Placed {
        targets: places("targets", head.targets.len()),
        inputs: places("inputs", head.inputs.len()),
        derivation: Derivation {
            targets: head.targets,
            inputs: head.inputs,
            kind: head.kind,
            respects_override,
            digest: hex::encode(Sha256::digest(text)),
            file: Some(file.to_owned()),
            lookup,
        },
    })
}

/// Where a file says that values are looked up; `None` where it has errors.
fn lookup_of(read: LookupFile, document: &Document, sink: &mut Diagnostics) -> Option<Lookup> {
    let is_import = read.kind == DerivationKind::Import;
    let ((own, source), (other, others)) = match is_import {
        true => (("source", read.source), ("source_sheet", read.source_sheet)),
        false => (("source_sheet", read.source_sheet), ("source", read.source)),
    };
    let kind = read.kind.as_str();
    if others.is_some() {
        let why = format!("`{other}` is none of the kind `{kind}`: that has `{own}`");
        sink.push(codes::invalid_setting(document.key_span(&[other]), &why));
        return None;
    }
    let Some(source) = source else {
        let why = format!("the kind `{kind}` says by `{own}` where values are looked up");
        sink.push(codes::invalid_setting(document.value_span(&["kind"]), &why));
        return None;
    };
    let LookupFile { key_field, value_field, value_fields, .. } = read;
    Some(Lookup { source, key_field, value_field, value_fields })
}

/// Why the columns of values do not fit the fields that are made.
fn flaw_of_values(lookup: &Lookup, targets: &[String]) -> Option<String> {
    match (&lookup.value_field, &lookup.value_fields) {
        (Some(_), Some(_)) => Some("it has either `value_field` or `value_fields`".to_owned()),
        (None, None) => Some("it says where values are by `value_field`, or by `value_fields`".to_owned()),
        (Some(_), None) if targets.len() > 1 => {
            Some("it makes several fields: `value_fields` says where the value of each is".to_owned())
        }
        (None, Some(fields)) => {
            let is_same = fields.len() == targets.len() && targets.iter().all(|target| fields.contains_key(target));
            (!is_same).then(|| "`value_fields` has the fields that are made, and no other".to_owned())
        }
        (Some(_), None) => None,
    }
}

/// What `qtool.yaml` says of a field; `None` where it has errors.
fn of_setting(
    (name, target, derived): (&str, &str, &DerivedConfig),
    (document, sources): (&Document, &Sources),
    sink: &mut Diagnostics,
) -> Option<Placed> {
    let path = ["records", name, "derived", target];
    let place = |key: &str| document.value_span(&[path.as_slice(), &[key]].concat());
    let whole = document.key_span(&path);
    let (kind, inputs) = match (&derived.sql, &derived.tool, &derived.ai) {
        (Some(sql), None, None) => match outline_of_expression(sql) {
            Ok(outline) => {
                let placed = |name: String| {
                    let span = placeholder_span(sources, place("sql"), &name);
                    (name, span)
                };
                (DerivationKind::Sql, once_each(outline.placeholders).into_iter().map(placed).collect::<Vec<_>>())
            }
            Err(why) => {
                sink.push(codes::invalid_setting(place("sql"), &why.to_string()));
                return None;
            }
        },
        (None, Some(_), None) => {
            let argument = |(parameter, field): (&String, &String)| {
                (field.clone(), document.value_span(&[path.as_slice(), &["arguments", parameter]].concat()))
            };
            // What kind of tool it is shows when all are compiled.
            (DerivationKind::Tool, derived.arguments.iter().map(argument).collect())
        }
        (None, None, Some(model)) => (DerivationKind::Ai, inputs_of_model(model, (&path, document, sources), sink)?),
        _ => {
            let why = format!("`{}` is made either by `sql`, by a `tool` or by `ai`", shown_name(target));
            sink.push(codes::invalid_setting(whole, &why));
            return None;
        }
    };
    if derived.tool.is_none() {
        let others = [("arguments", !derived.arguments.is_empty()), ("value", derived.value.is_some())];
        let here = if derived.sql.is_some() { "SQL" } else { "a prompt" };
        for (key, _) in others.into_iter().filter(|(_, is_said)| *is_said) {
            let span = document.key_span(&[path.as_slice(), &[key]].concat());
            let why = format!("`{key}` is of a `tool`: in {here}, `<< field >>` stands for a field of the record");
            sink.push(codes::invalid_setting(span, &why));
        }
    }
    let said = match &derived.ai {
        Some(model) => serde_json_canonicalizer::to_vec(&model.decisive_settings()),
        None => serde_json_canonicalizer::to_vec(derived),
    };
    let said = said.unwrap_or_default();
    let (inputs, places) = inputs.into_iter().unzip();
    Some(Placed {
        targets: vec![whole],
        inputs: places,
        derivation: Derivation {
            targets: vec![target.to_owned()],
            inputs,
            kind,
            respects_override: derived.respect_human_override.unwrap_or(true),
            digest: hex::encode(Sha256::digest(said)),
            file: None,
            lookup: None,
        },
    })
}

/// The fields that a model is asked about, each with the place where it is first; `None` where what it is asked cannot be read.
fn inputs_of_model(
    model: &ModelConfig,
    (path, document, sources): (&[&str], &Document, &Sources),
    sink: &mut Diagnostics,
) -> Option<Vec<(String, Span)>> {
    let mut inputs: Vec<(String, Span)> = Vec::new();
    let errors = sink.errors();
    for (key, text) in model.prompts() {
        let place = document.value_span(&[path, &["ai", key]].concat());
        match pieces(text) {
            Ok(parts) => {
                for name in once_each(names_in(&parts).map(str::to_owned)) {
                    let span = placeholder_span(sources, place, &name);
                    if !inputs.iter().any(|(known, _)| *known == name) {
                        inputs.push((name, span));
                    }
                }
            }
            Err(flaw) => sink.push(codes::invalid_setting(place, &told_flaw(&flaw))),
        }
    }
    if inputs.is_empty() && sink.errors() == errors {
        let place = document.value_span(&[path, &["ai", "prompt"]].concat());
        let told = codes::invalid_setting(place, "the model is asked the same for every record: no field stands in it");
        sink.push(told.help("write `<< title >>` where the value of the field `title` is to stand"));
    }
    (sink.errors() == errors).then_some(inputs)
}

/// Why a placeholder of a prompt cannot be read.
fn told_flaw(flaw: &PieceFlaw) -> String {
    match flaw {
        PieceFlaw::Unclosed(_) => {
            "`<<` has no `>>` behind it: where it is meant itself, it is written `<<<<`".to_owned()
        }
        PieceFlaw::NoName(_, name) => format!("`{}` is no name of a field", shown_name(name)),
        PieceFlaw::MoreThanName(_, name) => {
            format!("a placeholder of a prompt is a field and nothing more: `<< {name} >>`")
        }
    }
}

fn once_each(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

/// Where a placeholder of that name stands in what is written at a place; that place where it is not found.
fn placeholder_span(sources: &Sources, written: Span, name: &str) -> Span {
    let file = sources.get(written.file);
    let found = file.and_then(|file| {
        let text = file.slice(written);
        let is_placeholder =
            |(at, _): &(usize, &str)| text.get(..*at).is_some_and(|before| before.trim_end().ends_with("<<"));
        let (at, _) = text.match_indices(name).find(is_placeholder)?;
        Some(file.span(written.start + at, written.start + at + name.len()))
    });
    found.unwrap_or(written)
}

/// What it makes are derived fields, and it makes them of fields.
fn check(placed: &Placed, contract: &RecordContract, sink: &mut Diagnostics) {
    let names = |is_target: bool| {
        let meant = contract.properties().iter().filter(move |property| !is_target || property.derived);
        meant.map(|property| property.name.as_str())
    };
    let mut unknown = |place: Span, field: &str, is_target: bool| {
        let told = codes::invalid_setting(place, &format!("the contract has no field `{}`", shown_name(field)));
        sink.push(codes::meant(told, field, nearest(field, names(is_target))));
    };
    for (field, place) in placed.derivation.inputs.iter().zip(&placed.inputs) {
        if contract.property(field).is_none() {
            unknown(*place, field, false);
        }
    }
    let targets = || placed.derivation.targets.iter().zip(&placed.targets);
    for (field, place) in targets() {
        if contract.property(field).is_none() {
            unknown(*place, field, true);
        }
    }
    for (field, place) in targets() {
        if contract.property(field).is_some_and(|property| !property.derived) {
            let field = shown_name(field);
            let why =
                format!("`{field}` is made, and the contract does not say so: what is written into it would be lost");
            sink.push(codes::invalid_setting(*place, &why).help("say `x-derived: true` of it in `contract.yaml`"));
        }
    }
}

/// No field is made twice.
fn check_once(found: &[Placed], sink: &mut Diagnostics) {
    let mut made: HashMap<&str, Span> = HashMap::new();
    for (target, place) in found.iter().flat_map(|placed| placed.derivation.targets.iter().zip(&placed.targets)) {
        match made.get(target.as_str()) {
            Some(first) => {
                let why = format!("`{}` is made twice", shown_name(target));
                sink.push(codes::invalid_setting(*place, &why).also(*first, "made here"));
            }
            None => drop(made.insert(target, *place)),
        }
    }
}

/// Each behind those that make what it needs. Where one needs itself, that is told, and there is none.
fn in_order(mut found: Vec<Placed>, sink: &mut Diagnostics) -> Vec<Derivation> {
    found.sort_by(|a, b| a.derivation.targets.cmp(&b.derivation.targets));
    let maker: HashMap<&str, usize> = found
        .iter()
        .enumerate()
        .flat_map(|(at, placed)| placed.derivation.targets.iter().map(move |target| (target.as_str(), at)))
        .collect();
    let mut walk = Walk { found: &found, maker: &maker, path: Vec::new(), done: Vec::new() };
    for at in 0..found.len() {
        if let Err(cycle) = walk.visit(at) {
            let place = cycle.first().and_then(|at| found.get(*at)?.targets.first());
            let target = |at: &usize| found.get(*at).and_then(|placed| placed.derivation.targets.first());
            let names: Vec<String> =
                cycle.iter().filter_map(target).map(|name| shown_name(name).into_owned()).collect();
            let told = place.map(|place| {
                let why = format!("fields are made of each other: {}", names.join(" -> "));
                codes::invalid_setting(*place, &why)
            });
            told.into_iter().for_each(|told| sink.push(told));
            return Vec::new();
        }
    }
    let order = walk.done;
    order.into_iter().filter_map(|at| found.get(at).map(|placed| placed.derivation.clone())).collect()
}

struct Walk<'a> {
    found: &'a [Placed],
    maker: &'a HashMap<&'a str, usize>,
    path: Vec<usize>,
    done: Vec<usize>,
}

impl Walk<'_> {
    /// Puts one behind those that it needs.
    ///
    /// Errors: those that need each other, the first at the end again.
    fn visit(&mut self, at: usize) -> Result<(), Vec<usize>> {
        if self.done.contains(&at) {
            return Ok(());
        }
        if let Some(first) = self.path.iter().position(|other| *other == at) {
            let around = self.path.iter().skip(first).copied();
            return Err(around.chain([at]).collect());
        }
        self.path.push(at);
        for input in self.found.get(at).into_iter().flat_map(|placed| &placed.derivation.inputs) {
            if let Some(maker) = self.maker.get(input.as_str()) {
                self.visit(*maker)?;
            }
        }
        self.path.pop();
        self.done.push(at);
        Ok(())
    }
}
