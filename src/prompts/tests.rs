use super::*;
use crate::diagnostic::{Applicability, Code, Diagnostic};
use serde_json::json;

struct Compiled {
    prompts: Vec<Prompt>,
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
}

impl Compiled {
    /// What is said, each as `file: code: message | place`.
    fn said(&self) -> Vec<String> {
        let line = |diagnostic: &Diagnostic| {
            let label = diagnostic.primary.as_ref().unwrap();
            let file = self.sources.get(label.span.file).unwrap();
            format!("{}: {}: {} | {}", file.path, diagnostic.code, diagnostic.message, file.slice(label.span))
        };
        self.diagnostics.iter().map(line).collect()
    }
}

fn compiled(files: &[(&str, &str)]) -> Compiled {
    let mut sources = Sources::default();
    let add = |(stem, text): &(&str, &str)| {
        let file = sources.add(format!("prompts/{stem}.md"), *text);
        PromptFile { file, stem: (*stem).to_owned(), skill_of: None }
    };
    let files: Vec<PromptFile> = files.iter().map(add).collect();
    let (placed, sink) = compile(&files, &sources, &["late_flights"]);
    let prompts = placed.into_iter().map(|(prompt, _)| prompt).collect();
    Compiled { prompts, diagnostics: sink.into_sorted(), sources }
}

/// What is said of one file, without its name.
fn said(text: &str) -> Vec<String> {
    let said = compiled(&[("p", text)]).said();
    said.into_iter().map(|line| line.strip_prefix("prompts/p.md: ").unwrap().to_owned()).collect()
}

const REPORT: &str = "---
title: Weekly report
description: |
  A report on one region.
arguments:
  region: { description: The region. }
  weeks: { required: false, default: \"4\" }
  tone: { required: false }
---
Report on {{ region }} over {{ weeks }} weeks.{% if tone %} Be {{ tone }}.{% endif %}
";

fn report() -> Prompt {
    let compiled = compiled(&[("sales/weekly-report", REPORT)]);
    assert_eq!(compiled.said(), Vec::<String>::new());
    compiled.prompts.into_iter().next().unwrap()
}

fn rendered(arguments: Value) -> Result<String, String> {
    report().render(arguments.as_object().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn a_file_becomes_a_prompt() {
    let prompt = report();
    assert_eq!(prompt.name, "sales_weekly_report");
    assert_eq!(prompt.title, "Weekly report");
    assert_eq!(prompt.description.as_deref(), Some("A report on one region."));
    let arguments: Vec<(&str, bool, Option<&str>)> =
        prompt.arguments.iter().map(|one| (one.name.as_str(), one.required, one.default.as_deref())).collect();
    assert_eq!(arguments, [("region", true, None), ("weeks", false, Some("4")), ("tone", false, None)]);
    let written = serde_json::to_value(&prompt).unwrap();
    assert_eq!(serde_json::from_value::<Prompt>(written).unwrap(), prompt);
}

#[test]
fn a_title_is_the_name_as_it_is_written_or_the_path_in_words() {
    let title = |stem: &str, text: &str| {
        let compiled = compiled(&[(stem, text)]);
        compiled.prompts.first().map(|prompt| (prompt.name.clone(), prompt.title.clone())).unwrap()
    };
    let is = |name: &str, title: &str| (name.to_owned(), title.to_owned());
    assert_eq!(title("x", "---\nname: Late Flights\n---\nText"), is("late_flights", "Late Flights"));
    assert_eq!(title("late/flights", "---\n---\nText"), is("late_flights", "Late flights"));
}

#[test]
fn arguments_fill_the_template() {
    let text = rendered(json!({"region": "north", "weeks": "2", "tone": "brief"}));
    assert_eq!(text.as_deref(), Ok("Report on north over 2 weeks. Be brief."));
    assert_eq!(rendered(json!({"region": "{{ x }}"})).as_deref(), Ok("Report on {{ x }} over 4 weeks."));
    assert_eq!(rendered(json!({"region": "", "tone": null})).as_deref(), Ok("Report on  over 4 weeks."));
}

#[test]
fn wrong_arguments_are_told_all_at_once() {
    let message = |arguments| rendered(arguments).unwrap_err();
    assert_eq!(message(json!({})), "missing argument `region`");
    assert_eq!(message(json!({"region": null})), "missing argument `region`");
    assert_eq!(message(json!({"region": 1})), "argument `region` is not a text");
    assert_eq!(
        message(json!({"regoin": "north", "zzz": "1"})),
        "unknown argument `regoin`, did you mean `region`?; unknown argument `zzz`; missing argument `region`"
    );
}

#[test]
fn a_template_that_fails_with_some_arguments_says_so() {
    let text = "---\narguments: { weeks: {} }\n---\n{{ weeks|int + 1 }}";
    let compiled = compiled(&[("p", text)]);
    assert_eq!(compiled.said(), Vec::<String>::new());
    let prompt = compiled.prompts.first().unwrap();
    let render = |weeks: &str| prompt.render(json!({"weeks": weeks}).as_object().unwrap());
    assert_eq!(render("3").as_deref(), Ok("4"));
    assert!(matches!(render("three"), Err(PromptError::Template(_))));
}

#[test]
fn what_a_template_sets_itself_is_no_argument() {
    let text = "---
arguments: { region: { required: false } }
---
{% if region %}{% set place = region|upper %}{% else %}{% set place = 'all' %}{% endif %}{{ place }}";
    assert_eq!(said(text), Vec::<String>::new());
    let replaced = "---\narguments: { region: {} }\n---\n{% set region = region|upper %}{{ region }}";
    assert_eq!(said(replaced), Vec::<String>::new());
    assert_eq!(said("---\n---\n{% for i in range(3) %}{{ loop.index }}{% endfor %}"), Vec::<String>::new());
}

#[test]
fn a_variable_is_an_argument_and_an_argument_is_used() {
    let text = "---\narguments: { region: {}, week: {} }\n---\nOn {{ regoin }}\nin {{ place }}";
    let compiled = compiled(&[("p", text)]);
    assert_eq!(
        compiled.said(),
        [
            "prompts/p.md: invalid-prompt: invalid prompt: argument `region` is declared but never used | region",
            "prompts/p.md: invalid-prompt: invalid prompt: argument `week` is declared but never used | week",
            "prompts/p.md: invalid-prompt: invalid prompt: `regoin` is not among its arguments | regoin",
            "prompts/p.md: invalid-prompt: invalid prompt: `place` is not among its arguments | place",
        ]
    );
    assert!(compiled.prompts.is_empty());
    let helps = compiled.diagnostics.iter().flat_map(|diagnostic| &diagnostic.helps);
    assert!(helps.clone().all(|help| help.applicability == Applicability::MaybeIncorrect));
    let edits: Vec<&str> = helps.flat_map(|help| &help.edits).map(|edit| edit.replacement.as_str()).collect();
    assert_eq!(edits, ["regoin", "region"]);
}

#[test]
fn what_no_arguments_could_mend_is_found_before_a_call() {
    let of = |template: &str| said(&format!("---\narguments: {{ region: {{}} }}\n---\n{template}"));
    assert_eq!(of("{{ region|shout }}").len(), 1);
    assert!(of("{{ region|shout }}")[0].starts_with("invalid-prompt: invalid prompt: filter shout is unknown"));
    assert!(of("{{ region.upper() }}")[0].contains("no method named upper"));
    assert_eq!(of("{{ region }}{% include 'x' %}").len(), 1);
    assert!(of("Line\n{{ region")[0].starts_with("invalid-prompt: invalid prompt: the template does not parse: "));
    assert_eq!(of(" \n"), ["invalid-prompt: invalid prompt: the template is empty | "]);
    assert!(of("{{ region }}").is_empty());
}

#[test]
fn both_ways_through_an_optional_argument_are_tried() {
    let of = |template: &str| said(&format!("---\narguments: {{ tone: {{ required: false }} }}\n---\n{template}"));
    assert_eq!(of("{% if tone %}{{ tone|shout }}{% endif %}").len(), 1);
    assert_eq!(of("{% if tone %}{{ tone }}{% else %}{{ 'x'|shout }}{% endif %}").len(), 1);
}

#[test]
fn a_default_is_for_arguments_that_are_not_required() {
    let text = "---\narguments:\n  region: { default: north }\n---\n{{ region }}";
    assert_eq!(
        said(text),
        ["invalid-prompt: invalid prompt: argument `region` has a default, but is required | north"]
    );
}

#[test]
fn names_are_legal_and_mean_nothing_else() {
    let argument = "---\narguments: { Region: {}, loop: {} }\n---\n{{ Region }}";
    assert_eq!(
        said(argument),
        [
            "invalid-name: `Region` cannot be an argument name | Region",
            "invalid-prompt: invalid prompt: `loop` means something else in a template | loop",
        ]
    );
    assert_eq!(said("---\nname: 1st\n---\nText"), ["invalid-name: `1st` cannot be a prompt name | 1st"]);
}

#[test]
fn two_prompts_of_one_name_collide() {
    let compiled = compiled(&[("a", "---\nname: Late Flights\n---\nA"), ("late/flights", "---\n---\nB")]);
    assert_eq!(
        compiled.said(),
        ["prompts/late/flights.md: name-collision: the name `late_flights` is taken by another prompt | "]
    );
    assert_eq!(compiled.prompts.len(), 1);
}

#[test]
fn prompts_are_sorted_by_name_and_those_with_errors_left_out() {
    let fine = "---\n---\nText";
    let compiled = compiled(&[("a", "no front matter"), ("z", fine), ("b", fine)]);
    let names: Vec<&str> = compiled.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    assert_eq!(names, ["b", "z"]);
    assert_eq!(compiled.diagnostics.len(), 1);
}

#[test]
fn the_front_matter_is_checked_at_its_place() {
    let text = "---\ndescripton: A report.\narguments: { region: { default: 1 } }\n---\n{{ region }}";
    let compiled = compiled(&[("p", text)]);
    let codes: Vec<Code> = compiled.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, [Code::UnknownKey, Code::InvalidValue]);
    assert_eq!(compiled.said()[0], "prompts/p.md: unknown-key: unknown key `descripton` | descripton");
    // Both halves are looked at.
    assert_eq!(said("---\na: [\n---\n{{").len(), 2);
}

#[test]
fn a_prompt_is_for_tools_that_there_are() {
    let of = |tools: &str| said(&format!("---\ndescription: d\ntools: [{tools}]\n---\nWhich flights are late?\n"));
    assert_eq!(of("late_flights"), Vec::<String>::new());
    assert_eq!(of("late_flight"), ["invalid-prompt: invalid prompt: there is no tool `late_flight` | late_flight"]);
    assert_eq!(of("weather"), ["invalid-prompt: invalid prompt: there is no tool `weather` | weather"]);
}

#[test]
fn a_key_without_a_value_is_told() {
    let text =
        "---\ndescription:\ntools: ~\narguments: { region: { required: , default: null } }\n---\nOn {{ region }}.\n";
    assert_eq!(
        said(text),
        [
            "invalid-value: expected a text, found nothing | description",
            "invalid-value: expected a list, found nothing | tools",
            "invalid-value: expected true or false, found nothing | required",
            "invalid-value: expected a text, found nothing | default",
        ]
    );
}
