SELECT orders.id, customers.id AS customer
FROM orders
JOIN customers
  ON customers.id = orders.customer_id
  AND EXISTS (SELECT 1 FROM types WHERE types.id = customers.id AND types.small IS NOT NULL)
WHERE orders.id <= << last: bigint >>
ORDER BY orders.id
