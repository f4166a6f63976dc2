SELECT id
FROM orders
WHERE status = 'open' OR id < 3 [[ OR price > << more >> ]]
  -- warning: [swallowed-condition]
  AND day BETWEEN '2024-01-01' AND '2024-01-31' AND quantity = 1
ORDER BY id
