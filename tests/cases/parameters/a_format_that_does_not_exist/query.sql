/*---
params:
  # error: [invalid-value]
  a: { format: phone }
  # error: [invalid-value]
  b: { format: Email }
---*/
SELECT id FROM orders WHERE note = << a >> OR note = << b >>
