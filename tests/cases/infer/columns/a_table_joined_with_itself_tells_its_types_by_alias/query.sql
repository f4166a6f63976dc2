SELECT count(*) AS n
FROM orders AS a JOIN orders AS b ON b.customer_id = a.customer_id AND b.day - a.day < << days >>
WHERE a.status = << first >> AND b.quantity > << least >>
