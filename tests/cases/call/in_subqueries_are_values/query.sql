SELECT
  id,
  k IN (SELECT k FROM b) AS within,
  k NOT IN (SELECT k FROM b) AS without,
  k IN (SELECT k FROM b WHERE k IS NOT NULL) AS known,
  k IN (SELECT k FROM b WHERE id > << beyond >>) AS later,
  k IN (SELECT b.k FROM b WHERE b.j = a.j) AS same_j,
  k NOT IN (SELECT b.k FROM b WHERE b.id < a.id) AS not_before,
  EXISTS (SELECT 1 FROM b WHERE b.k = a.k) AS is_there,
  NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.k AND b.id > a.id) AS is_last,
  k = ANY (SELECT k FROM b) AS is_any,
  CASE WHEN k IN (SELECT j FROM b) THEN 'in' WHEN k NOT IN (SELECT j FROM b) THEN 'out' ELSE 'unknown' END AS words,
  count(*) FILTER (WHERE k IN (SELECT k FROM b)) OVER () AS found,
  (SELECT count(*) FILTER (WHERE b.k IN (SELECT j FROM a)) FROM b) AS counted
FROM a
ORDER BY id
