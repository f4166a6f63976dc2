//! Files of every format and compression, whole and damaged.

use super::check;
use super::content::Content;
use crate::engine::tables::endings::Ending;
use crate::project::{Compression, FileFormat};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/damaged_files").join(name)
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder(name)).unwrap()
}

fn checked(format: FileFormat, bytes: Vec<u8>) -> Result<(), String> {
    check(Content::of_bytes(bytes.into()), Ending { format, compression: Compression::None }, &[])
        .map_err(|flaw| flaw.to_string())
}

fn why(format: FileFormat, name: &str) -> String {
    checked(format, read(&format!("cut/{name}"))).unwrap_err()
}

#[test]
fn whole_files_are_whole() {
    assert_eq!(checked(FileFormat::Avro, read("data/users.avro")), Ok(()));
    assert_eq!(checked(FileFormat::Arrow, read("data/file.arrow")), Ok(()));
    assert_eq!(checked(FileFormat::Arrow, read("data/stream.arrows")), Ok(()));
    assert_eq!(checked(FileFormat::Json, read("data/list.json")), Ok(()));
    assert_eq!(checked(FileFormat::Json, br#" [ {"a": "]\\", "b": [{}]}, {} ] "#.to_vec()), Ok(()));
    let files = fs::read_dir(folder("codecs")).unwrap();
    let outcomes: Vec<_> =
        files.map(|file| checked(FileFormat::Avro, fs::read(file.unwrap().path()).unwrap())).collect();
    assert_eq!(outcomes, vec![Ok(()); 6]);
}

/// The engine reads the columns of Arrow by their places.
#[test]
fn an_arrow_file_begins_with_the_columns_of_its_table() {
    let fields =
        ["a", "b", "c"].map(|name| arrow::datatypes::Field::new(name, arrow::datatypes::DataType::Int64, true));
    let schema = arrow::datatypes::Schema::new(fields.to_vec());
    let mut file = arrow::ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    file.finish().unwrap();
    let mut stream = arrow::ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
    stream.finish().unwrap();
    let arrow = Ending { format: FileFormat::Arrow, compression: Compression::None };
    for bytes in [file.into_inner().unwrap(), stream.into_inner().unwrap()] {
        let read = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let content = Content::of_bytes(bytes.clone().into());
            check(content, arrow, &names).map_err(|flaw| flaw.to_string())
        };
        assert_eq!((read(&[]), read(&["a", "b"]), read(&["a", "b", "c"])), (Ok(()), Ok(()), Ok(())));
        assert!(read(&["b", "a"]).unwrap_err().starts_with("its columns have another order"));
        assert_eq!(read(&["a", "b", "c", "d"]).unwrap_err(), "it has no column `d`");
    }
}

#[test]
fn avro_files_are_damaged() {
    let rows = "its bytes are not as many rows as it says";
    assert!(why(FileFormat::Avro, "users_fewer.avro").ends_with(rows));
    assert!(why(FileFormat::Avro, "users_more.avro").ends_with(rows));
    assert!(why(FileFormat::Avro, "users_marker.avro").ends_with("it does not end with the file's marker"));
    assert_eq!(why(FileFormat::Avro, "users_mid_block.avro"), "the file is cut off: it lacks its end");
    assert!(why(FileFormat::Avro, "users_zeroed.avro").contains("is damaged"));
}

/// A block that says that it has one row less, whatever it is compressed with.
#[test]
fn an_avro_block_has_as_many_rows_as_it_says() {
    for file in fs::read_dir(folder("codecs")).unwrap() {
        let mut bytes = fs::read(file.unwrap().path()).unwrap();
        let header = bytes.windows(16).position(|part| part == b"0123456789abcdef").unwrap();
        bytes[header + 16] -= 2;
        assert!(checked(FileFormat::Avro, bytes).unwrap_err().contains("its bytes are not as many rows"));
    }
}

#[test]
fn arrow_files_are_damaged() {
    assert!(why(FileFormat::Arrow, "file_zeroed.arrow").contains("is damaged"));
    assert!(why(FileFormat::Arrow, "file_footer.arrow").contains("is damaged"));
    assert!(why(FileFormat::Arrow, "stream_huge.arrows").contains("is damaged"));
    assert_eq!(why(FileFormat::Arrow, "stream_endless.arrows"), "the file is cut off: it lacks its end");
    assert_eq!(why(FileFormat::Arrow, "stream_length.arrows"), "the file is cut off: it lacks its end");
    assert!(why(FileFormat::Arrow, "stream_twice.arrows").ends_with("and more follows: a file holds one stream"));
    assert!(why(FileFormat::Arrow, "stream_zeroed.arrows").ends_with("and more follows: a file holds one stream"));
}

#[test]
fn lists_are_one_list() {
    assert_eq!(why(FileFormat::Json, "list_twice.json"), "more follows its list: a file holds one");
    assert_eq!(why(FileFormat::Json, "list_blank.json"), "the file is empty");
    assert_eq!(why(FileFormat::Json, "list_at_comma.json"), "the file is cut off: it lacks its end");
}

proptest! {
    /// Whatever is written over a file, looking it through comes to an end.
    #[test]
    fn looking_through_ends(at in any::<prop::sample::Index>(), over in prop::collection::vec(any::<u8>(), 1..40)) {
        let files = ["codecs/null.avro", "codecs/snappy.avro", "codecs/deflate.avro", "data/file.arrow", "data/stream.arrows"];
        for file in files {
            let mut bytes = read(file);
            let at = at.index(bytes.len());
            for (byte, new) in bytes[at..].iter_mut().zip(&over) {
                *byte = *new;
            }
            let format = if file.ends_with("avro") { FileFormat::Avro } else { FileFormat::Arrow };
            let _ = checked(format, bytes);
        }
    }
}
