/*---
params:
  city: { default: Köln, allowed_values: { query: SELECT city FROM customers } }
  statuses: { default: [open], allowed_values: { query: SELECT status FROM orders } }
---*/
SELECT << city: text >> AS city, count(*) AS n FROM orders WHERE status IN << statuses >> AND quantity = << n = 10 >>
