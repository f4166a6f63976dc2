SELECT count(*) AS n
FROM types
WHERE coalesce(<< a? >>, medium) > 0 AND greatest(small, << b >>) > 3 AND coalesce(amount, << c >>) < 1
  AND nullif(single, << e >>) > 0
