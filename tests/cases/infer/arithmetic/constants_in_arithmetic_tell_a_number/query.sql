-- calls: 20, 0
SELECT count(*) AS n
FROM orders
WHERE << a >> + 1 > 0 AND << b >> * 0.5 < 3 AND 10 - << c >> > 0.5 AND << e >> % 2 = 1
