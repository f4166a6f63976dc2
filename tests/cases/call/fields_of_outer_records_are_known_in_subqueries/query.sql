SELECT
  i.id,
  (SELECT count(*) FROM orders AS o WHERE o.quantity = i.size.w) AS same,
  EXISTS (SELECT 1 FROM orders AS o WHERE o.id < size.h AND o.quantity > << least >>) AS some
FROM items AS i
ORDER BY i.id
