SELECT count(*) AS n
FROM orders
WHERE << a: smallint >> = 5 AND << b: double >> > 1 AND << c: decimal(10,2) >> < 0.5
  AND << e: timestamp >> > '2024-01-01' AND << f: int >> + 1 > 0
