/*---
params:
  ids: { minimum: 1, maximum: 100, min_items: 1, max_items: 5 }
  statuses: { min_length: 2, pattern: "^[a-z]+$", max_items: 3 }
---*/
SELECT id FROM orders WHERE id IN << ids >> AND status IN << statuses >>
