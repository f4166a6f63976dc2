SELECT which, array_to_string(array_agg(id ORDER BY id), ' ') AS ids
FROM (
  SELECT 1 AS which, id FROM t WHERE a NOT IN (1, 0) OR a NOT IN (NULL, 3)
  UNION ALL
  SELECT 2, id FROM t WHERE a IN (3, 1) AND a NOT IN (<< x?: int >>, 2)
  UNION ALL
  SELECT 3, id FROM t WHERE NOT (a IN (0, NULL, 1) AND a NOT IN (2, 0, NULL))
  UNION ALL
  SELECT 4, id FROM t WHERE a NOT IN (5, 6) OR a NOT IN (7, 8)
  UNION ALL
  SELECT 5, id FROM t WHERE NOT (a IN (1, 2) AND a IN (3, 4))
  UNION ALL
  SELECT 6, id FROM t WHERE NOT (a NOT IN (5, 6) AND a IN (5, 6))
  UNION ALL
  SELECT 7, id FROM t WHERE (a NOT IN << l: int[] >> OR a NOT IN << m: int[] >>) IS NULL
  UNION ALL
  SELECT 8, id FROM t WHERE NOT (a IN << l: int[] >> AND a IN << m: int[] >>)
  UNION ALL
  SELECT 9, id FROM t WHERE NOT (a = 1 AND a IN (NULL, 2))
  UNION ALL
  SELECT 10, id FROM (SELECT id, a AS b FROM t WHERE a IN (3, 1)) WHERE b NOT IN (NULL, 2)
  UNION ALL
  SELECT 11, id FROM t WHERE (a <> 1 OR a NOT IN (NULL, 2)) IS NULL
)
GROUP BY which
ORDER BY which
