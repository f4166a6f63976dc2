SELECT id
FROM orders
WHERE id = << a >> AND price > << b >> AND day = << c >> AND placed_at > << d >> AND customer_id IN << e >>
  AND (quantity > 0) = << f >>
