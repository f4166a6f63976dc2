SELECT CAST(1 + CAST(1 + CAST(1 + CAST(1 + CAST(1 + CAST(1 + CAST(1 + CAST(1 + 1 AS int) AS int) AS int) AS int) AS int) AS int) AS int) AS int) AS casts,
    CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN CASE WHEN true THEN 1 END END END END END END END END END END END END AS cases,
    NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT (NOT (true)))))))))) AS negations,
    - - - - - - - - - - - - 1 AS signs,
    ARRAY[ARRAY[ARRAY[1]]] AS lists,
    CASE WHEN id = 1 THEN 1 ELSE 2 END + CASE WHEN id = 2 THEN 1 ELSE 2 END AS "case"
FROM orders
ORDER BY id
LIMIT 1
