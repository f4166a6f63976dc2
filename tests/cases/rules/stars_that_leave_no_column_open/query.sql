WITH named AS (
  SELECT id, status FROM orders
)
SELECT *
FROM named
WHERE EXISTS (SELECT * FROM customers WHERE customers.id = named.id)
