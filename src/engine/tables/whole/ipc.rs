//! Whether an Arrow file or stream is whole (<https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format>).
//!
//! The reader takes the first message of no length for the end of a stream, and believes the lengths that messages say.
//! Here the messages are looked at, and what lies between them is left out.

use super::content::{CUT_OFF, Content};
use super::flaw::Flaw;
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::{Block, Field, Message, MessageHeader, Schema, Type, root_as_footer, root_as_message};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a file begins and ends with.
const MAGIC: [u8; 6] = *b"ARROW1";
/// What stands before the length of a message since version 0.15.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// What stands behind the footer: its length, and the magic.
const BEHIND: u64 = 10;
/// What a compressed buffer begins with: the length that it has without.
const PREFIX: u64 = 8;
/// How many bytes one of LZ4, and of Zstandard, can stand for, about.
const LZ4: u64 = 256;
const ZSTD: u64 = 1 << 16;
/// How many there may be of a buffer that is compressed better than LZ4 can.
const ROOM: u64 = 1 << 30;

/// Checks a file or a stream, which begins with the named columns: the engine reads them by their places, so that in
/// another order they would be each other's.
///
/// Errors: what is wrong with it.
pub(super) fn check(content: &mut Content, names: &[String]) -> Result<(), Flaw> {
    let is_file = content.length() >= MAGIC.len() as u64 && content.array()? == MAGIC;
    content.go_to(0)?;
    if is_file { check_file(content, names) } else { check_stream(content, names) }
}

fn check_file(content: &mut Content, names: &[String]) -> Result<(), Flaw> {
    let damaged = || Flaw::from("its footer is damaged");
    let behind = content.length().checked_sub(BEHIND).ok_or(CUT_OFF)?;
    content.go_to(behind)?;
    let length = i32::from_le_bytes(content.array()?);
    if content.array()? != MAGIC {
        return Err(CUT_OFF.into());
    }
    let length = u64::try_from(length).map_err(|_| damaged())?;
    let start = behind.checked_sub(length).ok_or_else(damaged)?;
    content.go_to(start)?;
    let mut footer = Vec::new();
    content.take(length, &mut footer)?;
    let footer = root_as_footer(&footer).map_err(|_| damaged())?;
    check_schema(footer.schema(), names)?;
    let batches = footer.recordBatches().ok_or_else(damaged)?;
    for block in footer.dictionaries().iter().flatten() {
        check_block(content, block, start, MessageHeader::DictionaryBatch)?;
    }
    for block in batches {
        check_block(content, block, start, MessageHeader::RecordBatch)?;
    }
    Ok(())
}

/// Checks a message that the footer names; all of them lie before `end`.
fn check_block(content: &mut Content, block: &Block, end: u64, kind: MessageHeader) -> Result<(), Flaw> {
    let damaged = || Flaw::from(format!("the batch at byte {} is damaged", block.offset()));
    let part = |number: i64| u64::try_from(number).map_err(|_| damaged());
    let (at, body) = (part(block.offset())?, part(block.bodyLength())?);
    let length = part(block.metaDataLength().into())?;
    let lies_inside = at.checked_add(length).and_then(|at| at.checked_add(body)).is_some_and(|at| at <= end);
    if !lies_inside {
        return Err(damaged());
    }
    content.go_to(at)?;
    let mut bytes = Vec::new();
    content.take(length, &mut bytes)?;
    let prefix = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
    let message = root_as_message(bytes.get(prefix..).ok_or_else(damaged)?).map_err(|_| damaged())?;
    if message.header_type() == kind && fits(content, &message, body)? { Ok(()) } else { Err(damaged()) }
}

fn check_stream(content: &mut Content, names: &[String]) -> Result<(), Flaw> {
    let mut begins = true;
    loop {
        let at = content.at();
        let damaged = || Flaw::from(format!("the message at byte {at} is damaged"));
        let mut length: [u8; 4] = content.array()?;
        if length == CONTINUATION {
            length = content.array()?;
        }
        let length = u64::try_from(i32::from_le_bytes(length)).map_err(|_| damaged())?;
        if length == 0 {
            return check_end(content, begins);
        }
        let mut bytes = Vec::new();
        content.take(length, &mut bytes)?;
        let message = root_as_message(&bytes).map_err(|_| damaged())?;
        let body = u64::try_from(message.bodyLength()).map_err(|_| damaged())?;
        let start = content.at();
        match message.header_type() {
            MessageHeader::Schema if begins => {
                check_schema(message.header_as_schema(), names)?;
            }
            MessageHeader::Schema => return Err(second(at)),
            MessageHeader::RecordBatch | MessageHeader::DictionaryBatch if !begins => {
                if !fits(content, &message, body)? {
                    return Err(damaged());
                }
            }
            _ => return Err(damaged()),
        }
        begins = false;
        content.go_to(start.saturating_add(body))?;
    }
}

fn check_schema(schema: Option<Schema<'_>>, names: &[String]) -> Result<(), Flaw> {
    let Some(schema) = schema.filter(|schema| is_schema(*schema)) else {
        return Err("its schema is damaged".into());
    };
    let found: Vec<&str> = schema.fields().iter().flatten().map(|field| field.name().unwrap_or_default()).collect();
    if names.iter().zip(&found).all(|(name, found)| name == found) && names.len() <= found.len() {
        return Ok(());
    }
    match names.iter().find(|name| !found.contains(&name.as_str())) {
        Some(missing) => Err(format!("it has no column `{missing}`").into()),
        None => Err("its columns have another order than those of the table: write them in one".into()),
    }
}

/// Whether a schema is one that the reader takes: what it does not know it panics at.
fn is_schema(schema: Schema<'_>) -> bool {
    let has_fields = schema.fields().is_some_and(|fields| fields.iter().all(has_type));
    has_fields && catch_unwind(AssertUnwindSafe(|| fb_to_schema(schema))).is_ok()
}

/// The most frequent reason, which is told without a panic.
fn has_type(field: Field<'_>) -> bool {
    let is_known = field.type_type() != Type::NONE && field.type_type().variant_name().is_some();
    is_known && field.children().is_none_or(|children| children.iter().all(has_type))
}

/// Checks that nothing follows the end of a stream.
fn check_end(content: &Content, begins: bool) -> Result<(), Flaw> {
    if begins {
        return Err("it is no Arrow file or stream".into());
    }
    if content.left() == 0 { Ok(()) } else { Err(second(content.at())) }
}

fn second(at: u64) -> Flaw {
    format!("its stream ends at byte {at}, and more follows: a file holds one stream").into()
}

/// Whether the buffers of a batch lie in its body, which begins here, and are as long as they can be.
///
/// Errors: the body is cut off.
fn fits(content: &mut Content, message: &Message<'_>, body: u64) -> Result<bool, Flaw> {
    let batch = match message.header_type() {
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|batch| batch.data()),
        _ => message.header_as_record_batch(),
    };
    let Some(batch) = batch else { return Ok(false) };
    let has_lengths =
        batch.length() >= 0 && batch.nodes().is_none_or(|nodes| nodes.iter().all(|node| node.length() >= 0));
    if !has_lengths {
        return Ok(false);
    }
    let start = content.at();
    for buffer in batch.buffers().iter().flatten() {
        let part = (u64::try_from(buffer.offset()), u64::try_from(buffer.length()));
        let (Ok(offset), Ok(length)) = part else { return Ok(false) };
        if offset.checked_add(length).is_none_or(|end| end > body) {
            return Ok(false);
        }
        if length > 0 && batch.compression().is_some() {
            content.go_to(start.saturating_add(offset))?;
            if length < PREFIX || !can_be(i64::from_le_bytes(content.array()?), length) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether so many compressed bytes can be that many. The reader makes room for as many as it is told, and where there is
/// none, the whole program ends.
fn can_be(plain: i64, compressed: u64) -> bool {
    match u64::try_from(plain) {
        Ok(plain) => plain <= ROOM.max(compressed.saturating_mul(LZ4)) && plain <= compressed.saturating_mul(ZSTD),
        // It is not compressed.
        Err(_) => plain == -1,
    }
}
