-- calls: 1, 0, 3
SELECT count(*) AS n
FROM orders
WHERE day + << a: int >> > DATE '2024-12-31' AND day - << b: bigint >> < DATE '2024-12-31'
