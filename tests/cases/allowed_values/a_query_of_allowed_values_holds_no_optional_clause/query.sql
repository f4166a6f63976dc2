/*---
params:
  # error: [invalid-allowed-value]
  city: { allowed_values: { query: "SELECT city FROM customers WHERE vip [[ AND id = 1 ]]" } }
---*/
SELECT id FROM customers WHERE city = << city >>
