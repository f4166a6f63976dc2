/*---
params:
  # error: [unknown-table]
  city: { allowed_values: { query: SELECT city FROM vips } }
---*/
SELECT id FROM vips WHERE city = << city >>
