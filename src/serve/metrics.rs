//! What the server counts, for Prometheus.
//!
//! Labels are names of tools, codes of errors and words of this program: nothing that a client makes up, so there are
//! never more series than those times each other.

use super::audit::Outcome;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::atomic::Ordering;

/// Upper bounds in seconds: from a small table in memory to the longest that one waits for.
const SECONDS: [f64; 16] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// Upper bounds in bytes: powers of four to 1 MiB, with the cap of 256 KiB among them.
const BYTES: [f64; 7] = [256.0, 1_024.0, 4_096.0, 16_384.0, 65_536.0, 262_144.0, 1_048_576.0];

/// The counters of a server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    durations: Family<ToolLabels, Histogram>,
    bytes: Family<ToolLabels, Histogram>,
    in_flight: Gauge,
    queued: Gauge,
    lost: Gauge,
    unrecorded: Counter,
    refused: Family<RefusalLabels, Counter>,
    connections: Gauge,
    tools: Gauge,
    reloads: Family<ReloadLabels, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    tool: String,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    tool: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusalLabels {
    reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReloadLabels {
    outcome: &'static str,
}

impl Metrics {
    /// What [`Metrics::encode`] writes, as a `Content-Type`.
    pub const CONTENT_TYPE: &'static str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// Counters at zero, for a project of that version.
    pub fn new(version: &str) -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("qtool"),
            calls: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            bytes: Family::new_with_constructor(|| Histogram::new(BYTES)),
            in_flight: Gauge::default(),
            queued: Gauge::default(),
            lost: Gauge::default(),
            unrecorded: Counter::default(),
            refused: Family::default(),
            connections: Gauge::default(),
            tools: Gauge::default(),
            reloads: Family::default(),
        };
        metrics.register(version);
        // Both from the start: a rate over a series that comes into being with its first event misses that event.
        for outcome in [RELOADED, NOT_RELOADED] {
            drop(metrics.reloads.get_or_create(&ReloadLabels { outcome }));
        }
        metrics
    }

    /// The suffixes `_total` and `_info`, the units and the full stops are added by the library.
    fn register(&mut self, version: &str) {
        let to = &mut self.registry;
        to.register("build", "The version of the project", Info::new(vec![("version", version.to_owned())]));
        to.register("tools", "Tools that are published", self.tools.clone());
        to.register("calls", "Calls that ended, by tool and outcome", self.calls.clone());
        let help = "Time from the call to its answer, by tool";
        to.register_with_unit("call_duration", help, Unit::Seconds, self.durations.clone());
        let help = "Size of the answers of calls that succeeded, by tool";
        to.register_with_unit("result", help, Unit::Bytes, self.bytes.clone());
        to.register("calls_in_flight", "Calls that run", self.in_flight.clone());
        to.register("queue_length", "Calls that wait to run", self.queued.clone());
        let help = "Queries whose time is over, and that have not stopped yet";
        to.register("queries_lost", help, self.lost.clone());
        let help = "Lines of the audit that could not be written";
        to.register("audit_lines_lost", help, self.unrecorded.clone());
        to.register("http_refused", "HTTP requests that were refused, by reason", self.refused.clone());
        to.register("http_connections", "HTTP connections that are open", self.connections.clone());
        to.register("reloads", "Reloads of the project, by outcome", self.reloads.clone());
    }

    /// Counts a call that ended: of a published tool, after so many seconds, with an answer of so many bytes.
    pub fn call(&self, tool: &str, outcome: Outcome, seconds: f64, bytes: u64) {
        let labels = CallLabels { tool: tool.to_owned(), outcome: outcome.as_str() };
        self.calls.get_or_create(&labels).inc();
        let labels = ToolLabels { tool: labels.tool };
        self.durations.get_or_create(&labels).observe(seconds);
        // Errors are small and would hide how large results are.
        if outcome == Outcome::Ok {
            self.bytes.get_or_create(&labels).observe(bytes as f64);
        }
    }

    /// Counts a call among those that run, until what is returned is dropped.
    pub fn in_flight(&self) -> Counted {
        Counted::of(&self.in_flight)
    }

    /// Sets how many calls wait to run.
    pub fn waiting(&self, calls: usize) {
        self.queued.set(i64::try_from(calls).unwrap_or(i64::MAX));
    }

    /// Sets how many queries have not stopped though their time is over.
    pub fn lost(&self, queries: usize) {
        self.lost.set(i64::try_from(queries).unwrap_or(i64::MAX));
    }

    /// Sets how many calls could not be recorded.
    pub fn unrecorded(&self, lines: u64) {
        // Never less, though two ask at once.
        self.unrecorded.inner().fetch_max(lines, Ordering::Relaxed);
    }

    /// Counts a request that got no further than HTTP.
    pub fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&RefusalLabels { reason }).inc();
    }

    /// Sets how many connections are open.
    pub fn connected(&self, connections: usize) {
        self.connections.set(i64::try_from(connections).unwrap_or(i64::MAX));
    }

    /// Sets how many tools are published.
    pub fn published(&self, tools: usize) {
        self.tools.set(i64::try_from(tools).unwrap_or(i64::MAX));
    }

    /// Counts a reload, by whether the project compiled and is served now.
    pub fn reloaded(&self, ok: bool) {
        let outcome = if ok { RELOADED } else { NOT_RELOADED };
        self.reloads.get_or_create(&ReloadLabels { outcome }).inc();
    }

    /// All of it in the text form of OpenMetrics.
    pub fn encode(&self) -> String {
        let mut encoded = String::new();
        // Writing to a string does not fail.
        if let Err(error) = text::encode(&mut encoded, &self.registry) {
            tracing::error!(%error, "the metrics cannot be written");
        }
        encoded
    }
}

const RELOADED: &str = "ok";
const NOT_RELOADED: &str = "failed";

/// A call that a gauge counts for as long as this lives.
#[derive(Debug)]
#[must_use = "the call is counted only while this lives"]
pub struct Counted {
    gauge: Gauge,
}

impl Counted {
    fn of(gauge: &Gauge) -> Counted {
        gauge.inc();
        Counted { gauge: gauge.clone() }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::code::CallCode;

    fn has(metrics: &Metrics, lines: &[&str]) {
        let text = metrics.encode();
        for line in lines {
            assert!(text.lines().any(|known| known == *line), "no line {line} in\n{text}");
        }
    }

    #[test]
    fn a_new_server_says_its_version_and_counts_nothing() {
        let metrics = Metrics::new("1.2.3");
        has(
            &metrics,
            &[
                "# TYPE qtool_build info",
                "qtool_build_info{version=\"1.2.3\"} 1",
                "qtool_tools 0",
                "qtool_calls_in_flight 0",
                "qtool_queue_length 0",
                "qtool_reloads_total{outcome=\"ok\"} 0",
                "qtool_reloads_total{outcome=\"failed\"} 0",
            ],
        );
        assert!(metrics.encode().ends_with("# EOF\n"));
    }

    #[test]
    fn calls_are_counted_by_tool_and_outcome() {
        let metrics = Metrics::new("1");
        metrics.call("orders", Outcome::Ok, 0.003, 1_000);
        metrics.call("orders", Outcome::Ok, 0.2, 5_000);
        metrics.call("orders", Outcome::Error(CallCode::Timeout), 30.5, 40);
        has(
            &metrics,
            &[
                "# TYPE qtool_calls counter",
                "qtool_calls_total{tool=\"orders\",outcome=\"ok\"} 2",
                "qtool_calls_total{tool=\"orders\",outcome=\"timeout\"} 1",
                "# TYPE qtool_call_duration_seconds histogram",
                "# UNIT qtool_call_duration_seconds seconds",
                "qtool_call_duration_seconds_count{tool=\"orders\"} 3",
                "qtool_call_duration_seconds_bucket{le=\"0.0005\",tool=\"orders\"} 0",
                "qtool_call_duration_seconds_bucket{le=\"0.005\",tool=\"orders\"} 1",
                "qtool_call_duration_seconds_bucket{le=\"30.0\",tool=\"orders\"} 2",
                "qtool_call_duration_seconds_bucket{le=\"60.0\",tool=\"orders\"} 3",
                "qtool_call_duration_seconds_bucket{le=\"+Inf\",tool=\"orders\"} 3",
                "# TYPE qtool_result_bytes histogram",
                "qtool_result_bytes_sum{tool=\"orders\"} 6000.0",
                "qtool_result_bytes_count{tool=\"orders\"} 2",
                "qtool_result_bytes_bucket{le=\"1024.0\",tool=\"orders\"} 1",
            ],
        );
    }

    #[test]
    fn what_runs_and_what_waits_is_counted_while_it_does() {
        let metrics = Metrics::new("1");
        let (running, also) = (metrics.in_flight(), metrics.in_flight());
        metrics.waiting(1);
        metrics.lost(3);
        metrics.unrecorded(2);
        metrics.unrecorded(1);
        has(
            &metrics,
            &[
                "qtool_calls_in_flight 2",
                "qtool_queue_length 1",
                "qtool_queries_lost 3",
                "qtool_audit_lines_lost_total 2",
            ],
        );
        drop(running);
        metrics.waiting(0);
        has(&metrics, &["qtool_calls_in_flight 1", "qtool_queue_length 0"]);
        drop(also);
        has(&metrics, &["qtool_calls_in_flight 0"]);
    }

    #[test]
    fn refusals_reloads_and_tools_are_counted() {
        let metrics = Metrics::new("1");
        metrics.refused("unauthorized");
        metrics.refused("unauthorized");
        metrics.reloaded(true);
        metrics.reloaded(false);
        metrics.published(12);
        has(
            &metrics,
            &[
                "qtool_http_refused_total{reason=\"unauthorized\"} 2",
                "qtool_reloads_total{outcome=\"ok\"} 1",
                "qtool_reloads_total{outcome=\"failed\"} 1",
                "qtool_tools 12",
            ],
        );
    }

    #[test]
    fn every_metric_has_the_name_it_is_known_by() {
        let metrics = Metrics::new("1");
        metrics.call("orders", Outcome::Cancelled, 0.1, 0);
        metrics.call("orders", Outcome::Ok, 0.1, 1);
        metrics.refused("host");
        let text = metrics.encode();
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
        assert_eq!(
            names,
            [
                "qtool_build info",
                "qtool_tools gauge",
                "qtool_calls counter",
                "qtool_call_duration_seconds histogram",
                "qtool_result_bytes histogram",
                "qtool_calls_in_flight gauge",
                "qtool_queue_length gauge",
                "qtool_queries_lost gauge",
                "qtool_audit_lines_lost counter",
                "qtool_http_refused counter",
                "qtool_http_connections gauge",
                "qtool_reloads counter",
            ]
        );
    }
}
