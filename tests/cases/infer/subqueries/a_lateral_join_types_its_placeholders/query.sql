-- calls: 2, 1
SELECT count(*) AS n
FROM customers AS c
JOIN LATERAL (SELECT max(o.price) AS dearest FROM orders AS o WHERE o.customer_id = c.id AND o.quantity < << a >>) AS l ON l.dearest > << b >>
WHERE c.vip = << c >>
