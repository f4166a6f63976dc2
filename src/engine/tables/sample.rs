//! The beginning of a file, or the whole of a small one, decompressed.

use super::endings::Ending;
use super::nature;
use super::options::compression_type;
use datafusion::common::DataFusionError;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt};
use std::io::{self, Cursor, Read};
use std::sync::Arc;

/// A file up to this many bytes is read whole to infer its schema.
pub(super) const WHOLE: u64 = 16 << 20;
/// Enough to see how a file begins: a block of every compression.
pub(super) const HEAD: u64 = 1 << 20;
/// Decompressed bytes for every compressed one, at the most.
const INFLATION: u64 = 4;

/// The text of a file.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) text: Vec<u8>,
    /// Whether nothing is missing.
    pub(super) whole: bool,
}

impl Sample {
    /// Reads up to `limit` bytes of a file.
    ///
    /// Errors: it cannot be read, or is of another kind.
    pub(super) async fn take(
        store: &Arc<dyn ObjectStore>,
        file: &ObjectMeta,
        ending: Ending,
        limit: u64,
    ) -> Result<Sample, DataFusionError> {
        let part = if file.size > limit { Some(store.get_range(&file.location, 0..limit).await) } else { None };
        let (bytes, whole) = match part {
            // Not every web server gives out ranges.
            None | Some(Err(Error::NotSupported { .. })) => (store.get(&file.location).await?.bytes().await?, true),
            Some(bytes) => (bytes?, false),
        };
        if let Some(why) = nature::unlike(nature::head(&bytes), ending) {
            return Err(DataFusionError::IoError(io::Error::new(io::ErrorKind::InvalidData, why.to_string())));
        }
        let compression = compression_type(ending.compression);
        let inflate = move || inflate(Cursor::new(bytes), compression, limit, whole);
        tokio::task::spawn_blocking(inflate).await.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))?
    }

    /// Leaves out the line that is cut off; a line end between quotes ends no line.
    pub(super) fn keep_whole_csv_lines(&mut self) {
        if self.whole {
            return;
        }
        let mut quoted = false;
        let mut end = 0;
        for (at, byte) in self.text.iter().enumerate() {
            match byte {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => end = at + 1,
                _ => {}
            }
        }
        self.text.truncate(end);
    }
}

fn inflate<R: Read + Send + 'static>(
    reader: R,
    compression: FileCompressionType,
    limit: u64,
    whole: bool,
) -> Result<Sample, DataFusionError> {
    let most = limit.saturating_mul(INFLATION);
    let mut text = Vec::new();
    let read = compression.convert_read(reader)?.take(most).read_to_end(&mut text);
    match read {
        Ok(read) => Ok(Sample { whole: whole && (read as u64) < most, text }),
        // A stream that was cut off ends within a block; what came before is good.
        Err(_) if !whole => Ok(Sample { whole: false, text }),
        Err(error) => Err(DataFusionError::IoError(error)),
    }
}
