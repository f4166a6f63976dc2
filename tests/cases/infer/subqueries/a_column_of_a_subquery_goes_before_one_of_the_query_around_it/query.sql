-- calls: 2, 0 (id is that of orders, big that of types)
SELECT count(*) AS n
FROM types
WHERE EXISTS (SELECT 1 FROM orders WHERE id = << a >> AND big > << b >>)
