SELECT c.name, count(o.id) AS orders
FROM customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.id [[ AND o.status = << status >> ]]
GROUP BY c.name
ORDER BY c.name
