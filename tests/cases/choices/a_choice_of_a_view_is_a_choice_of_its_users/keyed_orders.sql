/*---
kind: view
params: { by: { choices: { status: status, half: "CASE WHEN day < DATE '2024-07-01' THEN 'first' ELSE 'second' END" }, default: half } }
---*/
SELECT << by >> AS key, quantity FROM orders
