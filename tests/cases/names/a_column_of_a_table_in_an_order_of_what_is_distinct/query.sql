-- error: [invalid-query]
SELECT DISTINCT -id AS id FROM orders WHERE price > << least >> ORDER BY orders.id
