SELECT
  c.id,
  (SELECT o.price FROM orders AS o WHERE o.day < c.joined + << span >> ORDER BY o.price DESC, o.id LIMIT 1) AS dearest,
  l.n
FROM customers AS c
LEFT JOIN LATERAL (SELECT count(*) AS n FROM orders AS o WHERE o.customer_id <= c.id AND o.status = << status >>) AS l
  ON l.n > << least >>
