/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
INSERT DELAYED INTO changes_tables_without_transactions_are_refused.notes (id, title) VALUES (<< id >>, 'x')
