//! Looks a text file through from its first byte to its last.

use super::super::endings::Ending;
use super::super::nature;
use super::super::options::{Reading, compression_type};
use super::content::{CUT_OFF, Content};
use super::csv::Csv;
use super::flaw::Flaw;
use super::json::Json;
use super::list::List;
use crate::project::{Compression, FileFormat};
use arrow::datatypes::Schema;
use datafusion::common::DataFusionError;
use futures::StreamExt;
use futures::stream::BoxStream;
use std::io::{BufRead, BufReader, Error, ErrorKind};
use tokio_util::bytes::Bytes;

/// How far a text is read.
pub(super) enum Text {
    Csv(Csv),
    Json(Box<Json>),
    /// A list of which no columns are known.
    List(List),
}

impl Text {
    /// A text that is read so, with columns of those types; `None` where the format is none of texts.
    pub(super) fn of(reading: &Reading, values: &Schema) -> Option<Text> {
        match reading.format {
            FileFormat::Csv | FileFormat::Tsv => {
                let null = reading.null_value.clone();
                Some(Text::Csv(Csv::new(reading.delimiter, reading.header, null, values)))
            }
            FileFormat::Json | FileFormat::Ndjson => {
                let is_list = reading.format == FileFormat::Json;
                Some(Text::Json(Box::new(Json::new(values.fields().clone(), is_list))))
            }
            _ => None,
        }
    }

    /// A text that holds one list of JSON.
    pub(super) fn list() -> Text {
        Text::List(List::default())
    }

    /// Looks a file on this machine through.
    ///
    /// Errors: what is wrong with it.
    pub(super) fn read(mut self, mut content: Content, ending: Ending) -> Result<(), Flaw> {
        if let Some(why) = nature::unlike(nature::head(content.peek()?), ending) {
            return Err(why.to_string().into());
        }
        let read = compression_type(ending.compression).convert_read(content.into_read());
        let mut read = BufReader::with_capacity(1 << 16, read.map_err(|error| error.strip_backtrace())?);
        loop {
            let part = read.fill_buf().map_err(failed)?;
            if part.is_empty() {
                return self.end();
            }
            self.go_on(part)?;
            let length = part.len();
            read.consume(length);
        }
    }

    /// Looks a file through as it comes from a store.
    ///
    /// Errors: what is wrong with it.
    pub(super) async fn receive(
        mut self,
        parts: BoxStream<'static, Result<Bytes, DataFusionError>>,
        compression: Compression,
    ) -> Result<(), Flaw> {
        let parts = compression_type(compression).convert_stream(parts);
        let mut parts = parts.map_err(|error| error.strip_backtrace())?;
        while let Some(part) = parts.next().await {
            self.go_on(&part.map_err(|error| error.strip_backtrace())?)?;
        }
        self.end()
    }

    fn go_on(&mut self, part: &[u8]) -> Result<(), Flaw> {
        match self {
            Text::Csv(csv) => csv.go_on(part),
            Text::Json(json) => json.go_on(part),
            Text::List(list) => list.go_on(part),
        }
    }

    fn end(&mut self) -> Result<(), Flaw> {
        match self {
            Text::Csv(csv) => csv.end(),
            Text::Json(json) => json.end(),
            Text::List(list) => list.end(),
        }
    }
}

fn failed(error: Error) -> Flaw {
    match error.kind() {
        ErrorKind::UnexpectedEof => CUT_OFF.into(),
        _ => error.to_string().into(),
    }
}
