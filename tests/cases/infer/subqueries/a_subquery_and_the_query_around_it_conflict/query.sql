SELECT id
FROM orders
WHERE customer_id IN (SELECT id FROM customers WHERE vip = << x >>)
-- error: [conflicting-types]
  AND price > << x >>
