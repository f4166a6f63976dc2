//! Which fields of an object of JSON were there, told by their places among the columns.

/// The places that were there. No object of fewer than 64 fields takes memory of its own.
#[derive(Debug, Default)]
pub(super) struct Names {
    first: u64,
    more: Vec<u64>,
}

impl Names {
    /// Adds a place; false where it was there before.
    pub(super) fn add(&mut self, at: usize) -> bool {
        let bit = 1_u64 << (at % 64);
        let word = match (at / 64).checked_sub(1) {
            None => &mut self.first,
            Some(index) => {
                if self.more.len() <= index {
                    self.more.resize(index + 1, 0);
                }
                let Some(word) = self.more.get_mut(index) else { return true };
                word
            }
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_new_once() {
        let mut names = Names::default();
        for at in [0, 63, 64, 1000, 65] {
            assert!(names.add(at), "{at}");
            assert!(!names.add(at), "{at}");
        }
    }
}
