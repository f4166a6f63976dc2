-- error: [invalid-query]
SELECT status, count(*) AS orders FROM orders
