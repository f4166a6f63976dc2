-- calls: 0, 1, 0
SELECT count(*) AS n
FROM orders
WHERE day >= << a >> + INTERVAL '1 day'
  AND placed_at < << b >> - INTERVAL '2 hours'
  AND INTERVAL '1 month' + << c >> > day
  AND day BETWEEN << e >> - INTERVAL '7 days' AND << e >>
