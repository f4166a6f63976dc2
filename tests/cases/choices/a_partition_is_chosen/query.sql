/*---
params: { per: { choices: { status: status, customer: customer_id, both: "status, customer_id" } } }
---*/
SELECT id, row_number() OVER (PARTITION BY << per >> ORDER BY id) AS nth FROM orders WHERE id <= 8 ORDER BY id
