-- calls: 10
SELECT count(*) AS n
FROM orders
WHERE day - << a >> > 30 AND day - << b >> BETWEEN 0 AND 400 AND 300 >= day - << c >> AND day - << e >> <> quantity
