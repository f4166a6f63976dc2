//! Takes parts out of a document that something else is laid over.

use super::{Document, pointer};
use serde_json::Value;

impl Document {
    /// Takes out what is said at a path of keys.
    pub fn remove(&mut self, path: &[&str]) {
        let [parents @ .., last] = path else { return };
        let at = pointer(path);
        if let Some(map) = self.value.pointer_mut(&pointer(parents)).and_then(Value::as_object_mut) {
            map.shift_remove(*last);
        }
        let is_below =
            |one: &String| one.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.entries.retain(|pointer, _| !is_below(pointer));
        self.unwritten.retain(|pointer| !is_below(pointer));
    }
}
