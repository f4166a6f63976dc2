/*---
params:
  # error: [invalid-default]
  ids: { min_items: 1, default: [] }
---*/
SELECT id FROM orders WHERE id IN << ids >>
