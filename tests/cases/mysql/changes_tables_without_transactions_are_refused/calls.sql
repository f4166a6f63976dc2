/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
UPDATE changes_tables_without_transactions_are_refused.notes SET title = changes_tables_without_transactions_are_refused.evil('x') WHERE id = << id >>
