SELECT status, count(*) AS n
FROM orders
GROUP BY status
HAVING sum(quantity) + << a >> > 10 AND avg(price) * << b >> > 1 AND sum(price) > << c >> * count(*)
