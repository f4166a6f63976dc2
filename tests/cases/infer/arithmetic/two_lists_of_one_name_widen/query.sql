-- calls: 1, 0
SELECT count(*) AS n
FROM orders
WHERE (quantity IN << a >> OR price IN << a >>) AND price NOT IN << b >> AND quantity NOT IN << b >>
