/*---
params:
  # error: [invalid-value]
  a: { from: token.a }
---*/
SELECT count(*) AS n FROM orders WHERE customer_id = << a >>
