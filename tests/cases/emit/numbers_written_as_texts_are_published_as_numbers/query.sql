/*---
params:
  a: { minimum: "1", maximum: "10", default: "5" }
  b: { allowed_values: ["1", "2"], default: "1", examples: ["2"] }
---*/
SELECT id FROM orders WHERE quantity = << a >> AND customer_id = << b >>
