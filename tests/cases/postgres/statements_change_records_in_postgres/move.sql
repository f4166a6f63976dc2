/*---
description: Takes stars from one thing and gives them to a new one.
source: todo
params:
  one: { description: From which. }
  other: { description: To which. }
---*/
UPDATE records_stated.todo SET stars = stars - 1 WHERE id = << one >>;
INSERT INTO records_stated.todo (id, title, stars) VALUES (<< other >>, 'new', 1);
SELECT id, stars FROM records_stated.todo WHERE stars IS NOT NULL ORDER BY id
