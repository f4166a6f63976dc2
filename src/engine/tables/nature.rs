//! What the bytes of a file are by how they begin, whatever its name says.

use super::endings::{self, Ending};
use super::magic::not_compressed;
use crate::in_words::in_words;
use crate::project::{Compression, FileFormat};
use serde::de::IgnoredAny;

in_words! {
    /// What a file is that is of another kind than it should be, and which option says so.
    pub(super) struct Unlike;
}

/// How far the beginning of a file is looked at.
pub(super) const HEAD: u64 = 4096;

/// The beginning of bytes.
pub(super) fn head(bytes: &[u8]) -> &[u8] {
    usize::try_from(HEAD).ok().and_then(|length| bytes.get(..length)).unwrap_or(bytes)
}

/// What a file that begins so is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// A text or anything else, compressed.
    Packed(Compression),
    /// A file of a format that says what it is.
    Of(FileFormat),
    /// No table: what it is, and what can be done.
    Other(&'static str),
}

/// How a file is to be read that is of another kind than its name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instead {
    /// What it is.
    pub(super) ending: Ending,
    /// The option that says so, and its value.
    pub(super) key: &'static str,
    pub(super) value: &'static str,
    /// Why.
    pub(super) why: String,
}

/// What is wrong with a file that begins so and is to be of that format and compression; `None` where it may be.
pub(super) fn unlike(head: &[u8], ending: Ending) -> Option<Unlike> {
    let Ending { format, compression } = ending;
    let packed = not_compressed(head, compression);
    if compression != Compression::None && packed.is_none() {
        return None;
    }
    let told = match Nature::of(head) {
        Some(Nature::Of(found)) if found == format && packed.is_none() => return None,
        Some(Nature::Of(found)) => {
            format!("it is a file of {}: say `format: {}`", format_name(found), endings::name(found))
        }
        Some(Nature::Packed(_)) if !endings::is_text(format) => {
            "it is compressed as a whole, which only a text may be: unpack it".to_owned()
        }
        Some(Nature::Packed(found)) => {
            let name = name(found);
            format!("it is compressed with {name}: say `compression: {name}`")
        }
        // Workbooks are ZIP files, and what is none has words of its own.
        Some(Nature::Other(_)) if format == FileFormat::Excel => return None,
        Some(Nature::Other(what)) => format!("it is {what}"),
        None => match text_format(head).filter(|_| packed.is_none()) {
            Some(found) if is_json(format) && !is_json(found) => {
                format!(
                    "it is no JSON, but a text: say how it is to be read, such as `format: {}`",
                    endings::name(found)
                )
            }
            Some(found) if !endings::is_text(format) && format != FileFormat::Excel => {
                let (is, say) = (format_name(format), endings::name(found));
                format!("it is no file of {is}, but a text: say how it is to be read, such as `format: {say}`")
            }
            _ => return packed.map(|why| format!("{why}: say `compression: none` if it is as it is").into()),
        },
    };
    Some(match packed {
        Some(why) => format!("{why}; {told}").into(),
        None => told.into(),
    })
}

/// What is wrong with a CSV text whose first line would name the columns and is JSON.
pub(super) fn json_for_csv(head: &[u8]) -> Option<Unlike> {
    if is_object_of_lines(head) {
        return Some(OBJECT_OF_LINES.into());
    }
    let found = text_format(head).filter(|found| is_json(*found))?;
    let name = endings::name(found);
    Some(format!("it is no CSV, but JSON: say `format: {name}`").into())
}

/// How a file that begins so is to be read, where that is otherwise than its ending says.
///
/// Errors: it is none that can be read.
pub(super) fn instead(head: &[u8], named: Ending) -> Result<Option<Instead>, Unlike> {
    let packed = not_compressed(head, named.compression);
    if named.compression != Compression::None && packed.is_none() {
        return Ok(None);
    }
    let of_format = |format: FileFormat, why: String| {
        let ending = Ending { format, compression: Compression::None };
        Instead { ending, key: "format", value: endings::name(format), why }
    };
    let of_compression = |compression: Compression, why: String| {
        let ending = Ending { compression, ..named };
        Instead { ending, key: "compression", value: name(compression), why }
    };
    Ok(match Nature::of(head) {
        Some(Nature::Of(found)) if found == named.format && packed.is_none() => None,
        Some(Nature::Of(found)) => Some(of_format(found, format!("it begins as {} does", format_name(found)))),
        Some(Nature::Packed(found)) if endings::is_text(named.format) => {
            Some(of_compression(found, format!("it begins as {} does", name(found))))
        }
        Some(Nature::Packed(_)) => {
            return Err("it is compressed as a whole, which only a text may be: unpack it".into());
        }
        Some(Nature::Other(_)) if named.format == FileFormat::Excel => None,
        Some(Nature::Other(what)) => return Err(format!("it is {what}").into()),
        None if !is_json(named.format) && is_object_of_lines(head) => return Err(OBJECT_OF_LINES.into()),
        None if packed.is_some() => {
            Some(of_compression(Compression::None, "it is not compressed, whatever its name says".to_owned()))
        }
        None => text_format(head).filter(|found| is_other(*found, named.format)).map(|found| {
            let what = if is_json(found) { "it is JSON" } else { "it is a text" };
            of_format(found, format!("{what}, whatever its name says"))
        }),
    })
}

/// Whether a text is another than the name of its file says.
fn is_other(found: FileFormat, named: FileFormat) -> bool {
    !endings::is_text(named) || is_json(found) != is_json(named)
}

fn is_json(format: FileFormat) -> bool {
    matches!(format, FileFormat::Json | FileFormat::Ndjson)
}

/// Whether it begins as a file of DuckDB: with a checksum, four letters, and the version in eight bytes.
fn is_of_duckdb(head: &[u8]) -> bool {
    head.get(8..12) == Some(b"DUCK".as_slice()) && head.get(12..20).is_some_and(|version| version.contains(&0))
}

/// The format as people call it.
fn format_name(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Parquet => "Parquet",
        FileFormat::Arrow => "Arrow",
        FileFormat::Avro => "Avro",
        FileFormat::Excel => "a spreadsheet",
        other => endings::name(other),
    }
}

/// The compression, as `qtool.yaml` writes it.
fn name(compression: Compression) -> &'static str {
    match compression {
        Compression::None => "none",
        Compression::Gzip => "gzip",
        Compression::Bzip2 => "bzip2",
        Compression::Xz => "xz",
        Compression::Zstd => "zstd",
    }
}

impl Nature {
    /// `None` of a text, and of what is not known.
    fn of(head: &[u8]) -> Option<Nature> {
        let packed = [Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstd];
        // Letters alone may be the name of a column.
        let is_named =
            |compression: Compression| compression == Compression::Bzip2 && head.get(4..7) != Some(b"1AY".as_slice());
        let is_packed = |compression: &Compression| {
            head.len() >= 6 && not_compressed(head, *compression).is_none() && !is_named(*compression)
        };
        if let Some(compression) = packed.into_iter().find(is_packed) {
            return Some(Nature::Packed(compression));
        }
        Some(match head {
            [b'P', b'A', b'R', b'1', rest @ ..] if holds_bytes(rest.get(..8).unwrap_or(rest)) => {
                Nature::Of(FileFormat::Parquet)
            }
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, ..] => Nature::Of(FileFormat::Arrow),
            [b'O', b'b', b'j', 1, ..] => Nature::Of(FileFormat::Avro),
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, ..] => Nature::Of(FileFormat::Excel),
            [b'P', b'K', 3, 4, ..] if is_workbook(head) => Nature::Of(FileFormat::Excel),
            [b'P', b'K', 3 | 5, 4 | 6, ..] | [b'7', b'z', 0xBC, 0xAF, ..] | [b'R', b'a', b'r', b'!', 0x1A, ..] => {
                Nature::Other("an archive: unpack it, and take what is in it")
            }
            _ if head.starts_with(b"SQLite format 3\0") || is_of_duckdb(head) => {
                Nature::Other("a database: write its tables as Parquet or CSV, and take those")
            }
            _ if head.starts_with(b"%PDF-") => Nature::Other("a PDF: no table is read of one"),
            _ => return of_markup(head),
        })
    }
}

/// Whether a ZIP file is a workbook, by the names of its first files.
fn is_workbook(head: &[u8]) -> bool {
    let names: [&[u8]; 4] = [b"[Content_Types].xml", b"xl/", b"_rels/.rels", b"vnd.oasis.opendocument.spreadsheet"];
    names.iter().any(|name| head.windows(name.len()).any(|part| part == *name))
}

fn of_markup(head: &[u8]) -> Option<Nature> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let begins = |with: &[u8]| head.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    if begins(b"<!doctype html") || begins(b"<html") {
        return Some(Nature::Other(
            "a page of HTML: what was fetched is no file of data, or its table is to be saved as CSV",
        ));
    }
    begins(b"<?xml").then_some(Nature::Other("a text in XML: write its records as CSV or JSON"))
}

/// Whether there is a byte that no text has.
fn holds_bytes(part: &[u8]) -> bool {
    part.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C))
}

/// The format of a text in UTF-8, by its first line; `None` where it is none, or there is too little of it.
fn text_format(head: &[u8]) -> Option<FileFormat> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // Cut off inside of a sign.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?,
        Err(_) => return None,
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() || holds_bytes(text.as_bytes()) {
        return None;
    }
    let line = text.lines().next().unwrap_or_default().trim_end();
    let behind = text.get(1..).unwrap_or_default().trim_start();
    let is_value = || serde_json::from_str::<IgnoredAny>(line).is_ok();
    match text.as_bytes().first()? {
        b'[' if behind.starts_with('{') && (line == "[" || line == "[{" || is_value() || behind.contains("\":")) => {
            Some(FileFormat::Json)
        }
        b'{' if is_value() => Some(FileFormat::Ndjson),
        b'{' | b'[' => None,
        // One value of JSON in each line is none of CSV.
        _ if is_value() || !line.contains([',', ';', '\t', '|']) => None,
        _ => Some(FileFormat::Csv),
    }
}

/// What is said of a text that holds one object of JSON behind the other: which of them ends where shows in files that
/// are named so.
const OBJECT_OF_LINES: &str = "it is JSON whose objects go over several lines: give it the ending `.json`";

/// Whether a text begins with an object of JSON that goes over several lines.
fn is_object_of_lines(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let Some(behind) = text.strip_prefix(b"{") else { return false };
    behind.trim_ascii_start().starts_with(b"\"") && behind.iter().find(|byte| **byte != b'\r') == Some(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARQUET: &[u8] = b"PAR1\x15\x04\x15 \x15$L\x15";
    const GZIP: &[u8] = &[0x1F, 0x8B, 8, 0, 65, 4, 107, 2];

    fn plain(format: FileFormat) -> Ending {
        Ending { format, compression: Compression::None }
    }

    fn option(head: &[u8], format: FileFormat) -> Option<(&'static str, &'static str)> {
        instead(head, plain(format)).unwrap().map(|instead| (instead.key, instead.value))
    }

    #[test]
    fn a_file_is_what_its_bytes_are() {
        assert_eq!(option(PARQUET, FileFormat::Csv), Some(("format", "parquet")));
        assert_eq!(option(PARQUET, FileFormat::Parquet), None);
        assert_eq!(option(GZIP, FileFormat::Csv), Some(("compression", "gzip")));
        assert_eq!(option(b"id,v\n1,2\n", FileFormat::Json), Some(("format", "csv")));
        assert_eq!(option(b"id,v\n1,2\n", FileFormat::Parquet), Some(("format", "csv")));
        assert_eq!(option(b"[{\"a\":1},{\"a\":2}]", FileFormat::Csv), Some(("format", "json")));
        assert_eq!(option(b"{\"a\":1}\n{\"a\":2}\n", FileFormat::Tsv), Some(("format", "ndjson")));
        for archive in [b"PK\x03\x04\x14\0\0\0a.csv".as_slice(), b"SQLite format 3\0", b"<!DOCTYPE html><html>"] {
            assert!(instead(archive, plain(FileFormat::Csv)).is_err());
        }
        let gzip = Ending { format: FileFormat::Csv, compression: Compression::Gzip };
        let plain = instead(b"id,v\n1,2\n", gzip).unwrap().unwrap();
        assert_eq!((plain.key, plain.value), ("compression", "none"));
        assert_eq!(instead(GZIP, gzip), Ok(None));
    }

    #[test]
    fn a_plain_text_is_what_its_name_says() {
        for text in ["id,v\n1,2\n", "PAR1,x\n1,2\n", "{a},b\n", "[x,y\n", "", "id\n1\n", "BZh,x\n", "gr\u{f6}\u{df}e\n"]
        {
            assert_eq!(unlike(text.as_bytes(), plain(FileFormat::Csv)), None, "{text}");
            assert_eq!(option(text.as_bytes(), FileFormat::Csv), None, "{text}");
        }
        for text in ["{\"a\": 1}\n", "[]", "[1, 2]", "{\n \"a\": [\n", "7", "\"a,b\"", "null\n"] {
            assert_eq!(unlike(text.as_bytes(), plain(FileFormat::Ndjson)), None, "{text}");
        }
    }

    #[test]
    fn the_option_is_named() {
        let told = |head: &[u8], format: FileFormat| unlike(head, plain(format)).unwrap().to_string();
        assert_eq!(told(GZIP, FileFormat::Csv), "it is compressed with gzip: say `compression: gzip`");
        assert_eq!(told(PARQUET, FileFormat::Csv), "it is a file of Parquet: say `format: parquet`");
        assert!(told(b"id,v\n1,2\n", FileFormat::Json).ends_with("such as `format: csv`"));
        assert!(json_for_csv(b"[{\"a\":1}]").unwrap().to_string().ends_with("say `format: json`"));
        let gzip = Ending { format: FileFormat::Csv, compression: Compression::Gzip };
        let why = unlike(b"id,v\n1,2\n", gzip).unwrap().to_string();
        assert_eq!(why, "it is not compressed with gzip: say `compression: none` if it is as it is");
        assert!(unlike(PARQUET, gzip).unwrap().to_string().ends_with("say `format: parquet`"));
    }
}
