SELECT count(*) AS n
FROM customers AS c
WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND c.joined < << a >> AND o.quantity > << b >>)
  AND (SELECT max(o.price) FROM orders AS o WHERE o.customer_id = c.id) > << d >>
