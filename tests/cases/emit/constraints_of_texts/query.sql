/*---
params:
  a: { min_length: 2, max_length: 10, pattern: "^[a-z]+$" }
  b: { allowed_values: [open, shipped] }
  c: { pattern: '^\d{4}$', default: "2024" }
---*/
SELECT id FROM orders WHERE status = << a >> AND status = << b >> AND note = << c >>
