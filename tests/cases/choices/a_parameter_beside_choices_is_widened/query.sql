/*---
params: { metric: { choices: { pieces: quantity, price: price } } }
---*/
SELECT id FROM orders WHERE << metric >> > << least >> ORDER BY id
