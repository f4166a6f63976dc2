//! Lines of a stream, none of which may be longer than allowed.

use bytes::BytesMut;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is read at a time.
const AT_A_TIME: usize = 16 << 10;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end; the last one may have had none.
    Whole(BytesMut),
    /// The beginning, or a further part, of a line that is longer than allowed.
    Part(BytesMut),
}

/// Reads lines. What was read is kept when a wait for the next line is given up.
pub(super) struct Lines<R> {
    from: R,
    most: usize,
    read: BytesMut,
    looked_at: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of a stream, of at most so many bytes.
    pub(super) fn new(from: R, most: usize) -> Lines<R> {
        Lines { from, most, read: BytesMut::new(), looked_at: 0 }
    }

    /// The next line; nothing at the end.
    ///
    /// Errors: the stream cannot be read.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let end = self.read.get(self.looked_at..).and_then(|fresh| fresh.iter().position(|byte| *byte == b'\n'));
            if let Some(end) = end {
                let mut line = self.read.split_to(self.looked_at + end + 1);
                self.looked_at = 0;
                line.truncate(line.trim_ascii_end().len());
                return Ok(Some(Line::Whole(line)));
            }
            self.looked_at = self.read.len();
            if self.looked_at > self.most {
                self.looked_at = 0;
                return Ok(Some(Line::Part(self.read.split())));
            }
            self.read.reserve(AT_A_TIME);
            if self.from.read_buf(&mut self.read).await? == 0 {
                self.looked_at = 0;
                let rest = self.read.split();
                return Ok((!rest.is_empty()).then_some(Line::Whole(rest)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &str, most: usize) -> Vec<Line> {
        let mut lines = Lines::new(text.as_bytes(), most);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            all.push(line);
        }
        all
    }

    fn whole(text: &str) -> Line {
        Line::Whole(BytesMut::from(text))
    }

    #[tokio::test]
    async fn lines_end_with_either_end_or_none() {
        assert_eq!(read("a\r\n\nb\nc", 9).await, [whole("a"), whole(""), whole("b"), whole("c")]);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_comes_in_parts() {
        assert_eq!(read("abcdef", 3).await, [Line::Part(BytesMut::from("abcdef"))]);
    }
}
