-- error: [invalid-query]
SELECT count(*) AS n FROM orders WHERE day > DATE '2024-01-01' + << n: double >> * INTERVAL '1 day'
