SELECT o.id, line.product, line.count, l.r.count AS again
FROM orders AS o, unnest(o.lines) AS line
JOIN unnest(o.lines) AS l(r) ON l.r.product = line.product
WHERE line.product = << product >> AND line.count >= << least >>
ORDER BY o.id, line.count, again
