SELECT o.id
FROM orders AS o
JOIN customers AS c
  -- error: [invalid-query]
  ON o.day = c.id
-- error: [invalid-query]
WHERE o.day < 20240131
  -- error: [invalid-query]
  AND o.day BETWEEN 20240101 AND 20241231
  -- error: [invalid-query]
  AND o.day IN (20240131, 20240201)
  -- error: [invalid-query]
  AND o.day = 19753
  -- error: [invalid-query]
  AND o.day IS DISTINCT FROM 20240230
  -- error: [invalid-query]
  AND (o.id, o.day) = (1, 20240131)
  -- error: [invalid-query]
  AND o.day IN (SELECT id FROM customers)
  AND o.day + 7 > o.day - 7
  AND o.day - DATE '2024-01-01' > 7
  AND o.status = << status >>
  -- error: [invalid-query]
  AND [o.day] = [20240131]
