/*---
kind: view
params:
  most: { default: 60, minimum: 5 }
  since: { default: { sql: current_date - 200 } }
  status: { allowed_values: [open, shipped], default: shipped }
  city: { allowed_values: { query: SELECT city FROM customers } }
---*/
SELECT o.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
WHERE o.price < << most >> AND o.day >= << since >> AND o.status = << status >> AND c.city = << city >>
