//! What the time and the result of every function grow with. A function that a new version adds is in no class, and this
//! test asks for one: whoever adds it has to look at how it works.

use super::super::aggregate::AggregateCap;
use super::super::bounds::Cap;
use crate::plan::functions::{BUILT_INTO_THE_PLANNER, all};
use std::collections::BTreeSet;

/// Those whose time grows as their arguments do (or little faster, as to sort does), and whose result is hardly larger.
/// Of many rows: those that have their result at hand after each row.
const LINEAR: &str = "
abs acos acosh array_add array_any_value array_avg array_compact array_dims
array_distance array_distinct array_element array_except array_has array_intersect array_length array_max array_min
array_ndims array_normalize array_pop_back array_pop_front array_position array_positions array_product array_remove array_remove_all array_remove_n array_reverse array_scale array_slice array_sort array_subtract array_sum arrow_cast
arrow_field arrow_metadata arrow_try_cast arrow_typeof ascii asin asinh atan atan2 atanh bit_length cardinality
cast_to_type cbrt ceil character_length chr coalesce contains cos cosh cosine_distance cot
current_date current_time date_bin date_diff date_part date_trunc decode degrees digest empty encode ends_with exp factorial
file_row_index find_in_set flatten floor from_unixtime gcd get_field greatest initcap inner_product input_file_name
isnan iszero json_array_length json_exists json_extract json_extract_string json_valid lcm least left len ln log log10 log2 lower make_date make_map make_time map_entries map_extract
map_keys map_values md5 nanvl now nullif nvl2 octet_length pi power qtool_optional_and
qtool_optional_or radians random reverse right round sha224 sha256 sha384 sha512 signum sin sinh split_part sqrt
starts_with strptime string_split string_to_array substr substr_index tan tanh timezone to_char to_date to_hex to_local_time to_time
to_timestamp to_timestamp_micros to_timestamp_millis to_timestamp_nanos to_timestamp_seconds to_unixtime translate
trunc try_cast_to_type try_strptime union_extract union_tag upper uuid version with_metadata
array_any_match array_filter array_first array_transform
any_value bit_and bit_or bool_and bool_or corr count covar_pop covar_samp first_value grouping last_value max min
regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
cume_dist dense_rank first_value lag last_value lead ntile percent_rank rank row_number
unnest unnest_outer
";

/// Those whose result may be much larger than their arguments.
const GROW: &str =
    "array_repeat array_resize array_to_string generate_series lpad range regexp_replace repeat replace rpad";

/// Those whose result is all of their arguments together: what is made of itself twice, time after time, has no end.
const TOGETHER: &str = "array_append array_concat array_prepend array_replace array_replace_all array_replace_n array_union \
                        arrays_zip concat concat_ws make_array map named_struct overlay struct";

/// Those whose time grows with the product of two arguments, or with the square of one.
const STEPS: &str = "array_has_all array_has_any btrim levenshtein ltrim regexp_count regexp_extract regexp_instr regexp_like \
                     regexp_match regexp_replace rtrim strpos";

/// Those of many rows that go through all of them again for each result, which a window has for every row.
const AGAIN: &str = "approx_distinct approx_median approx_percentile_cont approx_percentile_cont_with_weight array_agg \
                     avg bit_xor median mode nth_value percentile_cont stddev stddev_pop string_agg sum var var_pop";

fn names(of: &str) -> BTreeSet<&str> {
    of.split_whitespace().collect()
}

#[test]
fn every_function_has_a_class() {
    let functions = all();
    let scalar = functions.scalar.values().map(|function| function.name());
    let aggregate = functions.aggregate.values().map(|function| function.name());
    let others = functions.window.values().map(|function| function.name());
    let others = others.chain(functions.higher_order.values().map(|function| function.name()));
    let others = others.chain(functions.table.keys().map(String::as_str)).chain(BUILT_INTO_THE_PLANNER);
    let there: BTreeSet<&str> = scalar.chain(aggregate).chain(others).collect();
    let classes = [names(LINEAR), names(GROW), names(TOGETHER), names(STEPS), names(AGAIN)];
    let classed: BTreeSet<&str> = classes.iter().flatten().copied().collect();
    let missing: Vec<&&str> = there.difference(&classed).collect();
    assert!(missing.is_empty(), "of no class: {missing:?}");
    let gone: Vec<&&str> = classed.difference(&there).collect();
    assert!(gone.is_empty(), "no functions: {gone:?}");
    let [linear, rest @ ..] = &classes;
    for class in rest {
        assert_eq!(linear.intersection(class).next(), None, "in two classes");
    }
}

#[test]
fn whatever_is_not_linear_is_limited() {
    for name in all().scalar.values().map(|function| function.name()) {
        let is_linear = names(LINEAR).contains(name);
        assert_eq!(Cap::of(name).is_none(), is_linear, "{name}");
    }
    for name in all().aggregate.values().map(|function| function.name()) {
        let is_linear = names(LINEAR).contains(name);
        assert_eq!(AggregateCap::of(name).is_none(), is_linear, "{name}");
    }
}
