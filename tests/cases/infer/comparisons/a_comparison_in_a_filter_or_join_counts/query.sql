SELECT c.name, count(o.id) FILTER (WHERE o.price > << a >>) AS dear
FROM customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.id AND o.status = << b >>
GROUP BY c.name
