SELECT o.id, u.line.product AS product, u.line.count AS count
FROM orders AS o, unnest(o.lines) AS u(line)
WHERE u.line.product = << product >> AND u.line.count >= << least >>
ORDER BY o.id, count
