/*---
params:
  # error: [invalid-allowed-value]
  city: { allowed_values: { query: SELECT city FROM customers WHERE vip = << vip >> } }
  # error: [raw-placeholder]
  name: { allowed_values: { query: SELECT name FROM customers WHERE id = $1 } }
---*/
SELECT id FROM customers WHERE city = << city >> AND vip = << vip >> AND name = << name >>
