-- calls: 0, 2
SELECT count(*) AS n
FROM orders
WHERE quantity > << a >> * 0.5 AND quantity * 0.5 < << b >> AND quantity BETWEEN << c >> * 0.9 AND << c >> * 1.1
