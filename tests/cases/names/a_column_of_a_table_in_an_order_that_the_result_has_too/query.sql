-- error: [ambiguous-column]
SELECT -id AS id, price FROM orders WHERE price > << least >> ORDER BY orders.id
