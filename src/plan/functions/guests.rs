//! The functions that SQL may call which an agent has written: nobody has looked at it before it runs.
//!
//! A list of those that may, and not of those that may not: a function that a new version of the engine brings is none of
//! them. Left out are those that tell of files and of the engine (`input_file_name`, `version`, `arrow_metadata`), and the
//! markers of the compiler.

use super::{BUILT_INTO_THE_PLANNER, Functions};
use std::collections::HashSet;
use std::sync::LazyLock;

/// By their own names; what they are called elsewhere comes with them.
const ALLOWED: &str = "
abs acos acosh array_add array_any_value array_append array_avg array_compact array_concat array_dims
array_distance array_distinct array_element array_except array_has array_has_all array_has_any array_intersect
array_length array_max array_min array_ndims array_normalize array_pop_back array_pop_front array_position
array_positions array_prepend array_product array_remove array_remove_all array_remove_n array_repeat array_replace
array_replace_all array_replace_n array_resize array_reverse array_scale array_slice array_sort array_subtract array_sum
array_to_string array_union arrays_zip ascii asin asinh atan atan2 atanh bit_length btrim cardinality cbrt ceil
character_length chr coalesce concat concat_ws contains cos cosh cosine_distance cot current_date current_time date_bin
date_diff date_part date_trunc decode degrees digest empty encode ends_with exp factorial find_in_set flatten floor
from_unixtime gcd generate_series get_field greatest initcap inner_product isnan iszero json_array_length json_exists
json_extract json_extract_string json_valid lcm least left levenshtein ln log log10 log2 lower lpad ltrim make_array
make_date make_map make_time map map_entries map_extract map_keys map_values md5 named_struct nanvl now nullif nvl2
octet_length overlay pi power radians random range regexp_count regexp_extract regexp_instr regexp_like regexp_match
regexp_replace repeat replace reverse right round rpad rtrim sha224 sha256 sha384 sha512 signum sin sinh split_part sqrt
starts_with string_split string_to_array strpos strptime struct substr substr_index tan tanh timezone to_char to_date
to_hex to_local_time to_time to_timestamp to_timestamp_micros to_timestamp_millis to_timestamp_nanos
to_timestamp_seconds to_unixtime translate trunc try_strptime upper uuid
array_any_match array_filter array_first array_transform
any_value approx_distinct approx_median approx_percentile_cont approx_percentile_cont_with_weight array_agg avg bit_and
bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp first_value grouping last_value max median min mode
nth_value percentile_cont regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
stddev stddev_pop string_agg sum var var_pop
cume_dist dense_rank lag lead ntile percent_rank rank row_number
unnest unnest_outer
";

static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| ALLOWED.split_whitespace().collect());

impl Functions {
    /// Whether there is a function of that name that SQL of an agent must not call.
    pub fn is_kept_from_guests(&self, name: &str) -> bool {
        self.own_names(name).iter().any(|own| !NAMES.contains(*own))
    }

    /// The names of their own of all functions that are called so.
    fn own_names(&self, name: &str) -> Vec<&str> {
        let scalar = self.scalar.get(name).map(|function| function.name());
        let higher_order = self.higher_order.get(name).map(|function| function.name());
        let aggregate = self.aggregate.get(name).map(|function| function.name());
        let window = self.window.get(name).map(|function| function.name());
        let table = self.table.get_key_value(name).map(|(name, _)| name.as_str());
        let built_in = BUILT_INTO_THE_PLANNER.iter().find(|one| **one == name).copied();
        [scalar, higher_order, aggregate, window, table, built_in].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::functions::all;

    #[test]
    fn every_allowed_function_is_there() {
        let functions = all();
        let gone: Vec<&&str> = NAMES.iter().filter(|name| functions.own_names(name).is_empty()).collect();
        assert!(gone.is_empty(), "{gone:?}");
    }

    #[test]
    fn what_tells_of_files_and_of_the_engine_is_kept_from_guests() {
        let functions = all();
        for name in ["input_file_name", "file_row_index", "version", "arrow_metadata", "qtool_optional_and"] {
            assert!(functions.is_kept_from_guests(name), "{name}");
        }
        for name in ["count", "ceiling", "nvl", "row_number", "generate_series", "there_is_no_such_function"] {
            assert!(!functions.is_kept_from_guests(name), "{name}");
        }
    }
}
