/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [foreign-statement]
INSERT INTO notes (title) VALUES (<< title >>) RETURNING id;
-- error: [foreign-statement]
SELECT title FROM notes WHERE id = << id >>;
UPDATE notes SET stars = 0 WHERE id = << id >>
