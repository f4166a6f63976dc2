//! `ai` of a derived field: a language model that is asked for its value.

use super::settings::Timeout;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};
use std::time::Duration;

/// How long a model has to answer where nobody says.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// A language model that is asked for the value of a field, by the API of OpenAI that most servers of models speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Where its server answers, without `/chat/completions`: `https://api.openai.com/v1`.
    #[schemars(length(min = 1))]
    pub url: String,
    /// The name of the model there.
    #[schemars(length(min = 1))]
    pub model: String,
    /// The key, a variable of the server's environment: `"${OPENAI_API_KEY}"`. Default: none is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub key: Option<String>,
    /// What it is asked, with fields of the record as placeholders: `Say in one sentence what is to do: << title >>`. The answer is the
    /// value, and nothing else may stand in it.
    #[schemars(length(min = 1))]
    pub prompt: String,
    /// What it is told before, as its part in the conversation; with fields of the record, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub system: Option<String>,
    /// The most tokens of an answer. Default: those of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_tokens: Option<u64>,
    /// How freely it answers: from 0 to 2. Default: that of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 2.0))]
    pub temperature: Option<Number>,
    /// How long one value may take, with the waits that the server asks for. Default: 60s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// What it costs. Default: nothing is known of it, and nothing is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<ModelPrice>,
    /// Whether it may be at an address that is not public: on this machine, or in the networks around it. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

/// What a model costs, in US dollars a million tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// Of what it is asked.
    #[schemars(range(min = 0.0))]
    pub input: Number,
    /// Of what it answers.
    #[schemars(range(min = 0.0))]
    pub output: Number,
}

impl ModelConfig {
    /// How long one value may take.
    pub fn effective_timeout(&self) -> Timeout {
        self.timeout.unwrap_or(Timeout(USUAL_TIME))
    }

    /// The texts that have fields of the record in them, by their keys.
    pub fn prompts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let system = self.system.as_deref().map(|text| ("system", text));
        system.into_iter().chain([("prompt", self.prompt.as_str())])
    }

    /// What its answers depend on. The rest is who pays, how much, and how long is waited.
    pub fn decisive_settings(&self) -> Value {
        json!({
            "url": self.url, "model": self.model, "prompt": self.prompt, "system": self.system,
            "max_tokens": self.max_tokens, "temperature": self.temperature,
        })
    }
}

impl ModelPrice {
    /// What so many tokens cost.
    pub fn of_tokens(&self, input: u64, output: u64) -> f64 {
        // More tokens than a double counts exactly are none.
        let part = |tokens: u64, price: &Number| tokens as f64 * price.as_f64().unwrap_or(0.0) / 1e6;
        part(input, &self.input) + part(output, &self.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cost_what_the_price_says() {
        let price: ModelPrice = serde_json::from_value(json!({"input": 2, "output": 0.5})).unwrap();
        assert_eq!(price.of_tokens(1_000_000, 0), 2.0);
        assert_eq!(price.of_tokens(500, 2_000), 0.002);
    }

    #[test]
    fn answers_depend_on_neither_the_price_nor_the_key() {
        let said = |more: Value| {
            let mut said = json!({"url": "https://a", "model": "m", "prompt": "p"});
            said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value::<ModelConfig>(said).unwrap().decisive_settings()
        };
        let plain = said(json!({}));
        assert_eq!(plain, said(json!({"key": "${K}", "price": {"input": 1, "output": 1}, "timeout": "5s"})));
        assert_ne!(plain, said(json!({"temperature": 0.5})));
        assert_ne!(plain, said(json!({"system": "s"})));
    }
}
