/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
DELETE FROM changes_tables_without_transactions_are_refused.my WHERE id = << id >>
