//! Which format of rows a client takes (RFC 9110, 12.5.1).

/// A format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// The result object.
    Json,
    /// Values with commas between.
    Csv,
    /// An object a line.
    NdJson,
    /// Arrow's IPC stream.
    Arrow,
    /// Parquet.
    Parquet,
}

impl Format {
    /// All, the most liked by the server first.
    pub(super) const ALL: [Format; 5] = [Format::Json, Format::Csv, Format::NdJson, Format::Arrow, Format::Parquet];

    /// Its media type.
    pub(super) fn mime(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::Csv => "text/csv",
            Format::NdJson => "application/x-ndjson",
            Format::Arrow => "application/vnd.apache.arrow.stream",
            Format::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// How well a range fits: 0 not at all, 3 by name.
    fn fits(self, range: &str) -> u8 {
        let (kind, _) = self.mime().split_once('/').unwrap_or_default();
        match range {
            "*/*" => 1,
            range if range.strip_suffix("/*").is_some_and(|named| named.eq_ignore_ascii_case(kind)) => 2,
            range if range.eq_ignore_ascii_case(self.mime()) => 3,
            _ => 0,
        }
    }
}

/// The format that a client likes best; JSON where it does not say, `None` where it takes none of them.
pub(super) fn choose<'a>(accept: impl Iterator<Item = &'a str>) -> Option<Format> {
    let ranges: Vec<(&str, u16)> = accept.flat_map(|value| value.split(',')).filter_map(range).collect();
    if ranges.is_empty() {
        return Some(Format::Json);
    }
    // Of each format the range counts that names it most exactly; of equal ones that which the client wrote first.
    let liking = |format: Format| {
        let fitting = ranges.iter().enumerate().filter(|(_, (range, _))| format.fits(range) > 0);
        let (at, (range, quality)) = fitting.max_by_key(|(at, (range, _))| (format.fits(range), usize::MAX - at))?;
        let by_name = if format.fits(range) == 3 { usize::MAX - at } else { 0 };
        (*quality > 0).then_some((*quality, by_name))
    };
    let liked = Format::ALL.into_iter().filter_map(|format| Some((liking(format)?, format)));
    // The first of the best.
    liked.rev().max_by_key(|(liking, _)| *liking).map(|(_, format)| format)
}

/// A range with its quality in thousandths; `None` for what is none.
fn range(text: &str) -> Option<(&str, u16)> {
    let mut parts = text.split(';').map(str::trim);
    let range = parts.next().filter(|range| !range.is_empty())?;
    let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let quality = quality.map_or(Some(1.0), |quality| quality.parse::<f32>().ok())?;
    (0.0..=1.0).contains(&quality).then_some((range, (quality * 1000.0) as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_the_one_that_the_client_likes_best() {
        let chosen = |accept: &[&str]| choose(accept.iter().copied());
        for accept in
            [&[][..], &[""], &["*/*"], &["application/*"], &["text/html, */*;q=0.8"], &["*/*, text/csv;q=0.5"]]
        {
            assert_eq!(chosen(accept), Some(Format::Json), "{accept:?}");
        }
        assert_eq!(chosen(&["text/*"]), Some(Format::Csv));
        assert_eq!(chosen(&["text/csv, application/json"]), Some(Format::Csv));
        assert_eq!(chosen(&["text/csv;q=0.9, application/json"]), Some(Format::Json));
        assert_eq!(chosen(&["text/html", "application/x-ndjson; q=0.2"]), Some(Format::NdJson));
        assert_eq!(chosen(&["Application/Vnd.Apache.Parquet"]), Some(Format::Parquet));
        assert_eq!(chosen(&["application/json;q=0, */*"]), Some(Format::Csv));
        for accept in [&["text/html"][..], &["application/json;q=0"], &["image/*"]] {
            assert_eq!(chosen(accept), None, "{accept:?}");
        }
    }
}
