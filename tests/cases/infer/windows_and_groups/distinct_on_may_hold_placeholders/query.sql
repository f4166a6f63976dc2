SELECT count(*) AS n
FROM (
  SELECT DISTINCT ON (quantity > << many >>, status) id FROM orders ORDER BY quantity > << many >>, status, id
) AS t
