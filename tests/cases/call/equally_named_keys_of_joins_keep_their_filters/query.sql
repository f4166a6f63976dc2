/*---
params:
  y: { type: double }
---*/
SELECT 'inner' AS kind, 'left_or_right' AS which, b.id, a.id AS other
FROM a INNER JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
UNION ALL
SELECT 'inner' AS kind, 'right_or_left' AS which, b.id, a.id AS other
FROM a INNER JOIN b ON a.id = b.id
WHERE (a.y < << y >> AND b.id <> 7) OR a.id <= 4
UNION ALL
SELECT 'inner' AS kind, 'null' AS which, b.id, a.id AS other
FROM a INNER JOIN b ON a.id = b.id
WHERE (a.id IS NULL AND b.y IS NOT NULL) OR b.y < << y >>
UNION ALL
SELECT 'inner' AS kind, 'other_null' AS which, b.id, a.id AS other
FROM a INNER JOIN b ON a.id = b.id
WHERE (b.id IS NULL AND a.y < << y >>) OR a.id < 4
UNION ALL
SELECT 'inner', 'grouped', b.id, a.id
FROM a INNER JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
GROUP BY b.id, a.id
UNION ALL
SELECT 'left' AS kind, 'left_or_right' AS which, b.id, a.id AS other
FROM a LEFT JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
UNION ALL
SELECT 'left' AS kind, 'right_or_left' AS which, b.id, a.id AS other
FROM a LEFT JOIN b ON a.id = b.id
WHERE (a.y < << y >> AND b.id <> 7) OR a.id <= 4
UNION ALL
SELECT 'left' AS kind, 'null' AS which, b.id, a.id AS other
FROM a LEFT JOIN b ON a.id = b.id
WHERE (a.id IS NULL AND b.y IS NOT NULL) OR b.y < << y >>
UNION ALL
SELECT 'left' AS kind, 'other_null' AS which, b.id, a.id AS other
FROM a LEFT JOIN b ON a.id = b.id
WHERE (b.id IS NULL AND a.y < << y >>) OR a.id < 4
UNION ALL
SELECT 'left', 'grouped', b.id, a.id
FROM a LEFT JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
GROUP BY b.id, a.id
UNION ALL
SELECT 'right' AS kind, 'left_or_right' AS which, b.id, a.id AS other
FROM a RIGHT JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
UNION ALL
SELECT 'right' AS kind, 'right_or_left' AS which, b.id, a.id AS other
FROM a RIGHT JOIN b ON a.id = b.id
WHERE (a.y < << y >> AND b.id <> 7) OR a.id <= 4
UNION ALL
SELECT 'right' AS kind, 'null' AS which, b.id, a.id AS other
FROM a RIGHT JOIN b ON a.id = b.id
WHERE (a.id IS NULL AND b.y IS NOT NULL) OR b.y < << y >>
UNION ALL
SELECT 'right' AS kind, 'other_null' AS which, b.id, a.id AS other
FROM a RIGHT JOIN b ON a.id = b.id
WHERE (b.id IS NULL AND a.y < << y >>) OR a.id < 4
UNION ALL
SELECT 'right', 'grouped', b.id, a.id
FROM a RIGHT JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
GROUP BY b.id, a.id
UNION ALL
SELECT 'full' AS kind, 'left_or_right' AS which, b.id, a.id AS other
FROM a FULL JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
UNION ALL
SELECT 'full' AS kind, 'right_or_left' AS which, b.id, a.id AS other
FROM a FULL JOIN b ON a.id = b.id
WHERE (a.y < << y >> AND b.id <> 7) OR a.id <= 4
UNION ALL
SELECT 'full' AS kind, 'null' AS which, b.id, a.id AS other
FROM a FULL JOIN b ON a.id = b.id
WHERE (a.id IS NULL AND b.y IS NOT NULL) OR b.y < << y >>
UNION ALL
SELECT 'full' AS kind, 'other_null' AS which, b.id, a.id AS other
FROM a FULL JOIN b ON a.id = b.id
WHERE (b.id IS NULL AND a.y < << y >>) OR a.id < 4
UNION ALL
SELECT 'full', 'grouped', b.id, a.id
FROM a FULL JOIN b ON a.id = b.id
WHERE (b.y < << y >> AND a.id <> 7) OR b.id <= 4
GROUP BY b.id, a.id
UNION ALL
SELECT 'semi', 'exists', a.k, a.id
FROM a
WHERE (EXISTS (SELECT 1 FROM b WHERE a.id = b.k AND b.id <> a.y) AND a.id <> 2) OR (a.id = 7 AND a.k < << y >>)
ORDER BY kind, which, id NULLS LAST, other NULLS LAST
