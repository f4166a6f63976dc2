SELECT b.column1 AS band, count(*) AS orders FROM bands AS b JOIN orders AS o ON o.price <= b.column2 GROUP BY b.column1 ORDER BY band
