/*---
description: Adds a thing, or gives it another title.
source: todo
params:
  id: { description: Which. }
  title: { description: What it is. }
  stars: { description: How many. }
---*/
INSERT INTO todo (id, title, stars) VALUES (<< id >>, << title >>, << stars >>)
ON CONFLICT (id) DO UPDATE SET title = excluded.title, stars = coalesce(todo.stars, 0) + 1
RETURNING id, title, stars
