-- error: [invalid-query]
SELECT sum(CASE WHEN status = 'open' THEN quantity ELSE '0' END) AS open
FROM orders
