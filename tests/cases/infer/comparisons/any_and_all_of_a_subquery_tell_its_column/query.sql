-- calls: 6, 0
SELECT count(*) AS n
FROM customers
WHERE << a >> = ANY (SELECT quantity FROM orders)
  AND << b >> >= ALL (SELECT price FROM orders)
  AND << c >> <> ALL (SELECT status FROM orders)
  AND << e >> <= ANY (SELECT max(day) FROM orders)
