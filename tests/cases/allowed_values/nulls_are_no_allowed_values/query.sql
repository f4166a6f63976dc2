/*---
params:
  note: { allowed_values: { query: "SELECT note FROM orders WHERE id IN (4, 13, 18, 19) ORDER BY id" } }
---*/
SELECT id FROM orders WHERE note = << note >> ORDER BY id
