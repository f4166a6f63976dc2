/*---
params: { q: { type: bigint } }
timeout: 5m
---*/
SELECT which, array_to_string(array_agg(id ORDER BY id), ' ') AS ids
FROM (
  SELECT 'not_in_or all' AS which, id FROM a WHERE k NOT IN (SELECT k FROM b) OR id = << p >>
  UNION ALL
  SELECT 'not_in_or none' AS which, id FROM a WHERE k NOT IN (SELECT k FROM b WHERE id > 1000) OR id = << p >>
  UNION ALL
  SELECT 'not_in_or outer' AS which, id FROM a WHERE k NOT IN (SELECT b.k FROM b WHERE b.j = a.j) OR id = << p >>
  UNION ALL
  SELECT 'not_in_or less' AS which, id FROM a WHERE k NOT IN (SELECT b.k FROM b WHERE b.id < a.id) OR id = << p >>
  UNION ALL
  SELECT 'not_in_or grouped' AS which, id FROM a WHERE k NOT IN (SELECT max(k) FROM b GROUP BY j) OR id = << p >>
  UNION ALL
  SELECT 'not_in_or values' AS which, id FROM a WHERE k NOT IN (VALUES (1), (3), (NULL)) OR id = << p >>
  UNION ALL
  SELECT 'not_and all' AS which, id FROM a WHERE NOT (k IN (SELECT k FROM b) AND id <> << p >>)
  UNION ALL
  SELECT 'not_and none' AS which, id FROM a WHERE NOT (k IN (SELECT k FROM b WHERE id > 1000) AND id <> << p >>)
  UNION ALL
  SELECT 'not_and outer' AS which, id FROM a WHERE NOT (k IN (SELECT b.k FROM b WHERE b.j = a.j) AND id <> << p >>)
  UNION ALL
  SELECT 'not_and less' AS which, id FROM a WHERE NOT (k IN (SELECT b.k FROM b WHERE b.id < a.id) AND id <> << p >>)
  UNION ALL
  SELECT 'not_and grouped' AS which, id FROM a WHERE NOT (k IN (SELECT max(k) FROM b GROUP BY j) AND id <> << p >>)
  UNION ALL
  SELECT 'not_and values' AS which, id FROM a WHERE NOT (k IN (VALUES (1), (3), (NULL)) AND id <> << p >>)
  UNION ALL
  SELECT 'not_in all' AS which, id FROM a WHERE k NOT IN (SELECT k FROM b)
  UNION ALL
  SELECT 'not_in none' AS which, id FROM a WHERE k NOT IN (SELECT k FROM b WHERE id > 1000)
  UNION ALL
  SELECT 'not_in outer' AS which, id FROM a WHERE k NOT IN (SELECT b.k FROM b WHERE b.j = a.j)
  UNION ALL
  SELECT 'not_in less' AS which, id FROM a WHERE k NOT IN (SELECT b.k FROM b WHERE b.id < a.id)
  UNION ALL
  SELECT 'not_in grouped' AS which, id FROM a WHERE k NOT IN (SELECT max(k) FROM b GROUP BY j)
  UNION ALL
  SELECT 'not_in values' AS which, id FROM a WHERE k NOT IN (VALUES (1), (3), (NULL))
  UNION ALL
  SELECT 'case all' AS which, id FROM a WHERE CASE WHEN k IN (SELECT k FROM b) THEN id > 2 WHEN k NOT IN (SELECT k FROM b) THEN id < 3 ELSE id = 3 END
  UNION ALL
  SELECT 'case outer' AS which, id FROM a WHERE CASE WHEN k IN (SELECT b.k FROM b WHERE b.j = a.j) THEN id > 2 WHEN k NOT IN (SELECT b.k FROM b WHERE b.j = a.j) THEN id < 3 ELSE id = 3 END
  UNION ALL
  SELECT 'case less' AS which, id FROM a WHERE CASE WHEN k IN (SELECT b.k FROM b WHERE b.id < a.id) THEN id > 2 WHEN k NOT IN (SELECT b.k FROM b WHERE b.id < a.id) THEN id < 3 ELSE id = 3 END
  UNION ALL
  SELECT 'case values' AS which, id FROM a WHERE CASE WHEN k IN (VALUES (1), (3), (NULL)) THEN id > 2 WHEN k NOT IN (VALUES (1), (3), (NULL)) THEN id < 3 ELSE id = 3 END
  UNION ALL
  SELECT 'constant all' AS which, id FROM a WHERE << q >> NOT IN (SELECT k FROM b)
  UNION ALL
  SELECT 'constant outer' AS which, id FROM a WHERE << q >> NOT IN (SELECT b.k FROM b WHERE b.j = a.j)
  UNION ALL
  SELECT 'constant less' AS which, id FROM a WHERE << q >> NOT IN (SELECT b.k FROM b WHERE b.id < a.id)
  UNION ALL
  SELECT 'constant values' AS which, id FROM a WHERE << q >> NOT IN (VALUES (1), (3), (NULL))
  UNION ALL
  SELECT 'both', id FROM a WHERE NOT (k IN (SELECT k FROM b WHERE k > 2) OR j IN (SELECT k FROM b WHERE id = 3))
)
GROUP BY which
ORDER BY which
