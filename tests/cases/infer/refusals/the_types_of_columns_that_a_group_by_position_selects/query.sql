-- calls: 2, 1
SELECT count(*) AS n
FROM (
  SELECT CASE WHEN quantity > << many >> THEN << large >> ELSE status END AS band, max(price * << factor >>) AS p
  FROM orders GROUP BY 1 HAVING max(price * << factor >>) > 50
) AS t
WHERE band = 'large' OR band = << small >>
