SELECT id
FROM orders
-- error: [invalid-query]
PREWHERE quantity > << least: int >>
