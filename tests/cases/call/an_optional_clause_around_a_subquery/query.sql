SELECT name
FROM customers AS c
WHERE c.id < 5
  [[ AND EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.status = << status >>) ]]
  [[ AND c.id NOT IN (SELECT customer_id FROM orders WHERE price > << dear >>) ]]
ORDER BY name
