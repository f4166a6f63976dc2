//! Reads blocks that are compressed with Snappy (<https://github.com/google/snappy/blob/main/format_description.txt>).

/// The sum behind a block, which the decoder looks at.
const SUM: usize = 4;
/// The most that is made room for before there is anything to put there.
const ROOM: u64 = 1 << 20;

/// The bytes of a block; `None` where it is damaged.
pub(super) fn plain_block(block: &[u8]) -> Option<Vec<u8>> {
    let mut rest = block.get(..block.len().checked_sub(SUM)?)?;
    let length = length(&mut rest)?;
    let mut plain = Vec::with_capacity(usize::try_from(length.min(ROOM)).ok()?);
    while let Some((tag, behind)) = rest.split_first() {
        rest = behind;
        let high = usize::from(tag >> 2);
        match tag & 3 {
            0 => {
                // Up to 60 bytes, or their number in one to four bytes.
                let count = if high < 60 { high } else { number(&mut rest, high - 59)? };
                plain.extend_from_slice(taken(&mut rest, count.checked_add(1)?)?);
            }
            1 => {
                let offset = (high >> 3) << 8 | number(&mut rest, 1)?;
                copy(&mut plain, offset, (high & 7) + 4)?;
            }
            kind => {
                let offset = number(&mut rest, if kind == 2 { 2 } else { 4 })?;
                copy(&mut plain, offset, high + 1)?;
            }
        }
    }
    (plain.len() as u64 == length).then_some(plain)
}

/// The length of what is compressed: in base 128, the lowest digits first.
fn length(rest: &mut &[u8]) -> Option<u64> {
    let mut length = 0;
    for at in 0..5 {
        let byte = *taken(rest, 1)?.first()?;
        length |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some(length);
        }
    }
    None
}

/// Repeats bytes from so far back; what is repeated may still be growing.
fn copy(plain: &mut Vec<u8>, offset: usize, count: usize) -> Option<()> {
    let start = plain.len().checked_sub(offset).filter(|_| offset > 0)?;
    for at in start..start.checked_add(count)? {
        plain.push(*plain.get(at)?);
    }
    Some(())
}

fn number(rest: &mut &[u8], bytes: usize) -> Option<usize> {
    let digits = taken(rest, bytes)?.iter().rev();
    Some(digits.fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn taken<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, behind) = rest.split_at_checked(count)?;
    *rest = behind;
    Some(taken)
}
