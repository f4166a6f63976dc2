SELECT id, CASE WHEN id = 1 [[ OR id = << one >> ]]
  -- warning: [swallowed-condition]
  AND quantity > 1 THEN 'a' ELSE 'b' END AS letter
FROM orders
ORDER BY id
