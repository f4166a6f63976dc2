-- error: [invalid-query]
SELECT * ILIKE '%id%'
FROM orders
