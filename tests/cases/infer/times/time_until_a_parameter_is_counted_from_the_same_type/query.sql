SELECT count(*) AS n, count(<< c >> - day) AS m
FROM orders
WHERE << a >> - day > 0 AND << b >> - placed_at < INTERVAL '24 hours'
