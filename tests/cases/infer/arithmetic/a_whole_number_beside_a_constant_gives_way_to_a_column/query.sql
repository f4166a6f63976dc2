-- calls: 4
SELECT
  dbl / nullif(<< parts >>, 0) AS part,
  single + coalesce(<< more? >>, 0) AS more,
  dbl * CASE WHEN flag THEN << factor >> ELSE 1 END AS scaled,
  big / nullif(<< whole >>, 0) AS whole
FROM types
