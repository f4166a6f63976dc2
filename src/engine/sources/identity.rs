//! Who a call is for, as databases are told: settings of a transaction, by which their rules choose the rows.
//!
//! They are parameters of the tool that no agent sends, named by the source and the setting. A source that wants them gives
//! no rows without.

use crate::engine::bind::BoundCall;
use crate::tool::Contract;
use datafusion::common::ScalarValue;

/// A setting, and its value.
pub(in crate::engine) type Setting = (String, String);

/// The settings of all sources that a tool reads.
#[derive(Debug, Default)]
pub(in crate::engine) struct Identity {
    /// By source.
    settings: Vec<(String, Setting)>,
}

impl Identity {
    /// That of a call.
    pub(in crate::engine) fn of_call(contract: &Contract, call: &BoundCall) -> Identity {
        let settings = contract.parameters().iter().filter_map(|parameter| {
            let (source, setting) = parameter.setting()?;
            let value = match call.value(&parameter.name)? {
                ScalarValue::Utf8(Some(value)) => value.clone(),
                _ => return None,
            };
            Some((source.to_owned(), (setting.to_owned(), value)))
        });
        Identity { settings: settings.collect() }
    }

    /// What a source is told.
    pub(in crate::engine) fn of_source(&self, source: &str) -> Vec<Setting> {
        let own = self.settings.iter().filter(|(name, _)| name == source);
        own.map(|(_, setting)| setting.clone()).collect()
    }
}
