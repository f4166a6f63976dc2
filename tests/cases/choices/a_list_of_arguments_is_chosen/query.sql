/*---
params: { parts: { choices: { one: id, two: "id, quantity", three: "id, quantity, customer_id" } } }
---*/
SELECT id, greatest(<< parts >>) AS most FROM orders WHERE id IN (2, 5, 9) ORDER BY id
