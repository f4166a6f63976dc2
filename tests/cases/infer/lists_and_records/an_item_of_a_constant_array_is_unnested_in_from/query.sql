SELECT count(*) AS n
FROM unnest([1, 2, 3]) AS t(x)
JOIN orders ON orders.id = t.x
WHERE t.x > << least >>
