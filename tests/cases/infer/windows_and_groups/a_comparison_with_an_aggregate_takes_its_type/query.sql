SELECT status, count(*) AS orders
FROM orders
GROUP BY status
HAVING count(*) > << a >> AND avg(quantity) > << b >> AND max(day) <= << c >> AND sum(quantity) <> << d >>
