SELECT id
FROM orders AS o
WHERE o.day = << x >>
-- error: [unknown-column]
  AND EXISTS (SELECT 1 FROM customers AS c WHERE c.idd = o.customer_id)
-- error: [conflicting-types]
  AND o.status = << x >>
