//! What a workbook that is a zip archive holds, before it is read.

use super::super::super::whole::Flaw;
use super::repeated;
use regex::bytes::Regex;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Why an encrypted workbook is not read.
pub(super) const ENCRYPTED: &str = "the workbook is protected by a password; save it without one";

/// The most bytes that all parts of a workbook have.
const MOST: u64 = 512 << 20;
/// The most texts that cells share: room for so many is made at once.
const MOST_SHARED: u64 = 16 << 20;

/// What a workbook is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Archive {
    Xlsx,
    Xlsb,
    Ods,
}

/// Unpacks all parts once: the sizes that an archive says of itself may be wrong.
///
/// Errors: it is damaged, no workbook, or too large.
pub(super) fn check(bytes: &[u8]) -> Result<Archive, Flaw> {
    let damaged = |_| Flaw::from("the workbook is damaged: it cannot be unpacked");
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let kind = kind(&zip)?;
    let (mut left, mut part) = (MOST, Vec::new());
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).map_err(damaged)?;
        if file.encrypted() {
            return Err(ENCRYPTED.into());
        }
        part.clear();
        let read = file.by_ref().take(left + 1).read_to_end(&mut part);
        let read = read.map_err(|_| Flaw::from("the workbook is damaged: a part of it cannot be unpacked"))?;
        left = left.checked_sub(read as u64).ok_or_else(|| {
            let most = MOST >> 20;
            Flaw::from(format!("of workbooks at most {most} MiB are unpacked; write it as Parquet"))
        })?;
        check_part(&part, kind)?;
    }
    Ok(kind)
}

fn kind(zip: &ZipArchive<Cursor<&[u8]>>) -> Result<Archive, Flaw> {
    let has = |name: &str| zip.index_for_name(name).is_some();
    if has("xl/workbook.bin") {
        Ok(Archive::Xlsb)
    } else if has("content.xml") {
        Ok(Archive::Ods)
    } else if has("[Content_Types].xml") || has("xl/workbook.xml") {
        Ok(Archive::Xlsx)
    } else if has("Index/Document.iwa") {
        Err("it is a document of Apple's Numbers; export it as `.xlsx`".into())
    } else {
        Err("it is an archive, but no workbook; unpack it".into())
    }
}

/// Checks what a part of a workbook could be blown up to.
fn check_part(part: &[u8], kind: Archive) -> Result<(), Flaw> {
    if kind == Archive::Xlsb {
        return Ok(());
    }
    // It would be read as well, and the numbers in it not be found here.
    if matches!(part, [0xFE, 0xFF, ..] | [0xFF, 0xFE, b'<', ..] | [b'<', 0, ..] | [0, b'<', ..]) {
        return Err("a part of the workbook is written in UTF-16, which is not read; save it anew".into());
    }
    match kind {
        Archive::Ods => repeated::check(part),
        _ => check_shared(part),
    }
}

/// Errors: it says that it holds more texts than it could.
fn check_shared(part: &[u8]) -> Result<(), Flaw> {
    let Ok(count) = Regex::new(r#"uniqueCount\s*=\s*["']?\s*([0-9]+)"#) else { return Ok(()) };
    for found in count.captures_iter(part) {
        let digits = found.get(1).and_then(|digits| std::str::from_utf8(digits.as_bytes()).ok()).unwrap_or_default();
        if digits.parse::<u64>().ok().is_none_or(|count| count > MOST_SHARED) {
            return Err("the workbook is damaged: it says that its cells share more texts than are read".into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_not_believed() {
        assert_eq!(check_part(br#"<sst uniqueCount="12" count="20">"#, Archive::Xlsx), Ok(()));
        assert!(check_part(br#"<sst uniqueCount = '99999999999999999999999'>"#, Archive::Xlsx).is_err());
        assert!(check_part(br#"<x:sst uniqueCount="1099511627776">"#, Archive::Xlsx).is_err());
        assert!(check_part(b"\xFF\xFE<\0s\0s\0t\0", Archive::Xlsx).is_err());
        assert!(check(b"PK\x05\x06").is_err());
    }
}
