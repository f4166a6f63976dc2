/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
UPDATE changes_functions_that_may_write_are_not_called.notes SET title = changes_functions_that_may_write_are_not_called.evil(<< title >>) WHERE id = << id >>
