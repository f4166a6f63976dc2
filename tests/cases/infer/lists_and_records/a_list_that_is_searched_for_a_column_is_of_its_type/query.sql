SELECT count(*) AS n
FROM types
WHERE array_has(<< mediums >>, medium)
  AND array_has(<< days >>, day)
