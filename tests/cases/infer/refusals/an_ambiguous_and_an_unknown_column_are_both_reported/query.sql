SELECT orders.id
FROM orders
JOIN customers ON customers.id = orders.customer_id
-- error: [ambiguous-column]
WHERE id = << x >>
-- error: [unknown-column]
  AND cityy = << y >>
