/*---
params:
  metric: { choices: { pieces: quantity, customer: customer_id } }
---*/
SELECT id, << metric >> AS value, << metric >> * 2 AS twice
FROM orders
WHERE << metric >> >= 4 AND id <= 11
ORDER BY << metric >> DESC, id
