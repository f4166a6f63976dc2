SELECT name
FROM customers AS c
WHERE c.id > 0
  [[ AND EXISTS (
    SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.status = << status >> [[ AND o.quantity >= << least >> ]]
  ) ]]
ORDER BY name
