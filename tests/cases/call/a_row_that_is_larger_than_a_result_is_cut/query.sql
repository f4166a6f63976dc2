/*---
expose: [limit, table_format]
---*/
SELECT id, CASE WHEN id = << large: int >> THEN repeat('a|é', 600) ELSE status END AS body,
  CASE WHEN id = << large >> THEN repeat('b', 200) ELSE 'b' END AS other
FROM orders WHERE id < 4 ORDER BY id
