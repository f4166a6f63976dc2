/*---
description: Takes stars from one thing and gives them to a new one.
source: todo
params:
  one: { description: From which. }
  other: { description: To which. }
---*/
UPDATE todo SET stars = stars - 1 WHERE id = << one >>;
INSERT INTO todo (id, title, stars) VALUES (<< other >>, 'new', 1);
SELECT id, stars FROM todo WHERE stars IS NOT NULL ORDER BY id
