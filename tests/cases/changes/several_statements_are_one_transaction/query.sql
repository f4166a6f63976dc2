/*---
description: Adds a note, or names it anew, with a tag.
source: app
expose: [table_format, dry_run]
lints: { missing-description: allow }
---*/
INSERT INTO notes (id, title) VALUES (<< id >>, << title >>)
  ON CONFLICT (id) DO UPDATE SET title = excluded.title;
-- a semicolon; in a comment
INSERT INTO tags (note, tag) VALUES (<< id >>, << tag = 'a;b' >>);
SELECT n.id, n.title, t.tag FROM notes AS n JOIN tags AS t ON t.note = n.id WHERE n.id = << id >> ORDER BY t.tag;
