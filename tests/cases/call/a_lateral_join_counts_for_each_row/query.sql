SELECT sale.id, c.n, c.largest, v.label
FROM sales AS sale
CROSS JOIN LATERAL (SELECT count(*) AS n, max(r.value) AS largest FROM rates AS r WHERE r.day < sale.day) AS c
CROSS JOIN LATERAL (VALUES ('id ' || CAST(sale.id AS text)), ('day ' || CAST(sale.day AS text))) AS v(label)
WHERE c.n >= << least >>
ORDER BY sale.id, v.label
