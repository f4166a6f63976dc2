//! Whether an Avro file is whole (<https://avro.apache.org/docs/1.12.0/specification/>, "Object Container Files").
//!
//! The decoder looks at no marker, takes a block that is cut off for the end of the file, leaves out rows that have no
//! bytes, and goes on for ever where a block has more bytes than its rows. So every row is stepped over here, without
//! making a value of it. A file that is cut between two blocks cannot be told from a whole one.

use super::super::options::compression_type;
use super::content::Content;
use super::flaw::Flaw;
use crate::project::Compression;
use rows::Rows;
use serde_json::Value;
use std::borrow::Cow;
use std::io::{Cursor, Read};

mod rows;
mod snappy;

/// The length of a file's marker.
const MARKER: usize = 16;
/// A frame around raw deflate: gzip, no name, no time.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Checks a file from its header to its last block.
///
/// Errors: what is wrong with it.
pub(super) fn check(content: &mut Content) -> Result<(), Flaw> {
    let header = Header::read(content)?;
    let mut data = Vec::new();
    while content.left() > 0 {
        let at = content.at();
        let damaged = |why: &str| Flaw::from(format!("its block at byte {at} is damaged: {why}"));
        let (count, length) = (long(content)?, long(content)?);
        let count = u64::try_from(count).map_err(|_| damaged("it says that it has fewer than 0 rows"))?;
        let length = u64::try_from(length).map_err(|_| damaged("it says that it has fewer than 0 bytes"))?;
        data.clear();
        content.take(length, &mut data)?;
        if content.array::<MARKER>()? != header.marker {
            return Err(damaged("it does not end with the file's marker"));
        }
        let is_whole = match (&header.rows, header.plain(&data)) {
            (Some(rows), Some(plain)) => rows.are(count, &plain),
            // What is compressed or declared in another way is the decoder's to refuse.
            _ => (count == 0) == data.is_empty(),
        };
        if !is_whole {
            return Err(damaged("its bytes are not as many rows as it says"));
        }
    }
    Ok(())
}

/// What stands before the blocks.
struct Header {
    marker: [u8; MARKER],
    codec: String,
    /// What rows are made of; `None` where the schema is not understood.
    rows: Option<Rows>,
}

impl Header {
    fn read(content: &mut Content) -> Result<Header, Flaw> {
        if content.array::<4>()? != *b"Obj\x01" {
            return Err("it is no Avro file".into());
        }
        let (mut codec, mut rows) = (String::new(), None);
        // A map, in blocks of entries.
        loop {
            let entries = long(content)?;
            if entries == 0 {
                break;
            }
            if entries < 0 {
                // The length of the block, for those who skip it.
                long(content)?;
            }
            for _ in 0..entries.unsigned_abs() {
                let (name, value) = (text(content)?, text(content)?);
                match name.as_slice() {
                    b"avro.codec" => codec = String::from_utf8_lossy(&value).into_owned(),
                    b"avro.schema" => rows = serde_json::from_slice::<Value>(&value).ok().and_then(|it| Rows::of(&it)),
                    _ => {}
                }
            }
        }
        Ok(Header { marker: content.array()?, codec, rows })
    }

    /// The bytes of a block without its compression, as far as they can be read; `None` where it is not known.
    fn plain<'a>(&self, data: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let plain = match self.codec.as_str() {
            "" | "null" => return Some(Cow::Borrowed(data)),
            "deflate" => inflate([GZIP.as_slice(), data].concat(), Compression::Gzip),
            "bzip2" => inflate(data.to_vec(), Compression::Bzip2),
            "xz" => inflate(data.to_vec(), Compression::Xz),
            "zstandard" => inflate(data.to_vec(), Compression::Zstd),
            "snappy" => snappy::plain_block(data),
            _ => None,
        };
        plain.map(Cow::Owned)
    }
}

fn inflate(data: Vec<u8>, compression: Compression) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    // The frame around raw deflate lacks its end. What is damaged has other bytes than its rows.
    let _ = compression_type(compression).convert_read(Cursor::new(data)).ok()?.read_to_end(&mut plain);
    Some(plain)
}

/// A text or bytes: the length, and so many.
fn text(content: &mut Content) -> Result<Vec<u8>, Flaw> {
    let length = u64::try_from(long(content)?).map_err(|_| Flaw::from("its header is damaged"))?;
    let mut text = Vec::new();
    content.take(length, &mut text)?;
    Ok(text)
}

/// A number: in base 128, the lowest digits first, the sign in the lowest bit.
fn long(content: &mut Content) -> Result<i64, Flaw> {
    let mut digits = [0; 10];
    for at in 0..digits.len() {
        let [byte] = content.array::<1>()?;
        if let Some(digit) = digits.get_mut(at) {
            *digit = byte;
        }
        if byte & 0x80 == 0 {
            break;
        }
    }
    rows::long(&mut digits.as_slice())
        .ok_or_else(|| format!("the number before byte {} is damaged", content.at()).into())
}
