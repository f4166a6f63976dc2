SELECT id
FROM orders
WHERE id <= 2 [[ OR price > << more >> ]]
  -- warning: [swallowed-condition]
  [[ AND price < << less >> ]]
ORDER BY id
