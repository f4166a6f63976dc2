/*---
params:
  by: { choices: { price: price, quantity: quantity } }
---*/
SELECT id
FROM orders
WHERE id < 11 [[ AND << by >> > << least >> ]]
ORDER BY id
