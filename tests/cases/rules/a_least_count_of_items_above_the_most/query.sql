/*---
params:
  # error: [invalid-constraint]
  ids: { min_items: 3, max_items: 2 }
---*/
SELECT id FROM orders WHERE id IN << ids >>
