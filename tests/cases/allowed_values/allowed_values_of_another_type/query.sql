/*---
params:
  # error: [invalid-allowed-value]
  a: { allowed_values: { query: SELECT status FROM orders } }
  # error: [invalid-allowed-value]
  b: { allowed_values: { query: SELECT quantity FROM orders } }
  # error: [invalid-allowed-value]
  c: { allowed_values: { query: SELECT status FROM orders } }
  # error: [invalid-allowed-value]
  d: { allowed_values: { query: SELECT tags FROM items } }
  # error: [invalid-allowed-value]
  e: { allowed_values: { query: SELECT day FROM orders } }
---*/
SELECT id FROM orders WHERE quantity = << a >> AND status = << b >> AND day = << c >> AND note = << d >> AND note IN << e >>
