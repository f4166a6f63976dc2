//! All parameters of a tool of MCC.

use super::parameter::{Parameter, ParameterFlaw, Presence};
use crate::name::foreign::Naming;
use serde_json::{Map, Value};

/// The parameters of a tool, and what is to be said of them.
#[derive(Debug, Default)]
pub(super) struct Signature {
    /// The parameters, in their order.
    pub(super) parameters: Vec<Parameter>,
    /// What is otherwise here, a line each.
    pub(super) notes: Vec<String>,
}

impl Signature {
    /// Reads what stands under `params`.
    ///
    /// Errors: one of them has no form here.
    pub(super) fn read(params: Option<&Value>, naming: Naming) -> Result<Signature, ParameterFlaw> {
        let mut signature = Signature::default();
        for value in params.and_then(Value::as_array).into_iter().flatten() {
            let parameter = Parameter::read(value, naming)?;
            if signature.parameters.iter().any(|known| known.name == parameter.name) {
                return Err(ParameterFlaw::Name(parameter.theirs));
            }
            if parameter.name != parameter.theirs {
                signature.notes.push(format!("parameter `{}` is called `{}` here", parameter.theirs, parameter.name));
            }
            if let Presence::Environment(variable) = &parameter.presence {
                signature.notes.push(format!("a call without the variable `{variable}` is refused"));
            }
            signature.parameters.push(parameter);
        }
        Ok(signature)
    }

    /// The parameter that has this name in the catalog, which counts as a use of it.
    pub(super) fn take(&mut self, theirs: &str) -> Option<&mut Parameter> {
        let parameter = self.parameters.iter_mut().find(|one| one.theirs == theirs)?;
        parameter.used = true;
        Some(parameter)
    }

    /// Adds a note unless it was made before.
    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// All of them are used.
    pub(super) fn take_all(&mut self) {
        self.parameters.iter_mut().for_each(|one| one.used = true);
    }

    /// What the manifest says of those that are used; of the others, there is a note.
    pub(super) fn settings(&mut self) -> Map<String, Value> {
        let mut settings = Map::new();
        for parameter in &self.parameters {
            if parameter.used {
                settings.insert(parameter.name.clone(), parameter.settings());
            } else {
                self.notes.push(format!("parameter `{}` is used by nothing, and left out", parameter.theirs));
            }
        }
        settings
    }
}
