SELECT id, sum(big) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS of_two, by_flag
FROM types
LEFT JOIN (
  SELECT flag AS kind, sum(big) AS by_flag
  FROM types
  WHERE id <> << without: smallint >>
  GROUP BY flag
) AS grouped ON kind = flag
WHERE id >= 3
ORDER BY id
