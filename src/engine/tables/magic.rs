//! How compressed files begin.

use crate::project::Compression;

/// What is wrong with a file that begins so and is said to be compressed; `None` where it may be.
pub(super) fn not_compressed(head: &[u8], compression: Compression) -> Option<&'static str> {
    let (begins, why) = match compression {
        Compression::None => return None,
        Compression::Gzip => (head.starts_with(&[0x1F, 0x8B]), "it is not compressed with gzip"),
        Compression::Bzip2 => (head.starts_with(b"BZh"), "it is not compressed with bzip2"),
        Compression::Xz => (head.starts_with(b"\xFD7zXZ\0"), "it is not compressed with xz"),
        Compression::Zstd => (is_zstd(head), "it is not compressed with zstd"),
    };
    // A file that is cut off there is told as such.
    (!begins && head.len() >= 6).then_some(why)
}

/// A frame, or one that is skipped.
fn is_zstd(head: &[u8]) -> bool {
    matches!(head, [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_is_not_compressed() {
        for compression in [Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstd] {
            assert!(not_compressed(b"id,name\n1,x\n", compression).is_some());
            assert_eq!(not_compressed(b"", compression), None);
        }
        assert_eq!(not_compressed(b"id,name\n", Compression::None), None);
        assert_eq!(not_compressed(&[0x1F, 0x8B, 8, 0, 0, 0, 0], Compression::Gzip), None);
        assert_eq!(not_compressed(&[0x28, 0xB5, 0x2F, 0xFD, 0x24, 0], Compression::Zstd), None);
    }
}
