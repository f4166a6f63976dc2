/*---
params:
  # error: [unknown-type]
  x: { type: string_of_text }
---*/
SELECT id FROM orders WHERE status = << x >>
