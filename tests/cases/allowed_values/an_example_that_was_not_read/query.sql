/*---
params:
  # error: [invalid-allowed-value]
  city: { examples: [London, Paris], allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT id FROM customers WHERE city = << city >>
