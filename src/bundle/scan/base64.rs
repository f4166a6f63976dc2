//! What a text says in base64: of both alphabets, padded or not, in one line or wrapped.

use ::base64::Engine as _;
use ::base64::alphabet::STANDARD;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A run of letters that is shorter says less than eight letters.
static RUNS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/_-]{11,}(?:\r?\n[ \t]*[A-Za-z0-9+/_-]{4,})*").ok());

static LENIENT: LazyLock<GeneralPurpose> = LazyLock::new(|| {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, config)
});

/// The texts that runs of letters stand for, each with the place of its run. What stands before a secret, such as a part
/// of a path, may belong to the same run; so each of its first four letters is taken for the beginning.
pub(super) fn texts(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let runs = RUNS.iter().flat_map(move |runs| runs.find_iter(text));
    runs.flat_map(|run| {
        let first = run.as_str().lines().next().unwrap_or_default();
        // Lines of words are no wrapped run, but the first of them may be one.
        let whole = std::iter::once(run.as_str());
        let alone = Some(first).filter(|first| first.len() < run.len()).into_iter();
        let place = run.range();
        whole.chain(alone).flat_map(decoded).map(move |text| (place.clone(), text)).collect::<Vec<_>>()
    })
}

/// What a run stands for, whichever of its letters is the first.
fn decoded(run: &str) -> Vec<String> {
    let letters: Vec<u8> = run
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect();
    let from = |start: usize| {
        let letters = letters.get(start..)?;
        // One letter alone says nothing.
        let whole = letters.len() - usize::from(letters.len() % 4 == 1);
        let bytes = LENIENT.decode(letters.get(..whole)?).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    (0..4).filter_map(from).collect()
}
