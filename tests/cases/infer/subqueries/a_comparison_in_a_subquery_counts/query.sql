SELECT name
FROM customers AS c
WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.day >= << a >>)
  AND id IN (SELECT customer_id FROM orders WHERE status = << b >>)
  AND (SELECT count(*) FROM orders AS o WHERE o.customer_id = c.id) > << c >>
