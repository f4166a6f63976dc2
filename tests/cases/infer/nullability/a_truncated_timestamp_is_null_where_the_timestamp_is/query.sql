SELECT date_trunc('month', placed_at) AS month, count(*) AS n
FROM orders
WHERE placed_at < << until >>
GROUP BY 1
ORDER BY 1
