/*---
params:
  note: { allowed_values: { query: "SELECT coalesce(note, '') FROM orders" } }
---*/
SELECT id FROM orders WHERE coalesce(note, '') = << note >> ORDER BY id
