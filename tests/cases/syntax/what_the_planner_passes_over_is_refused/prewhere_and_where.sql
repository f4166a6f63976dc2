SELECT id
FROM orders
-- error: [invalid-query]
PREWHERE quantity > 1
WHERE price > << least: double >>
