/*---
description: Adds a note, or names it anew, with a tag.
source: app
expose: [table_format, dry_run]
lints: { missing-description: allow }
---*/
INSERT INTO changes_several_statements_are_one_transaction.notes (id, title) VALUES (<< id >>, << title >>)
  ON DUPLICATE KEY UPDATE title = VALUES(title);
-- a semicolon; in a comment
INSERT INTO changes_several_statements_are_one_transaction.tags (note, tag) VALUES (<< id >>, << tag = 'a;b' >>);
SELECT n.id, n.title, t.tag FROM changes_several_statements_are_one_transaction.notes AS n JOIN changes_several_statements_are_one_transaction.tags AS t ON t.note = n.id WHERE n.id = << id >> ORDER BY t.tag;
