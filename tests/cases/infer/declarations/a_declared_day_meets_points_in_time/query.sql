-- calls: 3
SELECT count(*) AS n
FROM orders
WHERE day >= << a: date >> AND placed_at > << a >> AND placed_at < << b: timestamp >> AND day < << b >>
