SELECT c.id, c.name, upper(c.city) AS city, count(o.id) AS orders, sum(o.price) AS total
FROM customers AS c
LEFT JOIN orders AS o ON o.customer_id = c.id AND o.price >= << least >>
GROUP BY c.id
HAVING c.vip OR count(o.id) >= 0
ORDER BY c.joined
