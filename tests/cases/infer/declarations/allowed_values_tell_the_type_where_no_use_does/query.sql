/*---
params: { unit: { allowed_values: [day, month] }, factor: { allowed_values: [1, 2.5] } }
---*/
SELECT date_trunc(<< unit >>, placed_at) AS period, price * << factor >> AS price FROM orders
