//! The integration tests: one executable, because every one links DataFusion again. A case is a folder under
//! `tests/cases/<stage>/`; a new one needs no Rust. `UPDATE_EXPECT=1` rewrites what is expected.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod asked;
mod asked_programs;
mod attempts;
mod authored;
mod book;
mod built;
mod cases;
mod changes;
mod confirmed;
mod connections;
mod damaged;
mod database_changes;
mod databases;
mod derived_values;
mod edits;
mod ending;
mod escapes;
mod evals;
mod expect;
mod expression_trees;
mod faults;
mod fixture_tests;
mod given_up;
mod hostile_values;
mod http;
mod kept;
mod large_rows;
mod large_statements;
mod markers;
mod mysql;
mod native;
mod object_store;
mod object_store_cases;
mod output;
mod overload;
mod paged_queries;
mod pages;
mod plans;
mod pooled;
mod postgres;
mod project;
mod proxy;
mod published_is_enforced;
mod record_statements;
mod records;
mod refresh;
mod review;
mod server;
mod servers;
mod slow_clients;
mod sources;
mod stdio;
mod tasks;
mod telemetry;
mod tenants;
mod tour;
mod tpch;
mod transcript;
mod turned;
mod unchanged;
mod web_services;
mod zones;

use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a test function returns.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A folder of cases: every file in it whose name ends so is a test.
struct Suite {
    name: &'static str,
    root: &'static str,
    ending: &'static str,
    test: fn(&Path) -> Outcome,
}

const SUITES: [Suite; 22] = [
    Suite { name: "cases", root: "tests/cases", ending: "/query.sql", test: cases::run },
    Suite { name: "book", root: "book/src/diagnostics", ending: ".md", test: book::page },
    Suite { name: "edits_of_cases", root: "tests/cases", ending: "/query.sql", test: edits::of_case },
    Suite { name: "edits_of_pages", root: "book/src/diagnostics", ending: ".md", test: edits::of_page },
    Suite { name: "chapter", root: "book/src", ending: "inference.md", test: book::chapter },
    Suite { name: "chapter_on_parameters", root: "book/src", ending: "/parameters.md", test: book::chapter },
    Suite { name: "pages_on_inference", root: "book/src/inference", ending: ".md", test: book::chapter },
    Suite { name: "pages_on_parameters", root: "book/src/parameters", ending: ".md", test: book::chapter },
    Suite { name: "chapter_on_dates", root: "book/src", ending: "/dates-and-zones.md", test: book::chapter },
    Suite { name: "cookbook", root: "book/src", ending: "/cookbook.md", test: book::chapter },
    Suite { name: "chapter_on_other_sql", root: "book/src", ending: "/other-sql.md", test: book::chapter },
    Suite { name: "chapter_coming_from", root: "book/src", ending: "/coming-from.md", test: book::chapter },
    Suite { name: "coming_from", root: "book/src/coming-from", ending: ".md", test: book::chapter },
    Suite { name: "pages_to_type_along", root: "book/src", ending: "/from-a-database.md", test: tour::run },
    Suite { name: "transcripts", root: "tests/transcripts", ending: "/steps.txt", test: transcript::run },
    Suite { name: "http", root: "tests/http", ending: "/requests.txt", test: http::run },
    Suite { name: "example", root: "tests/example", ending: "/calls.json", test: project::every_tool_answers },
    Suite { name: "review", root: "tests/review", ending: "/expected.txt", test: review::run },
    Suite { name: "fixture_tests", root: "tests/fixture_tests", ending: "/commands.txt", test: fixture_tests::run },
    Suite { name: "escapes", root: "tests/escapes/cases", ending: ".yaml", test: escapes::class },
    Suite { name: "tpch", root: "tests/tpch", ending: ".json", test: tpch::run },
    Suite { name: "object_store", root: "tests/object_store", ending: ".json", test: object_store_cases::run },
];

/// A test by itself.
type Property = fn() -> Outcome;

/// A test by itself that takes longer is told.
const LONG: Duration = Duration::from_secs(20);

/// Tests that are no folder of cases.
const PROPERTIES: &[(&str, Property)] = &[
    ("web_services/values_are_the_parts_that_they_stand_in", web_services::values_are_the_parts_that_they_stand_in),
    ("web_services/nothing_leads_elsewhere", web_services::nothing_leads_elsewhere),
    (
        "web_services/statuses_and_answers_are_told_as_the_manifest_says",
        web_services::statuses_and_answers_are_told_as_the_manifest_says,
    ),
    ("programs/programs_are_asked_while_locking_alone", asked_programs::programs_are_asked_while_locking_alone),
    ("derived_values/models_make_fields", derived_values::models_make_fields),
    ("derived_values/models_that_do_not_answer_are_told", derived_values::models_that_do_not_answer_are_told),
    (
        "derived_values/programs_functions_and_requests_make_fields",
        derived_values::programs_functions_and_requests_make_fields,
    ),
    ("programs/each_call_of_a_function_has_one_answer", web_services::each_call_of_a_function_has_one_answer),
    ("changes/increments_at_once_lose_none", changes::increments_at_once_lose_none),
    ("changes/increments_in_postgres_lose_none", changes::increments_in_postgres_lose_none),
    ("changes/increments_in_mariadb_lose_none", changes::increments_in_mariadb_lose_none),
    ("changes/any_changes_are_those_of_a_model", changes::any_changes_are_those_of_a_model),
    ("changes/any_changes_in_postgres_are_those_of_a_model", changes::any_changes_in_postgres_are_those_of_a_model),
    ("changes/any_changes_in_mariadb_are_those_of_a_model", changes::any_changes_in_mariadb_are_those_of_a_model),
    ("changes/texts_are_written_as_they_are_sent", changes::texts_are_written_as_they_are_sent),
    ("changes/texts_are_written_to_postgres_as_they_are_sent", changes::texts_are_written_to_postgres_as_they_are_sent),
    ("changes/texts_are_written_to_mariadb_as_they_are_sent", changes::texts_are_written_to_mariadb_as_they_are_sent),
    ("changes/rows_of_a_list_are_written_as_they_are_sent", changes::rows_of_a_list_are_written_as_they_are_sent),
    (
        "changes/rows_of_a_list_are_written_to_postgres_as_they_are_sent",
        changes::rows_of_a_list_are_written_to_postgres_as_they_are_sent,
    ),
    (
        "changes/rows_of_a_list_are_written_to_mariadb_as_they_are_sent",
        changes::rows_of_a_list_are_written_to_mariadb_as_they_are_sent,
    ),
    (
        "changes/a_call_that_is_told_to_be_late_has_changed_nothing",
        changes::a_call_that_is_told_to_be_late_has_changed_nothing,
    ),
    ("changes/changes_that_are_given_up_are_taken_back", changes::changes_that_are_given_up_are_taken_back),
    ("records/any_statements_are_those_of_sqlite", record_statements::any_statements_are_those_of_sqlite),
    (
        "records/any_statements_in_sqlite_are_those_of_sqlite",
        record_statements::any_statements_in_sqlite_are_those_of_sqlite,
    ),
    (
        "postgres/any_statements_in_postgres_are_those_of_sqlite",
        record_statements::any_statements_in_postgres_are_those_of_sqlite,
    ),
    ("records/statements_beside_others_lose_nothing", record_statements::statements_beside_others_lose_nothing),
    (
        "records/statements_beside_others_lose_nothing_in_sqlite",
        record_statements::statements_beside_others_lose_nothing_in_sqlite,
    ),
    (
        "postgres/statements_beside_others_lose_nothing_in_postgres",
        record_statements::statements_beside_others_lose_nothing_in_postgres,
    ),
    ("records/the_history_of_numbers_is_verified", records::the_history_of_numbers_is_verified),
    ("records/kills_lose_no_record", records::kills_lose_no_record),
    ("records/kills_lose_no_record_in_sqlite", records::kills_lose_no_record_in_sqlite),
    ("records/values_are_made_beside_writers", records::values_are_made_beside_writers),
    ("records/values_are_made_beside_writers_in_sqlite", records::values_are_made_beside_writers_in_sqlite),
    ("records/any_writes_are_those_of_a_model", records::any_writes_are_those_of_a_model),
    ("records/any_writes_in_sqlite_are_those_of_a_model", records::any_writes_in_sqlite_are_those_of_a_model),
    ("postgres/kills_lose_no_record_in_postgres", records::kills_lose_no_record_in_postgres),
    ("postgres/values_are_made_beside_writers_in_postgres", records::values_are_made_beside_writers_in_postgres),
    ("postgres/any_writes_in_postgres_are_those_of_a_model", records::any_writes_in_postgres_are_those_of_a_model),
    ("records/values_that_never_come_are_failures", records::values_that_never_come_are_failures),
    ("records/edits_of_others_are_seen_and_kept", records::edits_of_others_are_seen_and_kept),
    ("databases/pages_that_are_written_back_harm_nobody", database_changes::pages_that_are_written_back_harm_nobody),
    ("databases/one_query_sees_one_state", database_changes::one_query_sees_one_state),
    ("table_tools/attempts_cost_little", attempts::cost_little),
    ("table_tools/attempts_reach_nothing_outside_over_files", attempts::reach_nothing_outside_over_files),
    ("table_tools/attempts_reach_nothing_outside_over_a_database", attempts::reach_nothing_outside_over_a_database),
    ("databases/a_star_is_what_it_was", database_changes::a_star_is_what_it_was),
    ("databases/a_file_that_is_copied_over_is_read_anew", database_changes::a_file_that_is_copied_over_is_read_anew),
    (
        "databases/a_file_that_is_written_over_is_not_read_in_parts",
        database_changes::a_file_that_is_written_over_is_not_read_in_parts,
    ),
    ("databases/a_file_that_was_damaged_is_read_again", database_changes::a_file_that_was_damaged_is_read_again),
    ("databases/statements_are_held_to_their_types", database_changes::statements_are_held_to_their_types),
    ("databases/nulls_are_asked_for_where_none_were", database_changes::nulls_are_asked_for_where_none_were),
    ("databases/columns_are_asked_as_they_are_now", database_changes::columns_are_asked_as_they_are_now),
    (
        "databases/a_column_that_is_gone_concerns_who_reads_it",
        database_changes::a_column_that_is_gone_concerns_who_reads_it,
    ),
    (
        "databases/who_does_not_read_what_is_gone_is_answered",
        database_changes::who_does_not_read_what_is_gone_is_answered,
    ),
    (
        "databases/a_key_that_is_gone_concerns_who_relies_on_it",
        database_changes::a_key_that_is_gone_concerns_who_relies_on_it,
    ),
    ("databases/columns_that_come_are_nobodys", database_changes::columns_that_come_are_nobodys),
    ("databases/who_holds_the_file_is_waited_for_once", database_changes::who_holds_the_file_is_waited_for_once),
    ("databases/who_holds_the_file_holds_up_nobody_else", database_changes::who_holds_the_file_holds_up_nobody_else),
    ("databases/a_database_goes_and_comes_back", database_changes::a_database_goes_and_comes_back),
    ("databases/a_writer_beside_readers_harms_nobody", database_changes::a_writer_beside_readers_harms_nobody),
    ("calls_beyond_the_queue_are_refused", server::calls_beyond_the_queue_are_refused),
    ("files_are_damaged_while_they_are_served", damaged::files_are_damaged_while_they_are_served),
    ("a_file_that_is_put_right_is_read_again", damaged::a_file_that_is_put_right_is_read_again),
    ("what_is_empty_by_right_is_an_empty_table", damaged::what_is_empty_by_right_is_an_empty_table),
    ("a_file_is_rewritten_while_it_is_read", damaged::a_file_is_rewritten_while_it_is_read),
    ("local_times_are_those_of_the_zone", zones::run),
    ("kept_plans_give_the_same_rows", kept::kept_plans_give_the_same_rows),
    ("changed_files_are_seen_at_once", kept::changed_files_are_seen_at_once),
    ("results_are_kept_as_long_as_is_said", kept::results_are_kept_as_long_as_is_said),
    ("results_are_kept_for_equal_values", kept::results_are_kept_for_equal_values),
    ("calls_are_answered_alike_with_the_sdk_and_without", http::calls_are_answered_alike_with_the_sdk_and_without),
    ("a_built_server_has_tables_that_are_included", built::a_built_server_has_tables_that_are_included),
    ("a_built_server_needs_nothing_but_its_data", built::a_built_server_needs_nothing_but_its_data),
    ("builds_are_repeatable", built::builds_are_repeatable),
    ("poisoned_definitions_are_refused", built::poisoned_definitions_are_refused),
    ("the_book_lists_every_rule_of_review", review::the_book_lists_every_rule),
    ("every_case_of_a_review_says_what_is_expected", review::every_case_says_what_is_expected),
    ("changes_are_reviewed", review::changes_are_reviewed),
    ("what_cannot_be_written_is_said", output::what_cannot_be_written_is_said),
    ("an_idle_server_ends_with_its_reader", output::an_idle_server_ends_with_its_reader),
    ("models_are_judged_by_their_calls", evals::models_are_judged_by_their_calls),
    ("calls_are_traced", telemetry::calls_are_traced),
    ("a_missing_collector_delays_nothing", telemetry::a_missing_collector_delays_nothing),
    ("expression_trees", expression_trees::run),
    ("hostile_values", hostile_values::run),
    ("sources/hostile_values_are_values", sources::hostile::run),
    ("sources/hostile_values_in_postgres", sources::hostile::run_over_postgres),
    ("sources/hostile_values_in_mariadb", sources::hostile::run_over_mariadb),
    ("sources/bytes_that_are_no_text_reach_no_database", sources::hostile::raw::run),
    ("sources/files_and_databases_answer_alike", sources::differential::run),
    ("mysql/attempts_reach_nothing_outside", attempts::reach_nothing_outside_over_mariadb),
    ("mysql/tables_are_asked_as_they_are_now", mysql::tables_are_asked_as_they_are_now),
    ("mysql/a_start_leaves_out_who_minds", mysql::a_start_leaves_out_who_minds),
    ("mysql/statements_are_held_to_their_types", mysql::statements_are_held_to_their_types),
    ("mysql/statements_end_with_their_calls", mysql::statements_end_with_their_calls),
    ("mysql/closed_connections_are_made_anew", mysql::closed_connections_are_made_anew),
    ("mysql/projects_are_made_of_what_values_are", mysql::projects_are_made_of_what_values_are),
    ("mysql/nothing_is_written", mysql::nothing_is_written),
    ("mysql/sessions_are_as_they_were", mysql::sessions_are_as_they_were),
    ("postgres/tables_are_asked_as_they_are_now", postgres::tables_are_asked_as_they_are_now),
    ("postgres/a_start_leaves_out_who_minds", postgres::a_start_leaves_out_who_minds),
    ("postgres/statements_end_with_their_calls", postgres::statements_end_with_their_calls),
    ("postgres/closed_connections_are_made_anew", postgres::closed_connections_are_made_anew),
    ("postgres/a_server_that_stalls_holds_up_nobody_else", postgres::a_server_that_stalls_holds_up_nobody_else),
    ("postgres/servers_know_until_when_somebody_waits", postgres::servers_know_until_when_somebody_waits),
    ("postgres/nothing_is_written", postgres::nothing_is_written),
    ("postgres/sessions_are_as_they_were", postgres::sessions_are_as_they_were),
    ("postgres/policies_of_rows_leave_nothing_behind", postgres::policies_of_rows_leave_nothing_behind),
    ("postgres_behind_pgbouncer/what_a_pooler_does_not_take_is_told", pooled::what_a_pooler_does_not_take_is_told),
    ("postgres_behind_pgbouncer/sessions_of_others_are_theirs", pooled::sessions_of_others_are_theirs),
    (
        "postgres_behind_pgbouncer/statements_are_locked_by_several_at_once",
        pooled::statements_are_locked_by_several_at_once,
    ),
    ("postgres_behind_pgbouncer/calls_given_up_end_in_the_server", pooled::calls_given_up_end_in_the_server),
    ("postgres_behind_pgbouncer/hostile_values_are_values", pooled::hostile_values_are_values),
    ("faults/of_postgres_are_told", faults::of_postgres),
    ("faults/of_mariadb_are_told", faults::of_mariadb),
    ("postgres/a_right_that_is_taken_away_is_told", authored::a_right_that_is_taken_away_is_told),
    ("postgres/tenants_see_their_own_rows", tenants::tenants_see_their_own_rows),
    ("sources/files_and_postgres_answer_alike", sources::differential::run_over_postgres),
    ("sources/joins_read_what_they_need", sources::joined::run),
    ("sources/joins_read_what_they_need_of_postgres", sources::joined::run_over_postgres),
    ("sources/joins_read_what_they_need_of_mariadb", sources::joined::run_over_mariadb),
    ("policies/queries_see_what_is_left", sources::policies::queries_see_what_is_left),
    ("policies/no_caller_sees_another_over_files", sources::policies::no_caller_sees_another_over_files),
    ("policies/no_caller_sees_another_over_sqlite", sources::policies::no_caller_sees_another_over_sqlite),
    ("postgres/attempts_reach_nothing_outside", attempts::reach_nothing_outside_over_postgres),
    ("postgres/policies_leave_the_same_rows", sources::policies::queries_see_what_is_left_over_postgres),
    ("postgres/no_caller_sees_another", sources::policies::no_caller_sees_another_over_postgres),
    ("sources/tpch_over_sqlite_is_that_over_files", sources::tpch::run),
    ("sources/tpch_over_postgres_is_that_over_files", sources::tpch::run_over_postgres),
    ("sources/tpch_over_mariadb_is_that_over_files", sources::tpch::run_over_mariadb),
    ("sources/statements_end_with_calls_given_up", sources::given_up::run),
    ("sources/statements_of_postgres_end_with_calls_given_up", sources::given_up::run_over_postgres),
    ("sources/statements_of_mariadb_end_with_calls_given_up", sources::given_up::run_over_mariadb),
    ("sources/files_and_mariadb_answer_alike", sources::differential::run_over_mariadb),
    ("sources/what_is_sent_is_pinned", sources::explain::run),
    ("sources/what_is_sent_to_postgres_is_pinned", sources::explain_postgres::run),
    ("sources/large_results_are_whole", sources::large::run),
    ("sources/what_is_kept_otherwise_is_found", sources::otherwise::run),
    ("sources/statements_of_databases_answer_whole", sources::statements::run),
    ("sources/statements_of_postgres_answer_whole", sources::statements::run_over_postgres),
    ("sources/statements_of_mariadb_answer_whole", sources::statements::run_over_mariadb),
    ("mysql/a_server_ends_what_it_is_not_told_to_end", mysql::a_server_ends_what_it_is_not_told_to_end),
    ("published_is_enforced", published_is_enforced::run),
    ("allowed_values_are_read_again", refresh::run),
    ("a_file_of_a_web_server_is_downloaded_once", unchanged::run),
    ("optional_clauses_are_as_good_as_conditions", plans::optional_clauses),
    ("days_prune", plans::days_prune),
    ("long_lists_are_one_membership_test", plans::long_lists),
    ("tools_in_rust_are_tools", native::run),
    ("pages_make_the_whole", pages::run),
    ("paging_gets_past_large_rows", large_rows::paging_gets_past_them),
    ("pages_of_any_query_make_the_whole", paged_queries::run),
    ("no_argument_ends_the_server", server::no_argument_ends_the_server),
    ("knocking_costs_nothing", server::knocking_costs_nothing),
    ("overload/queries_stop_when_their_time_is_over", overload::queries_stop_when_their_time_is_over),
    ("overload/few_threads_are_no_reason_for_silence", overload::few_threads_are_no_reason_for_silence),
    ("overload/little_memory_is_no_reason_for_silence", overload::little_memory_is_no_reason_for_silence),
    ("overload/one_caller_has_not_all_turns", overload::one_caller_has_not_all_turns),
    ("small_calls_are_not_kept", server::small_calls_are_not_kept),
    ("a_server_that_is_stopped_finishes_its_calls", server::a_server_that_is_stopped_finishes_its_calls),
    ("the_process_ends_with_its_input", server::the_process_ends_with_its_input),
    ("every_call_is_recorded", server::every_call_is_recorded),
    ("calls_that_are_given_up_are_recorded", given_up::calls_that_are_given_up_are_recorded),
    ("a_server_that_stops_records_what_it_drops", given_up::a_server_that_stops_records_what_it_drops),
    ("calls_over_stdio_are_recorded_to_the_end", given_up::calls_over_stdio_are_recorded_to_the_end),
    ("refused_calls_are_recorded", given_up::refused_calls_are_recorded),
    (
        "calls_that_wait_behind_one_that_is_given_up_are_recorded",
        given_up::calls_that_wait_behind_one_that_is_given_up_are_recorded,
    ),
    (
        "pipelined_calls_of_a_client_that_leaves_are_recorded",
        given_up::pipelined_calls_of_a_client_that_leaves_are_recorded,
    ),
    ("malformed_calls_over_stdio_are_recorded", given_up::malformed_calls_over_stdio_are_recorded),
    ("tasks/progress_is_told_in_steps", tasks::progress_is_told_in_steps),
    ("tasks/a_long_call_becomes_a_task_of_its_caller", tasks::a_long_call_becomes_a_task_of_its_caller),
    ("confirmed/a_client_over_stdio_is_asked", confirmed::a_client_over_stdio_is_asked),
    ("confirmed/a_client_of_the_newest_revision_is_asked", confirmed::a_client_of_the_newest_revision_is_asked),
    (
        "confirmed/what_is_missing_is_asked_for_before_a_change_is_agreed_to",
        asked::what_is_missing_is_asked_for_before_a_change_is_agreed_to,
    ),
    (
        "upstreams/a_server_that_refuses_with_a_secret_is_told_without_it",
        asked::a_server_that_refuses_with_a_secret_is_told_without_it,
    ),
    ("upstreams/a_tool_that_has_turned_is_no_longer_listed", turned::a_tool_that_has_turned_is_no_longer_listed),
    (
        "upstreams/prompts_and_resources_that_have_turned_are_no_longer_listed",
        turned::prompts_and_resources_that_have_turned_are_no_longer_listed,
    ),
    (
        "upstreams/calls_of_a_client_that_leaves_have_one_answer_each",
        ending::calls_of_a_client_that_leaves_have_one_answer_each,
    ),
    ("upstreams/a_built_server_passes_on_what_was_accepted", turned::a_built_server_passes_on_what_was_accepted),
    ("upstreams/servers_that_ask_by_requests_ask_over_stdio", asked::servers_that_ask_by_requests_ask_over_stdio),
    ("upstreams/servers_that_ask_by_results_ask_over_stdio", asked::servers_that_ask_by_results_ask_over_stdio),
    ("upstreams/servers_that_ask_by_requests_ask_over_http", asked::servers_that_ask_by_requests_ask_over_http),
    ("upstreams/servers_that_ask_by_results_ask_over_http", asked::servers_that_ask_by_results_ask_over_http),
    ("upstreams/a_question_that_comes_late_is_nobody_elses", asked::a_question_that_comes_late_is_nobody_elses),
    (
        "upstreams/a_secret_that_a_server_says_of_itself_is_not_locked",
        asked::a_secret_that_a_server_says_of_itself_is_not_locked,
    ),
    ("upstreams/questions_are_declined_where_nothing_is_said", asked::questions_are_declined_where_nothing_is_said),
    (
        "upstreams/a_call_that_is_given_up_leaves_no_question_behind",
        asked::a_call_that_is_given_up_leaves_no_question_behind,
    ),
    (
        "upstreams/a_question_of_a_call_that_is_given_up_is_withdrawn",
        asked::a_question_of_a_call_that_is_given_up_is_withdrawn,
    ),
    (
        "a_body_with_two_lengths_is_the_last_of_its_connection",
        connections::a_body_with_two_lengths_is_the_last_of_its_connection,
    ),
    ("another_protocol_is_not_answered", connections::another_protocol_is_not_answered),
    ("halves_of_requests_hold_up_nobody", slow_clients::halves_of_requests_hold_up_nobody),
    ("what_does_not_come_is_given_up", slow_clients::what_does_not_come_is_given_up),
    ("who_does_not_read_is_cut_off", slow_clients::who_does_not_read_is_cut_off),
    ("statements_compile_in_bounded_time", large_statements::statements_compile_in_bounded_time),
    ("clients_are_told_of_changes", server::clients_are_told_of_changes),
    ("who_reads_nothing_more_ends_the_process", server::who_reads_nothing_more_ends_the_process),
    ("a_watched_project_is_served_as_it_is", server::a_watched_project_is_served_as_it_is),
    ("a_reload_waits_for_data_that_fits", server::a_reload_waits_for_data_that_fits),
];

fn main() {
    qtool::programs::launcher::run_if_asked();
    if std::env::var_os(escapes::LAUNCH).is_some() {
        return escapes::run_launch().unwrap();
    }
    if let Ok(statements) = std::env::var("QTOOL_TEST_STATEMENTS") {
        return database_changes::run_as_another_process(&statements);
    }
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = SUITES.iter().flat_map(trials).collect();
    trials.extend(PROPERTIES.iter().map(|(name, test)| {
        Trial::test(format!("property/{name}"), || timed(name, *test).map_err(|error| Failed::from(error.to_string())))
    }));
    servers::say_what_is_left_out();
    trials.retain(|trial| !servers::is_left_out(trial.name()));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Runs a test, and tells how long it took where that is long: the gate has three quarters of an hour.
fn timed(name: &str, test: Property) -> Outcome {
    let began = Instant::now();
    let outcome = test();
    if began.elapsed() >= LONG {
        // Nobody may read it.
        let _ = writeln!(std::io::stderr(), "{name} took {} s", began.elapsed().as_secs());
    }
    outcome
}

fn trials(suite: &Suite) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(suite.root);
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.retain(|file| file.to_string_lossy().ends_with(suite.ending));
    files.sort();
    assert!(!files.is_empty(), "no tests in {}", suite.root);
    let test = suite.test;
    let trial = |file: PathBuf| {
        let below = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let name = below.strip_suffix(suite.ending).unwrap_or(&below);
        let name = format!("{}/{}", suite.name, name.trim_end_matches(suite.ending.trim_start_matches('/')));
        Trial::test(name, move || test(&file).map_err(|error| Failed::from(error.to_string())))
    };
    files.into_iter().map(trial).collect()
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => collect(&path, files),
            path => files.push(path),
        }
    }
}
