/*---
params: { by: { description: What a row is., default: customer } }
---*/
SELECT key, orders FROM per_key ORDER BY orders DESC, key LIMIT 2
