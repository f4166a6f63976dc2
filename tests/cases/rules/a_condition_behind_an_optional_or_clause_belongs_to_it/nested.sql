SELECT id
FROM orders
WHERE quantity = 1 AND (id <= 2
  [[ OR price > << more >> ]]
  [[ OR id IN << ids >> ]]
  -- warning: [swallowed-condition]
  [[ AND price < << less >> ]])
ORDER BY id
