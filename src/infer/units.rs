//! Words that functions take one of.

/// The units of `date_trunc` and `date_diff`, the widest first.
pub(super) const TRUNC_UNITS: &[&str] =
    &["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"];
/// The units of `date_part`, the widest first; without `epoch`, which gives a double where all others give an int.
pub(super) const PART_UNITS: &[&str] = &[
    "year",
    "isoyear",
    "quarter",
    "month",
    "week",
    "day",
    "hour",
    "minute",
    "second",
    "millisecond",
    "microsecond",
    "nanosecond",
    "dow",
    "isodow",
    "doy",
];
/// The encodings of `encode` and `decode`.
const ENCODINGS: &[&str] = &["base64", "base64pad", "hex"];
/// The algorithms of `digest`.
const DIGESTS: &[&str] = &["md5", "sha224", "sha256", "sha384", "sha512", "blake2s", "blake2b", "blake3"];

/// What a function takes one of, and how that is called, with its article.
pub(super) fn units_of(function: &str) -> Option<(&'static str, &'static [&'static str])> {
    Some(match function {
        "date_trunc" | "date_diff" => ("a unit", TRUNC_UNITS),
        "date_part" => ("a unit", PART_UNITS),
        "encode" | "decode" => ("an encoding", ENCODINGS),
        "digest" => ("an algorithm", DIGESTS),
        _ => return None,
    })
}
