-- error: [invalid-query]
SELECT count(*) AS n FROM orders FETCH << k >> ROWS ONLY
