-- calls: 1
SELECT count(*) AS n
FROM orders
WHERE status IN (SELECT << a >>) AND quantity = (SELECT << b >>) AND day NOT IN (SELECT << c >> FROM customers)
