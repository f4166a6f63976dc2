SELECT count(*) AS n
FROM orders
WHERE << a >> IN (status, note) AND << b >> NOT IN (quantity, id) AND << c >> IN (quantity, price)
