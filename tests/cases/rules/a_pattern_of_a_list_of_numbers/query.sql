/*---
params:
  # error: [invalid-constraint]
  ids: { pattern: "^[0-9]+$" }
---*/
SELECT id FROM orders WHERE id IN << ids >>
